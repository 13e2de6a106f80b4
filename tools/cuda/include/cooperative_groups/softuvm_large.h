/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tiles of several warps, of 64 to 1024 threads.  What their warps share is in shared memory, which is
 * zero when a block begins; only programs that use it have it.
 */
#ifndef SOFTUVM_COOPERATIVE_GROUPS_LARGE_H
#define SOFTUVM_COOPERATIVE_GROUPS_LARGE_H

namespace cooperative_groups {

/**
 * struct softuvm_large - what warps of a block share
 * @arrived: warps that have come to barriers of each tile, in all; tiles of 64 threads have words 16
 *	to 31, of 128 words 8 to 15, and so on.  Word 0 counts threads that have come to the block's
 * @value: of each warp, of up to 8 bytes
 */
struct softuvm_large {
	unsigned int arrived[32];
	unsigned long long value[32];
};

static inline __device__ softuvm_large *softuvm_large_memory()
{
	static __shared__ softuvm_large memory;

	return &memory;
}

/* A tile of several warps, all of which the block has. */
class softuvm_large_tile {
	unsigned int width, whole;

	__device__ unsigned int warps() const { return width / 32; }
	__device__ unsigned int first_warp() const { return softuvm_rank() / width * warps(); }
	static __device__ unsigned int lane() { return softuvm_rank() % 32; }

public:
	explicit __device__ softuvm_large_tile(unsigned int size, unsigned int whole = thread_block::size())
		: width(size), whole(whole) { }
	__device__ unsigned int num_threads() const { return width; }
	__device__ unsigned int size() const { return width; }
	__device__ unsigned int thread_rank() const { return softuvm_rank() % width; }
	__device__ unsigned int meta_group_rank() const { return softuvm_rank() % whole / width; }
	__device__ unsigned int meta_group_size() const { return (whole + width - 1) / width; }
	/* One lane of each warp comes and waits until all of this turn have come. */
	__device__ void sync() const
	{
		unsigned int *arrived = &softuvm_large_memory()->arrived[1024 / width + softuvm_rank() / width];

		__syncwarp();
		if (!lane()) {
			unsigned int own = __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
			unsigned int all = (own / warps() + 1) * warps();

			while ((int)(__atomic_load_n(arrived, __ATOMIC_ACQUIRE) - all) < 0)
				;
		}
		__syncwarp();
	}
	/* All values of warps in one, by an operation: each warp's is that of its first lane. */
	template<class T, class Operation> __device__ T combine(T value, Operation &&operation) const
	{
		T all, other;

		give(value);
		all = of_warp<T>(0);
		for (unsigned int from = 1; from < warps(); from++) {
			other = of_warp<T>(from);
			all = operation(all, other);
		}
		sync();
		return all;
	}
	__device__ int any(int predicate) const
	{
		return combine(__any_sync(~0u, predicate), [](int a, int b) { return a | b; });
	}
	__device__ int all(int predicate) const
	{
		return combine(__all_sync(~0u, predicate), [](int a, int b) { return a & b; });
	}
	/* All threads ask for the same one. */
	template<class T> __device__ T shfl(T value, unsigned int rank) const
	{
		give(softuvm_tile(32).shfl(value, rank % 32));
		value = of_warp<T>(rank / 32);
		sync();
		return value;
	}

private:
	template<class T> __device__ void give(T value) const
	{
		static_assert(sizeof(T) <= 8, "tiles above 32 threads take values of up to 8 bytes, as CUDA's");

		if (!lane())
			memcpy(&softuvm_large_memory()->value[softuvm_rank() / 32], &value, sizeof(T));
		sync();
	}
	template<class T> __device__ T of_warp(unsigned int from) const
	{
		T value;

		memcpy(&value, &softuvm_large_memory()->value[first_warp() + from], sizeof(T));
		return value;
	}
};

}

#endif

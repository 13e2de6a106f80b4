/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cooperative groups: the block, tiles of a warp, and the lanes that are together.  Groups of a
 * whole grid or of several GPUs are not here.
 */
#ifndef SOFTUVM_COOPERATIVE_GROUPS_H
#define SOFTUVM_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

#if defined(__CUDA__) && defined(__clang__)
namespace cooperative_groups {

/* Number of this thread in its block, x first. */
static inline __device__ unsigned int softuvm_rank()
{
	return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

class thread_block {
public:
	static __device__ void sync() { __syncthreads(); }
	static __device__ unsigned int thread_rank() { return softuvm_rank(); }
	static __device__ unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
	static __device__ unsigned int size() { return num_threads(); }
	static __device__ dim3 group_index() { return blockIdx; }
	static __device__ dim3 thread_index() { return threadIdx; }
	static __device__ dim3 group_dim() { return blockDim; }
	static __device__ dim3 dim_threads() { return blockDim; }
};

static inline __device__ thread_block this_thread_block() { return thread_block(); }

/**
 * class softuvm_lanes - some lanes of a warp
 * @mask: which
 * @width: segment of a shuffle
 */
class softuvm_lanes {
protected:
	unsigned int mask, width;

public:
	__device__ softuvm_lanes(unsigned int mask, unsigned int width) : mask(mask), width(width) { }
	__device__ void sync() const { __syncwarp(mask); }
	__device__ int any(int predicate) const { return __any_sync(mask, predicate); }
	__device__ int all(int predicate) const { return __all_sync(mask, predicate); }
};

/* A tile begins at a multiple of its size: shuffles see it as their segment. */
class softuvm_tile : public softuvm_lanes {
public:
	__device__ softuvm_tile(unsigned int size)
		: softuvm_lanes((size == 32 ? ~0u : (1u << size) - 1) <<
				(softuvm_rank() % 32 & ~(size - 1)), size) { }
	__device__ unsigned int num_threads() const { return width; }
	__device__ unsigned int size() const { return width; }
	__device__ unsigned int thread_rank() const { return softuvm_rank() % width; }
	__device__ unsigned int meta_group_rank() const { return softuvm_rank() / width; }
	__device__ unsigned int meta_group_size() const
	{
		return (thread_block::size() + width - 1) / width;
	}
	template<class T> __device__ T shfl(T value, int lane) const
	{
		return __shfl_sync(mask, value, lane, width);
	}
	template<class T> __device__ T shfl_up(T value, unsigned int by) const
	{
		return __shfl_up_sync(mask, value, by, width);
	}
	template<class T> __device__ T shfl_down(T value, unsigned int by) const
	{
		return __shfl_down_sync(mask, value, by, width);
	}
	template<class T> __device__ T shfl_xor(T value, unsigned int by) const
	{
		return __shfl_xor_sync(mask, value, by, width);
	}
	/* Masks of a tile count its own lanes. */
	__device__ unsigned int ballot(int predicate) const { return own(__ballot_sync(mask, predicate)); }
	template<class T> __device__ unsigned int match_any(T value) const
	{
		return own(__match_any_sync(mask, value));
	}
	template<class T> __device__ unsigned int match_all(T value, int &all) const
	{
		return own(__match_all_sync(mask, value, &all));
	}

private:
	__device__ unsigned int own(unsigned int lanes) const
	{
		return lanes >> (softuvm_rank() % 32 & ~(width - 1));
	}
};

template<unsigned int Size, class Parent = void> class thread_block_tile : public softuvm_tile {
	static_assert(Size && Size <= 32 && !(Size & (Size - 1)), "a tile has 1, 2, 4 ... 32 threads");

public:
	__device__ thread_block_tile() : softuvm_tile(Size) { }
};

template<unsigned int Size, class Parent>
static inline __device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
	return thread_block_tile<Size, Parent>();
}

typedef softuvm_tile thread_group;

template<class Parent>
static inline __device__ softuvm_tile tiled_partition(const Parent &, unsigned int size)
{
	return softuvm_tile(size);
}

/* The lanes that came here together, numbered anew. */
class coalesced_group : public softuvm_lanes {
public:
	__device__ coalesced_group() : softuvm_lanes(__activemask(), 32) { }
	__device__ unsigned int num_threads() const { return __popc(mask); }
	__device__ unsigned int size() const { return num_threads(); }
	__device__ unsigned int thread_rank() const
	{
		return __popc(mask & ((1u << softuvm_rank() % 32) - 1));
	}
	template<class T> __device__ T shfl(T value, unsigned int rank) const
	{
		return __shfl_sync(mask, value, lane_of(rank), 32);
	}
	__device__ unsigned int ballot(int predicate) const
	{
		unsigned int lanes = __ballot_sync(mask, predicate), own = 0;

		for (unsigned int i = 0; i < size(); i++)
			own |= (lanes >> lane_of(i) & 1) << i;
		return own;
	}

private:
	__device__ int lane_of(unsigned int rank) const
	{
		unsigned int rest = mask;

		while (rank--)
			rest &= rest - 1;
		return __ffs(rest) - 1;
	}
};

static inline __device__ coalesced_group coalesced_threads() { return coalesced_group(); }

template<class Group> static inline __device__ void sync(const Group &group) { group.sync(); }

}
#endif
#endif

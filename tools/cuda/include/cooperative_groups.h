/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cooperative groups: the grid, the block, tiles of a warp, and the lanes that are together.  Groups
 * of several GPUs are not here.
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
	typedef unsigned int arrival_token;

	static __device__ void sync() { __syncthreads(); }
	/* A barrier in two parts: between them a thread need not wait for others. */
	static inline __device__ arrival_token barrier_arrive();
	static inline __device__ void barrier_wait(arrival_token &&token);
	static __device__ unsigned int thread_rank() { return softuvm_rank(); }
	static __device__ unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
	static __device__ unsigned int size() { return num_threads(); }
	static __device__ dim3 group_index() { return blockIdx; }
	static __device__ dim3 thread_index() { return threadIdx; }
	static __device__ dim3 group_dim() { return blockDim; }
	static __device__ dim3 dim_threads() { return blockDim; }
};

static inline __device__ thread_block this_thread_block() { return thread_block(); }

/* CUDA's room for tiles of several warps, which have their own here. */
template<unsigned int Threads = 1024> struct block_tile_memory {
	char unused;
};

template<unsigned int Threads>
static inline __device__ thread_block this_thread_block(block_tile_memory<Threads> &)
{
	return thread_block();
}

/*
 * Blocks that have come to the barrier of the grid, and in the top bit which of its turns it is.  Each
 * turn adds half of what there is, so nobody has to set it back; launches of a GPU run one by one.
 */
static __device__ unsigned int softuvm_grid_arrived __attribute__((unused));

/* A launch whose blocks are all there at once has this behind its arguments, others have nothing. */
#define SOFTUVM_COOPERATIVE_WORD	0x4000000020000ff8

class grid_group {
public:
	static __device__ void sync()
	{
		const volatile unsigned long long *cooperative =
			(const volatile unsigned long long *)SOFTUVM_COOPERATIVE_WORD;
		bool first = !block_rank();

		__syncthreads();
		if (!softuvm_rank() && *cooperative) {
			unsigned int add = first ? 0x80000000 - (num_blocks() - 1) : 1, old;

			__threadfence();
			old = atomicAdd(&softuvm_grid_arrived, add);
			while (!((old ^ *(volatile unsigned int *)&softuvm_grid_arrived) >> 31))
				;
			__threadfence();
		}
		__syncthreads();
	}
	static __device__ dim3 dim_blocks() { return gridDim; }
	static __device__ dim3 group_dim() { return gridDim; }
	static __device__ dim3 dim_threads()
	{
		return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
	}
	static __device__ dim3 block_index() { return blockIdx; }
	static __device__ dim3 thread_index() { return threadIdx; }
	static __device__ unsigned long long num_blocks()
	{
		return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
	}
	static __device__ unsigned long long block_rank()
	{
		return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	}
	static __device__ unsigned long long num_threads()
	{
		return num_blocks() * thread_block::num_threads();
	}
	static __device__ unsigned long long size() { return num_threads(); }
	static __device__ unsigned long long thread_rank()
	{
		return block_rank() * thread_block::num_threads() + softuvm_rank();
	}
};

static inline __device__ grid_group this_grid() { return grid_group(); }

/* Where a shuffle gets its value from. */
enum softuvm_way { softuvm_way_from, softuvm_way_up, softuvm_way_down, softuvm_way_across };

class softuvm_lanes;

template<class T, bool Words> struct softuvm_moved {
	static __device__ T of(const softuvm_lanes &lanes, softuvm_way way, T value, unsigned int by);
};

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
	__device__ unsigned int lanes() const { return mask; }
	__device__ void sync() const { __syncwarp(mask); }
	__device__ int any(int predicate) const { return __any_sync(mask, predicate); }
	__device__ int all(int predicate) const { return __all_sync(mask, predicate); }
	/* Of an object word by word. */
	template<class T> __device__ T move(softuvm_way way, T value, unsigned int by) const
	{
		return softuvm_moved<T, !std::is_arithmetic<T>::value>::of(*this, way, value, by);
	}
	template<class T> __device__ T move_one(softuvm_way way, T value, unsigned int by) const
	{
		switch (way) {
		case softuvm_way_up:
			return __shfl_up_sync(mask, value, by, width);
		case softuvm_way_down:
			return __shfl_down_sync(mask, value, by, width);
		case softuvm_way_across:
			return __shfl_xor_sync(mask, value, by, width);
		default:
			return __shfl_sync(mask, value, by, width);
		}
	}
};

template<class T, bool Words> __device__ T softuvm_moved<T, Words>::of(const softuvm_lanes &lanes,
								softuvm_way way, T value,
								unsigned int by)
{
	return lanes.move_one(way, value, by);
}

template<class T> struct softuvm_moved<T, true> {
	static __device__ T of(const softuvm_lanes &lanes, softuvm_way way, T value, unsigned int by)
	{
		unsigned int words[(sizeof(T) + 3) / 4] = { };

		memcpy(words, &value, sizeof(T));
		for (unsigned int &word : words)
			word = lanes.move_one(way, word, by);
		memcpy(&value, words, sizeof(T));
		return value;
	}
};

/*
 * A tile begins at a multiple of its size: shuffles see it as their segment.  @whole: threads of the
 * group that it is a part of.
 */
class softuvm_tile : public softuvm_lanes {
	unsigned int whole;

public:
	__device__ softuvm_tile(unsigned int size, unsigned int whole = thread_block::size())
		: softuvm_lanes((size == 32 ? ~0u : (1u << size) - 1) <<
				(softuvm_rank() % 32 & ~(size - 1)), size), whole(whole) { }
	__device__ unsigned int num_threads() const { return width; }
	__device__ unsigned int size() const { return width; }
	__device__ unsigned int thread_rank() const { return softuvm_rank() % width; }
	__device__ unsigned int meta_group_rank() const { return softuvm_rank() % whole / width; }
	__device__ unsigned int meta_group_size() const { return (whole + width - 1) / width; }
	template<class T> __device__ T shfl(T value, int lane) const
	{
		return move(softuvm_way_from, value, lane);
	}
	template<class T> __device__ T shfl_up(T value, unsigned int by) const
	{
		return move(softuvm_way_up, value, by);
	}
	template<class T> __device__ T shfl_down(T value, unsigned int by) const
	{
		return move(softuvm_way_down, value, by);
	}
	template<class T> __device__ T shfl_xor(T value, unsigned int by) const
	{
		return move(softuvm_way_across, value, by);
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

}

#include "cooperative_groups/softuvm_large.h"

namespace cooperative_groups {

inline __device__ thread_block::arrival_token thread_block::barrier_arrive()
{
	unsigned int old = __atomic_fetch_add(&softuvm_large_memory()->arrived[0], 1, __ATOMIC_ACQ_REL);

	return (old / size() + 1) * size();
}

inline __device__ void thread_block::barrier_wait(arrival_token &&token)
{
	while ((int)(__atomic_load_n(&softuvm_large_memory()->arrived[0], __ATOMIC_ACQUIRE) - token) < 0)
		;
}

template<bool Large> struct softuvm_tile_kind {
	typedef softuvm_tile type;
};
template<> struct softuvm_tile_kind<true> {
	typedef softuvm_large_tile type;
};

template<unsigned int Size, class Parent = void>
class thread_block_tile : public softuvm_tile_kind<(Size > 32)>::type {
	static_assert(Size && Size <= 1024 && !(Size & (Size - 1)), "a tile has 1, 2, 4 ... 1024 threads");
	typedef typename softuvm_tile_kind<(Size > 32)>::type softuvm_kind;

public:
	__device__ thread_block_tile() : softuvm_kind(Size) { }
	explicit __device__ thread_block_tile(unsigned int whole) : softuvm_kind(Size, whole) { }
	/* One type of tile has the word of its parent, another not. */
	template<class Other>
	__device__ thread_block_tile(const thread_block_tile<Size, Other> &tile) : softuvm_kind(tile) { }
};

template<unsigned int Size, class Parent>
static inline __device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
	return thread_block_tile<Size, Parent>(parent.size());
}

template<class Parent>
static inline __device__ softuvm_tile tiled_partition(const Parent &parent, unsigned int size)
{
	return softuvm_tile(size, parent.size());
}

/* The lanes that came here together, numbered anew. */
class coalesced_group : public softuvm_lanes {
public:
	__device__ coalesced_group() : softuvm_lanes(__activemask(), 32) { }
	explicit __device__ coalesced_group(unsigned int mask) : softuvm_lanes(mask, 32) { }
	__device__ unsigned int num_threads() const { return __popc(mask); }
	__device__ unsigned int size() const { return num_threads(); }
	__device__ unsigned int thread_rank() const
	{
		return __popc(mask & ((1u << softuvm_rank() % 32) - 1));
	}
	template<class T> __device__ T shfl(T value, unsigned int rank) const
	{
		return move(softuvm_way_from, value, lane_of(rank));
	}
	/* Beyond the group's ends a thread gets its own value. */
	template<class T> __device__ T shfl_up(T value, unsigned int by) const
	{
		return shfl(value, thread_rank() < by ? thread_rank() : thread_rank() - by);
	}
	template<class T> __device__ T shfl_down(T value, unsigned int by) const
	{
		return shfl(value, thread_rank() + by < size() ? thread_rank() + by : thread_rank());
	}
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
		unsigned int numbered = 0;

		for (unsigned int i = 0; i < size(); i++)
			numbered |= (lanes >> lane_of(i) & 1) << i;
		return numbered;
	}
	__device__ int lane_of(unsigned int rank) const
	{
		unsigned int rest = mask;

		while (rank--)
			rest &= rest - 1;
		return __ffs(rest) - 1;
	}
};

static inline __device__ coalesced_group coalesced_threads() { return coalesced_group(); }

/* So many of the group that are next to each other, wherever their lanes are. */
static inline __device__ coalesced_group tiled_partition(const coalesced_group &group, unsigned int size)
{
	unsigned int first = group.thread_rank() / size * size, part = 0, rank = 0;

	for (unsigned int rest = group.lanes(); rest; rest &= rest - 1, rank++)
		if (rank - first < size)
			part |= rest & -rest;
	return coalesced_group(part);
}

template<unsigned int Size>
static inline __device__ coalesced_group tiled_partition(const coalesced_group &group)
{
	return tiled_partition(group, Size);
}

/* Those of a group whose labels are equal. */
template<class Group, class Label>
static inline __device__ coalesced_group labeled_partition(const Group &group, Label label)
{
	return coalesced_group(__match_any_sync(group.lanes(), label));
}

template<class Group>
static inline __device__ coalesced_group binary_partition(const Group &group, bool predicate)
{
	return labeled_partition(group, (int)predicate);
}

/* Any of the above, for functions that take all of them: a block has no lanes. */
class thread_group {
	unsigned int lanes, count, rank;

public:
	__device__ thread_group(const thread_block &group)
		: lanes(0), count(group.size()), rank(group.thread_rank()) { }
	__device__ thread_group(const softuvm_tile &group)
		: lanes(group.lanes()), count(group.size()), rank(group.thread_rank()) { }
	__device__ thread_group(const coalesced_group &group)
		: lanes(group.lanes()), count(group.size()), rank(group.thread_rank()) { }
	__device__ void sync() const
	{
		if (lanes)
			__syncwarp(lanes);
		else
			__syncthreads();
	}
	__device__ unsigned int num_threads() const { return count; }
	__device__ unsigned int size() const { return count; }
	__device__ unsigned int thread_rank() const { return rank; }
};

/* One thread of the group does it; broadcast, all of them get what it returns. */
template<class Group, class F, class... Arguments>
static inline __device__ void invoke_one(const Group &group, F &&f, Arguments &&...arguments)
{
	if (!group.thread_rank())
		f(static_cast<Arguments &&>(arguments)...);
}

template<class Group, class F, class... Arguments>
static inline __device__ auto invoke_one_broadcast(const Group &group, F &&f, Arguments &&...arguments)
	-> decltype(f(static_cast<Arguments &&>(arguments)...))
{
	decltype(f(static_cast<Arguments &&>(arguments)...)) value = { };

	if (!group.thread_rank())
		value = f(static_cast<Arguments &&>(arguments)...);
	return group.shfl(value, 0);
}

template<class Group> static inline __device__ void sync(const Group &group) { group.sync(); }

}
#endif
#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* One value of all threads of a tile, or of the lanes that are together; all of them get it. */
#ifndef SOFTUVM_COOPERATIVE_GROUPS_REDUCE_H
#define SOFTUVM_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#if defined(__CUDA__) && defined(__clang__)
namespace cooperative_groups {

#define SOFTUVM_OPERATION(name, expression)					\
	template<class T> struct name {						\
		__device__ T operator()(T a, T b) const { return expression; }	\
	};

SOFTUVM_OPERATION(plus, a + b)
SOFTUVM_OPERATION(less, b < a ? b : a)
SOFTUVM_OPERATION(greater, a < b ? b : a)
SOFTUVM_OPERATION(bit_and, a & b)
SOFTUVM_OPERATION(bit_or, a | b)
SOFTUVM_OPERATION(bit_xor, a ^ b)

#undef SOFTUVM_OPERATION

/* The two halves of a tile meet, then those of each half: all have the same sum of floats. */
template<class T, class Operation>
static inline __device__ T reduce(const softuvm_tile &tile, T value, Operation &&operation)
{
	for (unsigned int by = tile.size() / 2; by; by /= 2)
		value = operation(value, tile.shfl_xor(value, by));
	return value;
}

/* Of a tile of several warps: of each warp, then of all. */
template<class T, class Operation>
static inline __device__ T reduce(const softuvm_large_tile &tile, T value, Operation &&operation)
{
	return tile.combine(reduce(softuvm_tile(32), value, operation), operation);
}

template<class T, class Operation>
static inline __device__ T reduce(const coalesced_group &group, T value, Operation &&operation)
{
	T all = group.shfl(value, 0);

	for (unsigned int rank = 1; rank < group.size(); rank++)
		all = operation(all, group.shfl(value, rank));
	return all;
}

/* The result is put somewhere, once: this is done at once. */
template<class Group, class T, class Value, class Operation>
static inline __device__ void reduce_store_async(const Group &group, T *to, Value value,
						 Operation &&operation)
{
	T all = reduce(group, (T)value, operation);

	if (!group.thread_rank())
		*to = all;
}

/* Or it is taken into an atomic, by the same operation. */
template<class Group, class Atomic, class T, class Operation>
static inline __device__ void reduce_update_async(const Group &group, Atomic &to, T value,
						  Operation &&operation)
{
	T all = reduce(group, value, operation), old;

	if (group.thread_rank())
		return;
	old = to.load();
	while (!to.compare_exchange_weak(old, operation(old, all)))
		;
}

}
#endif
#endif

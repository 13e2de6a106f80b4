/* SPDX-License-Identifier: GPL-2.0 */
/* Of each thread of a tile, or of the lanes that are together: the value of those up to it. */
#ifndef SOFTUVM_COOPERATIVE_GROUPS_SCAN_H
#define SOFTUVM_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#if defined(__CUDA__) && defined(__clang__)
namespace cooperative_groups {

template<class Group, class T, class Operation>
static inline __device__ T inclusive_scan(const Group &group, T value, Operation &&operation)
{
	for (unsigned int by = 1; by < group.size(); by *= 2) {
		T before = group.shfl_up(value, by);

		if (group.thread_rank() >= by)
			value = operation(before, value);
	}
	return value;
}

template<class Group, class T> static inline __device__ T inclusive_scan(const Group &group, T value)
{
	return inclusive_scan(group, value, plus<T>());
}

/* The first has T(), as CUDA has it for sums; for other operations it is undefined there. */
template<class Group, class T, class Operation>
static inline __device__ T exclusive_scan(const Group &group, T value, Operation &&operation)
{
	T before = group.shfl_up(inclusive_scan(group, value, operation), 1);

	return group.thread_rank() ? before : T();
}

template<class Group, class T> static inline __device__ T exclusive_scan(const Group &group, T value)
{
	return exclusive_scan(group, value, plus<T>());
}

}
#endif
#endif

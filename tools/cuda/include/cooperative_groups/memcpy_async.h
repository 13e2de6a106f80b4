/* SPDX-License-Identifier: GPL-2.0 */
/* Copies by all threads of a group, which are done at once; waiting for them is a barrier of the group. */
#ifndef SOFTUVM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SOFTUVM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cuda/softuvm_copies.h"

#if defined(__CUDA__) && defined(__clang__)
namespace cooperative_groups {

template<class Group, class T, class Size>
static inline __device__ void memcpy_async(const Group &group, T *to, const T *from, const Size &bytes)
{
	(void)::cuda::softuvm_copy(group, to, from, bytes);
}

/* By elements: as many as both sides have. */
template<class Group, class T, class Size, class OtherSize>
static inline __device__ void memcpy_async(const Group &group, T *to, const Size &room, const T *from,
					   const OtherSize &count)
{
	size_t least = (size_t)room < (size_t)count ? (size_t)room : (size_t)count;

	(void)::cuda::softuvm_copy(group, to, from, least * sizeof(T));
}

template<class Group> static inline __device__ void wait(const Group &group) { group.sync(); }
template<unsigned int Prior, class Group> static inline __device__ void wait_prior(const Group &group)
{
	group.sync();
}

}
#endif
#endif

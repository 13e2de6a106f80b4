/* SPDX-License-Identifier: GPL-2.0 */
/* Copies by the threads of a group, as cuda::memcpy_async() and cooperative_groups::memcpy_async() do. */
#ifndef SOFTUVM_CUDA_COPIES_H
#define SOFTUVM_CUDA_COPIES_H

#include <cuda_runtime.h>

namespace cuda {

enum class async_contract_fulfillment { none, async };

/* Bytes of a copy whose both sides are aligned to so many. */
template<size_t Alignment> struct aligned_size_t {
	static constexpr size_t align = Alignment;
	size_t value;

	explicit constexpr __host__ __device__ aligned_size_t(size_t bytes) : value(bytes) { }
	constexpr __host__ __device__ operator size_t() const { return value; }
};

struct softuvm_one_thread {
	static __device__ unsigned int size() { return 1; }
	static __device__ unsigned int thread_rank() { return 0; }
};

template<class Word, class Group>
static inline __device__ void softuvm_copy_words(const Group &group, void *to, const void *from,
						 size_t bytes)
{
	for (size_t i = group.thread_rank(); i < bytes / sizeof(Word); i += group.size())
		((Word *)to)[i] = ((const Word *)from)[i];
}

/* Each thread of the group copies its words, as wide as the addresses and the size allow. */
template<class Group>
static inline __device__ async_contract_fulfillment
softuvm_copy(const Group &group, void *to, const void *from, size_t bytes)
{
	size_t odd = (size_t)to | (size_t)from | bytes;

	if (!(odd & 15))
		softuvm_copy_words<uint4>(group, to, from, bytes);
	else if (!(odd & 3))
		softuvm_copy_words<unsigned int>(group, to, from, bytes);
	else
		softuvm_copy_words<unsigned char>(group, to, from, bytes);
	return async_contract_fulfillment::none;
}

}

#endif

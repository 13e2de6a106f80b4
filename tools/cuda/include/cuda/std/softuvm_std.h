/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cuda::std is the C++ library of the CPU: device code can use what is constexpr there.  What is not,
 * and device code often uses, is here.
 */
#ifndef SOFTUVM_CUDA_STD_H
#define SOFTUVM_CUDA_STD_H

#include <cuda_runtime.h>
#include <utility>

namespace cuda {
namespace std {

using namespace ::std;

template<class T> static inline __host__ __device__ void swap(T &a, T &b)
{
	T c = ::std::move(a);

	a = ::std::move(b);
	b = ::std::move(c);
}

/* C++20 has it. */
struct identity {
	template<class T> constexpr __host__ __device__ T &&operator()(T &&value) const
	{
		return ::std::forward<T>(value);
	}
};

}
}

#endif

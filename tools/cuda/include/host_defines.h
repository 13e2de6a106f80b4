/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of CUDA's language, in compilers that know them (clang -x cuda), and nothing in others: the
 * headers here are also for plain C and C++.
 */
#ifndef SOFTUVM_HOST_DEFINES_H
#define SOFTUVM_HOST_DEFINES_H

/* What Thrust asks, which else takes the words away. */
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
#ifndef __host__
#define __host__	__attribute__((host))
#endif
#ifndef __device__
#define __device__	__attribute__((device))
#endif
#ifndef __global__
#define __global__	__attribute__((global))
#endif
#ifndef __shared__
#define __shared__	__attribute__((shared))
#endif
#ifndef __constant__
#define __constant__	__attribute__((constant))
#endif
#else
#ifndef __host__
#define __host__
#endif
#ifndef __device__
#define __device__
#endif
#endif

#ifndef __align__
#define __align__(n)	__attribute__((aligned(n)))
#endif
#ifndef __forceinline__
#define __forceinline__	inline __attribute__((always_inline))
#endif
/* __noinline__ is not here: the C++ library has it in attributes. */

#define CUDARTAPI
#define CUDART_CB

#endif

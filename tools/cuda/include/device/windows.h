/* SPDX-License-Identifier: GPL-2.0 */
/* Which memory an address is of: linux/softgpu_kernel_abi.h has the windows. */
#ifndef SOFTUVM_DEVICE_WINDOWS_H
#define SOFTUVM_DEVICE_WINDOWS_H

#include <linux/softgpu_kernel_abi.h>

/* The word of cuda.h that clang's header takes from there. */
typedef unsigned int cuuint32_t;

#define SOFTUVM_WINDOW_BYTES	0x10000000ull	/* from one to the next */

static inline __device__ bool softuvm_in_window(const void *at, unsigned long long start)
{
	return (unsigned long long)at - start < SOFTUVM_WINDOW_BYTES;
}

static inline __device__ unsigned int __isShared(const void *at)
{
	return softuvm_in_window(at, SGPU_WINDOW_SHARED);
}

static inline __device__ unsigned int __isLocal(const void *at)
{
	return softuvm_in_window(at, SGPU_WINDOW_STACK);
}

/* __constant__ variables are in GPU memory, as all others. */
static inline __device__ unsigned int __isGlobal(const void *at)
{
	return (unsigned long long)at < SGPU_WINDOW_IMAGE;
}

/* There is one address space: these change nothing, but that programs keep 32 bits of shared ones. */
static inline __device__ size_t __cvta_generic_to_shared(const void *at) { return (size_t)at; }
static inline __device__ size_t __cvta_generic_to_global(const void *at) { return (size_t)at; }
static inline __device__ void *__cvta_shared_to_generic(size_t at)
{
	return (void *)(at | SGPU_WINDOW_SHARED >> 32 << 32);
}

static inline __device__ void *__cvta_global_to_generic(size_t at) { return (void *)at; }

#endif

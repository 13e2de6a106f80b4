/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CUDA's device runtime: words for errors, of the list that the host has, too, and what kernels that launch
 * kernels call.  Libraries name that in code that no kernel here gets to; one that does is refused, for no
 * image has these functions.
 */
#ifndef SOFTUVM_DEVICE_DEVICE_RUNTIME_H
#define SOFTUVM_DEVICE_DEVICE_RUNTIME_H

extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid, dim3 block,
					unsigned int shared_bytes, cudaStream_t stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);

#define SOFTUVM_NAME(name, number, words)	case name: return #name;
#define SOFTUVM_WORDS(name, number, words)	case name: return words;

static inline __device__ const char *cudaGetErrorName(cudaError_t error)
{
	switch (error) {
	SOFTUVM_CUDA_ERRORS(SOFTUVM_NAME)
	}
	return "unrecognized error code";
}

static inline __device__ const char *cudaGetErrorString(cudaError_t error)
{
	switch (error) {
	SOFTUVM_CUDA_ERRORS(SOFTUVM_WORDS)
	}
	return "unrecognized error code";
}

#undef SOFTUVM_WORDS
#undef SOFTUVM_NAME
}

#endif

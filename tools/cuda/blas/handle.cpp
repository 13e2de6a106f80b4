// SPDX-License-Identifier: GPL-2.0
/* Handles of cuBLAS: streams, where scalars are, wishes. */
#include <new>

#include "blas.h"

extern "C" cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
	cublasHandle_t h;
	cudaError_t error;

	if (!handle)
		return CUBLAS_STATUS_INVALID_VALUE;
	h = new (std::nothrow) cublasContext();
	if (!h)
		return CUBLAS_STATUS_ALLOC_FAILED;
	error = cudaMalloc((void **)&h->partials, (BLAS_BLOCKS + 1) * BLAS_PARTIAL);
	if (error != cudaSuccess) {
		delete h;
		return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED :
							    CUBLAS_STATUS_NOT_INITIALIZED;
	}
	*handle = h;
	return CUBLAS_STATUS_SUCCESS;
}

/* As with cuBLAS, what was asked for by the handle ends first. */
extern "C" cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	cudaStreamSynchronize(handle->stream);
	cudaFree(handle->partials);
	delete handle;
	return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version)
{
	(void)handle;
	if (!version)
		return CUBLAS_STATUS_INVALID_VALUE;
	*version = CUBLAS_VERSION;
	return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
	static const int version[] = { CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH };

	if (!value || (unsigned int)type > PATCH_LEVEL)
		return CUBLAS_STATUS_INVALID_VALUE;
	*value = version[type];
	return CUBLAS_STATUS_SUCCESS;
}

/* The memory for sums is small, and there from the beginning. */
extern "C" cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *memory, size_t bytes)
{
	(void)memory;
	(void)bytes;
	return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

/* What is set and told. */
#define HANDLE_SETTING(name, type, member, most)						\
	extern "C" cublasStatus_t cublasSet##name(cublasHandle_t handle, type value)		\
	{											\
		if (!handle)									\
			return CUBLAS_STATUS_NOT_INITIALIZED;					\
		if (!(most))									\
			return CUBLAS_STATUS_INVALID_VALUE;					\
		handle->member = value;								\
		return CUBLAS_STATUS_SUCCESS;							\
	}											\
	extern "C" cublasStatus_t cublasGet##name(cublasHandle_t handle, type *value)		\
	{											\
		if (!handle)									\
			return CUBLAS_STATUS_NOT_INITIALIZED;					\
		if (!value)									\
			return CUBLAS_STATUS_INVALID_VALUE;					\
		*value = handle->member;							\
		return CUBLAS_STATUS_SUCCESS;							\
	}

HANDLE_SETTING(Stream, cudaStream_t, stream, true)
HANDLE_SETTING(PointerMode, cublasPointerMode_t, pointers,
(unsigned int)value <= CUBLAS_POINTER_MODE_DEVICE) HANDLE_SETTING(AtomicsMode, cublasAtomicsMode_t,
atomics, (unsigned int)value <= CUBLAS_ATOMICS_ALLOWED) HANDLE_SETTING(MathMode, cublasMath_t,
								       math, true)

static const struct {
	cublasStatus_t status;
	const char *name, *text;
} handle_statuses[] = {
	{ CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success" },
	{ CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "no handle was made" },
	{ CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "no memory is left" },
	{ CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "a parameter is out of range" },
	{ CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the GPU cannot do that" },
	{ CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "memory cannot be reached" },
	{ CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "a kernel failed" },
	{ CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "a copy failed" },
	{ CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "these types are not available" },
	{ CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "no licence" },
};

extern "C" const char *cublasGetStatusName(cublasStatus_t status)
{
	for (const auto &s : handle_statuses)
		if (s.status == status)
			return s.name;
	return "unknown";
}

extern "C" const char *cublasGetStatusString(cublasStatus_t status)
{
	for (const auto &s : handle_statuses)
		if (s.status == status)
			return s.text;
	return "unknown";
}

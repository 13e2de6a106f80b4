// SPDX-License-Identifier: GPL-2.0
/* Pinning memory that the program has already: the driver cannot. */
#include "runtime.h"

cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int flags)
{
	(void)flags;
	return rt_note(ptr && bytes ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

cudaError_t cudaHostUnregister(void *ptr)
{
	(void)ptr;
	return rt_note(cudaErrorHostMemoryNotRegistered);
}

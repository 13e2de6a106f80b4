// SPDX-License-Identifier: GPL-2.0
/* Memory that the program has already: pinned, so that GPUs reach it at its address. */
#include <errno.h>

#include "graph.h"

#define REGISTER_FLAGS	(cudaHostRegisterPortable | cudaHostRegisterMapped | \
			 cudaHostRegisterIoMemory | cudaHostRegisterReadOnly)

static cudaError_t register_memory(void *ptr, size_t bytes, unsigned int flags)
{
	cudaError_t error;
	int err;

	if (!ptr || !bytes || flags & ~REGISTER_FLAGS)
		return cudaErrorInvalidValue;
	if (flags & cudaHostRegisterIoMemory)
		return cudaErrorNotSupported;
	err = uvm_host_register(rt.u, ptr, bytes, "registered");
	if (err == -EEXIST)
		return cudaErrorHostMemoryAlreadyRegistered;
	if (err)
		return rt_error(err);
	error = rt_remember(ptr, bytes, RT_PINNED, flags);
	if (error)
		uvm_free(rt.u, (void *)((uintptr_t)ptr & ~(UVM_PAGE_SIZE - 1)));
	return error;
}

cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int flags)
{
	cudaError_t error = rt_enter_unsafe();

	return rt_leave(error ? error : register_memory(ptr, bytes, flags));
}

cudaError_t cudaHostUnregister(void *ptr)
{
	cudaError_t error = rt_enter_unsafe();
	struct rt_memory *m = error ? NULL : rt_find(ptr);

	if (error)
		return rt_leave(error);
	if (!m || !m->registered || m->kind != RT_PINNED || m->base != (uintptr_t)ptr)
		return rt_leave(ptr ? cudaErrorHostMemoryNotRegistered : cudaErrorInvalidValue);
	error = rt_finish();
	rt_forget(m);
	return rt_leave(error);
}

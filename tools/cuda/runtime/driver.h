/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the driver API share. */
#ifndef LIBUVMCUDA_DRIVER_H
#define LIBUVMCUDA_DRIVER_H

#include "cuda.h"
#include "runtime.h"

/* Of the driver API, which keeps no last error. */
CUresult rt_driver(cudaError_t error);
/* A context is a device, and says so by its address; back, it may be of none. */
CUcontext rt_driver_context(int device);
int rt_driver_device(CUcontext context);

static inline void *rt_driver_pointer(CUdeviceptr ptr)
{
	return (void *)(uintptr_t)ptr;
}

#endif

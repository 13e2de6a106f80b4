// SPDX-License-Identifier: GPL-2.0
/* Of the driver API: what is asked of a device and of its context, limits, peers. */
#include "driver.h"

/* ---- devices ---------------------------------------------------------- */

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	struct cudaDeviceProp p;
	cudaError_t error = cudaGetDeviceProperties(&p, device);

	if (!error && !uuid)
		return CUDA_ERROR_INVALID_VALUE;
	if (!error)
		*uuid = p.uuid;
	return rt_driver(error);
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	cudaError_t error = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);

	return rt_driver(error ? error :
			 cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device));
}

CUresult cuDeviceGetPCIBusId(char *text, int room, CUdevice device)
{
	return rt_driver(cudaDeviceGetPCIBusId(text, room, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
	return rt_driver(cudaDeviceGetByPCIBusId(device, text));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	return rt_driver(cudaDeviceCanAccessPeer(can, device, peer));
}

/* ---- the primary context ---------------------------------------------- */

/* It is active from the start, since there is no other one. */
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
	if (!rt_device_at(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!flags || !active)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = rt_device_at(device)->flags;
	*active = 1;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
	if (!rt_device_at(device))
		return CUDA_ERROR_INVALID_DEVICE;
	rt_device_at(device)->flags = flags;
	return CUDA_SUCCESS;
}

/* ---- the current context ---------------------------------------------- */

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
	if (context && !rt_device_at(rt_driver_device(context)))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = CUDA_VERSION;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
	return rt_driver(cudaGetDeviceFlags(flags));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	return rt_driver(cudaDeviceGetLimit(value, limit));
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	return rt_driver(cudaDeviceSetLimit(limit, value));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
	return rt_driver(cudaDeviceGetCacheConfig(config));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
	return rt_driver(cudaDeviceSetCacheConfig(config));
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	return rt_driver(cudaDeviceGetStreamPriorityRange(least, greatest));
}

static CUresult driver_peer(CUcontext peer, int *device)
{
	*device = rt_driver_device(peer);
	return rt_device_at(*device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
	int device;
	CUresult error = driver_peer(peer, &device);

	return error ? error : rt_driver(cudaDeviceEnablePeerAccess(device, flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
	int device;
	CUresult error = driver_peer(peer, &device);

	return error ? error : rt_driver(cudaDeviceDisablePeerAccess(device));
}

CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
		      size_t bytes)
{
	int to, from;
	CUresult error = driver_peer(dst_context, &to);

	if (!error)
		error = driver_peer(src_context, &from);
	return error ? error : rt_driver(cudaMemcpyPeer(rt_driver_pointer(dst), to,
							rt_driver_pointer(src), from, bytes));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
			   CUcontext src_context, size_t bytes, CUstream stream)
{
	int to, from;
	CUresult error = driver_peer(dst_context, &to);

	if (!error)
		error = driver_peer(src_context, &from);
	return error ? error : rt_driver(cudaMemcpyPeerAsync(rt_driver_pointer(dst), to,
							     rt_driver_pointer(src), from, bytes,
							     stream));
}

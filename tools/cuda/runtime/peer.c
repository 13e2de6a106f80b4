// SPDX-License-Identifier: GPL-2.0
/*
 * GPUs that use each other's memory.  CUDA opens one direction at a time, the driver both: it is open
 * while one of the two wants it.
 */
#include <errno.h>

#include "runtime.h"

/* Who has opened whose memory. */
static bool peer_open[UVM_GPU_MAX][UVM_GPU_MAX];

void rt_peers_forget(void)
{
	for (int a = 0; a < rt.count; a++) {
		for (int b = 0; b < a; b++) {
			if (peer_open[a][b] || peer_open[b][a])
				uvm_disable_peer_access(rt.u, rt.devices[a].gpu,
							rt.devices[b].gpu);
			peer_open[a][b] = false;
			peer_open[b][a] = false;
		}
	}
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	cudaError_t error = rt_enter();

	if (!error && !can)
		error = cudaErrorInvalidValue;
	if (!error && (!rt_device_at(device) || !rt_device_at(peer)))
		error = cudaErrorInvalidDevice;
	if (!error)
		*can = device != peer && rt_profile(rt_device_at(device), "peer_link");
	return rt_leave(error);
}

/* Over NVLink it is open from the beginning. */
static cudaError_t peer_enable(int a, int b)
{
	int err = 0;

	if (peer_open[a][b])
		return cudaErrorPeerAccessAlreadyEnabled;
	if (!peer_open[b][a])
		err = uvm_enable_peer_access(rt.u, rt.devices[a].gpu, rt.devices[b].gpu);
	if (err && err != -EEXIST)
		return cudaErrorPeerAccessUnsupported;
	peer_open[a][b] = true;
	return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
	cudaError_t error = rt_enter();

	if (!error && flags)
		error = cudaErrorInvalidValue;
	if (!error && (!rt_device_at(peer) || peer == rt_current))
		error = cudaErrorInvalidDevice;
	return rt_leave(error ? error : peer_enable(rt_current, peer));
}

static cudaError_t peer_disable(int a, int b)
{
	if (!peer_open[a][b])
		return cudaErrorPeerAccessNotEnabled;
	peer_open[a][b] = false;
	if (!peer_open[b][a])
		uvm_disable_peer_access(rt.u, rt.devices[a].gpu, rt.devices[b].gpu);
	return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
	cudaError_t error = rt_enter();

	if (!error && !rt_device_at(peer))
		error = cudaErrorInvalidDevice;
	return rt_leave(error ? error : peer_disable(rt_current, peer));
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device,
				      int peer)
{
	cudaError_t error = cudaDeviceCanAccessPeer(value, device, peer);

	if (error)
		return error;
	if (device == peer)
		return rt_note(cudaErrorInvalidDevice);
	switch (attribute) {
	case cudaDevP2PAttrAccessSupported:
		return cudaSuccess;
	case cudaDevP2PAttrNativeAtomicSupported:
		/* NVLink has them, PCIe has not */
		*value = rt_profile(rt_device_at(device), "peer_link") == 2;
		return cudaSuccess;
	case cudaDevP2PAttrPerformanceRank:
	case cudaDevP2PAttrCudaArrayAccessSupported:
		*value = 0;
		return cudaSuccess;
	default:
		return rt_note(cudaErrorInvalidValue);
	}
}

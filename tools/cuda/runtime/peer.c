// SPDX-License-Identifier: GPL-2.0
/*
 * GPUs that use each other's memory.  CUDA opens one direction at a time.  The driver knows pairs: two
 * are peers while one of them wants it, and device memory is mapped for those who have opened it.
 */
#include <errno.h>

#include "runtime.h"

/* Who has opened whose memory. */
static bool peer_open[UVM_GPU_MAX][UVM_GPU_MAX];
/* For how many directions, and pools, two are peers; by the lower device first. */
static unsigned int peer_wants[UVM_GPU_MAX][UVM_GPU_MAX];

static unsigned int *peer_pair(int a, int b)
{
	return a < b ? &peer_wants[a][b] : &peer_wants[b][a];
}

/* Over NVLink they are from the beginning, and stay so. */
cudaError_t rt_peers_join(int a, int b)
{
	unsigned int *wants = peer_pair(a, b);
	int err = 0;

	if (!*wants)
		err = uvm_enable_peer_access(rt.u, rt.devices[a].gpu, rt.devices[b].gpu);
	if (err && err != -EEXIST)
		return cudaErrorPeerAccessUnsupported;
	*wants += err ? 2 : 1;
	return cudaSuccess;
}

void rt_peers_part(int a, int b)
{
	if (!--*peer_pair(a, b))
		uvm_disable_peer_access(rt.u, rt.devices[a].gpu, rt.devices[b].gpu);
}

uint32_t rt_peer_users(int gpu)
{
	uint32_t users = 0;

	for (int a = 0; a < rt.count; a++)
		for (int b = 0; b < rt.count; b++)
			if (rt.devices[b].gpu == gpu && peer_open[a][b])
				users |= 1U << a;
	return users;
}

static void peer_close(int a, int b)
{
	if (!peer_open[a][b])
		return;
	peer_open[a][b] = false;
	rt_chunks_close(rt.devices[b].gpu, NULL, rt.devices[a].gpu);
	rt_peers_part(a, b);
}

void rt_peers_forget(void)
{
	for (int a = 0; a < rt.count; a++)
		for (int b = 0; b < rt.count; b++)
			peer_close(a, b);
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

/* What there is now, and what will be. */
static cudaError_t peer_enable(int a, int b)
{
	cudaError_t error;

	if (peer_open[a][b])
		return cudaErrorPeerAccessAlreadyEnabled;
	error = rt_peers_join(a, b);
	if (error)
		return error;
	error = rt_error(rt_chunks_open(rt.devices[b].gpu, NULL, rt.devices[a].gpu));
	if (error)
		rt_peers_part(a, b);
	else
		peer_open[a][b] = true;
	return error;
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

/* Kernels that are under way have it to their end. */
static cudaError_t peer_disable(int a, int b)
{
	cudaError_t error;

	if (!peer_open[a][b])
		return cudaErrorPeerAccessNotEnabled;
	error = rt_finish();
	peer_close(a, b);
	return error;
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

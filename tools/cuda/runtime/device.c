// SPDX-License-Identifier: GPL-2.0
/*
 * GPUs: which, and what they are.  Facts that programs ask for and that the model has come from its
 * profile; what the model does not have, but its product, is in a table here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "graph.h"
#include "view.h"

/* CUDA C++ programming guide, technical specifications: compute capability 6 and 7. */
#define DEVICE_BLOCK_MAX	1024
#define DEVICE_BLOCK_Z_MAX	64
#define DEVICE_GRID_X_MAX	0x7fffffff
#define DEVICE_GRID_YZ_MAX	65535
#define DEVICE_CONSTANT_BYTES	65536
#define DEVICE_PITCH_MAX	0x7fffffff

/* The version whose API this is; CUDART_VERSION is what programs are compiled for. */
#define DEVICE_API_VERSION	12000

/**
 * struct device_product - what a profile is a model of
 * @profile: its name
 * @name: of the product, as NVIDIA calls it; NULL: of none
 * @capability: compute capability, as 61 for 6.1
 * @memory_khz: clock of its memory (NVIDIA's data sheets: effective rate over the transfers per clock
 *	that CUDA counts, 2 for GDDR5X and for HBM2)
 * @bus_bits: width of its memory bus (data sheets)
 * @l2_bytes: its L2 cache (data sheets)
 */
struct device_product {
	const char *profile;
	const char *name;
	int capability;
	int memory_khz;
	int bus_bits;
	int l2_bytes;
};

/*
 * The others are machines of papers.  GPUs whose faults a driver can serve begin with Pascal, which
 * is 6.0.
 */
static const struct device_product device_products[] = {
	{ "gtx1080ti", "GeForce GTX 1080 Ti", 61, 5505000, 352, 2816 << 10 },
	{ "titanv", "TITAN V", 70, 850000, 3072, 4608 << 10 },
	{ "", NULL, 60, 0, 0, 0 },
};

static const struct device_product *device_product(const struct rt_device *d)
{
	const struct device_product *p = device_products;

	while (p->name && strcmp(p->profile, d->info.profile))
		p++;
	return p;
}

int rt_capability(const struct rt_device *d)
{
	return device_product(d)->capability;
}

struct rt_device *rt_device_at(int device)
{
	return device >= 0 && device < rt.count ? &rt.devices[device] : NULL;
}

struct rt_device *rt_device(void)
{
	return rt_device_at(rt_current);
}

/* CUDA_VISIBLE_DEVICES: numbers with commas; what is none ends the list. */
static void device_select(const char *list, int there)
{
	char *end;

	for (; *list; list = *end == ',' ? end + 1 : end) {
		long gpu = strtol(list, &end, 10);

		if (end == list || gpu < 0 || gpu >= there || rt.count == UVM_GPU_MAX)
			return;
		rt.devices[rt.count++].gpu = (int)gpu;
	}
}

cudaError_t rt_find_devices(void)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");
	static bool said;
	int there = uvm_gpu_count(), i;

	if (rt.count)
		return cudaSuccess;
	if (visible) {
		device_select(visible, there);
	} else {
		for (i = 0; i < there; i++)
			rt.devices[rt.count++].gpu = i;
	}
	for (i = 0; i < rt.count; i++) {
		rt.devices[i].null.device = i;
		rt.devices[i].limit = UINT64_MAX;
	}
	if (!there && !said)
		fprintf(stderr, "softuvm: no /dev/softgpu0 (is the softgpu module loaded? without it "
			"'tools/softuvm run PROGRAM' runs a program)\n");
	said = true;
	return rt.count ? cudaSuccess : cudaErrorNoDevice;
}

static cudaError_t device_read(struct rt_device *d)
{
	int err = uvm_gpu_info(rt.u, d->gpu, &d->info);

	if (err || d->profile)
		return rt_error(err);
	d->profile = calloc(d->info.profile_entries, sizeof(*d->profile));
	if (!d->profile)
		return cudaErrorMemoryAllocation;
	for (uint32_t i = 0; i < d->info.profile_entries && !err; i++)
		err = uvm_gpu_profile(rt.u, d->gpu, i, &d->profile[i]);
	return rt_error(err);
}

cudaError_t rt_read_devices(void)
{
	cudaError_t error = cudaSuccess;

	for (int i = 0; i < rt.count && !error; i++)
		error = device_read(&rt.devices[i]);
	return error;
}

uint64_t rt_profile(const struct rt_device *d, const char *name)
{
	for (uint32_t i = 0; i < d->info.profile_entries; i++)
		if (!strcmp(d->profile[i].name, name))
			return d->profile[i].value;
	return 0;
}

uint64_t rt_usable(const struct rt_device *d, const struct softgpu_info *info)
{
	return info->usable_bytes < d->limit ? info->usable_bytes : d->limit;
}

/* ---- which ------------------------------------------------------------ */

cudaError_t cudaGetDeviceCount(int *count)
{
	cudaError_t error = rt_lock();

	if (!error && !count)
		error = cudaErrorInvalidValue;
	if (count)
		*count = 0;
	if (!error)
		error = rt.forked ? cudaErrorInitializationError : rt_find_devices();
	if (!error)
		*count = rt.count;
	return rt_leave(error);
}

cudaError_t cudaGetDevice(int *device)
{
	if (!device)
		return rt_note(cudaErrorInvalidValue);
	*device = rt_current;
	return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
	cudaError_t error = rt_enter();

	if (!error && !rt_device_at(device))
		error = cudaErrorInvalidDevice;
	if (!error)
		rt_current = device;
	return rt_leave(error);
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
	cudaError_t error = rt_enter();

	if (!error && !rt_device_at(device))
		error = cudaErrorInvalidDevice;
	if (!error && (flags & ~cudaInitDeviceFlagsAreValid || device_flags & ~cudaDeviceMask))
		error = cudaErrorInvalidValue;
	if (!error && flags)
		rt.devices[device].flags = device_flags;
	return rt_leave(error);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
	cudaError_t error = rt_enter();

	if (!error && (count < 0 || (count && !devices)))
		error = cudaErrorInvalidValue;
	for (int i = 0; i < count && !error; i++)
		if (!rt_device_at(devices[i]))
			error = cudaErrorInvalidDevice;
	if (!error && count)
		rt_current = devices[0];
	return rt_leave(error);
}

/* All are alike. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
	if (!device || !wanted)
		return rt_note(cudaErrorInvalidValue);
	*device = 0;
	return cudaSuccess;
}

/* How the CPU waits: always asleep. */
cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
	cudaError_t error = rt_enter();

	if (!error && flags & ~cudaDeviceMask)
		error = cudaErrorInvalidValue;
	if (!error && rt_device())
		rt_device()->flags = flags;
	return rt_leave(error);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
	cudaError_t error = rt_enter();

	if (!error && !flags)
		error = cudaErrorInvalidValue;
	if (!error)
		*flags = rt_device()->flags | cudaDeviceMapHost;
	return rt_leave(error);
}

/* Everything is given back, also after a kernel failed. */
cudaError_t cudaDeviceReset(void)
{
	cudaError_t error = cudaSuccess;

	rt_lock();
	if (rt.u && !rt.forked) {
		rt_finish();
		rt_captures_free();
		rt_execs_free();
		rt_graphs_free();
		rt_blocks_forget();
		rt_free_all();
		rt_pools_free();
		rt_modules_forget();
		rt_arguments_forget();
		rt_events_free();
		rt_streams_free();
		rt_peers_forget();
		rt_arrays_forget();
		rt_views_forget();
		error = rt_manage_variables();
	}
	rt.sticky = cudaSuccess;
	return rt_leave(error);
}

cudaError_t cudaThreadExit(void)
{
	return cudaDeviceReset();
}

cudaError_t cudaDriverGetVersion(int *version)
{
	if (!version)
		return rt_note(cudaErrorInvalidValue);
	*version = DEVICE_API_VERSION;
	return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	return cudaDriverGetVersion(version);
}

/* ---- what ------------------------------------------------------------- */

static void device_limits(struct cudaDeviceProp *p, const struct rt_device *d)
{
	p->totalGlobalMem = rt_usable(d, &d->info);
	p->sharedMemPerBlock = rt_profile(d, "shared_bytes_per_block");
	p->sharedMemPerBlockOptin = p->sharedMemPerBlock;
	p->sharedMemPerMultiprocessor = rt_profile(d, "shared_bytes_per_sm");
	p->totalConstMem = DEVICE_CONSTANT_BYTES;
	p->memPitch = DEVICE_PITCH_MAX;
	p->textureAlignment = 512;
	p->texturePitchAlignment = 32;
	p->surfaceAlignment = 512;
	p->regsPerMultiprocessor = (int)rt_profile(d, "regs_per_sm");
	p->regsPerBlock = p->regsPerMultiprocessor < 65536 ? p->regsPerMultiprocessor : 65536;
	p->warpSize = 32;
	p->maxThreadsPerBlock = DEVICE_BLOCK_MAX;
	p->maxThreadsDim[0] = DEVICE_BLOCK_MAX;
	p->maxThreadsDim[1] = DEVICE_BLOCK_MAX;
	p->maxThreadsDim[2] = DEVICE_BLOCK_Z_MAX;
	p->maxGridSize[0] = DEVICE_GRID_X_MAX;
	p->maxGridSize[1] = DEVICE_GRID_YZ_MAX;
	p->maxGridSize[2] = DEVICE_GRID_YZ_MAX;
	p->maxThreadsPerMultiProcessor = (int)d->info.threads_per_sm;
	p->maxBlocksPerMultiProcessor = (int)d->info.blocks_per_sm;
	p->multiProcessorCount = (int)d->info.sm_count;
}

/* Arrays and textures have the extents of one compute capability, whatever the profile. */
static void device_extents(struct cudaDeviceProp *p)
{
	p->maxTexture1D = ARRAY_1D_MAX;
	p->maxTexture1DLayered[0] = ARRAY_LAYERED_MAX;
	p->maxTexture1DLayered[1] = ARRAY_LAYERS_MAX;
	p->maxTexture2D[0] = ARRAY_1D_MAX;
	p->maxTexture2D[1] = ARRAY_2D_ROWS_MAX;
	p->maxTexture2DLinear[0] = VIEW_ROWS_WIDTH_MAX;
	p->maxTexture2DLinear[1] = VIEW_ROWS_MAX;
	p->maxTexture2DLinear[2] = VIEW_ROWS_PITCH_MAX;
	p->maxTexture2DGather[0] = ARRAY_GATHER_MAX;
	p->maxTexture2DGather[1] = ARRAY_GATHER_MAX;
	p->maxTexture2DLayered[0] = ARRAY_LAYERED_MAX;
	p->maxTexture2DLayered[1] = ARRAY_LAYERED_MAX;
	p->maxTexture2DLayered[2] = ARRAY_LAYERS_MAX;
	for (int i = 0; i < 3; i++)
		p->maxTexture3D[i] = ARRAY_3D_MAX;
}

static void device_properties(struct cudaDeviceProp *p, const struct rt_device *d)
{
	const struct device_product *product = device_product(d);

	memset(p, 0, sizeof(*p));
	if (product->name)
		snprintf(p->name, sizeof(p->name), "NVIDIA %s (softgpu)", product->name);
	else
		snprintf(p->name, sizeof(p->name), "softgpu %s", d->info.profile);
	snprintf(p->uuid.bytes, sizeof(p->uuid.bytes), "softgpu%d", d->gpu);
	device_limits(p, d);
	device_extents(p);
	p->major = product->capability / 10;
	p->minor = product->capability % 10;
	p->clockRate = (int)d->info.sm_clock_khz;
	p->memoryClockRate = product->memory_khz;
	p->memoryBusWidth = product->bus_bits;
	p->l2CacheSize = product->l2_bytes;
	p->singleToDoublePrecisionPerfRatio = (int)rt_profile(d, "double_cycles");
	p->asyncEngineCount = 2;
	p->deviceOverlap = 1;
	p->concurrentKernels = 1;
	p->computePreemptionSupported = 1;
	p->streamPrioritiesSupported = 0;
	p->cooperativeLaunch = 1;
	p->memoryPoolsSupported = 1;
	p->canMapHostMemory = 1;
	p->hostRegisterSupported = 1;
	p->canUseHostPointerForRegisteredMem = 1;
	p->unifiedAddressing = 1;
	p->managedMemory = 1;
	p->concurrentManagedAccess = 1;
	p->pageableMemoryAccess = uvm_pageable_access(rt.u);
	p->pciBusID = d->gpu + 1;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
	cudaError_t error = rt_enter();
	struct rt_device *d = error ? NULL : rt_device_at(device);

	if (!error && !properties)
		error = cudaErrorInvalidValue;
	if (!error && !d)
		error = cudaErrorInvalidDevice;
	if (!error)
		device_properties(properties, d);
	return rt_leave(error);
}

#define DEVICE_ATTRIBUTE(attribute, member) \
	case cudaDevAttr##attribute: return (int)p->member
static int device_attribute(const struct cudaDeviceProp *p, enum cudaDeviceAttr attribute)
{
	switch (attribute) {
	DEVICE_ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock);
	DEVICE_ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0]);
	DEVICE_ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1]);
	DEVICE_ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2]);
	DEVICE_ATTRIBUTE(MaxGridDimX, maxGridSize[0]);
	DEVICE_ATTRIBUTE(MaxGridDimY, maxGridSize[1]);
	DEVICE_ATTRIBUTE(MaxGridDimZ, maxGridSize[2]);
	DEVICE_ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock);
	DEVICE_ATTRIBUTE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin);
	DEVICE_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor);
	DEVICE_ATTRIBUTE(TotalConstantMemory, totalConstMem);
	DEVICE_ATTRIBUTE(WarpSize, warpSize);
	DEVICE_ATTRIBUTE(MaxPitch, memPitch);
	DEVICE_ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock);
	DEVICE_ATTRIBUTE(MaxRegistersPerMultiprocessor, regsPerMultiprocessor);
	DEVICE_ATTRIBUTE(ClockRate, clockRate);
	DEVICE_ATTRIBUTE(TextureAlignment, textureAlignment);
	DEVICE_ATTRIBUTE(TexturePitchAlignment, texturePitchAlignment);
	DEVICE_ATTRIBUTE(SurfaceAlignment, surfaceAlignment);
	DEVICE_ATTRIBUTE(MaxTexture1DWidth, maxTexture1D);
	DEVICE_ATTRIBUTE(MaxTexture2DWidth, maxTexture2D[0]);
	DEVICE_ATTRIBUTE(MaxTexture2DHeight, maxTexture2D[1]);
	DEVICE_ATTRIBUTE(MaxTexture3DWidth, maxTexture3D[0]);
	DEVICE_ATTRIBUTE(MaxTexture3DHeight, maxTexture3D[1]);
	DEVICE_ATTRIBUTE(MaxTexture3DDepth, maxTexture3D[2]);
	DEVICE_ATTRIBUTE(GpuOverlap, deviceOverlap);
	DEVICE_ATTRIBUTE(MultiProcessorCount, multiProcessorCount);
	DEVICE_ATTRIBUTE(CanMapHostMemory, canMapHostMemory);
	DEVICE_ATTRIBUTE(ConcurrentKernels, concurrentKernels);
	DEVICE_ATTRIBUTE(PciBusId, pciBusID);
	DEVICE_ATTRIBUTE(MemoryClockRate, memoryClockRate);
	DEVICE_ATTRIBUTE(GlobalMemoryBusWidth, memoryBusWidth);
	DEVICE_ATTRIBUTE(L2CacheSize, l2CacheSize);
	DEVICE_ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor);
	DEVICE_ATTRIBUTE(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor);
	DEVICE_ATTRIBUTE(AsyncEngineCount, asyncEngineCount);
	DEVICE_ATTRIBUTE(UnifiedAddressing, unifiedAddressing);
	DEVICE_ATTRIBUTE(ComputeCapabilityMajor, major);
	DEVICE_ATTRIBUTE(ComputeCapabilityMinor, minor);
	DEVICE_ATTRIBUTE(ManagedMemory, managedMemory);
	DEVICE_ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess);
	DEVICE_ATTRIBUTE(PageableMemoryAccess, pageableMemoryAccess);
	DEVICE_ATTRIBUTE(ComputePreemptionSupported, computePreemptionSupported);
	DEVICE_ATTRIBUTE(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio);
	DEVICE_ATTRIBUTE(MemoryPoolsSupported, memoryPoolsSupported);
	DEVICE_ATTRIBUTE(CooperativeLaunch, cooperativeLaunch);
	DEVICE_ATTRIBUTE(HostRegisterSupported, hostRegisterSupported);
	DEVICE_ATTRIBUTE(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem);
	default:
		return 0;
	}
}

/* What the device does not have it has none of. */
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
	struct cudaDeviceProp properties;
	cudaError_t error = cudaGetDeviceProperties(&properties, device);

	if (error)
		return error;
	if (!value || attribute <= 0 || attribute > cudaDevAttrOnlyPartialHostNativeAtomicSupported)
		return rt_note(cudaErrorInvalidValue);
	*value = device_attribute(&properties, attribute);
	return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int room, int device)
{
	struct cudaDeviceProp properties;
	cudaError_t error = cudaGetDeviceProperties(&properties, device);

	if (error)
		return error;
	if (!text || room < 13)
		return rt_note(cudaErrorInvalidValue);
	snprintf(text, room, "%04x:%02x:%02x.0", properties.pciDomainID, properties.pciBusID,
		 properties.pciDeviceID);
	return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
	unsigned int domain = 0, bus, slot;

	if (!device || !text || (sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3 &&
				 (domain = 0, sscanf(text, "%x:%x", &bus, &slot) != 2)))
		return rt_note(cudaErrorInvalidValue);
	for (int i = 0; i < rt.count; i++) {
		if (domain || slot || (int)bus != rt.devices[i].gpu + 1)
			continue;
		*device = i;
		return cudaSuccess;
	}
	return rt_note(cudaErrorInvalidDevice);
}

/* ---- limits and wishes ------------------------------------------------ */

/*
 * The stack is part of the image, printf's buffer of the device, and the heap of the device library:
 * all are as they are.
 */
static size_t device_limit_values[] = {
	[cudaLimitStackSize] = 1024,
	[cudaLimitPrintfFifoSize] = 64 << 10,
	[cudaLimitMallocHeapSize] = 8 << 20,
};

#define DEVICE_LIMITS	(sizeof(device_limit_values) / sizeof(device_limit_values[0]))

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
	if (!value || (unsigned int)limit > cudaLimitPersistingL2CacheSize)
		return rt_note(cudaErrorInvalidValue);
	if (limit >= DEVICE_LIMITS)
		return rt_note(cudaErrorUnsupportedLimit);
	*value = device_limit_values[limit];
	return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
	if ((unsigned int)limit > cudaLimitPersistingL2CacheSize)
		return rt_note(cudaErrorInvalidValue);
	if (limit >= DEVICE_LIMITS)
		return rt_note(cudaErrorUnsupportedLimit);
	device_limit_values[limit] = value;
	return cudaSuccess;
}

static enum cudaFuncCache device_cache;
static enum cudaSharedMemConfig device_banks;

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
	if (!config)
		return rt_note(cudaErrorInvalidValue);
	*config = device_cache;
	return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
	if ((unsigned int)config > cudaFuncCachePreferEqual)
		return rt_note(cudaErrorInvalidValue);
	device_cache = config;
	return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
	if (!config)
		return rt_note(cudaErrorInvalidValue);
	*config = device_banks;
	return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
	if ((unsigned int)config > cudaSharedMemBankSizeEightByte)
		return rt_note(cudaErrorInvalidValue);
	device_banks = config;
	return cudaSuccess;
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
	return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
	return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
	return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
	return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaProfilerStart(void)
{
	return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
	return cudaSuccess;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of the CUDA runtime API.  Names and numbers are those of NVIDIA's documentation of CUDA 11 to
 * 13, so that programs written for any of these compile.  A structure has the members of all of
 * them, in an order of its own: nothing compiled with other headers is linked.
 */
#ifndef SOFTUVM_DRIVER_TYPES_H
#define SOFTUVM_DRIVER_TYPES_H

/* What programs ask to find out whether this file was included. */
#define __DRIVER_TYPES_H__

#include <stddef.h>

#include "cuda_errors.h"
#include "host_defines.h"
#include "vector_types.h"

#define SOFTUVM_ERROR(name, number, text)	name = number,
enum cudaError {
	SOFTUVM_CUDA_ERRORS(SOFTUVM_ERROR)
};
#undef SOFTUVM_ERROR
typedef enum cudaError cudaError_t;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef void (*cudaHostFn_t)(void *arg);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *arg);

#define cudaStreamLegacy	((cudaStream_t)1)
#define cudaStreamPerThread	((cudaStream_t)2)

#define cudaCpuDeviceId		(-1)
#define cudaInvalidDeviceId	(-2)

/* ---- flags ------------------------------------------------------------ */

#define cudaHostAllocDefault		0x00
#define cudaHostAllocPortable		0x01
#define cudaHostAllocMapped		0x02
#define cudaHostAllocWriteCombined	0x04

#define cudaHostRegisterDefault		0x00
#define cudaHostRegisterPortable	0x01
#define cudaHostRegisterMapped		0x02
#define cudaHostRegisterIoMemory	0x04
#define cudaHostRegisterReadOnly	0x08

#define cudaMemAttachGlobal		0x01
#define cudaMemAttachHost		0x02
#define cudaMemAttachSingle		0x04

#define cudaPeerAccessDefault		0x00

#define cudaArrayDefault		0x00
#define cudaArrayLayered		0x01
#define cudaArraySurfaceLoadStore	0x02
#define cudaArrayCubemap		0x04
#define cudaArrayTextureGather		0x08
#define cudaArrayColorAttachment	0x20
#define cudaArraySparse			0x40
#define cudaArrayDeferredMapping	0x80

#define cudaStreamDefault		0x00
#define cudaStreamNonBlocking		0x01

#define cudaEventDefault		0x00
#define cudaEventBlockingSync		0x01
#define cudaEventDisableTiming		0x02
#define cudaEventInterprocess		0x04
#define cudaEventRecordDefault		0x00
#define cudaEventRecordExternal		0x01
#define cudaEventWaitDefault		0x00
#define cudaEventWaitExternal		0x01

#define cudaDeviceScheduleAuto		0x00
#define cudaDeviceScheduleSpin		0x01
#define cudaDeviceScheduleYield		0x02
#define cudaDeviceScheduleBlockingSync	0x04
#define cudaDeviceBlockingSync		0x04
#define cudaDeviceScheduleMask		0x07
#define cudaDeviceMapHost		0x08
#define cudaDeviceLmemResizeToMax	0x10
#define cudaDeviceSyncMemops		0x80
#define cudaDeviceMask			0xff
#define cudaInitDeviceFlagsAreValid	0x01

#define cudaOccupancyDefault			0x00
#define cudaOccupancyDisableCachingOverride	0x01

/* ---- memory ----------------------------------------------------------- */

enum cudaMemcpyKind {
	cudaMemcpyHostToHost = 0,
	cudaMemcpyHostToDevice = 1,
	cudaMemcpyDeviceToHost = 2,
	cudaMemcpyDeviceToDevice = 3,
	cudaMemcpyDefault = 4
};

enum cudaMemoryType {
	cudaMemoryTypeUnregistered = 0,
	cudaMemoryTypeHost = 1,
	cudaMemoryTypeDevice = 2,
	cudaMemoryTypeManaged = 3
};

enum cudaMemoryAdvise {
	cudaMemAdviseSetReadMostly = 1,
	cudaMemAdviseUnsetReadMostly = 2,
	cudaMemAdviseSetPreferredLocation = 3,
	cudaMemAdviseUnsetPreferredLocation = 4,
	cudaMemAdviseSetAccessedBy = 5,
	cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemRangeAttribute {
	cudaMemRangeAttributeReadMostly = 1,
	cudaMemRangeAttributePreferredLocation = 2,
	cudaMemRangeAttributeAccessedBy = 3,
	cudaMemRangeAttributeLastPrefetchLocation = 4,
	cudaMemRangeAttributePreferredLocationType = 5,
	cudaMemRangeAttributePreferredLocationId = 6,
	cudaMemRangeAttributeLastPrefetchLocationType = 7,
	cudaMemRangeAttributeLastPrefetchLocationId = 8
};

enum cudaMemLocationType {
	cudaMemLocationTypeInvalid = 0,
	cudaMemLocationTypeNone = 0,
	cudaMemLocationTypeDevice = 1,
	cudaMemLocationTypeHost = 2,
	cudaMemLocationTypeHostNuma = 3,
	cudaMemLocationTypeHostNumaCurrent = 4
};

struct cudaMemLocation {
	enum cudaMemLocationType type;
	int id;
};
typedef struct cudaMemLocation cudaMemLocation;

enum cudaMemPoolAttr {
	cudaMemPoolReuseFollowEventDependencies = 1,
	cudaMemPoolReuseAllowOpportunistic = 2,
	cudaMemPoolReuseAllowInternalDependencies = 3,
	cudaMemPoolAttrReleaseThreshold = 4,
	cudaMemPoolAttrReservedMemCurrent = 5,
	cudaMemPoolAttrReservedMemHigh = 6,
	cudaMemPoolAttrUsedMemCurrent = 7,
	cudaMemPoolAttrUsedMemHigh = 8
};

enum cudaMemAllocationType {
	cudaMemAllocationTypeInvalid = 0,
	cudaMemAllocationTypePinned = 1
};

enum cudaMemAllocationHandleType {
	cudaMemHandleTypeNone = 0,
	cudaMemHandleTypePosixFileDescriptor = 1
};

struct cudaMemPoolProps {
	enum cudaMemAllocationType allocType;
	enum cudaMemAllocationHandleType handleTypes;
	struct cudaMemLocation location;
	void *win32SecurityAttributes;
	size_t maxSize;
	unsigned char reserved[56];
};
typedef struct cudaMemPoolProps cudaMemPoolProps;

enum cudaMemAccessFlags {
	cudaMemAccessFlagsProtNone = 0,
	cudaMemAccessFlagsProtRead = 1,
	cudaMemAccessFlagsProtReadWrite = 3
};

struct cudaMemAccessDesc {
	struct cudaMemLocation location;
	enum cudaMemAccessFlags flags;
};
typedef struct cudaMemAccessDesc cudaMemAccessDesc;

struct cudaPointerAttributes {
	enum cudaMemoryType type;
	int device;
	void *devicePointer;
	void *hostPointer;
};

struct cudaExtent {
	size_t width, height, depth;
};

struct cudaPos {
	size_t x, y, z;
};

struct cudaPitchedPtr {
	void *ptr;
	size_t pitch, xsize, ysize;
};

struct cudaMemcpy3DParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	struct cudaExtent extent;
	enum cudaMemcpyKind kind;
};

#include "cuda_graph_types.h"

/* ---- kernels ---------------------------------------------------------- */

enum cudaFuncCache {
	cudaFuncCachePreferNone = 0,
	cudaFuncCachePreferShared = 1,
	cudaFuncCachePreferL1 = 2,
	cudaFuncCachePreferEqual = 3
};

enum cudaSharedMemConfig {
	cudaSharedMemBankSizeDefault = 0,
	cudaSharedMemBankSizeFourByte = 1,
	cudaSharedMemBankSizeEightByte = 2
};

enum cudaSharedCarveout {
	cudaSharedmemCarveoutDefault = -1,
	cudaSharedmemCarveoutMaxL1 = 0,
	cudaSharedmemCarveoutMaxShared = 100
};

enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9,
	cudaFuncAttributeClusterDimMustBeSet = 10,
	cudaFuncAttributeRequiredClusterWidth = 11,
	cudaFuncAttributeRequiredClusterHeight = 12,
	cudaFuncAttributeRequiredClusterDepth = 13,
	cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
	cudaFuncAttributeClusterSchedulingPolicyPreference = 15
};

struct cudaFuncAttributes {
	size_t sharedSizeBytes;
	size_t constSizeBytes;
	size_t localSizeBytes;
	int maxThreadsPerBlock;
	int numRegs;
	int ptxVersion;
	int binaryVersion;
	int cacheModeCA;
	int maxDynamicSharedSizeBytes;
	int preferredShmemCarveout;
};

enum cudaAccessProperty {
	cudaAccessPropertyNormal = 0,
	cudaAccessPropertyStreaming = 1,
	cudaAccessPropertyPersisting = 2
};

struct cudaAccessPolicyWindow {
	void *base_ptr;
	size_t num_bytes;
	float hitRatio;
	enum cudaAccessProperty hitProp;
	enum cudaAccessProperty missProp;
};
typedef struct cudaAccessPolicyWindow cudaAccessPolicyWindow;

enum cudaSynchronizationPolicy {
	cudaSyncPolicyAuto = 1,
	cudaSyncPolicySpin = 2,
	cudaSyncPolicyYield = 3,
	cudaSyncPolicyBlockingSync = 4
};

enum cudaLaunchAttributeID {
	cudaLaunchAttributeIgnore = 0,
	cudaLaunchAttributeAccessPolicyWindow = 1,
	cudaLaunchAttributeCooperative = 2,
	cudaLaunchAttributeSynchronizationPolicy = 3,
	cudaLaunchAttributeClusterDimension = 4,
	cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
	cudaLaunchAttributeProgrammaticStreamSerialization = 6,
	cudaLaunchAttributeProgrammaticEvent = 7,
	cudaLaunchAttributePriority = 8,
	cudaLaunchAttributeMemSyncDomainMap = 9,
	cudaLaunchAttributeMemSyncDomain = 10
};
typedef enum cudaLaunchAttributeID cudaLaunchAttributeID;

typedef union cudaLaunchAttributeValue {
	char pad[64];
	struct cudaAccessPolicyWindow accessPolicyWindow;
	int cooperative;
	enum cudaSynchronizationPolicy syncPolicy;
	int priority;
	int programmaticStreamSerializationAllowed;
	struct {
		unsigned int x, y, z;
	} clusterDim;
} cudaLaunchAttributeValue;

typedef struct {
	cudaLaunchAttributeID id;
	cudaLaunchAttributeValue val;
} cudaLaunchAttribute;

typedef struct {
	dim3 gridDim;
	dim3 blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned int numAttrs;
} cudaLaunchConfig_t;

/* Streams have some of the attributes that launches have. */
#define cudaStreamAttrID				cudaLaunchAttributeID
#define cudaStreamAttrValue				cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow		cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy	cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority			cudaLaunchAttributePriority
#define cudaStreamAttributeMemSyncDomainMap		cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain		cudaLaunchAttributeMemSyncDomain

/* ---- devices ---------------------------------------------------------- */

enum cudaComputeMode {
	cudaComputeModeDefault = 0,
	cudaComputeModeExclusive = 1,
	cudaComputeModeProhibited = 2,
	cudaComputeModeExclusiveProcess = 3
};

enum cudaLimit {
	cudaLimitStackSize = 0,
	cudaLimitPrintfFifoSize = 1,
	cudaLimitMallocHeapSize = 2,
	cudaLimitDevRuntimeSyncDepth = 3,
	cudaLimitDevRuntimePendingLaunchCount = 4,
	cudaLimitMaxL2FetchGranularity = 5,
	cudaLimitPersistingL2CacheSize = 6
};

enum cudaDeviceP2PAttr {
	cudaDevP2PAttrPerformanceRank = 1,
	cudaDevP2PAttrAccessSupported = 2,
	cudaDevP2PAttrNativeAtomicSupported = 3,
	cudaDevP2PAttrCudaArrayAccessSupported = 4
};

enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1,
	cudaDevAttrMaxBlockDimX = 2,
	cudaDevAttrMaxBlockDimY = 3,
	cudaDevAttrMaxBlockDimZ = 4,
	cudaDevAttrMaxGridDimX = 5,
	cudaDevAttrMaxGridDimY = 6,
	cudaDevAttrMaxGridDimZ = 7,
	cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrTotalConstantMemory = 9,
	cudaDevAttrWarpSize = 10,
	cudaDevAttrMaxPitch = 11,
	cudaDevAttrMaxRegistersPerBlock = 12,
	cudaDevAttrClockRate = 13,
	cudaDevAttrTextureAlignment = 14,
	cudaDevAttrGpuOverlap = 15,
	cudaDevAttrMultiProcessorCount = 16,
	cudaDevAttrKernelExecTimeout = 17,
	cudaDevAttrIntegrated = 18,
	cudaDevAttrCanMapHostMemory = 19,
	cudaDevAttrComputeMode = 20,
	cudaDevAttrMaxTexture1DWidth = 21,
	cudaDevAttrMaxTexture2DWidth = 22,
	cudaDevAttrMaxTexture2DHeight = 23,
	cudaDevAttrMaxTexture3DWidth = 24,
	cudaDevAttrMaxTexture3DHeight = 25,
	cudaDevAttrMaxTexture3DDepth = 26,
	cudaDevAttrMaxTexture2DLayeredWidth = 27,
	cudaDevAttrMaxTexture2DLayeredHeight = 28,
	cudaDevAttrMaxTexture2DLayeredLayers = 29,
	cudaDevAttrSurfaceAlignment = 30,
	cudaDevAttrConcurrentKernels = 31,
	cudaDevAttrEccEnabled = 32,
	cudaDevAttrPciBusId = 33,
	cudaDevAttrPciDeviceId = 34,
	cudaDevAttrTccDriver = 35,
	cudaDevAttrMemoryClockRate = 36,
	cudaDevAttrGlobalMemoryBusWidth = 37,
	cudaDevAttrL2CacheSize = 38,
	cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrAsyncEngineCount = 40,
	cudaDevAttrUnifiedAddressing = 41,
	cudaDevAttrMaxTexture1DLayeredWidth = 42,
	cudaDevAttrMaxTexture1DLayeredLayers = 43,
	cudaDevAttrMaxTexture2DGatherWidth = 45,
	cudaDevAttrMaxTexture2DGatherHeight = 46,
	cudaDevAttrMaxTexture3DWidthAlt = 47,
	cudaDevAttrMaxTexture3DHeightAlt = 48,
	cudaDevAttrMaxTexture3DDepthAlt = 49,
	cudaDevAttrPciDomainId = 50,
	cudaDevAttrTexturePitchAlignment = 51,
	cudaDevAttrMaxTextureCubemapWidth = 52,
	cudaDevAttrMaxTextureCubemapLayeredWidth = 53,
	cudaDevAttrMaxTextureCubemapLayeredLayers = 54,
	cudaDevAttrMaxSurface1DWidth = 55,
	cudaDevAttrMaxSurface2DWidth = 56,
	cudaDevAttrMaxSurface2DHeight = 57,
	cudaDevAttrMaxSurface3DWidth = 58,
	cudaDevAttrMaxSurface3DHeight = 59,
	cudaDevAttrMaxSurface3DDepth = 60,
	cudaDevAttrMaxSurface1DLayeredWidth = 61,
	cudaDevAttrMaxSurface1DLayeredLayers = 62,
	cudaDevAttrMaxSurface2DLayeredWidth = 63,
	cudaDevAttrMaxSurface2DLayeredHeight = 64,
	cudaDevAttrMaxSurface2DLayeredLayers = 65,
	cudaDevAttrMaxSurfaceCubemapWidth = 66,
	cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
	cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
	cudaDevAttrMaxTexture1DLinearWidth = 69,
	cudaDevAttrMaxTexture2DLinearWidth = 70,
	cudaDevAttrMaxTexture2DLinearHeight = 71,
	cudaDevAttrMaxTexture2DLinearPitch = 72,
	cudaDevAttrMaxTexture2DMipmappedWidth = 73,
	cudaDevAttrMaxTexture2DMipmappedHeight = 74,
	cudaDevAttrComputeCapabilityMajor = 75,
	cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrMaxTexture1DMipmappedWidth = 77,
	cudaDevAttrStreamPrioritiesSupported = 78,
	cudaDevAttrGlobalL1CacheSupported = 79,
	cudaDevAttrLocalL1CacheSupported = 80,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrMaxRegistersPerMultiprocessor = 82,
	cudaDevAttrManagedMemory = 83,
	cudaDevAttrIsMultiGpuBoard = 84,
	cudaDevAttrMultiGpuBoardGroupID = 85,
	cudaDevAttrHostNativeAtomicSupported = 86,
	cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
	cudaDevAttrPageableMemoryAccess = 88,
	cudaDevAttrConcurrentManagedAccess = 89,
	cudaDevAttrComputePreemptionSupported = 90,
	cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
	cudaDevAttrCooperativeLaunch = 95,
	cudaDevAttrCooperativeMultiDeviceLaunch = 96,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
	cudaDevAttrCanFlushRemoteWrites = 98,
	cudaDevAttrHostRegisterSupported = 99,
	cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
	cudaDevAttrDirectManagedMemAccessFromHost = 101,
	cudaDevAttrMaxBlocksPerMultiprocessor = 106,
	cudaDevAttrMaxPersistingL2CacheSize = 108,
	cudaDevAttrMaxAccessPolicyWindowSize = 109,
	cudaDevAttrReservedSharedMemoryPerBlock = 111,
	cudaDevAttrSparseCudaArraySupported = 112,
	cudaDevAttrHostRegisterReadOnlySupported = 113,
	cudaDevAttrTimelineSemaphoreInteropSupported = 114,
	cudaDevAttrMemoryPoolsSupported = 115,
	cudaDevAttrGPUDirectRDMASupported = 116,
	cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
	cudaDevAttrGPUDirectRDMAWritesOrdering = 118,
	cudaDevAttrMemoryPoolSupportedHandleTypes = 119,
	cudaDevAttrClusterLaunch = 120,
	cudaDevAttrDeferredMappingCudaArraySupported = 121,
	cudaDevAttrIpcEventSupport = 125,
	cudaDevAttrMemSyncDomainCount = 126,
	cudaDevAttrNumaConfig = 130,
	cudaDevAttrNumaId = 131,
	cudaDevAttrMpsEnabled = 133,
	cudaDevAttrHostNumaId = 134,
	cudaDevAttrD3D12CigSupported = 135,
	cudaDevAttrVulkanCigSupported = 138,
	cudaDevAttrGpuPciDeviceId = 139,
	cudaDevAttrGpuPciSubsystemId = 140,
	cudaDevAttrHostNumaMemoryPoolsSupported = 142,
	cudaDevAttrHostNumaMultinodeIpcSupported = 143,
	cudaDevAttrHostMemoryPoolsSupported = 144,
	cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147
};

struct CUuuid_st {
	char bytes[16];
};
typedef struct CUuuid_st cudaUUID_t;

struct cudaDeviceProp {
	char name[256];
	cudaUUID_t uuid;
	char luid[8];
	unsigned int luidDeviceNodeMask;
	size_t totalGlobalMem;
	size_t sharedMemPerBlock;
	size_t sharedMemPerBlockOptin;
	size_t sharedMemPerMultiprocessor;
	size_t reservedSharedMemPerBlock;
	size_t totalConstMem;
	size_t memPitch;
	size_t textureAlignment;
	size_t texturePitchAlignment;
	size_t surfaceAlignment;
	int regsPerBlock;
	int regsPerMultiprocessor;
	int warpSize;
	int maxThreadsPerBlock;
	int maxThreadsDim[3];
	int maxGridSize[3];
	int maxThreadsPerMultiProcessor;
	int maxBlocksPerMultiProcessor;
	int multiProcessorCount;
	int major;
	int minor;
	int clockRate;
	int memoryClockRate;
	int memoryBusWidth;
	int l2CacheSize;
	int persistingL2CacheMaxSize;
	int accessPolicyMaxWindowSize;
	int globalL1CacheSupported;
	int localL1CacheSupported;
	int singleToDoublePrecisionPerfRatio;
	int deviceOverlap;
	int asyncEngineCount;
	int kernelExecTimeoutEnabled;
	int concurrentKernels;
	int cooperativeLaunch;
	int cooperativeMultiDeviceLaunch;
	int clusterLaunch;
	int computePreemptionSupported;
	int streamPrioritiesSupported;
	int computeMode;
	int integrated;
	int canMapHostMemory;
	int canUseHostPointerForRegisteredMem;
	int hostRegisterSupported;
	int hostRegisterReadOnlySupported;
	int hostNativeAtomicSupported;
	int unifiedAddressing;
	int managedMemory;
	int concurrentManagedAccess;
	int pageableMemoryAccess;
	int pageableMemoryAccessUsesHostPageTables;
	int directManagedMemAccessFromHost;
	int memoryPoolsSupported;
	unsigned int memoryPoolSupportedHandleTypes;
	int gpuDirectRDMASupported;
	int ipcEventSupported;
	int unifiedFunctionPointers;
	int ECCEnabled;
	int tccDriver;
	int isMultiGpuBoard;
	int multiGpuBoardGroupID;
	int pciBusID;
	int pciDeviceID;
	int pciDomainID;
	int maxTexture1D;
	int maxTexture1DMipmap;
	int maxTexture1DLinear;
	int maxTexture1DLayered[2];
	int maxTexture2D[2];
	int maxTexture2DMipmap[2];
	int maxTexture2DLinear[3];
	int maxTexture2DGather[2];
	int maxTexture2DLayered[3];
	int maxTexture3D[3];
	int maxTexture3DAlt[3];
	int maxTextureCubemap;
	int maxTextureCubemapLayered[2];
	int maxSurface1D;
	int maxSurface1DLayered[2];
	int maxSurface2D[2];
	int maxSurface2DLayered[3];
	int maxSurface3D[3];
	int maxSurfaceCubemap;
	int maxSurfaceCubemapLayered[2];
	int sparseCudaArraySupported;
	int deferredMappingCudaArraySupported;
	int timelineSemaphoreInteropSupported;
	unsigned int gpuDirectRDMAFlushWritesOptions;
	int gpuDirectRDMAWritesOrdering;
};

#endif

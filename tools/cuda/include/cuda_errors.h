/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Errors of CUDA: names and numbers are those of its documentation, the words are this project's.
 * One list, of which driver_types.h makes an enum and the runtime its tables.
 */
#ifndef SOFTUVM_CUDA_ERRORS_H
#define SOFTUVM_CUDA_ERRORS_H

#define SOFTUVM_CUDA_ERRORS(E) \
	E(cudaSuccess, 0, "no error") \
	E(cudaErrorInvalidValue, 1, "invalid argument") \
	E(cudaErrorMemoryAllocation, 2, "out of memory") \
	E(cudaErrorInitializationError, 3, "initialization failed") \
	E(cudaErrorCudartUnloading, 4, "the program is ending") \
	E(cudaErrorProfilerDisabled, 5, "no profiler here") \
	E(cudaErrorProfilerNotInitialized, 6, "profiler not initialized") \
	E(cudaErrorProfilerAlreadyStarted, 7, "profiler already started") \
	E(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped") \
	E(cudaErrorInvalidConfiguration, 9, "invalid grid, block or shared memory of a launch") \
	E(cudaErrorInvalidPitchValue, 12, "invalid pitch") \
	E(cudaErrorInvalidSymbol, 13, "not a variable of the device") \
	E(cudaErrorInvalidHostPointer, 16, "invalid host pointer") \
	E(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
	E(cudaErrorInvalidTexture, 18, "invalid texture") \
	E(cudaErrorInvalidTextureBinding, 19, "invalid binding of a texture") \
	E(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor") \
	E(cudaErrorInvalidMemcpyDirection, 21, "invalid direction of a copy") \
	E(cudaErrorAddressOfConstant, 22, "address of a constant") \
	E(cudaErrorTextureFetchFailed, 23, "fetch from a texture failed") \
	E(cudaErrorTextureNotBound, 24, "texture not bound") \
	E(cudaErrorSynchronizationError, 25, "synchronization failed") \
	E(cudaErrorInvalidFilterSetting, 26, "invalid filter of a texture") \
	E(cudaErrorInvalidNormSetting, 27, "invalid normalization of a texture") \
	E(cudaErrorMixedDeviceExecution, 28, "device and emulation mixed") \
	E(cudaErrorNotYetImplemented, 31, "not yet implemented") \
	E(cudaErrorMemoryValueTooLarge, 32, "memory value too large") \
	E(cudaErrorStubLibrary, 34, "this library is only a stub") \
	E(cudaErrorInsufficientDriver, 35, "the driver is too old for the runtime") \
	E(cudaErrorCallRequiresNewerDriver, 36, "the call needs a newer driver") \
	E(cudaErrorInvalidSurface, 37, "invalid surface") \
	E(cudaErrorDuplicateVariableName, 43, "two variables of one name") \
	E(cudaErrorDuplicateTextureName, 44, "two textures of one name") \
	E(cudaErrorDuplicateSurfaceName, 45, "two surfaces of one name") \
	E(cudaErrorDevicesUnavailable, 46, "all devices are busy or may not be used") \
	E(cudaErrorIncompatibleDriverContext, 49, "incompatible context of the driver API") \
	E(cudaErrorMissingConfiguration, 52, "launch without a configuration") \
	E(cudaErrorPriorLaunchFailure, 53, "an earlier launch failed") \
	E(cudaErrorLaunchMaxDepthExceeded, 65, "launches nested too deep") \
	E(cudaErrorLaunchFileScopedTex, 66, "launch uses a texture of file scope") \
	E(cudaErrorLaunchFileScopedSurf, 67, "launch uses a surface of file scope") \
	E(cudaErrorSyncDepthExceeded, 68, "synchronization nested too deep") \
	E(cudaErrorLaunchPendingCountExceeded, 69, "too many pending launches") \
	E(cudaErrorInvalidDeviceFunction, 98, "not a kernel of the device") \
	E(cudaErrorNoDevice, 100, "no GPU found") \
	E(cudaErrorInvalidDevice, 101, "no such GPU") \
	E(cudaErrorDeviceNotLicensed, 102, "GPU not licensed") \
	E(cudaErrorSoftwareValidityNotEstablished, 103, "validity of the software not established") \
	E(cudaErrorStartupFailure, 127, "startup of the runtime failed") \
	E(cudaErrorInvalidKernelImage, 200, "invalid kernel image") \
	E(cudaErrorDeviceUninitialized, 201, "no context of the device") \
	E(cudaErrorMapBufferObjectFailed, 205, "mapping of a buffer failed") \
	E(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of a buffer failed") \
	E(cudaErrorArrayIsMapped, 207, "array is mapped") \
	E(cudaErrorAlreadyMapped, 208, "already mapped") \
	E(cudaErrorNoKernelImageForDevice, 209, "no kernel image for this GPU") \
	E(cudaErrorAlreadyAcquired, 210, "already acquired") \
	E(cudaErrorNotMapped, 211, "not mapped") \
	E(cudaErrorNotMappedAsArray, 212, "not mapped as an array") \
	E(cudaErrorNotMappedAsPointer, 213, "not mapped as a pointer") \
	E(cudaErrorECCUncorrectable, 214, "memory error that cannot be corrected") \
	E(cudaErrorUnsupportedLimit, 215, "no such limit") \
	E(cudaErrorDeviceAlreadyInUse, 216, "GPU in use") \
	E(cudaErrorPeerAccessUnsupported, 217, "these GPUs are no peers") \
	E(cudaErrorInvalidPtx, 218, "invalid PTX") \
	E(cudaErrorInvalidGraphicsContext, 219, "invalid graphics context") \
	E(cudaErrorNvlinkUncorrectable, 220, "NVLink error that cannot be corrected") \
	E(cudaErrorJitCompilerNotFound, 221, "no compiler of PTX") \
	E(cudaErrorUnsupportedPtxVersion, 222, "unsupported version of PTX") \
	E(cudaErrorJitCompilationDisabled, 223, "compilation of PTX is off") \
	E(cudaErrorUnsupportedExecAffinity, 224, "unsupported affinity") \
	E(cudaErrorUnsupportedDevSideSync, 225, "unsupported synchronization on the device") \
	E(cudaErrorContained, 226, "contained hardware error") \
	E(cudaErrorInvalidSource, 300, "invalid source of a kernel") \
	E(cudaErrorFileNotFound, 301, "file not found") \
	E(cudaErrorSharedObjectSymbolNotFound, 302, "symbol not found in a shared object") \
	E(cudaErrorSharedObjectInitFailed, 303, "initialization of a shared object failed") \
	E(cudaErrorOperatingSystem, 304, "a system call failed") \
	E(cudaErrorInvalidResourceHandle, 400, "invalid handle") \
	E(cudaErrorIllegalState, 401, "wrong state for this call") \
	E(cudaErrorLossyQuery, 402, "query would lose information") \
	E(cudaErrorSymbolNotFound, 500, "symbol not found") \
	E(cudaErrorNotReady, 600, "not ready yet") \
	E(cudaErrorIllegalAddress, 700, "a kernel used an address that it must not use") \
	E(cudaErrorLaunchOutOfResources, 701, "launch needs more than an SM has") \
	E(cudaErrorLaunchTimeout, 702, "a kernel took too long") \
	E(cudaErrorLaunchIncompatibleTexturing, 703, "incompatible texturing mode") \
	E(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is on already") \
	E(cudaErrorPeerAccessNotEnabled, 705, "peer access is not on") \
	E(cudaErrorSetOnActiveProcess, 708, "too late: the device is in use") \
	E(cudaErrorContextIsDestroyed, 709, "context destroyed") \
	E(cudaErrorAssert, 710, "an assertion failed on the GPU") \
	E(cudaErrorTooManyPeers, 711, "too many peers") \
	E(cudaErrorHostMemoryAlreadyRegistered, 712, "host memory is registered already") \
	E(cudaErrorHostMemoryNotRegistered, 713, "host memory is not registered") \
	E(cudaErrorHardwareStackError, 714, "stack of a GPU thread broken") \
	E(cudaErrorIllegalInstruction, 715, "illegal instruction on the GPU") \
	E(cudaErrorMisalignedAddress, 716, "misaligned address on the GPU") \
	E(cudaErrorInvalidAddressSpace, 717, "address in the wrong space on the GPU") \
	E(cudaErrorInvalidPc, 718, "jump out of the code on the GPU") \
	E(cudaErrorLaunchFailure, 719, "a kernel failed") \
	E(cudaErrorCooperativeLaunchTooLarge, 720, "cooperative launch of more blocks than fit") \
	E(cudaErrorTensorMemoryLeak, 721, "tensor memory not freed") \
	E(cudaErrorNotPermitted, 800, "not permitted") \
	E(cudaErrorNotSupported, 801, "not supported") \
	E(cudaErrorSystemNotReady, 802, "system not ready") \
	E(cudaErrorSystemDriverMismatch, 803, "versions of drivers differ") \
	E(cudaErrorCompatNotSupportedOnDevice, 804, "compatibility not supported on this GPU") \
	E(cudaErrorMpsConnectionFailed, 805, "no connection to MPS") \
	E(cudaErrorMpsRpcFailure, 806, "call of MPS failed") \
	E(cudaErrorMpsServerNotReady, 807, "MPS not ready") \
	E(cudaErrorMpsMaxClientsReached, 808, "too many clients of MPS") \
	E(cudaErrorMpsMaxConnectionsReached, 809, "too many connections to MPS") \
	E(cudaErrorMpsClientTerminated, 810, "MPS ended the client") \
	E(cudaErrorCdpNotSupported, 811, "launches from kernels not supported") \
	E(cudaErrorCdpVersionMismatch, 812, "version of launches from kernels differs") \
	E(cudaErrorStreamCaptureUnsupported, 900, "not possible while a stream is captured") \
	E(cudaErrorStreamCaptureInvalidated, 901, "capture invalidated") \
	E(cudaErrorStreamCaptureMerge, 902, "captures would merge") \
	E(cudaErrorStreamCaptureUnmatched, 903, "capture not begun in this stream") \
	E(cudaErrorStreamCaptureUnjoined, 904, "capture not joined") \
	E(cudaErrorStreamCaptureIsolation, 905, "dependency out of a capture") \
	E(cudaErrorStreamCaptureImplicit, 906, "implicit dependency of a capture") \
	E(cudaErrorCapturedEvent, 907, "event of a capture") \
	E(cudaErrorStreamCaptureWrongThread, 908, "capture of another thread") \
	E(cudaErrorTimeout, 909, "timeout") \
	E(cudaErrorGraphExecUpdateFailure, 910, "update of a graph failed") \
	E(cudaErrorExternalDevice, 911, "error of an external device") \
	E(cudaErrorInvalidClusterSize, 912, "invalid size of a cluster") \
	E(cudaErrorFunctionNotLoaded, 913, "function not loaded") \
	E(cudaErrorInvalidResourceType, 914, "invalid type of a resource") \
	E(cudaErrorInvalidResourceConfiguration, 915, "invalid configuration of a resource") \
	E(cudaErrorUnknown, 999, "unknown error") \
	E(cudaErrorApiFailureBase, 10000, "error of an API")

#endif

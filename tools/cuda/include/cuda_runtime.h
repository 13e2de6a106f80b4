/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What nvcc puts before each .cu file, and `uvm cc` does: the language's words, the runtime API, and
 * what device code has.  clang's own CUDA headers give the built-in variables and most functions;
 * they come in the order that those headers ask for.
 */
#ifndef SOFTUVM_CUDA_RUNTIME_H
#define SOFTUVM_CUDA_RUNTIME_H

/* What programs ask to find out whether this file was included. */
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && defined(__clang__)

#include "host_defines.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION	12000
#endif

#define __launch_bounds__(...)	__attribute__((launch_bounds(softuvm_bound(__VA_ARGS__))))
#define __maxnreg__(...)
#define __grid_constant__
#define __builtin_align__(n)	__align__(n)

/* Of threads; blocks of an SM and, since CUDA 11.8, of a cluster change nothing for this GPU. */
static inline constexpr int softuvm_bound(int threads, int = 0, int = 0)
{
	return threads;
}

/* Overloads for the device are declared before the C++ library names the host's. */
#include <__clang_cuda_math_forward_declares.h>
/* The heap of device code, which clang's <new> calls. */
extern "C" {
__device__ void *malloc(__SIZE_TYPE__ bytes) __attribute__((nothrow, malloc));
__device__ void free(void *at) __attribute__((nothrow));
}
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <climits>
#include <new>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A keyword since clang 15.  The C++ library's own use of the word has been read by then. */
#if __clang_major__ < 15
#include <memory>
#define __noinline__	__attribute__((noinline))
#endif

/*
 * clang has them for AMD's GPUs alone.  Here it is a variable of the GPU whose counterpart of the CPU is
 * in a section of its own, which the runtime makes managed memory (cuda-runtime.rst).
 */
#define __managed__	__attribute__((device, section("softuvm_managed")))

#include "cuda_runtime_api.h"

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include "device/float_overloads.h"
#include "device/printing.h"
#include "device/device_runtime.h"
#include "device/variables.h"
#include "device/windows.h"
#include "device/textures.h"
#include "device/surfaces.h"
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include "device/shuffles.h"
#include "device/lanes.h"
#include "device/loads.h"
#include "device/integers.h"
#include <__clang_cuda_complex_builtins.h>
#include "device/atomics.h"
#include "device/min_max.h"
#include "device/host_math.h"
#include "device/alignment.h"

#else

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"

#endif
#endif

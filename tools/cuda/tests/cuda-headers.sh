#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The headers of the CUDA runtime API: each by itself in C and C++, all forms of the calls that have
# several; and where NVIDIA's headers are, that numbers are the same.
# usage: cuda-headers.sh DIRECTORY
include=$1
headers="-I$include -I$include/forward"
. "$(dirname "$0")/../../tests/checks.sh"

# compiles NAME COMPILER...
compiles()
{
	what=$1
	shift
	"$@" -Wall -Wextra -Werror -c -o "$tmp/out.o" > "$tmp/err" 2>&1
	result $? 'does not compile:' "$tmp/err"
}

for header in cuda_runtime_api driver_types vector_types vector_functions cuda cuda_profiler_api \
		nvToolsExt nvtx3/nvToolsExt builtin_types device_types driver_functions omp \
		cuComplex cuda_fp16 cuda_bf16 cuda_occupancy cublas_v2 library_types \
		channel_descriptor surface_types texture_types; do
	echo "#include <$header.h>" > "$tmp/one.c"
	cp "$tmp/one.c" "$tmp/one.cc"
	compiles "$header.h in C" gcc -std=gnu11 -Wno-unused-function $headers "$tmp/one.c"
	compiles "$header.h in C++" g++ -std=c++11 -Wno-unused-function $headers "$tmp/one.cc"
done

# The macro that programs have around NVTX, with a color.
cat > "$tmp/marks.c" << 'END'
#include <nvtx3/nvToolsExt.h>
int f(const char *name)
{
	nvtxEventAttributes_t e = {0};

	e.version = NVTX_VERSION;
	e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	e.colorType = NVTX_COLOR_ARGB;
	e.color = 0xff00ff00;
	e.messageType = NVTX_MESSAGE_TYPE_ASCII;
	e.message.ascii = name;
	nvtxMark(name);
	nvtxRangePush(name);
	nvtxRangePushEx(&e);
	nvtxRangeEnd(nvtxRangeStartEx(&e));
	return nvtxRangePop();
}
END
cp "$tmp/marks.c" "$tmp/marks.cc"
compiles "marks in C" gcc -std=gnu11 -Wno-unused-function $headers "$tmp/marks.c"
compiles "marks in C++" g++ -std=c++11 -Wno-unused-function -Wno-missing-field-initializers \
	$headers "$tmp/marks.cc"

# Prefetch and advise in C: of the version that the program is for.
cat > "$tmp/managed.c" << 'END'
#include <cuda_runtime_api.h>
int f(void *p)
{
#if CUDART_VERSION >= 13000
	struct cudaMemLocation l = { cudaMemLocationTypeDevice, 0 };

	return cudaMemPrefetchAsync(p, 4, l, 0, 0) || cudaMemAdvise(p, 4, 1, l);
#else
	return cudaMemPrefetchAsync(p, 4, 0, 0) || cudaMemAdvise(p, 4, 1, 0);
#endif
}
END
compiles "CUDA 12 in C" gcc -std=gnu11 $headers "$tmp/managed.c"
compiles "CUDA 13 in C" gcc -std=gnu11 -DCUDART_VERSION=13000 $headers "$tmp/managed.c"

# Graphs likewise: in CUDA 13 edges have data.
cat > "$tmp/graphs.c" << 'END'
#include <cuda_runtime_api.h>
int f(cudaGraphExec_t *e, cudaGraph_t g, cudaGraphNode_t *n, size_t *c, cudaStream_t s)
{
	enum cudaStreamCaptureStatus status;
	int wrong = cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) || cudaStreamEndCapture(s, &g);

#if CUDART_VERSION >= 13000
	wrong |= cudaGraphAddDependencies(g, n, n, 0, 1) || cudaGraphGetEdges(g, n, n, 0, c) ||
		 cudaGraphNodeGetDependencies(*n, n, 0, c) || cudaGraphAddNode(n, g, n, 0, 1, 0) ||
		 cudaStreamUpdateCaptureDependencies(s, n, 0, 1, 0) ||
		 cudaStreamGetCaptureInfo(s, &status, 0, &g, 0, 0, c);
#else
	wrong |= cudaGraphAddDependencies(g, n, n, 1) || cudaGraphGetEdges(g, n, n, c) ||
		 cudaGraphNodeGetDependencies(*n, n, c) || cudaGraphAddNode(n, g, n, 1, 0) ||
		 cudaStreamUpdateCaptureDependencies(s, n, 1, 0) ||
		 cudaStreamGetCaptureInfo(s, &status, 0, &g, 0, c);
#endif
#if CUDART_VERSION >= 12000
	return wrong || cudaGraphInstantiate(e, g, 0) || cudaGraphExecUpdate(*e, g, 0);
#else
	return wrong || cudaGraphInstantiate(e, g, n, 0, 0) || cudaGraphExecUpdate(*e, g, n, 0);
#endif
}
END
for version in 11080 12000 13000; do
	compiles "graphs of $version in C" gcc -std=gnu11 -DCUDART_VERSION=$version $headers \
		"$tmp/graphs.c"
done

cat > "$tmp/forms.cc" << 'END'
#include <cuda_runtime_api.h>
static_assert(sizeof(dim3) == 12 && sizeof(float3) == 12 && sizeof(float4) == 16, "");
static_assert(alignof(float4) == 16 && alignof(float2) == 8 && alignof(uchar4) == 4, "");
static_assert(alignof(double2) == 16 && alignof(double4) == 16 && alignof(int3) == 4, "");
void k(int *p, float f);
float array[4];
int scalar;
int f(cudaStream_t s, cudaEvent_t e)
{
	cudaMemLocation l = { cudaMemLocationTypeDevice, 0 };
	cudaLaunchConfig_t c = { };
	cudaDeviceProp d = { };
	int *p, blocks, threads;
	void *args[] = { &p };
	float *q;
	cudaGraph_t g = 0;
	cudaGraphNode_t n = 0;
	cudaGraphExec_t x = 0;
	cudaGraphEdgeData edge = { };
	cudaGraphNodeParams params = { };
	cudaGraphExecUpdateResult result;
	cudaStreamCaptureStatus status;
	size_t count = 1;

	return cudaGraphInstantiate(&x, g) || cudaGraphInstantiate(&x, g, 0) ||
	       cudaGraphInstantiate(&x, g, NULL, NULL, 0) || cudaGraphExecUpdate(x, g, NULL) ||
	       cudaGraphExecUpdate(x, g, NULL, &result) || cudaGraphAddNode(&n, g, &n, 1, &params) ||
	       cudaGraphAddNode(&n, g, &n, &edge, 1, &params) ||
	       cudaGraphAddDependencies(g, &n, &n, 1) || cudaGraphAddDependencies(g, &n, &n, &edge, 1) ||
	       cudaGraphGetEdges(g, NULL, NULL, &count) ||
	       cudaGraphGetEdges(g, NULL, NULL, NULL, &count) ||
	       cudaStreamGetCaptureInfo(s, &status) || cudaStreamGetCaptureInfo(s, &status, NULL, &g) ||
	       cudaStreamGetCaptureInfo(s, &status, NULL, &g, NULL, &count) ||
	       cudaStreamGetCaptureInfo(s, &status, NULL, &g, NULL, NULL, &count) ||
	       cudaGraphAddMemcpyNodeToSymbol(&n, g, NULL, 0, array, q, 16, 0, cudaMemcpyDefault) ||
	       cudaMallocManaged(&p, 4) || cudaMallocManaged((void **)&p, 4, cudaMemAttachHost) ||
	       d.maxTexture1DLayered[1] || d.maxSurfaceCubemapLayered[1] || d.maxTexture2DGather[1] ||
	       cudaMalloc(&q, 4) || cudaMalloc((void **)&q, 4) || cudaMallocHost(&q, 4) ||
	       cudaHostAlloc(&q, 4, 0) || cudaHostGetDevicePointer(&q, p, 0) ||
	       cudaMemPrefetchAsync(p, 4, 0) || cudaMemPrefetchAsync(p, 4, 0, s) ||
	       cudaMemPrefetchAsync(p, 4, l, 0) || cudaMemPrefetchAsync(p, 4, l, 0, s) ||
	       cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, 0) ||
	       cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, l) ||
	       cudaMemcpyToSymbol(array, q, 16) || cudaMemcpyToSymbol(scalar, p, 4, 0,
								      cudaMemcpyHostToDevice) ||
	       cudaMemcpyFromSymbol(q, array, 16) || cudaGetSymbolAddress((void **)&q, array) ||
	       cudaGetSymbolAddress(&q, array) || cudaEventCreate(&e) || cudaEventRecord(e) ||
	       cudaEventCreate(&e, cudaEventDisableTiming) || cudaStreamWaitEvent(s, e) ||
	       cudaLaunchKernel(k, 1, dim3(2, 3), args) ||
	       cudaLaunchKernel((void *)k, dim3(1), dim3(2), args, 0, s) ||
	       cudaLaunchKernelEx(&c, k, p, 1.0f) ||
	       cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1) ||
	       cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 32, 0) ||
	       cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, k) ||
	       cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, k,
							      [](int n) { return n * 4; });
}
END
# What the CPU's compiler gets of cuda_runtime.h.
cat > "$tmp/host.cc" << 'END'
#include <cuda_runtime.h>
cudaError_t f(cudaArray_t *array)
{
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<float4>();

	return cudaMallocArray(array, &desc, 4, cudaCreateChannelDesc<unsigned char>().x);
}
END
compiles "channels in C++ of the CPU" g++ -std=c++11 $headers "$tmp/host.cc"

for std in 11 14 17 20; do
	compiles "all forms in C++$std" g++ -std=c++$std $headers "$tmp/forms.cc"
done

# What NVIDIA's headers know, too, has their number.
theirs=${CUDA_HOME:-/usr/local/cuda}/include
if [ -r "$theirs/driver_types.h" ]; then
	{
		echo '#include <driver_types.h>'
		echo '#include <texture_types.h>'
		echo '#include <surface_types.h>'
		echo '#include <cuda.h>'
		[ ! -r "$theirs/cublas_v2.h" ] || echo '#include <cublas_v2.h>'
		sed -n 's/^\t\(CU_[A-Z0-9_]*\) = \([0-9]*\),$/\1 \2/p' \
			"$include/cuda_device_attributes.h" "$include/cuda.h"
		sed -n 's/^\tE(\(cuda[A-Za-z0-9]*\), \([0-9]*\),.*/\1 \2/p' "$include/cuda_errors.h"
		sed -n 's/^\t\(cuda[A-Za-z0-9]*\) = \(-\{0,1\}[0-9]*\),\{0,1\}$/\1 \2/p
			s/^#define \(cuda[A-Za-z0-9]*\)\t*\(0x[0-9a-f]*\)$/\1 \2/p' \
			"$include/driver_types.h" "$include/texture_types.h" \
			"$include/surface_types.h" "$include/cuda_graph_types.h"
		sed -n 's/^\t\(CU[A-Z0-9_]*\) = \(-\{0,1\}[0-9]*\),\{0,1\}$/\1 \2/p' \
			"$include/cublas_v2.h" "$include/library_types.h"
	} | while read -r name number; do
		case $name in
		'#include') echo "$name $number" ;;
		*) grep -hqsw "$name" "$theirs/driver_types.h" "$theirs/cuda.h" \
				"$theirs/texture_types.h" "$theirs/surface_types.h" \
				"$theirs/cublas_api.h" "$theirs/library_types.h" &&
			echo "_Static_assert((int)$name == $number, \"$name\");" ;;
		esac
	done > "$tmp/numbers.c"
	what="numbers as NVIDIA's"
	[ "$(grep -c _assert "$tmp/numbers.c")" -ge 400 ]
	result $? "few are compared: $(grep -c _assert "$tmp/numbers.c")"
	compiles "numbers as NVIDIA's" gcc -std=gnu11 -I"$theirs" "$tmp/numbers.c"
fi

summary 'cuda headers'

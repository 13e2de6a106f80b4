#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The headers of the CUDA runtime API: each by itself in C and C++, all forms of the calls that have
# several; and where NVIDIA's headers are, that numbers are the same.
# usage: cuda-headers.sh DIRECTORY
include=$1
checks=0
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# compiles NAME COMPILER...
compiles()
{
	name=$1
	shift
	checks=$((checks + 1))
	if ! "$@" -Wall -Wextra -Werror -c -o "$tmp/out.o" > "$tmp/err" 2>&1; then
		failed=$((failed + 1))
		echo "$name does not compile:" >&2
		cat "$tmp/err" >&2
	fi
}

for header in cuda_runtime_api driver_types vector_types vector_functions cuda cuda_profiler_api \
		nvToolsExt builtin_types device_types driver_functions; do
	echo "#include <$header.h>" > "$tmp/one.c"
	cp "$tmp/one.c" "$tmp/one.cc"
	compiles "$header.h in C" gcc -std=gnu11 -Wno-unused-function -I"$include" "$tmp/one.c"
	compiles "$header.h in C++" g++ -std=c++11 -Wno-unused-function -I"$include" "$tmp/one.cc"
done

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
compiles "CUDA 12 in C" gcc -std=gnu11 -I"$include" "$tmp/managed.c"
compiles "CUDA 13 in C" gcc -std=gnu11 -DCUDART_VERSION=13000 -I"$include" "$tmp/managed.c"

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
	int *p, blocks, threads;
	void *args[] = { &p };
	float *q;

	return cudaMallocManaged(&p, 4) || cudaMallocManaged((void **)&p, 4, cudaMemAttachHost) ||
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
for std in 11 14 17 20; do
	compiles "all forms in C++$std" g++ -std=c++$std -I"$include" "$tmp/forms.cc"
done

# What NVIDIA's headers know, too, has their number.
theirs=${CUDA_HOME:-/usr/local/cuda}/include
if [ -r "$theirs/driver_types.h" ]; then
	{
		echo '#include <driver_types.h>'
		sed -n 's/^\tE(\(cuda[A-Za-z0-9]*\), \([0-9]*\),.*/\1 \2/p' "$include/cuda_errors.h"
		sed -n 's/^\t\(cuda[A-Za-z0-9]*\) = \(-\{0,1\}[0-9]*\),\{0,1\}$/\1 \2/p
			s/^#define \(cuda[A-Za-z0-9]*\)\t*\(0x[0-9a-f]*\)$/\1 \2/p' \
			"$include/driver_types.h"
	} | while read -r name number; do
		case $name in
		'#include') echo "$name $number" ;;
		*) grep -qw "$name" "$theirs/driver_types.h" &&
			echo "_Static_assert((int)$name == $number, \"$name\");" ;;
		esac
	done > "$tmp/numbers.c"
	checks=$((checks + 1))
	if [ "$(grep -c _assert "$tmp/numbers.c")" -lt 250 ]; then
		failed=$((failed + 1))
		echo "few numbers are compared: $(grep -c _assert "$tmp/numbers.c")" >&2
	fi
	compiles "numbers as NVIDIA's" gcc -std=gnu11 -I"$theirs" "$tmp/numbers.c"
fi

printf '%-24s%u checks, %u failed\n' 'cuda headers' $checks $failed
[ $failed -eq 0 ]

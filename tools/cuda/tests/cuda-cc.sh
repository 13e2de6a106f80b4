#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What "uvm cc" makes of CUDA C++ without running it: images, options, and what is refused.
# $1: uvm, $2: the folder of its libraries, $3: that of llvm-readelf and llvm-objdump
uvm=$1
export UVM_LIBRARIES="$2"
tools=$3
folder=$(cd "$(dirname "$0")" && pwd)
. "$folder/../../tests/checks.sh"
uvm=$(realpath "$uvm")
cd "$tmp" || exit 1

# compile STATUS WHAT [OPTION]...: the source on stdin.
compile()
{
	want=$1
	what="uvm cc, $2"
	shift 2
	cat > k.cu
	"$uvm" cc -c "$@" k.cu > out 2>&1
	status "$want" $? out
}

# says PATTERN: the last one did.
says()
{
	contains "$1" out
}

# Nothing is said.
silent()
{
	[ ! -s out ]
	result $? "it speaks" out
}

# options STATUS WHAT OPTION...: an empty source.
options()
{
	: > empty.cu
	want=$1
	what="uvm cc, $2"
	shift 2
	"$uvm" cc "$@" > out 2>&1
	status "$want" $? out
}

# image: that of the last one, which is a part of its object.
image()
{
	offset=$(grep -abo ELF k.o | sed -n '2s/:.*//p')
	tail -c +"$offset" k.o > image
}

compile 0 'a kernel' <<'END'
__global__ void k(int *x, char c) { x[threadIdx.x + blockIdx.x * blockDim.x] = c; }
int main() { k<<<1, 32>>>(nullptr, 1); }
END
silent
image
"$tools/llvm-readelf" -s image > out 2>&1
says ' __sgpu_kernel\$_Z1kPic$'
says ' __cuda_entry_0$'
says '0000300000000000 .* __sgpu_globals_start$'
says '0000300000000000 .* __sgpu_globals_end$'
# Entry 0; two parameters: 8 bytes, no copy; 1 byte, no copy.
"$tools/llvm-objdump" -s -j .softgpu_kernels image > out
says ' 00000000 02000000 08000000 00000000 '
says ' 01000000 00000000 '

compile 0 'a struct by value, in slots' <<'END'
struct s { double a; int b[5]; };
__global__ void k(s x, s *y) { *y = x; }
END
image
"$tools/llvm-objdump" -s -j .softgpu_kernels image > out
says ' 00000000 02000000 20000000 01000000 '

compile 0 'variables' <<'END'
__device__ int a = 3;
__device__ int *p = &a;
__constant__ float c[4];
static __device__ int hidden[2] = { 1, 2 };
struct l { int n; int *p[2]; };
__device__ l list = { 1, { &a, hidden + 1 } };
__global__ void k(int *x) { a++; *x = *p + (int)c[threadIdx.x] + *list.p[0] + hidden[1]; }
END
image
"$tools/llvm-readelf" -sS image > out 2>&1
for name in a p c _ZL6hidden list; do
	says "000030000000[0-9a-f]* .* $name\$"
done
# Three words of initializers hold addresses: p, and two of list.
start=$(awk '$8 == "__sgpu_relocations_start" { print $2 }' out)
end=$(awk '$8 == "__sgpu_relocations_end" { print $2 }' out)
[ $((0x$end - 0x$start)) -eq 24 ]
result $? "not three words to correct"

compile 0 'shared memory' <<'END'
extern __shared__ float more[];
__global__ void k(float *x) { __shared__ float s[32]; s[threadIdx.x] = *x; __syncthreads();
	more[threadIdx.x] = s[31 - threadIdx.x]; __syncthreads(); *x = more[0]; }
END
image
"$tools/llvm-readelf" -sS image > out 2>&1
says ' .shared .* 4000000010000000 .* 000080 '
says '4000000010000080 .* __sgpu_dynamic_shared$'

compile 0 'more stack than threads have' <<'END'
__device__ __attribute__((noinline)) int f(int *a, int n) { return a[n] + a[n / 2]; }
__global__ void k(int *x) { int a[1000]; for (int i = 0; i < 1000; i++) a[i] = x[i]; *x = f(a, *x); }
END
image
"$tools/llvm-readelf" -s image > out 2>&1
bytes=$((0x$(awk '$8 == "__softgpu_stack_bytes" { print $2 }' out)))
[ $bytes -ge 4000 ] && [ $bytes -le 4200 ]
result $? "a stack of $bytes bytes, not some more than 4000"


compile 1 'too much stack' <<'END'
__device__ __attribute__((noinline)) int f(int *a, int n) { return a[n] + a[n / 2]; }
__global__ void k(int *x)
{
	int a[20000];
	for (int i = 0; i < 20000; i++) a[i] = x[i];
	*x = f(a, *x);
}
END
says '^.*k.cu:[0-9]*: error: this kernel takes 8[0-9]* bytes of stack.* a thread can have 65536$'

compile 0 'as many bytes of parameters as CUDA takes' <<'END'
struct s { int a[8190]; };
__global__ void k(s all, int n) { if (n) all.a[n] = 0; }
END
silent

compile 1 'more' <<'END'
struct s { int a[8190]; };

__global__ void k(s all, int n, int m) { if (n) all.a[n] = m; }
END
says '^.*k.cu:3: error: a kernel has 3 parameters of 32768 bytes, a launch takes 512 of 32764$'

compile 0 'blanks in a launch' <<'END'
__global__ void k(int *x) { *x = 1 << 2 >> 1; }
template<class T> struct v { T t; };
// k << <1, 2>> >(x);
int main() { v<v<int> > y; (void)y; (void)"k<< <"; k<< <dim3(1 << 2, 2), 32 >> >(0); k << < 1, 2 >>>(0); }
END
silent

compile 0 'arguments of a launch in braces, with blanks, comments and in macros' <<'END'
template<int A, int B> __global__ void k(int *x) { *x = A; }
template<class T> T same(T t) { return t; }
#define RUN(...) k<1, 2><<<{1, __VA_ARGS__}, \
	{ 32 }>>>(0)
int main()
{
	dim3 grid(2);
	int rows = 2;
	k<1, 2><<<grid, {32, 2, 1}>>>(0);
	k<1, 2><<<{1, same(2u)}, /* of 32 */ {32}, 0, {}>>>(0);
	k<1, 2><< <{}, { 8, 4 }, {}>> >(0);
	k<1, 2><<<same<dim3>({1, 2}), dim3{4}>>>(0);
	k<1, 2><<<{(unsigned)rows}, 1>>>(0);
	RUN(3);
}
END
silent
# Of the source the lines stay, and the columns in front.
compile 1 "errors in launches with braces have the source's line" <<'END'
__global__ void k(int *x) { *x = 1; }
int main() { k<<<{1, nothing},
	{8}>>>(0); }
END
says '^k.cu:2:[0-9]*: error: use of undeclared identifier .nothing.$'

mkdir -p beside/below
cat > beside/kernels.h << 'END'
#pragma once
#include "below/launch.h"
template<class T, int N> __global__ void k(T *x) { *x = N; }
#define RUN(grid, x) k<int, 1><< <grid, 1>> >(x)
END
cat > beside/below/launch.h << 'END'
#include "kernels.h"
template<class T, int N> __global__ void k(T *x);
template<class T> void run(T *x, cudaStream_t s)
{
	k<T, 4>
		<< <
		1, 2, 0, s
		>> >
		(x);
}
END
compile 0 'blanks in launches of included files, in macros and templates' -I beside -Ibeside/below <<'END'
#include "kernels.h"
int main() { int *x = nullptr; run(x, 0); RUN(1, x); k<int, 2> <<< 1, 1 >>> (x); }
END
silent
echo 'int broken() { return k<< <1, 2>> >(0), nothing; }' > beside/below/wrong.h
compile 1 "errors of included files have these files' names" -Ibeside <<'END'
__global__ void k(int *x) { *x = 1; }
#include "below/wrong.h"
END
says '^beside/below/wrong.h:1:[0-9]*: error: use of undeclared identifier .nothing.$'

compile 1 "clang's own errors have the source's line, with blanks in launches, too" <<'END'
__global__ void k(int *x) { *x = 1; }
int main() {
	k<< <1, 2>> >(0);
	nothing();
}
END
says '^k.cu:4:2: error: use of undeclared identifier .nothing.$'

compile 1 'asm()' <<'END'
__device__ unsigned int f()
{
	unsigned int lane;
	asm("fns.b32 %0, %1, 0, 1;" : "=r"(lane) : "r"(7));
	return lane;
}
__global__ void k(unsigned int *x) { *x = f(); }
END
says '^k.cu:4: note: this instruction of PTX is not available here: write it in C++'
says "^k.cu:4: error: PTX in asm() 'fns.b32 \$0, \$1, 0, 1;', in 'f()', is not available on this GPU$"

compile 0 'asm() that reads a register' <<'END'
__global__ void k(unsigned int *x, unsigned long long *y)
{
	asm("mov.u32 %0, %%laneid;" : "=r"(x[0]));
	asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(x[1]));
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(y[0]));
	x[2] = __activemask();
}
END
silent

compile 1 'asm() that reads a register that is not there' <<'END'
__global__ void k(unsigned int *x)
{
	asm("mov.u32 %0, %%pm7;" : "=r"(x[0]));
}
END
says "^k.cu:3: error: PTX in asm() 'mov.u32 \$0, %pm7;', in 'k(unsigned int\*)', is not available"

compile 0 'a constant that becomes narrower, as nvcc takes it' <<'END'
float f[1] = { -999999999 };
__global__ void k(int *x) { *x = 1; }
END
says '^k.cu:1:.*warning: '

compile 0 'words that C++17 has no more, as nvcc takes them' -std=c++17 <<'END'
#include <cinttypes>
#include <cstdio>
__global__ void k(int *x) { register int i = *x; *x = i + 1; }
int main() { register int64_t n = 1; printf("%"PRId64"\n", n); }
END
says '^k.cu:3:.*warning: .*register'

compile 0 '__managed__' <<'END'
__managed__ int x;
__global__ void k() { x = 1; }
END
silent

compile 0 'a first function that is only declared' <<'END'
#include <cassert>
__global__ void k(int *x) { if (!*x) assert(0); }
END
silent

compile 0 '__noinline__' <<'END'
__device__ __noinline__ int f(int x) { return x + 1; }
__global__ void k(int *x) { *x = f(*x); }
END
silent

compile 1 'memory with an alignment of its own' -std=c++17 <<'END'
struct alignas(64) wide { int x[16]; };

__global__ void k(wide **x) { *x = new wide; }
END
says '^k.cu:3: note: memory with an alignment above 16 bytes is not available here: allocate more, '

compile 0 'a virtual destructor, which needs no heap' <<'END'
struct a { __device__ virtual ~a() { } };
struct b : a { int x; };
__global__ void k(int *x) { b c; a *p = &c; p->~a(); *x = 1; }
END
silent
image
"$tools/llvm-readelf" -s image > out 2>&1
! grep -q __softuvm_heap out
result $? "it has a heap"

compile 1 'a function that no file has' <<'END'
extern __device__ int elsewhere(int);
__global__ void k(int *x)
{
	*x = elsewhere(1);
}
END
says "^k.cu:4: error: the function 'elsewhere(int)', in 'k(int\*)', is not defined; to call that of another file takes -rdc=true$"

compile 1 'a variable that no file has' <<'END'
extern __device__ int elsewhere[4];
__global__ void k(int *x)
{
	*x = elsewhere[*x];
}
END
says "^k.cu:4: error: 'elsewhere' is not defined; to use that of another file takes -rdc=true$"

compile 1 "a function of libdevice that is not there" <<'END'
__global__ void k(double *x)
{
	x[0] = 1;
	x[1] = __nv_rcp64h(x[0]);
}
END
says "^k.cu:4: error: the function 'rcp64h', in 'k(double\*)', is not available on this GPU$"

compile 1 'a launch by a kernel' <<'END'
__global__ void k(int *x) { *x = 1; }
__global__ void l(int *x)
{
	k<<<1, 1>>>(x);
}
END
says '^k.cu:4:.*error: reference to __global__ function .k. in __global__ function$'
says '^k.cu:4:.*note: dynamic parallelism (a launch by a kernel) is not available here: launch it from the CPU$'

compile 0 'words for errors in code of the GPU' <<'END'
#include <cstdio>
__host__ __device__ inline void tell(cudaError_t e) { printf("%s %s\n", cudaGetErrorName(e), cudaGetErrorString(e)); }
__global__ void k(int e) { tell((cudaError_t)e); }
int main() { tell(cudaSuccess); k<<<1, 1>>>(1); }
END
silent

# noted LINE PART: what the last one said of line LINE comes with a note on a part of CUDA.
noted()
{
	says "^k.cu:$1:.*error: "
	says "^k.cu:$1:.*note: $2 not available here: "
}

compile 1 'parts of CUDA that are not here are named, each once' <<'END'
__global__ void k(float *x, cudaTextureObject_t t,
	surface<void> s)
{
	x[0] = texCubemap<float>(t, 0, 0, 0) + texCubemap<float>(t, 1, 1, 1);
}
cudaGraphConditionalHandle graph;
cublasXtHandle_t handle;
int main() {
	thrust::sort(0, 0);
	cub::DeviceReduce::Sum();
	cudaMallocMipmappedArray(0, 0);
}
END
noted 2 'references of surfaces are'
noted 4 'cubemaps are'
noted 6 'conditional nodes of graphs are'
noted 7 'this part of cuBLAS is'
noted 9 'Thrust is'
noted 10 'CUB is'
noted 11 'mipmaps are'
[ "$(grep -c 'cubemaps are' out)" = 1 ]
result $? "cubemaps are not explained once"

# Editors and old programs name headers of CUDA's whose contents cuda_runtime.h has.
for header in common_functions cuda_device_runtime_api cuda_surface_types cuda_texture_types \
	device_atomic_functions device_double_functions host_config sm_20_atomic_functions \
	sm_20_intrinsics sm_30_intrinsics sm_32_atomic_functions sm_32_intrinsics \
	sm_35_atomic_functions sm_35_intrinsics sm_60_atomic_functions sm_61_intrinsics \
	surface_functions surface_indirect_functions texture_fetch_functions texture_indirect_functions
do
	echo "#include <$header.h>"
done > headers.h
compile 0 'headers that are a part of cuda_runtime.h' < headers.h
silent

compile 1 'a header of libcu++ that is not there' <<'END'
#include <cuda/atomic>
#include <cuda/std/chrono>
END
noted 2 'this part of libcu++ is'

compile 1 'an atomic of 16 bytes' <<'END'
#include <cuda/atomic>
struct wide { long long x[2]; };
__device__ cuda::atomic<wide> a;
END
says 'atomics of 1, 2, 4 and 8 bytes are available here'

compile 1 'a header of a library' <<'END'
#include <vector>
#include <cudnn.h>
END
noted 2 'cuDNN is'
says '^k.cu:2:10: fatal error: .cudnn.h. file not found$'

# Whether the packages are installed or not: no version of them has these headers.
compile 1 'a header of Thrust that is not there' <<'END'
#include <thrust/nowhere.h>
END
noted 1 'Thrust is'
says 'note: Thrust is not available here: apt install libthrust-dev libcub-dev$'
compile 1 'a header of CUB that is not there' <<'END'
#include <cub/nowhere.cuh>
END
noted 1 'CUB is'
says 'note: CUB is not available here: apt install libthrust-dev libcub-dev$'

compile 1 'PTX of several instructions, one of which is not there' <<'END'
__global__ void k(unsigned int *x)
{
	asm("{ .reg .u32 a; add.u32 a, %1, 1; fns.b32 %0, a, 0, %1; }" : "=r"(x[0]) : "r"(x[1]));
}
END
says "^k.cu:3: error: PTX in asm() '{ .reg .u32 a; add.u32 a, \$1, 1; fns.b32 \$0, a, 0, \$1; }', in 'k(unsigned int"

# What a function gets from its caller is not there: PTX does not keep it across calls.
compile 1 'a carry that nothing has set' <<'END'
__device__ __noinline__ unsigned int high(unsigned int x)
{
	asm("addc.u32 %0, %0, 0;" : "+r"(x));
	return x;
}
__global__ void k(unsigned int *x)
{
	asm("add.cc.u32 %0, %0, %1;" : "+r"(x[0]) : "r"(x[1]));
	x[1] = high(x[2]);
}
END
says "^k.cu:3: error: PTX in asm() 'addc.u32 \$0, \$0, 0;', in 'high(unsigned int)', is not available"

: > out
options 0 "nvcc's options without an effect" -c -arch=sm_70 -gencode arch=compute_70,code=sm_70 \
	--expt-relaxed-constexpr --extended-lambda -lineinfo -rdc=false -Xptxas -v -maxrregcount 32 \
	--std c++17 -use_fast_math -cudart static -t 4 -lcudart -lnvToolsExt -lcublas -Xcompiler -Wall,-Wextra empty.cu
silent
[ -s empty.o ]
result $? "no object"
options 0 'more of these' -c -Xcompiler "-Wall -Wextra" -Xcicc -O0 -Werror all-warnings -m 64 -restrict \
	-Wno-deprecated-gpu-targets -allow-unsupported-compiler --keep --keep-dir /tmp -objtemp empty.cu
silent
for words in '-rdc=true -c' '--relocatable-device-code true -c' -dc --device-c -dw \
		'-c --default-stream per-thread' '-c -default-stream=legacy'; do
	rm -f empty.o
	options 0 "$words" $words empty.cu
	silent
	[ -s empty.o ]
	result $? "$words: no object"
done
mkdir -p one two
echo 'extern __device__ int x; __global__ void k(int *y) { *y = x; } int main() { k<<<1, 1>>>(nullptr); }' > one/part.cu
echo '__device__ int x = 1;' > two/part.cu
for part in one two; do
	cd $part || exit 1
	options 0 'a file of a device link' -dc part.cu
	silent
	cd ..
done
options 0 'a device link' -rdc=true one/part.o two/part.o -o linked
silent
options 0 'a device link in a step of its own' -dlink one/part.o two/part.o -o device.o
silent
options 0 'what follows it' one/part.o two/part.o device.o -o linked
silent
rm -f two/libpart.a
ar rc two/libpart.a two/part.o
options 0 'a device link with a library' one/part.o two/libpart.a -o linked
silent
options 0 'a device link with a library by -l' one/part.o -L two -lpart -o linked
silent
options 1 'a device link that lacks a file' one/part.o -o linked
says "^part.cu:1: error: 'x' is not defined; to use that of another file takes -rdc=true$"
options 1 'a device link of what is there twice' two/part.o two/part.cu -rdc=true -o linked
says "^error: device code: .*'x'"
options 2 '-rdc without a value' -rdc=perhaps one/part.cu
says '^uvm cc: -rdc=perhaps: true or false$'
options 0 'a device link of what is linked already' -dlink one/part.o two/part.o device.o -o none.o
silent
options 0 'what follows that' one/part.o two/part.o device.o none.o -o linked
silent
options 0 'a library that is named twice' one/part.o two/libpart.a -L=two -lpart -l part -l=part -o=linked
silent
echo '#define SIX 6' > six.h
echo 'int six = SIX; int main() { return 0; }' > six.cpp
options 0 "-Xcompiler's words with values" -Xcompiler '-include six.h' -c six.cpp -o six.o
silent
options 0 "a value behind '='" -D=SIX=6 -I=. -c six.cpp -o six.o
silent
rm -f six six.d
options 0 '-MMD of a program' -MMD -D SIX=6 six.cpp -o six
grep -q '^six: six.cpp' six.d
result $? 'six.d does not say what six is made of'
mkdir -p six.x
options 0 '-MMD into a folder with a dot' -MMD -D SIX=6 -c six.cpp -o six.x/object
[ -s six.x/object.d ]
result $? 'six.x/object.d is not there'
options 2 '-odir' -odir six.x -c six.cpp
says '^uvm cc: -odir is not available: -o with the path of the file$'
options 2 'a default stream that there is not' -c --default-stream many empty.cu
says '^uvm cc: --default-stream: legacy, null or per-thread$'
options 2 '--ptx' --ptx empty.cu
says '^uvm cc: --ptx is not available: this GPU has no PTX; -c$'
options 2 '--machine 32' --machine 32 empty.cu
says '^uvm cc: -m32 is not available: all is of 64 bits'
echo 'int main() { return 0; }' > main.cu
options 0 'libraries of NVIDIA that are named and not used' main.cu -lcufft -lcudnn_static -o main
says '^uvm cc: -lcufft is left out: that library of NVIDIA'
says '^uvm cc: -lcudnn_static is left out: '
options 2 'a value that is missing' empty.cu -gencode
says '^uvm cc: -gencode: its value is missing$'
cat > old.c <<'END'
int later(long n) { return undeclared(n); }
END
options 0 'C that is older than C99, as nvcc takes it' -c old.c
says '^old.c:1:.*warning: '
mv main.o main.obj 2> /dev/null || "$uvm" cc -c main.cu -o main.obj
options 0 'an object by the name that Windows has for it' main.obj -o main
silent
cat > omp.cu <<'END'
#include <omp.h>
int main()
{
	int sum = 0;
#pragma omp parallel for reduction(+:sum) num_threads(4)
	for (int i = 0; i < 100; i++)
		sum += i;
	omp_set_num_threads(4);
	return sum != 4950 || omp_get_max_threads() != 1 || omp_get_wtime() < 0;
}
END
options 0 'OpenMP, as one thread' -Xcompiler -Wall,-fopenmp omp.cu -lgomp -lnvToolsExt -lcurand -o omp
silent
./omp
result $? "OpenMP is wrong"
options 0 'OpenMP without -Xcompiler' -fopenmp -c omp.cu
silent
echo 'int c_function(void) { return sizeof("") == 1; }' > c.c
options 0 'C alone, with -c' -c c.c -o c-alone.o
silent
[ "$(od -An -tx2 -j18 -N2 c-alone.o)" = ' 003e' ]
result $? "no object of the CPU's"
options 0 'C beside C++, whose standard is said' -std=c++17 -Xcompiler -std=gnu++17 empty.cu c.c omp.cu -o both
silent
options 2 'two files, one object' -c empty.cu empty.cu -o x.o
says '^uvm cc: -c with -o takes one file$'
cp empty.cu other.txt
options 0 'another suffix, with -x cu' -c -x cu other.txt -o other.o
[ -s other.o ]
result $? "no object"

mkdir -p inc
echo '#define NUMBER 7' > inc/number.h
compile 0 '-I, -D, -std, -g, -O' -Iinc -D OTHER=2 -std=c++17 -g -O3 <<'END'
#include <number.h>
static_assert(NUMBER == 7 && OTHER == 2 && __cplusplus == 201703L, "options");
__global__ void k(int *x) { *x = NUMBER; }
END
silent

compile 0 'what -Xcompiler tells the preprocessor, which is for both halves' \
	-Xcompiler -DOTHER=2,-Iinc -Xcompiler "-O3 -DTHIRD" <<'END'
#include <number.h>
__global__ void k(int *x) { *x = NUMBER + OTHER; }
#ifndef THIRD
#error "a half without"
#endif
END
silent

# A Makefile asks for rules, beside an object or alone.
cat > rules.cu <<'END'
#include "inc/number.h"
__global__ void k(int *x) { *x = NUMBER; }
int main() { k<< <1, 1>> >(nullptr); }
END
options 0 '-MD' -c -MD rules.cu -o rules.o
silent
contains '^rules.o: ' rules.d
contains 'rules.cu' rules.d
contains 'inc/number.h' rules.d
rm -f rules.o
options 0 '-MM with -MF and -MT' -MM -MF other.d -MT goal rules.cu
silent
contains '^goal: ' other.d
contains 'inc/number.h' other.d
[ ! -e rules.o ]
result $? "it compiled"
options 0 '-MM' -MM rules.cu
says '^rules.o: '
options 0 '-E' -E rules.cu
says '\*x = 7;'

options 0 '--version, which Makefiles read' --version
says 'release 12.0, V12.0'
# The script that is called nvcc.
mkdir -p build/tools
ln -s "$uvm" build/tools/uvm
what='nvcc'
SOFTUVM_BUILD=$PWD/build "$folder/../bin/nvcc" -c rules.cu -o rules.o > out 2>&1
status 0 $? out
[ -s rules.o ]
result $? "no object"

# Options and paths of any length.
long=$(printf '%05000d' 0)
options 1 'a long value of an option that clang calls otherwise' -v --define-macro="$long=1" -E nothing.cu
says " -D$long=1 "
what='uvm cc, a folder for temporary files whose path is too long'
TMPDIR=/$long "$uvm" cc -c rules.cu -o rules.o > out 2>&1
status 3 $? out
says '^uvm: /0*[.][.][.]: File name too long$'

# Who ends it ends the compiler, and nothing is left.
cat > slow <<'END'
#!/bin/sh
touch begun
exec sleep 10
END
chmod 755 slow
mkdir work
for signal in HUP:129 INT:130 QUIT:131 TERM:143; do
	what="uvm cc at SIG${signal%:*}"
	end_by "${signal%:*}" UVM_CLANG=./slow TMPDIR="$tmp/work" "$uvm" cc -c rules.cu -o rules.o
	status "${signal#*:}" "$ended" out
	[ -z "$(ls work)" ]
	result $? "left $(ls work)"
done

summary 'uvm cc, CUDA'

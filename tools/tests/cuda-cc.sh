#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What "uvm cc" makes of CUDA C++ without running it: images, options, and what is refused.
# $1: uvm, $2: the folder of its libraries, $3: that of llvm-readelf and llvm-objdump
uvm=$1
export UVM_LIBRARIES="$2"
tools=$3
checks=0
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# result BAD MESSAGE: counts a check; a bad one shows what the last command said.
result()
{
	checks=$((checks + 1))
	if [ "$1" -ne 0 ]; then
		failed=$((failed + 1))
		echo "uvm cc, $what: $2" >&2
		cat out >&2
	fi
}

# compile STATUS WHAT [OPTION]...: the source on stdin.
compile()
{
	want=$1
	what=$2
	shift 2
	cat > k.cu
	"$uvm" cc -c "$@" k.cu > out 2>&1
	got=$?
	result $((got != want)) "status $got, not $want"
}

# says PATTERN: the last one did.
says()
{
	grep -q -e "$1" out
	result $? "missing: $1"
}

# Nothing is said.
silent()
{
	[ ! -s out ]
	result $? "it speaks"
}

# options STATUS WHAT OPTION...: an empty source.
options()
{
	: > empty.cu
	want=$1
	what=$2
	shift 2
	"$uvm" cc "$@" > out 2>&1
	got=$?
	result $((got != want)) "status $got, not $want"
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

compile 0 'blanks in a launch' <<'END'
__global__ void k(int *x) { *x = 1 << 2 >> 1; }
template<class T> struct v { T t; };
// k << <1, 2>> >(x);
int main() { v<v<int> > y; (void)y; (void)"k<< <"; k<< <dim3(1 << 2, 2), 32 >> >(0); k << < 1, 2 >>>(0); }
END
silent

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
	asm("bfind.u32 %0, %1;" : "=r"(lane) : "r"(7));
	return lane;
}
__global__ void k(unsigned int *x) { *x = f(); }
END
says "^k.cu:4: error: PTX in asm() 'bfind.u32 \$0, \$1;', in 'f()', is not available on this GPU$"

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

compile 0 '__managed__' <<'END'
__managed__ int x;
__global__ void k() { x = 1; }
END
silent

compile 0 '__noinline__' <<'END'
__device__ __noinline__ int f(int x) { return x + 1; }
__global__ void k(int *x) { *x = f(*x); }
END
silent

compile 1 'memory of device code' <<'END'
__global__ void k(int **x)
{
	*x = (int *)malloc(4);
}
END
says "^k.cu:3: error: the function 'malloc', in 'k(int\*\*)', is not available on this GPU$"

compile 1 'a function that no file has' <<'END'
extern __device__ int elsewhere(int);
__global__ void k(int *x)
{
	*x = elsewhere(1);
}
END
says "^k.cu:4: error: the function 'elsewhere(int)', in 'k(int\*)', is not available on this GPU$"

compile 1 "a function of CUDA's that is not there, called by way of clang's header" <<'END'
__global__ void k(float *x)
{
	x[0] = 1;
	x[1] = erfinvf(x[0]);
}
END
says "^k.cu:4: error: the function 'erfinvf', in 'k(float\*)', is not available on this GPU$"

compile 1 'a launch by a kernel' <<'END'
__global__ void k(int *x) { *x = 1; }
__global__ void l(int *x)
{
	k<<<1, 1>>>(x);
}
END
says '^k.cu:4:.*error: reference to __global__ function .k. in __global__ function$'

: > out
options 0 "nvcc's options without an effect" -c -arch=sm_70 -gencode arch=compute_70,code=sm_70 \
	--expt-relaxed-constexpr --extended-lambda -lineinfo -rdc=false -Xptxas -v -maxrregcount 32 \
	--std c++17 -use_fast_math -cudart static -t 4 -lcudart -Xcompiler -Wall,-Wextra empty.cu
silent
[ -s empty.o ]
result $? "no object"
options 2 '-rdc=true' -rdc=true empty.cu
says '^uvm cc: -rdc=true is not available: device code of one file cannot call that of another'
options 2 '-dc' -dc empty.cu
says '^uvm cc: -dc is not available: .*; -c$'
options 2 '--ptx' --ptx empty.cu
says '^uvm cc: --ptx is not available: this GPU has no PTX; -c$'
options 2 'a library of NVIDIA' empty.cu -lcublas
says '^uvm cc: -lcublas is not available'
options 2 'a value that is missing' empty.cu -gencode
says '^uvm cc: -gencode: its value is missing$'
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

printf '%-24s%u checks, %u failed\n' 'uvm cc, CUDA' "$checks" "$failed"
[ "$failed" = 0 ]

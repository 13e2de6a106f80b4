// SPDX-License-Identifier: GPL-2.0
/*
 * Corners: results that CUDA defines where a simpler rule would do nearly always.  PTX's constants,
 * order in memory, names of operands, carries through functions; groups that are parts of groups;
 * conversions of what has no number in a type, zeros, and NaN.
 */
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "check.h"

namespace cg = cooperative_groups;

enum colour { red = 3, green = 1000 };

namespace boxes {
template<class T> struct box {
	T value;
};
}

struct results {
	unsigned long long masked, constant, sum;
	float minus_zero;
	unsigned int tied, kept, boxed, carried[2];
	int handed;
	unsigned int rank[64], tiles[64], part[64], parts[64], label[64];
	const int *pointer[32];
	colour paint[32];
	long long wide[3];
	int narrow[2];
	unsigned int narrow_unsigned;
	float root;
	unsigned short was, swapped;
	unsigned long long aligned;
};

/* ---- PTX -------------------------------------------------------------- */

__device__ void constants(results *r, unsigned long long all)
{
	asm("and.b64 %0, %1, 0xffffffff;" : "=l"(r->masked) : "l"(all));
	asm("mov.u64 %0, 2147483648;" : "=l"(r->constant));
	asm("add.u64 %0, %1, 0xfffffff0;" : "=l"(r->sum) : "l"(all));
	asm("mov.b32 %0, 0x80000000;" : "=f"(r->minus_zero));
}

__device__ void operands(results *r, unsigned int a, const boxes::box<unsigned int> *box)
{
	unsigned int kept = a;

	asm("{ .reg .u32 t; mov.u32 t, %0; add.u32 %0, t, %1; }" : "+r"(a) : "r"(5));
	r->tied = a;
	asm volatile("" : "+r"(kept));
	r->kept = kept;
	asm volatile("ld.global.u32 %0, [%1];" : "=r"(r->boxed) : "l"(box));
}

/* Two deep: what hands a carry on is called by what hands it on. */
__device__ __forceinline__ unsigned int add_cc(unsigned int a, unsigned int b)
{
	unsigned int sum;

	asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
	return sum;
}

__device__ __forceinline__ unsigned int addc_cc(unsigned int a, unsigned int b)
{
	unsigned int sum;

	asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
	return sum;
}

__device__ unsigned int first(unsigned int a, unsigned int b) { return add_cc(a, b); }
__device__ unsigned int next(unsigned int a, unsigned int b) { return addc_cc(a, b); }

__device__ void carries(results *r, const unsigned int *x)
{
	r->carried[0] = first(x[0], x[2]);
	r->carried[1] = next(x[1], x[3]);
}

/* Thread 0 reads, and reads again when thread 32 has written in between. */
__device__ void hand_over(results *r, int *word, unsigned int *ready, unsigned int *written)
{
	unsigned int seen = 0;

	if (threadIdx.x == 0) {
		int before = *word;

		asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(ready), "r"(1) : "memory");
		while (!seen)
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(written)
				     : "memory");
		r->handed = before * 10 + *word;
	}
	if (threadIdx.x == 32) {
		while (!seen)
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(ready)
				     : "memory");
		*word = 5;
		asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(written), "r"(1) : "memory");
		*word = 6;
	}
}

/* ---- groups ----------------------------------------------------------- */

__device__ void groups(results *r, const int *numbers)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	auto four = cg::tiled_partition<4>(warp);
	unsigned int i = threadIdx.x;

	r->rank[i] = four.meta_group_rank();
	r->tiles[i] = four.meta_group_size();
	if (i % 2) {
		cg::coalesced_group odd = cg::coalesced_threads();
		cg::coalesced_group part = cg::tiled_partition(odd, 4);

		r->part[i] = part.thread_rank();
		r->parts[i] = part.size();
	}
	warp.sync();
	r->label[i] = cg::labeled_partition(cg::coalesced_threads(), (i % 2) * (1LL << 32)).size();
	if (i < 32) {
		r->pointer[i] = warp.shfl(numbers + i, 7);
		r->paint[i] = warp.shfl(i == 9 ? green : red, 9);
	}
}

/* ---- numbers ---------------------------------------------------------- */

__device__ void numbers_of(results *r, float nan)
{
	r->wide[0] = __float2ll_rz(nan);
	r->wide[1] = __double2ll_rn(nan);
	r->wide[2] = (long long)__float2ull_rz(nan);
	r->narrow[0] = __float2int_rz(nan);
	r->narrow[1] = __double2int_rz(nan);
	r->narrow_unsigned = __double2uint_rz(nan);
	r->root = __frsqrt_rn(__uint_as_float(0x3f800001));
}

__device__ void swap(results *r)
{
	r->was = atomicCAS(&r->swapped, (unsigned short)7, (unsigned short)9);
}

__global__ void corners(results *r, unsigned int *words, float nan)
{
	extern __shared__ __align__(128) unsigned char dynamic[];

	groups(r, (const int *)words);
	hand_over(r, (int *)words + 8, words + 9, words + 10);
	if (threadIdx.x)
		return;
	constants(r, ~0ull);
	operands(r, 37, (const boxes::box<unsigned int> *)(words + 4));
	carries(r, words);
	numbers_of(r, nan);
	swap(r);
	r->aligned = (unsigned long long)dynamic % 128;
}

/* ---- half precision, on both sides ------------------------------------ */

template<class H> __host__ __device__ int wrong_halves(float nan, float infinity)
{
	H none = H(nan), one = H(1.0f), zero = H(0.0f), minus = H(-0.0f), most = H(infinity);
	int bad = 0;

	bad |= ((short)H(40000.0f) != 32767) << 0;
	bad |= ((int)none != 0 || (int)most != 2147483647) << 1;
	bad |= ((long long)none != (long long)(1ull << 63)) << 2;
	bad |= ((unsigned int)H(-3.0f) != 0 || (unsigned long long)most != ~0ull) << 3;
	bad |= (__hne(none, one) || !__hneu(none, one) || !(none != one)) << 4;
	bad |= (1 / (float)__hmax(zero, minus) < 0 || 1 / (float)__hmin(minus, zero) > 0) << 5;
	bad |= ((float)__hmin(none, one) != 1 || (float)__hmax(one, none) != 1) << 6;
	bad |= (!__hisnan(__hmin_nan(none, one)) || !__hisnan(__hmax(none, none))) << 7;
	return bad;
}

__global__ void halves(int *bad, float nan, float infinity)
{
	bad[0] = wrong_halves<__half>(nan, infinity);
	bad[1] = wrong_halves<__nv_bfloat16>(nan, infinity);
}

static void check_halves(int *bad)
{
	halves<<<1, 1>>>(bad, NAN, INFINITY);
	MUST(cudaDeviceSynchronize());
	CHECK(!bad[0] && !bad[1], "of the GPU: %x %x", bad[0], bad[1]);
	bad[0] = wrong_halves<__half>(NAN, INFINITY);
	bad[1] = wrong_halves<__nv_bfloat16>(NAN, INFINITY);
	CHECK(!bad[0] && !bad[1], "of the CPU: %x %x", bad[0], bad[1]);
	CHECK(__half2short_rz(__half(40000.0f)) == 32767);
}

static void check_groups(const results *r, const int *numbers)
{
	for (unsigned int i = 0; i < 64; i++) {
		CHECK(r->rank[i] == i % 32 / 4 && r->tiles[i] == 8, "%u: %u of %u", i, r->rank[i],
		      r->tiles[i]);
		CHECK(!(i % 2) || (r->part[i] == i % 32 / 2 % 4 && r->parts[i] == 4), "%u: %u of %u", i,
		      r->part[i], r->parts[i]);
		CHECK(r->label[i] == 16, "%u: %u", i, r->label[i]);
		CHECK(i > 31 || (r->pointer[i] == numbers + 7 && r->paint[i] == green), "%u: %d", i,
		      (int)r->paint[i]);
	}
}

int main()
{
	unsigned int *words = managed<unsigned int>(32);
	results *r = managed<results>(1);

	words[0] = ~0u;
	words[2] = 1;
	words[4] = 4321;
	r->swapped = 7;
	corners<<<1, 64, 256>>>(r, words, NAN);
	MUST(cudaDeviceSynchronize());
	CHECK(r->masked == 0xffffffff && r->constant == 0x80000000 && r->sum == 0xffffffefull,
	      "%llx %llx %llx", r->masked, r->constant, r->sum);
	CHECK(r->minus_zero == 0 && 1 / r->minus_zero < 0, "%g", (double)r->minus_zero);
	CHECK(r->tied == 42 && r->kept == 37 && r->boxed == 4321, "%u %u %u", r->tied, r->kept, r->boxed);
	CHECK(!r->carried[0] && r->carried[1] == 1, "%x %x", r->carried[0], r->carried[1]);
	CHECK(r->handed == 5 || r->handed == 6, "%d", r->handed);
	for (long long wide : r->wide)
		CHECK(wide == (long long)(1ull << 63), "%llx", (unsigned long long)wide);
	CHECK(!r->narrow[0] && r->narrow[1] == -0x7fffffff - 1 && r->narrow_unsigned == 1u << 31, "%x %x %x",
	      r->narrow[0], r->narrow[1], r->narrow_unsigned);
	CHECK(r->root == 0x1.fffffep-1f, "%a", (double)r->root);
	CHECK(r->was == 7 && r->swapped == 9, "%u %u", r->was, r->swapped);
	CHECK(!r->aligned, "%llu", r->aligned);
	check_groups(r, (const int *)words);
	check_halves((int *)words);
	return wrong != 0;
}

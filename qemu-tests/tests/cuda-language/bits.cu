// SPDX-License-Identifier: GPL-2.0
/*
 * Integers beyond those of integers.cu: funnel shifts, products of parts, parts of a word at once,
 * PTX of one instruction in asm(), sleep, traps; and reductions of a warp.  Each is computed again
 * on the host, in another way.
 */
#include <algorithm>
#include "check.h"

#define N 64

#define VIDEO(F)								\
	F(__vadd, 0, 0, x + y) F(__vaddss, 1, 1, x + y) F(__vaddus, 0, 1, x + y)	\
	F(__vsub, 0, 0, x - y) F(__vsubss, 1, 1, x - y) F(__vsubus, 0, 1, x - y)	\
	F(__vmaxs, 1, 0, std::max(x, y)) F(__vmaxu, 0, 0, std::max(x, y))		\
	F(__vmins, 1, 0, std::min(x, y)) F(__vminu, 0, 0, std::min(x, y))		\
	F(__vabsdiffs, 1, 0, std::abs(x - y)) F(__vabsdiffu, 0, 0, std::abs(x - y))	\
	F(__vavgu, 0, 0, (x + y + 1) / 2) F(__vhaddu, 0, 0, (x + y) / 2)		\
	F(__vcmpeq, 0, 0, -(x == y)) F(__vcmpgts, 1, 0, -(x > y)) F(__vcmpleu, 0, 0, -(x <= y))	\
	F(__vsetne, 0, 0, x != y) F(__vsetlts, 1, 0, x < y) F(__vsetgeu, 0, 0, x >= y)

struct row {
	unsigned int funnel[4], video[64], sads[4], ptx[16], negative[4];
	int dot[4], dpx[4];
	unsigned long long wide;
	unsigned int add, low, high, all, any, odd, some, value;
	int least, greatest;
	unsigned int nth, slept, same;
	float loads;
};

__global__ void rows(row *out, const unsigned int *as, const unsigned int *bs, const float4 *fs)
{
	unsigned int a = as[threadIdx.x], b = bs[threadIdx.x], *ptx;
	row *r = out + threadIdx.x;
	long long start;

	r->funnel[0] = __funnelshift_l(a, b, b);
	r->funnel[1] = __funnelshift_lc(a, b, b % 50);
	r->funnel[2] = __funnelshift_r(a, b, a);
	r->funnel[3] = __funnelshift_rc(a, b, a % 50);
	ptx = r->video;
#define CALL(name, sign, clamp, value) *ptx++ = name##2(a, b); *ptx++ = name##4(a, b);
	VIDEO(CALL)
#undef CALL
	r->sads[0] = __vsads2(a, b);
	r->sads[1] = __vsadu2(a, b);
	r->sads[2] = __vsads4(a, b);
	r->sads[3] = __vsadu4(a, b);
	r->negative[0] = __vneg2(a);
	r->negative[1] = __vneg4(a);
	r->negative[2] = __vabsss4(a);
	r->negative[3] = __vabs2(a);
	r->dot[0] = __dp4a((int)a, (int)b, 5);
	r->dot[1] = __dp4a(a, b, 5u);
	r->dot[2] = __dp2a_lo((int)a, (int)b, 7);
	r->dot[3] = __dp2a_hi(a, b, 7u);
	r->dpx[0] = __vimax3_s32(a, b, 3);
	r->dpx[1] = __viaddmin_s32(a, b, 3);
	r->dpx[2] = __vimin_s32_relu(a, b);
	r->dpx[3] = __viaddmax_u32(a, b, 3);

	ptx = r->ptx;
	asm("bfe.u32 %0, %1, 4, 8;" : "=r"(ptx[0]) : "r"(a));
	asm("bfe.s32 %0, %1, %2, %3;" : "=r"(ptx[1]) : "r"(a), "r"(5), "r"(7));
	asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(ptx[2]) : "r"(a), "r"(b));
	asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(ptx[3]) : "r"(a), "r"(b), "r"(77));
	asm("  prmt.b32   %0, %1, %2, 0x3175 ;" : "=r"(ptx[4]) : "r"(a), "r"(b));
	asm("bfind.u32 %0, %1;" : "=r"(ptx[5]) : "r"(a));
	asm("mad.lo.u32 %0, %2, %1, %3;" : "=r"(ptx[6]) : "r"(a), "r"(b), "r"(9));
	asm volatile("st.global.u32 [%0], %1;" : : "l"(ptx + 7), "r"(a) : "memory");
	asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(ptx[8]) : "l"(as + 3) : "memory");
	asm volatile("membar.gl;" : : : "memory");
	asm volatile("" : : : "memory");
	asm volatile("prefetch.global.L2 [%0];" : : "l"(as));
	asm("mul.wide.u32 %0, %1, %2;" : "=l"(r->wide) : "r"(a), "r"(b));

	r->add = __reduce_add_sync(~0u, a);
	r->low = __reduce_min_sync(~0u, a);
	r->high = __reduce_max_sync(~0u, a);
	r->least = __reduce_min_sync(~0u, (int)a);
	r->greatest = __reduce_max_sync(~0u, (int)a);
	r->all = __reduce_and_sync(~0u, a | 1);
	r->any = __reduce_or_sync(~0u, a & b);
	r->odd = __reduce_xor_sync(~0u, a);
	if (threadIdx.x % 32 % 3 == 1)
		r->some = __reduce_add_sync(0x92492492, a);
	r->same = __match_any_sync(~0u, fs[threadIdx.x / 4].x);
	r->nth = __fns(a, 0, 3);
	r->loads = __ldcg(fs + threadIdx.x).y + __ldcs(&fs[threadIdx.x].z) + __ldcv(&fs[0].w);
	__stcg(&r->value, a);
	start = clock64();
	__nanosleep(2000);
	r->slept = clock64() - start > 100;
}

__global__ void ends(int *x, int how)
{
	*x = 1;
	if (how)
		asm volatile("exit;");
	else
		__trap();
	*x = 2;
}

/* Some bits of a word, as a number. */
static int part(unsigned int word, int at, int bits, bool sign)
{
	unsigned int value = word << (32 - at - bits);

	return sign ? (int)value >> (32 - bits) : (int)(value >> (32 - bits));
}

typedef int (*operation)(int x, int y);

static unsigned int each(unsigned int a, unsigned int b, int bits, bool sign, bool clamp, operation of)
{
	int low = sign ? -(1 << (bits - 1)) : 0, high = low + (1 << bits) - 1, value;
	unsigned int result = 0;

	for (int at = 0; at < 32; at += bits) {
		value = of(part(a, at, bits, sign), part(b, at, bits, sign));
		if (clamp)
			value = std::min(std::max(value, low), high);
		result |= (value & (~0u >> (32 - bits))) << at;
	}
	return result;
}

static unsigned int sum(unsigned int a, unsigned int b, int bits, bool sign)
{
	unsigned int result = 0;

	for (int at = 0; at < 32; at += bits)
		result += std::abs(part(a, at, bits, sign) - part(b, at, bits, sign));
	return result;
}

#define SAME(got, want) CHECK((unsigned int)(got) == (unsigned int)(want), "%x %x: %x, not %x", a, b,	\
			      (unsigned int)(got), (unsigned int)(want))

static void check_words(const row *r, unsigned int a, unsigned int b, unsigned int third)
{
	unsigned long long both = (unsigned long long)b << 32 | a;
	const unsigned int *video = r->video;
	int dot = 0, dots = 0;

	SAME(r->funnel[0], both << b % 32 >> 32);
	SAME(r->funnel[1], both << std::min(b % 50, 32u) >> 32);
	SAME(r->funnel[2], both >> a % 32);
	SAME(r->funnel[3], both >> std::min(a % 50, 32u));
#define CHECK_VIDEO(name, sign, clamp, value)					\
	SAME(*video++, each(a, b, 16, sign, clamp, [](int x, int y) -> int { return value; }));	\
	SAME(*video++, each(a, b, 8, sign, clamp, [](int x, int y) -> int { return value; }));
	VIDEO(CHECK_VIDEO)
	for (int i = 0; i < 4; i++) {
		SAME(r->sads[i], sum(a, b, i < 2 ? 16 : 8, i % 2 == 0));
		dot += part(a, i * 8, 8, true) * part(b, i * 8, 8, true);
		dots += part(a, i * 8, 8, false) * part(b, i * 8, 8, false);
	}
	SAME(r->negative[0], each(0, a, 16, true, false, [](int x, int y) { return x - y; }));
	SAME(r->negative[1], each(0, a, 8, true, false, [](int x, int y) { return x - y; }));
	SAME(r->negative[2], each(0, a, 8, true, true, [](int x, int y) { return std::abs(y); }));
	SAME(r->negative[3], each(0, a, 16, true, false, [](int x, int y) { return std::abs(y); }));
	SAME(r->dot[0], dot + 5);
	SAME(r->dot[1], dots + 5);
	SAME(r->dot[2], 7 + part(a, 0, 16, true) * part(b, 0, 8, true) +
			part(a, 16, 16, true) * part(b, 8, 8, true));
	SAME(r->dot[3], 7 + part(a, 0, 16, false) * part(b, 16, 8, false) +
			part(a, 16, 16, false) * part(b, 24, 8, false));
	SAME(r->dpx[0], std::max({ (int)a, (int)b, 3 }));
	SAME(r->dpx[1], std::min((int)(a + b), 3));
	SAME(r->dpx[2], std::max(std::min((int)a, (int)b), 0));
	SAME(r->dpx[3], std::max(a + b, 3u));
	SAME(r->ptx[0], a >> 4 & 255);
	SAME(r->ptx[1], part(a, 5, 7, true));
	SAME(r->ptx[2], (b & ~0xfff00) | (a & 0xfff) << 8);
	SAME(r->ptx[3], a ^ b ^ 77);
	SAME(r->ptx[4], a >> 24 << 24 | (a >> 8 & 255) << 16 | (b >> 24) << 8 | (b >> 8 & 255));
	SAME(r->ptx[5], a ? 31 - __builtin_clz(a) : ~0u);
	SAME(r->ptx[6], a * b + 9);
	SAME(r->ptx[7], a);
	SAME(r->ptx[8], third);
	CHECK(r->wide == (unsigned long long)a * b);
	SAME(r->value, a);
	SAME(r->slept, 1);
}

static void check_warp(const row *r, const unsigned int *as, const unsigned int *bs)
{
	unsigned int low = ~0u, high = 0, all = ~0u, any = 0, odd = 0, add = 0, some = 0, a = 0, b = 0;
	int least = INT_MAX, greatest = INT_MIN;

	for (int i = 0; i < 32; i++) {
		add += as[i];
		low = std::min(low, as[i]);
		high = std::max(high, as[i]);
		least = std::min(least, (int)as[i]);
		greatest = std::max(greatest, (int)as[i]);
		all &= as[i] | 1;
		any |= as[i] & bs[i];
		odd ^= as[i];
		some += i % 3 == 1 ? as[i] : 0;
	}
	for (int i = 0; i < 32; i++, r++) {
		SAME(r->add, add);
		SAME(r->low, low);
		SAME(r->high, high);
		SAME(r->least, least);
		SAME(r->greatest, greatest);
		SAME(r->all, all);
		SAME(r->any, any);
		SAME(r->odd, odd);
		SAME(r->some, i % 3 == 1 ? some : 0);
		SAME(r->same, 15u << i / 4 * 4);
	}
}

static unsigned int scramble(unsigned int *x)
{
	*x = *x * 1103515245 + 12345;
	return *x ^ *x >> 16;
}

int main()
{
	unsigned int *a = managed<unsigned int>(N), *b = managed<unsigned int>(N), x = 12345;
	float4 *f = managed<float4>(N);
	row *r = managed<row>(N);
	int *end = managed<int>(1);

	for (int i = 0; i < N; i++) {
		a[i] = scramble(&x);
		b[i] = i % 4 ? scramble(&x) : a[i] ^ (i % 8 ? 0xff00 : 0x80);
		f[i] = make_float4(i, 2, 3, 4);
	}
	a[0] = 0x80008000;
	b[1] = 0x7fff8080;
	rows<<<1, N>>>(r, a, b, f);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < N; i++) {
		check_words(r + i, a[i], b[i], a[3]);
		CHECK(r[i].loads == 9, "%g", r[i].loads);
		CHECK(__builtin_popcount(a[i]) < 3 ? r[i].nth == ~0u : a[i] >> r[i].nth & 1 &&
		      __builtin_popcount(a[i] << (31 - r[i].nth)) == 3, "%x: %u", a[i], r[i].nth);
	}
	check_warp(r, a, b);
	check_warp(r + 32, a + 32, b + 32);
	ends<<<1, 1>>>(end, 1);
	MUST(cudaDeviceSynchronize());
	CHECK(*end == 1, "%d", *end);
	ends<<<1, 1>>>(end, 0);
	CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
	return wrong != 0;
}

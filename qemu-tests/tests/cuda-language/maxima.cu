// SPDX-License-Identifier: GPL-2.0
/*
 * The least and the greatest of two halves of a word at once, of sums, and with 0: what CUDA 12 has for
 * alignments of sequences.  On both sides, and by the CPU half by half.
 */
#include "check.h"

#define CASES 256
#define RESULTS 20

struct chosen {
	unsigned int value[RESULTS];
	bool high[4], low[4];
};

__host__ __device__ void choose(chosen *r, unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int *v = r->value;

	*v++ = __vimax3_s16x2(a, b, c);
	*v++ = __vimin3_s16x2(a, b, c);
	*v++ = __vimax3_u16x2(a, b, c);
	*v++ = __vimin3_u16x2(a, b, c);
	*v++ = __vimax3_s16x2_relu(a, b, c);
	*v++ = __vimin3_s16x2_relu(a, b, c);
	*v++ = __viaddmax_s16x2(a, b, c);
	*v++ = __viaddmin_s16x2(a, b, c);
	*v++ = __viaddmax_u16x2(a, b, c);
	*v++ = __viaddmin_u16x2(a, b, c);
	*v++ = __viaddmax_s16x2_relu(a, b, c);
	*v++ = __viaddmin_s16x2_relu(a, b, c);
	*v++ = __vimax_s16x2_relu(a, b);
	*v++ = __vimin_s16x2_relu(a, b);
	*v++ = __vibmax_s16x2(a, b, &r->high[0], &r->low[0]);
	*v++ = __vibmin_s16x2(a, b, &r->high[1], &r->low[1]);
	*v++ = __vibmax_u16x2(a, b, &r->high[2], &r->low[2]);
	*v++ = __vibmin_u16x2(a, b, &r->high[3], &r->low[3]);
	*v++ = __vimax3_s32(a, b, c);
	*v++ = __viaddmin_u32(a, b, c);
}

__global__ void compute(chosen *out, const unsigned int *in)
{
	choose(out + threadIdx.x, in[threadIdx.x], in[threadIdx.x + 1], in[threadIdx.x + 2]);
}

template<class T> static T greater(T a, T b) { return a > b ? a : b; }
template<class T> static T lesser(T a, T b) { return a < b ? a : b; }
static short positive(short a) { return a > 0 ? a : 0; }

/* Of one half, in the order of choose(). */
static void expect_half(unsigned short *w, short a, short b, short c)
{
	unsigned short ua = a, ub = b, uc = c, usum = ua + ub;
	short sum = usum;

	*w++ = greater(greater(a, b), c);
	*w++ = lesser(lesser(a, b), c);
	*w++ = greater(greater(ua, ub), uc);
	*w++ = lesser(lesser(ua, ub), uc);
	*w++ = positive(greater(greater(a, b), c));
	*w++ = positive(lesser(lesser(a, b), c));
	*w++ = greater(sum, c);
	*w++ = lesser(sum, c);
	*w++ = greater(usum, uc);
	*w++ = lesser(usum, uc);
	*w++ = positive(greater(sum, c));
	*w++ = positive(lesser(sum, c));
	*w++ = positive(greater(a, b));
	*w++ = positive(lesser(a, b));
	*w++ = greater(a, b);
	*w++ = lesser(a, b);
	*w++ = greater(ua, ub);
	*w++ = lesser(ua, ub);
}

static void check_choices(const bool *got, unsigned short a, unsigned short b, int i)
{
	CHECK(got[0] == ((short)a >= (short)b) && got[1] == ((short)a <= (short)b), "%d", i);
	CHECK(got[2] == (a >= b) && got[3] == (a <= b), "%d", i);
}

static void check(const chosen *r, unsigned int a, unsigned int b, unsigned int c, int i)
{
	unsigned short low[RESULTS], high[RESULTS];

	expect_half(low, a, b, c);
	expect_half(high, a >> 16, b >> 16, c >> 16);
	for (int k = 0; k < RESULTS - 2; k++)
		CHECK(r->value[k] == ((unsigned int)high[k] << 16 | low[k]), "%d, %d: %x", i, k, r->value[k]);
	CHECK((int)r->value[RESULTS - 2] == greater(greater((int)a, (int)b), (int)c), "%d", i);
	CHECK(r->value[RESULTS - 1] == lesser(a + b, c), "%d", i);
	check_choices(r->low, a, b, i);
	check_choices(r->high, a >> 16, b >> 16, i);
}

int main()
{
	unsigned int *in = managed<unsigned int>(CASES + 2), x = 1;
	chosen *out = managed<chosen>(CASES), own;

	for (int i = 0; i < CASES + 2; i++) {
		x = x * 1664525 + 1013904223;
		in[i] = i % 5 ? x : x >> 30 == 0 ? 0x80007fff : x >> 30 == 1 ? 0xffff0001 : in[i ? i - 1 : 0];
	}
	compute<<<1, CASES>>>(out, in);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < CASES; i++) {
		check(out + i, in[i], in[i + 1], in[i + 2], i);
		choose(&own, in[i], in[i + 1], in[i + 2]);
		check(&own, in[i], in[i + 1], in[i + 2], i);
	}
	return wrong != 0;
}

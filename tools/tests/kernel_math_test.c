// SPDX-License-Identifier: GPL-2.0
/*
 * How exact the kernels' <math.h> is: the same sources compiled for this CPU, against the host's
 * double precision.  Bounds are in ulp; those of Documentation/workloads.rst.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/* Of the kernel library, under other names (Makefile). */
#define ONE(name)	float kernel_##name##f(float x);
#define TWO(name)	float kernel_##name##f(float x, float y);
ONE(sin) ONE(cos) ONE(tan) ONE(atan) ONE(tanh) ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2)
ONE(log10) ONE(log1p) ONE(floor) ONE(ceil) ONE(trunc) ONE(round) ONE(rint)
TWO(atan2) TWO(pow) TWO(fmod)
float kernel_scalbnf(float x, int exponent);
void *kernel_memcpy(void *to, const void *from, size_t bytes);
void *kernel_memmove(void *to, const void *from, size_t bytes);
void *kernel_memset(void *to, int byte, size_t bytes);
int kernel_memcmp(const void *a, const void *b, size_t bytes);

static const struct {
	const char *name;
	float (*have)(float x);
	double (*want)(double x);
	double ulp;
	float limit;	/* of |x|, 0: none; newlib loses digits near far zeros */
} ones[] = {
#define NEAR(name, ulp, limit)	{ #name, kernel_##name##f, name, ulp, limit }
#define ROW(name, ulp)		NEAR(name, ulp, 0)
	NEAR(sin, 1.5, 3), NEAR(cos, 1.5, 1.5f), NEAR(tan, 1.5, 1.5f), ROW(atan, 1), ROW(tanh, 3),
	ROW(exp, 1), ROW(exp2, 1), ROW(expm1, 1), ROW(log, 1), ROW(log2, 2), ROW(log10, 2),
	ROW(log1p, 1), ROW(floor, 0), ROW(ceil, 0), ROW(trunc, 0), ROW(round, 0), ROW(rint, 0),
};

static const struct {
	const char *name;
	float (*have)(float x, float y);
	double (*want)(double x, double y);
	double ulp;
} twos[] = {
#define PAIR(name, ulp)	{ #name, kernel_##name##f, name, ulp }
	PAIR(atan2, 2), PAIR(pow, 40), PAIR(fmod, 0),
};

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Units in the last place of the float next to @want; denormals have the least float's. */
static double ulps(float have, double want)
{
	float nearest = (float)want;
	int exponent;

	if (isnan(want) || isinf(nearest) || isnan(have) || isinf(have))
		return (isnan(want) && isnan(have)) || have == nearest ? 0 :
		       isinf(have) && fabs(want) > 0x1.fffffep127 * (1 - 0x1p-24) ? 1 : INFINITY;
	frexp(want, &exponent);
	return fabs((double)have - want) / ldexp(1, fmax(exponent - 24, -149));
}

static void within(const char *name, double worst, float x, float y, double bound)
{
	if (getenv("KERNEL_MATH_SHOW"))
		printf("%-6s %.3f ulp, at %a, %a\n", name, worst, x, y);
	CHECK(worst <= bound, "%s: %g ulp at %a, %a", name, worst, x, y);
}

static void test_ones(void)
{
	for (size_t f = 0; f < ROWS(ones); f++) {
		double worst = 0, off;
		float at = 0, x;

		for (uint64_t bits = 0; bits < 1ull << 32; bits += 9973) {
			x = float_of(bits);
			if (ones[f].limit && !(fabsf(x) <= ones[f].limit))
				continue;
			off = ulps(ones[f].have(x), ones[f].want(x));
			if (off > worst) {
				worst = off;
				at = x;
			}
		}
		within(ones[f].name, worst, at, 0, ones[f].ulp);
	}
}

/* Against what there is to lose: 1 / 2^24 of the largest value of sine and cosine. */
static void test_any_angle(void)
{
	double worst = 0, x;

	for (uint64_t bits = 0; bits < 0x7f800000; bits += 997) {
		x = float_of(bits);
		worst = fmax(worst, fabs(kernel_sinf(x) - sin(x)));
		worst = fmax(worst, fabs(kernel_cosf(x) - cos(x)));
	}
	within("angles", worst * 0x1p24, 0, 0, 2.5);
}

/* Any floats, and some of a size at which powers have values. */
static void test_twos(void)
{
	uint64_t random = 1;

	for (size_t f = 0; f < ROWS(twos); f++) {
		double worst = 0, off;
		float at[2] = { 0 }, x, y;

		for (int i = 0; i < 400000; i++) {
			random = random * 6364136223846793005ull + 1442695040888963407ull;
			x = float_of(random >> 32);
			y = float_of((uint32_t)random);
			if (i & 1) {
				x = (float)(random >> 40) * 0x1p-20f;
				y = (float)(int)(random >> 16 & 0xffff) * 0x1p-10f - 32;
			}
			off = ulps(twos[f].have(x, y), twos[f].want(x, y));
			if (off > worst) {
				worst = off;
				at[0] = x;
				at[1] = y;
			}
		}
		within(twos[f].name, worst, at[0], at[1], twos[f].ulp);
	}
}

/* Every alignment and short length, either direction; bytes outside stay as they are. */
static void test_strings(void)
{
	unsigned char have[64], want[64];

	for (int to = 0; to < 16; to++)
		for (int from = 0; from < 16; from++)
			for (int bytes = 0; bytes < 40; bytes++) {
				for (int i = 0; i < 64; i++)
					have[i] = want[i] = i * 7 + 1;
				memmove(want + to, want + from, bytes);
				CHECK(kernel_memmove(have + to, have + from, bytes) == have + to &&
				      !memcmp(have, want, 64), "memmove %d %d %d", to, from, bytes);
				memset(want + to, from - 3, bytes);
				kernel_memset(have + to, from - 3, bytes);
				CHECK(!memcmp(have, want, 64), "memset %d %d", to, bytes);
				memcpy(want + to, "the quick brown fox jumps over the lazy dogs", bytes);
				kernel_memcpy(have + to, "the quick brown fox jumps over the lazy dogs", bytes);
				CHECK(!memcmp(have, want, 64), "memcpy %d %d", to, bytes);
			}
	CHECK(kernel_memcmp("abc", "abd", 2) == 0, "equal");
	CHECK(kernel_memcmp("abc", "abd", 3) < 0, "less");
	CHECK(kernel_memcmp("ab\xff", "ab\x01", 3) > 0, "bytes have no sign");
}

int main(void)
{
	test_ones();
	test_any_angle();
	test_twos();
	test_strings();
	CHECK(kernel_scalbnf(1.5f, 4) == 24, "scalbnf");
	return test_end("kernel math");
}

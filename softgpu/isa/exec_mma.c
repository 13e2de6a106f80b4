// SPDX-License-Identifier: GPL-2.0
/*
 * The matrix unit: D += A * B, tiles of 16x16 in single precision.  Each element adds
 * its products in the order of k, every sum rounded.
 *
 * Rows of small whole numbers, for which no sum has anything to round, are computed as
 * integers: the bits are the same, and a machine that emulates floating point (QEMU's
 * TCG) needs a sixth of the time.
 */
#include <kunit/visibility.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/types.h>
#include "isa/exec.h"

#define MMA_SIZE	16
#define MMA_NAN		0x7fc00000U
#define MMA_EXP		0x7f800000U
#define MMA_HIDDEN	0x00800000U

/*
 * Factors below 2^9 and sums that begin below 2^23: 16 products are at most 2^22, so
 * every partial sum is below 2^24, which a float holds exactly.
 */
#define MMA_FACTOR_BITS	9
#define MMA_SUM_BITS	23

/* Not 0 if a float is no whole number below 2^@bits, or -0, which sums can tell from 0. */
static __always_inline u32 mma_whole(u32 u, unsigned int bits, s32 *whole)
{
	u32 m = (u & (MMA_HIDDEN - 1)) | MMA_HIDDEN;
	u32 shift = 150 - (u >> 23 & 255);	/* m * 2^-shift is the number */
	u32 v = m >> (shift & 31);
	u32 odd = (shift > 23) | (shift < 24 - bits) | ((v << (shift & 31)) != m);

	v = u ? v : 0;
	*whole = u >> 31 ? -v : v;
	return u ? odd : 0;
}

static u32 mma_whole_row(const float *from, unsigned int bits, s32 *whole)
{
	const u32 *u = (const u32 *)from;
	unsigned int i;
	u32 odd = 0;

	for (i = 0; i < MMA_SIZE; i++) {
		odd |= mma_whole(u[i], bits, &whole[i]);
		/* one by one: vectors of integers are emulated as slowly as floats */
		OPTIMIZER_HIDE_VAR(odd);
	}
	return odd;
}

/*
 * B as integers, two columns in one: a sum of products of both stays below 2^31 in each.
 * False if B is something else, or if D, which is written, overlaps it.
 */
static bool mma_whole_tile(const float *b, unsigned int ldb, const float *d, unsigned int ldd,
			   s64 (*pairs)[MMA_SIZE / 2])
{
	const float *b_end = b + ldb * (MMA_SIZE - 1) + MMA_SIZE;
	const float *d_end = d + ldd * (MMA_SIZE - 1) + MMA_SIZE;
	s32 row[MMA_SIZE];
	unsigned int j, k;

	if (b < d_end && d < b_end)
		return false;
	for (k = 0; k < MMA_SIZE; k++) {
		if (mma_whole_row(b + k * ldb, MMA_FACTOR_BITS, row))
			return false;
		for (j = 0; j < MMA_SIZE / 2; j++)
			pairs[k][j] = row[2 * j] + row[2 * j + 1] * (1LL << 32);
	}
	return true;
}

/* One row of D; false if it has to be computed otherwise. */
static bool mma_row_whole(float *d, const float *a, s64 (*pairs)[MMA_SIZE / 2])
{
	s32 sum[MMA_SIZE], factor[MMA_SIZE];
	unsigned int j, k;

	if (mma_whole_row(a, MMA_FACTOR_BITS, factor) || mma_whole_row(d, MMA_SUM_BITS, sum))
		return false;
	for (j = 0; j < MMA_SIZE / 2; j++) {
		s64 both = 0;
		s32 low;

		for (k = 0; k < MMA_SIZE; k++) {
			both += factor[k] * pairs[k][j];
			OPTIMIZER_HIDE_VAR(both);
		}
		low = (s32)both;
		d[2 * j] = sum[2 * j] + low;
		d[2 * j + 1] = sum[2 * j + 1] + (s32)((both - low) >> 32);
	}
	return true;
}

/* One row of D in floating point; NaNs become RISC-V's. */
static void mma_row(float *d, const float *a, const float *b, unsigned int ldb)
{
	union { float f; u32 u; } row[MMA_SIZE];
	unsigned int j, k;

	for (j = 0; j < MMA_SIZE; j++)
		row[j].f = d[j];
	for (k = 0; k < MMA_SIZE; k++)
		for (j = 0; j < MMA_SIZE; j++)
			row[j].f += a[k] * b[k * ldb + j];
	for (j = 0; j < MMA_SIZE; j++) {
		if ((row[j].u & ~(1U << 31)) > MMA_EXP)
			row[j].u = MMA_NAN;
		d[j] = row[j].f;
	}
}

/* Always in floating point, for tests to compare with. */
void sgpu_exec_mma_float(float *d, unsigned int ldd, const float *a, unsigned int lda,
			 const float *b, unsigned int ldb)
{
	unsigned int i;

	for (i = 0; i < MMA_SIZE; i++)
		mma_row(d + i * ldd, a + i * lda, b, ldb);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_mma_float);

void sgpu_exec_mma(struct sgpu_mma_scratch *scratch, float *d, unsigned int ldd, const float *a,
		   unsigned int lda, const float *b, unsigned int ldb)
{
	bool whole = mma_whole_tile(b, ldb, d, ldd, scratch->pairs);
	unsigned int i;

	for (i = 0; i < MMA_SIZE; i++)
		if (!whole || !mma_row_whole(d + i * ldd, a + i * lda, scratch->pairs))
			mma_row(d + i * ldd, a + i * lda, b, ldb);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_mma);

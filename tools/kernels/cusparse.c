// SPDX-License-Identifier: GPL-2.0
/*
 * cusparse: a dense matrix is turned into compressed sparse rows, which are then
 * multiplied with a dense matrix: C = A * B.
 *
 * Three kernels make the sparse form: the first counts the non-zeros of each row,
 * the second adds up where each row begins, the third fills in columns and values.
 * A fourth multiplies.
 */
#ifndef KERNEL_CUSPARSE_C
#define KERNEL_CUSPARSE_C

#include <stdint.h>

#define CUSPARSE_BLOCK	128	/* threads; a power of two */
#define CUSPARSE_EACH	8	/* neighbouring elements per thread, to fill in */

/* A is rows x inner, B is inner x columns, C is rows x columns, all row by row. */
struct cusparse_args {
	const float *dense;	/* A */
	uint32_t *count;	/* rows */
	uint32_t *begin;	/* rows + 1 */
	uint32_t *column;	/* non-zeros */
	float *value;		/* non-zeros */
	const float *b;
	float *c;
	uint64_t rows, inner, columns;
};

#ifdef __riscv
#include <softgpu_kernel.h>

/* A block counts one row. */
void cusparse_count(const struct cusparse_args *args)
{
	const float *row = args->dense + (uint64_t)block_idx_x() * args->inner;
	uint32_t *total = shared_base(), thread = thread_idx_x();
	uint64_t inner = args->inner;
	uint32_t mine = 0;

	for (uint64_t i = thread; i < inner; i += CUSPARSE_BLOCK)
		mine += row[i] != 0.0f;
	if (mine)
		atomic_add_u32(total, mine);
	barrier();
	if (!thread)
		args->count[block_idx_x()] = *total;
}

/* Sums of what the threads before this one have; @sums is shared, one per thread. */
static inline uint32_t cusparse_before(uint32_t *sums, uint32_t thread, uint32_t mine)
{
	uint32_t sum = mine, other;

	sums[thread] = sum;
	for (uint32_t step = 1; step < CUSPARSE_BLOCK; step *= 2) {
		barrier();
		other = thread >= step ? sums[thread - step] : 0;
		barrier();
		sum += other;
		sums[thread] = sum;
	}
	barrier();
	return sum - mine;
}

/* One block: each thread owns neighbouring rows. */
void cusparse_scan(const struct cusparse_args *args)
{
	uint32_t *sums = shared_base(), thread = thread_idx_x();
	uint64_t share = (args->rows + CUSPARSE_BLOCK - 1) / CUSPARSE_BLOCK;
	uint64_t first = thread * share, end = first + share;
	uint32_t sum = 0;

	if (end > args->rows)
		end = args->rows;
	for (uint64_t i = first; i < end; i++)
		sum += args->count[i];
	sum = cusparse_before(sums, thread, sum);
	for (uint64_t i = first; i < end; i++) {
		args->begin[i] = sum;
		sum += args->count[i];
	}
	if (!thread)
		args->begin[args->rows] = sums[CUSPARSE_BLOCK - 1];
}

/* A thread's neighbouring elements; 0 beyond the end of the row. */
static inline uint32_t cusparse_take(const float *row, uint64_t at, uint64_t inner, float *v)
{
	uint32_t found = 0;

#pragma unroll
	for (uint32_t i = 0; i < CUSPARSE_EACH; i++)
		v[i] = at + i < inner ? row[at + i] : 0.0f;
#pragma unroll
	for (uint32_t i = 0; i < CUSPARSE_EACH; i++)
		found += v[i] != 0.0f;
	return found;
}

/* A block fills in one row, CUSPARSE_BLOCK * CUSPARSE_EACH elements at a time. */
void cusparse_fill(const struct cusparse_args *args)
{
	const float *row = args->dense + (uint64_t)block_idx_x() * args->inner;
	uint32_t *sums = shared_base(), thread = thread_idx_x();
	uint32_t at = args->begin[block_idx_x()];
	uint64_t inner = args->inner;
	float *value = args->value;
	float v[CUSPARSE_EACH];

	for (uint64_t i = 0; i < inner; i += CUSPARSE_BLOCK * CUSPARSE_EACH) {
		uint64_t first = i + thread * CUSPARSE_EACH;
		uint32_t found = cusparse_take(row, first, inner, v);
		uint32_t to = at + cusparse_before(sums, thread, found);

#pragma unroll
		for (uint32_t k = 0; k < CUSPARSE_EACH; k++) {
			if (v[k] == 0.0f)
				continue;
			args->column[to] = (uint32_t)(first + k);
			value[to] = v[k];
			to++;
		}
		at += sums[CUSPARSE_BLOCK - 1];
		barrier();
	}
}

/* A block makes a piece of a row of C, one element per thread. */
void cusparse_multiply(const struct cusparse_args *args)
{
	uint64_t row = block_idx_y();
	uint64_t column = (uint64_t)block_idx_x() * block_dim_x() + thread_idx_x();
	uint32_t end = args->begin[row + 1];
	const uint32_t *index = args->column;
	const float *value = args->value;
	uint64_t columns = args->columns;
	const float *b = args->b + column;
	float sum = 0.0f;

	if (column >= columns)
		return;
	for (uint32_t i = args->begin[row]; i < end; i++)
		sum = sum + value[i] * b[index[i] * columns];
	args->c[row * columns + column] = sum;
}
#endif

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * ra: random access, after the program of that name that comes with the adaptive framework's
 * simulator (Ganguly et al., DATE 2021).
 *
 * Each hundredth thread reads its number.  The number's fraction says which entry of a table it
 * takes and which place of the output it writes.  So the input is read in order, ten words or
 * eleven of every page, while the table and the output are touched anywhere, once in a place.
 */
#ifndef KERNEL_RA_C
#define KERNEL_RA_C

#include <stdint.h>

#define RA_BLOCK	256	/* threads */
#define RA_EACH		100	/* only threads with multiples of it do something */

/**
 * struct ra_args - arguments
 * @input: numbers that are not negative
 * @table: what they are multiplied by
 * @output: products, where the table's entries are
 * @count: of each array
 */
struct ra_args {
	const float *input;
	const float *table;
	float *output;
	uint64_t count;
};

/* Below @count in exact numbers; rounding may make it @count. */
static inline uint32_t ra_index(float number, uint64_t count)
{
	return (uint32_t)((number - (float)(int32_t)number) * (float)(uint32_t)count);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(24);

void ra(const struct ra_args *args)
{
	uint32_t thread = (uint32_t)global_idx_x();
	uint32_t index;
	float number;

	if (thread >= args->count || thread % RA_EACH)
		return;
	number = args->input[thread];
	index = ra_index(number, args->count);
	args->output[index] = args->table[index] * number;
}
#endif

#endif

// SPDX-License-Identifier: GPL-2.0
/* The device side: the threads of a block add up their elements in shared memory. */
#include <softgpu_kernel.h>

#include "reduction.h"

SGPU_SHARED uint64_t partial[REDUCTION_BLOCK];

void reduction(const struct reduction_args *args)
{
	uint64_t step = (uint64_t)grid_dim_x() * REDUCTION_BLOCK, sum = 0;
	uint32_t t = thread_idx_x();

	for (uint64_t i = global_idx_x(); i < args->elements; i += step)
		sum += args->in[i];
	partial[t] = sum;
	barrier();

	/* Half of the threads add, then half of those; all of them meet at the barrier. */
	for (uint32_t s = REDUCTION_BLOCK / 2; s; s >>= 1) {
		if (t < s)
			partial[t] += partial[t + s];
		barrier();
	}
	if (t == 0)
		args->sums[block_idx_x()] = partial[0];
}

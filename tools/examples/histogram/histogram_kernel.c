// SPDX-License-Identifier: GPL-2.0
/* The device side: atomics in shared memory first, since those in GPU memory cost more. */
#include <softgpu_kernel.h>

#include "histogram.h"

/* Zero when a block begins. */
SGPU_SHARED uint32_t bins[HISTOGRAM_BINS];

void histogram(const struct histogram_args *args)
{
	uint64_t step = (uint64_t)grid_dim_x() * block_dim_x();

	for (uint64_t i = global_idx_x(); i < args->elements; i += step)
		atomic_add_u32(&bins[args->in[i] % HISTOGRAM_BINS], 1);
	barrier();

	for (uint32_t bin = thread_idx_x(); bin < HISTOGRAM_BINS; bin += block_dim_x())
		if (bins[bin])
			atomic_add_u32(&args->bins[bin], bins[bin]);

	if (block_idx_x() == 0 && thread_idx_x() == 0)
		sgpu_printf("block 0 of %u counted %u in bin 0\n", grid_dim_x(), bins[0]);
}

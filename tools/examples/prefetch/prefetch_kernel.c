// SPDX-License-Identifier: GPL-2.0
/* The device side: out = 3 in + 1. */
#include <softgpu_kernel.h>

#include "prefetch.h"

void prefetch(const struct prefetch_args *args)
{
	uint64_t i = global_idx_x();

	if (i < args->elements)
		args->out[i] = 3 * args->in[i] + 1;
}

// SPDX-License-Identifier: GPL-2.0
/* The device side: what every thread does. */
#include <softgpu_kernel.h>

#include "saxpy.h"

/* A kernel gets a pointer to a copy of the argument block of its launch. */
void saxpy(const struct saxpy_args *args)
{
	uint64_t i = global_idx_x();

	if (i < args->elements)
		args->y[i] += args->factor * args->x[i];
}

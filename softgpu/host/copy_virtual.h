/* SPDX-License-Identifier: GPL-2.0 */
/* Copies with virtual operands, piece by piece. */
#ifndef SOFTGPU_COPY_VIRTUAL_H
#define SOFTGPU_COPY_VIRTUAL_H

#include "host/copy_engine_types.h"

struct rm_gpu;
struct sgpu_address_space;

/* What is the next piece?  Without any lock. */
void sgpu_copy_plan(struct rm_gpu *gpu, const struct sgpu_address_space *as,
		    struct sgpu_copy *copy);
/*
 * Move the planned piece, or what is still translated of it.  Return: 0 or
 * -EFAULT: an address that is not mapped by the IOMMU.
 */
int sgpu_copy_move_piece(struct rm_gpu *gpu, const struct sgpu_address_space *as,
			 struct sgpu_copy *copy);

#endif

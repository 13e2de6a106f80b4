/* SPDX-License-Identifier: GPL-2.0 */
/* The bytes of a copy with physical operands move. */
#ifndef SOFTGPU_COPY_MOVE_H
#define SOFTGPU_COPY_MOVE_H

#include "host/copy_engine_types.h"

struct rm_gpu;

/* Move the bytes now; 0 or -EFAULT (nothing moved). */
int sgpu_copy_move(struct rm_gpu *gpu, const struct sgpu_copy *copy);

#endif

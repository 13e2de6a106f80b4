/* SPDX-License-Identifier: GPL-2.0 */
/* The bytes of a copy with physical operands move. */
#ifndef SOFTGPU_COPY_MOVE_H
#define SOFTGPU_COPY_MOVE_H

#include "host/copy_engine_types.h"

struct rm_gpu;

/**
 * sgpu_copy_move - move the bytes of a copy now
 * @gpu: whose engine
 * @copy: with physical operands
 *
 * Context: may sleep, holds no lock; takes no modelled time.
 * Return: 0, or -EFAULT: an address that leads nowhere.  Then nothing has moved, unless the address
 * was unmapped meanwhile, by somebody who is no participant.
 */
int sgpu_copy_move(struct rm_gpu *gpu, const struct sgpu_copy *copy);

#endif

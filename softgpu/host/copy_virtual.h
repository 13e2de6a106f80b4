/* SPDX-License-Identifier: GPL-2.0 */
/* Copies with virtual operands, piece by piece. */
#ifndef SOFTGPU_COPY_VIRTUAL_H
#define SOFTGPU_COPY_VIRTUAL_H

#include "host/copy_engine_types.h"

struct rm_gpu;
struct sgpu_address_space;

/**
 * sgpu_copy_plan - find the next piece of a copy
 * @gpu: whose engine
 * @as: address space of its virtual operands
 * @copy: its @piece is set; 0: there is no translation, and its @fault_va says where
 *
 * Context: no lock is held.
 */
void sgpu_copy_plan(struct rm_gpu *gpu, const struct sgpu_address_space *as,
		    struct sgpu_copy *copy);

/**
 * sgpu_copy_move_piece - move the planned piece, or what is still translated of it
 * @gpu: whose engine
 * @as: address space of its virtual operands
 * @copy: its @done moves on
 *
 * Context: may sleep, holds no lock.
 * Return: 0, or -EFAULT: an address that is not mapped by the IOMMU.
 */
int sgpu_copy_move_piece(struct rm_gpu *gpu, const struct sgpu_address_space *as,
			 struct sgpu_copy *copy);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* How much GPU memory a program has: --vram, --oversubscription and SOFTUVM_VRAM. */
#ifndef UVM_MEMORY_LIMIT_H
#define UVM_MEMORY_LIMIT_H

#include "../lib/uvm.h"

/* A parameter of the driver that is a number, as --set or the module has it; @otherwise: nobody says. */
uint64_t memory_parameter(const char *const *sets, unsigned int count, const char *name,
			  uint64_t otherwise);

/* In what pieces GPU memory is allocated: bytes. */
uint64_t memory_piece(const char *const *sets, unsigned int count);

/*
 * Usable bytes for a footprint at so many tenths of a percent: whole pieces, at least one, as near
 * as there is; all of the footprint fits at 100 % and below.
 */
uint64_t memory_usable(uint64_t footprint, uint64_t permille, uint64_t piece);

/* Leave so much of a GPU's memory; *@usable gets how much that is.  0 or a negative errno. */
int memory_limit_set(struct uvm *u, int gpu, uint64_t limit, uint64_t piece, uint64_t *usable);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Is there enough memory for a run? */
#ifndef UVM_HOST_MEMORY_H
#define UVM_HOST_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct host_memory - what the kernel says of its memory
 * @total: bytes
 * @available: bytes that programs can have; 0: nobody knows
 */
struct host_memory {
	uint64_t total;
	uint64_t available;
};

/* Of a file like /proc/meminfo. */
struct host_memory host_memory_read(FILE *meminfo);

/**
 * host_memory_lacking() - what a run on managed memory needs, against what there is
 * @memory: what there is; GPU memory is not in it, which the device takes when it is loaded
 * @footprint: bytes that the run has allocated; the CPU's pages stay when their data leave
 * @error: what to say
 * @room: in @error
 *
 * What the program needs besides is not known, so this refuses what cannot be, not all that
 * will not be.
 *
 * Returns 0, or -ENOMEM with a sentence in @error.
 */
int host_memory_lacking(const struct host_memory *memory, uint64_t footprint, char *error,
			size_t room);

#endif

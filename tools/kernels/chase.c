// SPDX-License-Identifier: GPL-2.0
/* chase: one thread follows a chain of pointers, each load depending on the last. */
#ifndef KERNEL_CHASE_C
#define KERNEL_CHASE_C

#include <stdint.h>

/* The first word of each page; the rest of the page is never touched. */
struct chase_node {
	struct chase_node *next;
	uint64_t id;
};

struct chase_args {
	struct chase_node *start;
	uint64_t hops;
	uint64_t *result;	/* checksum of the ids on the way */
};

static inline uint64_t chase_mix(uint64_t sum, uint64_t id)
{
	return (sum << 7 | sum >> 57) + id;
}

#ifdef __riscv
#include <softgpu_kernel.h>

void chase(const struct chase_args *args)
{
	const struct chase_node *node = args->start;
	uint64_t sum = 0;

	for (uint64_t hop = 0; hop < args->hops; hop++) {
		sum = chase_mix(sum, node->id);
		node = node->next;
	}
	*args->result = sum;
}
#endif

#endif

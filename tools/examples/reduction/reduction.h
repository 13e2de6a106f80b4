/* SPDX-License-Identifier: GPL-2.0 */
/* What both sides agree on. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include <stdint.h>

#define REDUCTION_BLOCK	256	/* threads; a power of two */

struct reduction_args {
	const uint32_t *in;
	uint64_t elements;
	uint64_t *sums;		/* one per block */
};

#endif

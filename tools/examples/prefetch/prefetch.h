/* SPDX-License-Identifier: GPL-2.0 */
/* What both sides agree on. */
#ifndef PREFETCH_H
#define PREFETCH_H

#include <stdint.h>

struct prefetch_args {
	const uint32_t *in;
	uint32_t *out;
	uint64_t elements;
};

#endif

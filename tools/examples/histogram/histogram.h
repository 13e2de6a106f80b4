/* SPDX-License-Identifier: GPL-2.0 */
/* What both sides agree on. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_BINS	64

struct histogram_args {
	const uint8_t *in;
	uint64_t elements;
	uint32_t *bins;		/* HISTOGRAM_BINS, zero at first */
};

#endif

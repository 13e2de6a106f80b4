/* SPDX-License-Identifier: GPL-2.0 */
/* What both sides agree on: pointers mean the same on the CPU and the GPU. */
#ifndef SAXPY_H
#define SAXPY_H

#include <stdint.h>

struct saxpy_args {
	const float *x;
	float *y;
	uint64_t elements;
	float factor;
};

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Argument block of all test kernels. */
#ifndef TEST_KERNELS_H
#define TEST_KERNELS_H

#include <stdint.h>

#define TEST_OFFSETS	500		/* an argument block holds 4096 bytes */

struct test_args {
	uint64_t address;
	uint64_t value;
	uint64_t out;			/* address, or 0 */
	uint64_t count;
	uint64_t stride;		/* bytes */
	uint64_t __pad[3];
	uint32_t offset[TEST_OFFSETS];	/* of t_walk, in pages; of t_compare: what to find */
};

#endif

// SPDX-License-Identifier: GPL-2.0
/* Shared memory of the block that runs, in the device's half of a program: where it is. */
#include <stdint.h>

#include "oracle.h"

#define STATIC_BYTES	(48 << 10)
#define DYNAMIC_BYTES	(16 << 10)

extern char __start_oracle_shared[], __stop_oracle_shared[];

/* Where the retargeter has variables with a size; as much as a block can have. */
char __sgpu_shared_start[STATIC_BYTES] __attribute__((section("oracle_shared"), aligned(16)));

/* Behind the retargeter's name for "extern __shared__". */
char __sgpu_dynamic_shared[DYNAMIC_BYTES] __attribute__((section("oracle_shared"), aligned(16)));

char *const oracle_window[2] = { __start_oracle_shared, __stop_oracle_shared };

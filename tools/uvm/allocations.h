/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allocations that fail, those of libraries, too: json-c and libelf go on without what they had no
 * memory for, and say nothing.
 */
#ifndef UVM_ALLOCATIONS_H
#define UVM_ALLOCATIONS_H

#include <stdbool.h>

/** allocations_failed() - has one of this process failed?  Then what it has read may lack something */
bool allocations_failed(void);

#endif

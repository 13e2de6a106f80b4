/* SPDX-License-Identifier: GPL-2.0 */
/* What "ld --wrap" makes of calls of an allocation: the program's own, and behind it the C library's. */
#ifndef UVM_ALLOCATIONS_WRAP_H
#define UVM_ALLOCATIONS_WRAP_H

#include <stddef.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

#endif

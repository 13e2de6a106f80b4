/* SPDX-License-Identifier: GPL-2.0 */
/* What GPU kernels have of <string.h>; the compiler calls these for copies of structs, too. */
#ifndef SOFTGPU_KERNEL_STRING_H
#define SOFTGPU_KERNEL_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

#endif

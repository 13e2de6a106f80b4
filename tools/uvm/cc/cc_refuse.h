/* SPDX-License-Identifier: GPL-2.0 */
/* What the GPU cannot run, said of the source. */
#ifndef CC_REFUSE_H
#define CC_REFUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cc/cc_source.h"

/* False, and said, if @source has no kernel. */
bool cc_has_kernel(const struct cc_source *source, const char *file);

/* What ld.lld said, in words of the source; NULL: it is CUDA C++. */
void cc_explain_link(FILE *said, const struct cc_source *source);

/* False, and said, if @image has writable globals. */
bool cc_check_globals(const char *image, const struct cc_source *source);

/* False, and said, if a kernel and what it calls take more stack than there is (cc_stack.c). */
bool cc_check_stack(const char *image, const struct cc_source *source);

/*
 * What the kernels of a CUDA image need of the stack, in @bytes: SGPU_STACK_DEFAULT, or more.  Calls
 * whose depth is not known have that beside what is.  False, and said, if threads cannot have it.
 */
bool cc_image_stack(const char *image, uint64_t *bytes);

#endif

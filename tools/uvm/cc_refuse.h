/* SPDX-License-Identifier: GPL-2.0 */
/* What the GPU cannot run, said of the source. */
#ifndef CC_REFUSE_H
#define CC_REFUSE_H

#include <stdbool.h>
#include <stdio.h>

#include "cc_source.h"

/* False, and said, if @source has no kernel. */
bool cc_has_kernel(const struct cc_source *source, const char *file);

/* What ld.lld said, in words of the source. */
void cc_explain_link(FILE *said, const struct cc_source *source);

/* False, and said, if @image has writable globals. */
bool cc_check_globals(const char *image, const struct cc_source *source);

/* False, and said, if a kernel and what it calls take more stack than there is (cc_stack.c). */
bool cc_check_stack(const char *image, const struct cc_source *source);

#endif

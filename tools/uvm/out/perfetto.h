/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace files as Chrome trace-event JSON, which Perfetto (ui.perfetto.dev) and
 * chrome://tracing open.
 *
 * Process 1 is the driver, process 100 + N is GPU N.  Slices of a track never
 * overlap unless one lies within the other; what would goes to another track
 * of that name.
 */
#ifndef UVM_PERFETTO_H
#define UVM_PERFETTO_H

#include <stdio.h>

/*
 * Convert.  Return: 0, or -1 with @line (from 1) and @error, words that live for
 * ever: what is wrong with the input; line 0: out of memory or cannot write.
 */
int perfetto_convert(FILE *from, FILE *to, unsigned long *line, const char **error);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Files that are written, one of which may be where everything else goes. */
#ifndef UVM_OUTPUT_H
#define UVM_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* "-", or another name of the file that stdout is: opened once more it would be overwritten. */
bool output_is_stdout(const char *path);
/* @path, emptied, or stdout; NULL with errno. */
FILE *output_open(const char *path);
/* Written to the end? 0, or EOF with errno.  stdout stays open. */
int output_close(FILE *file);

#endif

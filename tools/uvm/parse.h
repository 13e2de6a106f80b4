/* SPDX-License-Identifier: GPL-2.0 */
/* Reading numbers and processors from text. */
#ifndef UVM_PARSE_H
#define UVM_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/* A whole number, decimal or 0x, with K, M or G (powers of 1024). */
bool parse_size(const char *text, uint64_t *value);

/* "cpu", "gpuN", and if @none "none". */
bool parse_processor(const char *text, bool none, int *processor);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Reading numbers and processors from text. */
#ifndef UVM_PARSE_H
#define UVM_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A whole number, decimal or 0x, maybe with K, M, G or T (powers of 1024), also as KB or KiB; with
 * one of these the number may have a fraction, as 1.5M.
 */
#define PARSE_SIZE_FORM	"a whole number, or one with K, M, G or T, as 64K, 1.5M, 4GiB"
bool parse_size(const char *text, uint64_t *value);

/* A number above 0 with at most one decimal, maybe with a "%"; in tenths. */
#define PARSE_PERCENT_FORM	"per cent, with one decimal at most, as 150 or 133.3"
bool parse_percent(const char *text, uint64_t *permille);

/* A parameter of the driver and its value; the driver knows which there are. */
#define PARSE_SETTING_FORM	"NAME=VALUE; 'uvm list' shows them"
bool parse_setting(const char *text);

/* "cpu", "gpuN", and if @none "none". */
bool parse_processor(const char *text, bool none, int *processor);

#endif

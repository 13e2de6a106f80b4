/* SPDX-License-Identifier: GPL-2.0 */
/* printf of GPU kernels; pure. */
#ifndef SOFTGPU_FORMAT_H
#define SOFTGPU_FORMAT_H

#include <linux/types.h>

#define SGPU_FORMAT_ARGS	32
#define SGPU_FORMAT_BYTES	512

/**
 * struct sgpu_print_scratch - what printing a line takes
 * @out: the line
 * @args: its arguments
 */
struct sgpu_print_scratch {
	char out[SGPU_FORMAT_BYTES];
	u64 args[SGPU_FORMAT_ARGS];
};

/**
 * sgpu_format - format one line of a kernel's output
 * @out: SGPU_FORMAT_BYTES of room; longer output is cut; not NUL terminated
 * @format: the format, need not be NUL terminated
 * @bytes: bytes that may be read at @format
 * @args: arguments, one u64 each; floats as their 32 bits, doubles ("%lf") as their 64
 * @count: how many there are; those missing read as 0
 * @string: gives the string behind an argument of %s and its longest length,
 *	or NULL
 * @data: for @string
 *
 * Knows the conversions d i u o x X f F e E g G a A c s p and %, "l" and "z" before them for 64
 * bits, flags, a width and a precision (C11 7.21.6.1).  Anything else is copied.
 *
 * Return: bytes written.
 */
size_t sgpu_format(char *out, const char *format, size_t bytes, const u64 *args,
		   unsigned int count,
		   const char *(*string)(void *data, u64 va, size_t *max), void *data);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* printf(), assert() and what else device code calls by the C library's names. */
#ifndef SOFTUVM_DEVICE_PRINTING_H
#define SOFTUVM_DEVICE_PRINTING_H

extern "C" {
/* clang makes printf() a call of vprintf() with the arguments as a struct. */
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);

__device__ void __assertfail(const char *expression, const char *file, unsigned int line,
			     const char *function, size_t char_bytes);
static inline __device__ void __assert_fail(const char *expression, const char *file,
					    unsigned int line, const char *function)
{
	__assertfail(expression, file, line, function, 1);
}
}

namespace std {
using ::printf;
}

#endif

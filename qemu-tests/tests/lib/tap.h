/* SPDX-License-Identifier: GPL-2.0 */
/* Results of a test program, whatever it tests and however many files it has. */
#ifndef TEST_TAP_H
#define TEST_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#define UNUSED		__attribute__((unused))

/* Weak: those of all files of a program are one. */
__attribute__((weak)) int tap_tests, tap_failures;

/* One result; the name says the rule. */
static UNUSED __attribute__((format(printf, 2, 3))) bool ok(bool good, const char *format, ...)
{
	va_list args;

	printf("%sok %d ", good ? "" : "not ", ++tap_tests);
	tap_failures += !good;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	return good;
}

/* The exit status. */
static UNUSED int tap_finish(void)
{
	printf("1..%d\n", tap_tests);
	return tap_failures ? 1 : 0;
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* A handful of checks for unit tests that run on the host. */
#ifndef TOOLS_TEST_H
#define TOOLS_TEST_H

#include <stdio.h>

static unsigned int test_failures;
static unsigned int test_checks;

/* Count a check; say which row of a table failed. */
#define CHECK(condition, ...)							\
	do {									\
		test_checks++;							\
		if (!(condition)) {						\
			test_failures++;					\
			fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
			fprintf(stderr, __VA_ARGS__);				\
			fputc('\n', stderr);					\
		}								\
	} while (0)

#define ROWS(table)	(sizeof(table) / sizeof((table)[0]))

static inline int test_end(const char *name)
{
	printf("%-24s%u checks, %u failed\n", name, test_checks, test_failures);
	return test_failures ? 1 : 0;
}

#endif

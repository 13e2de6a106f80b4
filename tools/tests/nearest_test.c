// SPDX-License-Identifier: GPL-2.0
/* The name that was meant. */
#include <string.h>

#include "../lib/nearest.h"
#include "test.h"

static const char * const names[] = {
	"run", "list", "stat", "start", "perf_prefetch_enable", "perf_prefetch_threshold",
	"perf_thrashing_enable", "bfs", "bc",
};

static const struct {
	const char *word;
	const char *meant;	/* NULL: none is like it */
} words[] = {
	{ "rnu", "run" }, { "ru", "run" }, { "rrun", "run" }, { "fun", "run" },
	{ "sta", "stat" },			/* the first of those that begin so */
	{ "lsit", "list" }, { "tsil", NULL },
	{ "perf_prefech_enable", "perf_prefetch_enable" },
	{ "perf_prefetch_thresold", "perf_prefetch_threshold" },
	{ "perf_thr", "perf_thrashing_enable" },
	{ "bsf", "bfs" }, { "x", NULL }, { "", NULL }, { "cb", "bc" },
	{ "0123456789012345678901234567890123456789012345678901234567890123456789", NULL },
};

int main(void)
{
	char text[64];
	size_t i, j;

	for (i = 0; i < ROWS(words); i++) {
		struct nearest n = { .word = words[i].word };

		for (j = 0; j < ROWS(names); j++)
			nearest_try(&n, names[j]);
		CHECK(!n.name == !words[i].meant, "%s: %s", words[i].word, n.name ? n.name : "-");
		if (n.name && words[i].meant)
			CHECK(!strcmp(n.name, words[i].meant), "%s: %s", words[i].word, n.name);
		nearest_hint(&n, text, sizeof(text));
		CHECK(!n.name == !text[0], "%s", text);
	}
	return test_end("nearest");
}

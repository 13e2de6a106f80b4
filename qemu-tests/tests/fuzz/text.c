// SPDX-License-Identifier: GPL-2.0
/*
 * Programs as text: a line per call, its name and its arguments in hexadecimal,
 * zeros at the end left out; an empty line between programs; "# NAME" before one.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

void fuzz_print(FILE *to, const struct fuzz_prog *prog)
{
	for (unsigned int i = 0; i < prog->calls; i++) {
		const struct fuzz_call *call = &prog->call[i];
		const struct fuzz_desc *desc = &fuzz_descs[call->op];
		unsigned int n = fuzz_fields(desc);

		while (n && !call->arg[n - 1])
			n--;
		fprintf(to, "%s", desc->name);
		for (unsigned int a = 0; a < n; a++) {
			/* small negative numbers are shorter with their sign */
			if (call->arg[a] > -(1ULL << 32))
				fprintf(to, " -%llx", -(unsigned long long)call->arg[a]);
			else
				fprintf(to, " %llx", (unsigned long long)call->arg[a]);
		}
		fprintf(to, "\n");
	}
	fprintf(to, "\n");
}

static bool parse_call(char *line, struct fuzz_call *call)
{
	char *save, *word = strtok_r(line, " ", &save), *end;
	unsigned int n = 0, fields;
	int op = word ? fuzz_desc_find(word) : -1;

	if (op < 0)
		return false;
	memset(call, 0, sizeof(*call));
	call->op = op;
	fields = fuzz_fields(&fuzz_descs[op]);
	while ((word = strtok_r(NULL, " ", &save))) {
		if (n == fields)
			return false;
		call->arg[n++] = strtoull(word, &end, 16);
		if (*end)
			return false;
	}
	return true;
}

int fuzz_parse(FILE *from, const char *path, struct fuzz_prog *prog, char name[FUZZ_NAME])
{
	char line[1024], copy[1024];

	prog->calls = 0;
	*name = 0;
	while (fgets(line, sizeof(line), from)) {
		line[strcspn(line, "\n")] = 0;
		if (!*line && prog->calls)
			return 1;
		/* what a comment of its own says is no name */
		if (!*line)
			*name = 0;
		if (*line == '#' && !prog->calls)
			snprintf(name, FUZZ_NAME, "%.*s", FUZZ_NAME - 1,
				 line + 1 + strspn(line + 1, " "));
		if (!*line || *line == '#')
			continue;
		strcpy(copy, line);
		if (prog->calls == FUZZ_CALLS || !parse_call(line, &prog->call[prog->calls])) {
			fprintf(stderr, "%s: no call: %s\n", path, copy);
			return -1;
		}
		prog->calls++;
	}
	return prog->calls ? 1 : 0;
}

// SPDX-License-Identifier: GPL-2.0
/* Reading numbers and processors from text. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/uvm.h"
#include "parse.h"

bool parse_size(const char *text, uint64_t *value)
{
	unsigned long long number;
	unsigned int shift = 0;
	char *end;

	/* strtoull() would take "-1" and " 1". */
	if (!isdigit((unsigned char)text[0]))
		return false;

	errno = 0;
	number = strtoull(text, &end, strncasecmp(text, "0x", 2) ? 10 : 16);
	if (errno || end == text)
		return false;

	switch (*end) {
	case 'k':
	case 'K':
		shift = 10;
		break;
	case 'm':
	case 'M':
		shift = 20;
		break;
	case 'g':
	case 'G':
		shift = 30;
		break;
	}
	if (shift)
		end++;
	if (*end || number > UINT64_MAX >> shift)
		return false;
	*value = (uint64_t)number << shift;
	return true;
}

bool parse_processor(const char *text, bool none, int *processor)
{
	uint64_t gpu;

	if (!strcmp(text, "cpu")) {
		*processor = UVM_PROCESSOR_CPU;
		return true;
	}
	if (none && !strcmp(text, "none")) {
		*processor = UVM_PROCESSOR_NONE;
		return true;
	}
	if (strncmp(text, "gpu", 3) || strlen(text) > 5 || !parse_size(text + 3, &gpu) ||
	    gpu >= UVM_GPU_MAX)
		return false;
	*processor = (int)gpu;
	return true;
}

// SPDX-License-Identifier: GPL-2.0
/* Reading numbers and processors from text. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../lib/uvm.h"
#include "parse.h"

/* "K", "MB", "GiB" and the like, in upper or lower case, to the end: the power of 2; or -1. */
static int parse_unit(const char *text)
{
	static const char units[] = "kmgt";
	const char *unit = *text ? strchr(units, tolower((unsigned char)*text)) : NULL;

	if (!unit)
		return *text ? -1 : 0;
	text++;
	if (*text && strcasecmp(text, "b") && strcasecmp(text, "ib"))
		return -1;
	return 10 * (int)(unit - units + 1);
}

/* ".5" of 2^@shift, rounded down, and what follows it. */
static uint64_t parse_fraction(const char **text, int shift)
{
	unsigned __int128 value = 0, scale = 1;

	for (++*text; isdigit((unsigned char)**text); ++*text) {
		if (scale > UINT64_MAX / 16)
			continue;		/* less than a byte */
		value = value * 10 + (unsigned int)(**text - '0');
		scale *= 10;
	}
	return (uint64_t)((value << shift) / scale);
}

bool parse_size(const char *text, uint64_t *value)
{
	bool hex = !strncasecmp(text, "0x", 2);
	unsigned long long number;
	uint64_t fraction = 0;
	const char *rest;
	char *end;
	int shift;

	/* strtoull() would take "-1" and " 1". */
	if (!isdigit((unsigned char)text[0]))
		return false;

	errno = 0;
	number = strtoull(text, &end, hex ? 16 : 10);
	if (errno || end == text)
		return false;
	rest = end;
	if (*rest == '.' && isdigit((unsigned char)rest[1]))
		rest += 1 + strspn(rest + 1, "0123456789");
	shift = parse_unit(rest);
	/* half a byte is none */
	if (shift < 0 || (rest != end && (hex || !shift)) || number > UINT64_MAX >> shift)
		return false;
	if (rest != end) {
		rest = end;
		fraction = parse_fraction(&rest, shift);
	}
	*value = ((uint64_t)number << shift) + fraction;
	return true;
}

bool parse_percent(const char *text, uint64_t *permille)
{
	size_t whole = strspn(text, "0123456789"), tenths = 0;
	char number[32];
	const char *rest;

	if (!whole || whole > sizeof(number) - 2)
		return false;
	if (text[whole] == '.')
		tenths = strspn(text + whole + 1, "0123456789");
	rest = text + whole + (tenths ? 2 : 0);
	if (tenths > 1 || (*rest && strcmp(rest, "%")))
		return false;
	memcpy(number, text, whole);
	number[whole] = tenths ? text[whole + 1] : '0';
	number[whole + 1] = '\0';
	return parse_size(number, permille) && *permille;
}

bool parse_setting(const char *text)
{
	size_t name = strcspn(text, "=");

	return text[name] && name && name < sizeof(((struct uvm_set_param *)0)->name);
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

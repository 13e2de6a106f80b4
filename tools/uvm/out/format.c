// SPDX-License-Identifier: GPL-2.0
/* Sizes and times for people. */
#include <stdio.h>

#include "uvm_cmd.h"

const char *format_bytes(uint64_t bytes, char *text, unsigned int room)
{
	static const char * const units[] = { "B", "KB", "MB", "GB", "TB" };
	double value = bytes;
	unsigned int unit = 0;

	while (value >= 1024 && unit < 4) {
		value /= 1024;
		unit++;
	}
	snprintf(text, room, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
	return text;
}

const char *format_ns(uint64_t ns, char *text, unsigned int room)
{
	static const char * const units[] = { "ns", "us", "ms", "s" };
	double value = ns;
	unsigned int unit = 0;

	while (value >= 1000 && unit < 3) {
		value /= 1000;
		unit++;
	}
	snprintf(text, room, unit ? "%.3f %s" : "%.0f %s", value, units[unit]);
	return text;
}

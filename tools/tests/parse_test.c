// SPDX-License-Identifier: GPL-2.0
/* Numbers, processors, and how much memory a percentage leaves. */
#include <stdint.h>

#include "../uvm/parse.h"
#include "../uvm/run.h"
#include "test.h"

static const struct {
	const char *text;
	bool good;
	uint64_t value;
} sizes[] = {
	{ "0", true, 0 },
	{ "4096", true, 4096 },
	{ "0x1000", true, 4096 },
	{ "010", true, 10 },		/* decimal, not octal */
	{ "64k", true, 65536 },
	{ "64K", true, 65536 },
	{ "2M", true, 2097152 },
	{ "3G", true, 3221225472ULL },
	{ "18446744073709551615", true, UINT64_MAX },
	{ "18446744073709551616", false, 0 },
	{ "17179869183G", true, 17179869183ULL << 30 },
	{ "17179869184G", false, 0 },	/* 2^64 */
	{ "", false, 0 },
	{ "K", false, 0 },
	{ "-1", false, 0 },
	{ "+1", false, 0 },
	{ " 1", false, 0 },
	{ "1 ", false, 0 },
	{ "1KB", true, 1024 },
	{ "4MiB", true, 4194304 },
	{ "4mb", true, 4194304 },
	{ "1T", true, 1ULL << 40 },
	{ "1.5M", true, 1572864 },
	{ "0.25G", true, 268435456 },
	{ "1.00000000000000000000000001K", true, 1024 },
	{ "1.9999K", true, 2047 },	/* rounded down */
	{ "16777215.99T", true, (16777215ULL << 40) + 1088516511498ULL },
	{ "16777216T", false, 0 },	/* 2^64 */
	{ "1.5", false, 0 },		/* no half bytes */
	{ "1.M", false, 0 },
	{ ".5M", false, 0 },
	{ "1.5.5M", false, 0 },
	{ "0x1.8M", false, 0 },
	{ "1KBB", false, 0 },
	{ "1Ki", false, 0 },
	{ "1MM", false, 0 },
	{ "1B", false, 0 },
	{ "0x", false, 0 },
};

static const struct {
	const char *text;
	bool none, good;
	int processor;
} processors[] = {
	{ "cpu", false, true, -1 },
	{ "none", true, true, -2 },
	{ "none", false, false, 0 },
	{ "gpu0", false, true, 0 },
	{ "gpu31", false, true, 31 },
	{ "gpu32", false, false, 0 },
	{ "gpu", false, false, 0 },
	{ "gpu-1", false, false, 0 },
	{ "gpu0x", false, false, 0 },
	{ "CPU", false, false, 0 },
	{ "", false, false, 0 },
};

/* Footprint over usable memory, to the nearest 2 MB by ratio, at least one chunk. */
static const struct {
	uint64_t footprint, percent, usable;
} usables[] = {
	{ 24 << 20, 200, 12 << 20 },
	{ 24 << 20, 100, 24 << 20 },
	{ 24 << 20, 50, 48 << 20 },
	{ 24 << 20, 125, 20 << 20 },	/* 19.2 */
	{ 24 << 20, 150, 16 << 20 },
	{ 4096, 200, 2 << 20 },
	{ 1, 1000, 2 << 20 },
	{ 1ULL << 60, 400, 1ULL << 58 },	/* the product does not fit 64 bits */
	{ (2 << 20) + 1, 100, 4 << 20 },	/* all of it fits */
	{ (6 << 20) - 1, 99, 8 << 20 },
	{ (4 << 20) + 32768, 200, 2 << 20 },
	{ (16 << 20) + 4096, 200, 8 << 20 },
	{ 4930000, 200, 2 << 20 },		/* 2.35: 235 % or 118 % */
	{ 6 << 20, 200, 4 << 20 },		/* 3: 150 % is nearer than 300 % */
	{ 10 << 20, 200, 6 << 20 },		/* 5: 167 % and 250 % */
	{ 3700000, 200, 2 << 20 },
	{ 1ULL << 63, 101, 0x7ebb9079a9e00000 },
	{ 1ULL << 63, 1, UINT64_MAX },		/* more than there can be */
};

static const struct {
	const char *text;
	bool good;
	uint64_t value;
} percents[] = {
	{ "150", true, 150 }, { "150%", true, 150 }, { "1", true, 1 }, { "0", false, 0 },
	{ "0%", false, 0 }, { "%", false, 0 }, { "", false, 0 }, { "150%%", false, 0 },
	{ "1K", false, 0 }, { "-5", false, 0 }, { "1.5", false, 0 }, { "0x10", false, 0 },
	{ "99999999999999999999", false, 0 },
};

int main(void)
{
	uint64_t value;
	int processor;
	size_t i;

	for (i = 0; i < ROWS(sizes); i++) {
		value = 0;
		CHECK(parse_size(sizes[i].text, &value) == sizes[i].good, "'%s'", sizes[i].text);
		if (sizes[i].good)
			CHECK(value == sizes[i].value, "'%s'", sizes[i].text);
	}
	for (i = 0; i < ROWS(percents); i++) {
		uint64_t value = 0;
		bool good = parse_percent(percents[i].text, &value);

		CHECK(good == percents[i].good, "%s", percents[i].text);
		if (good)
			CHECK(value == percents[i].value, "%s", percents[i].text);
	}
	for (i = 0; i < ROWS(processors); i++) {
		processor = 0;
		CHECK(parse_processor(processors[i].text, processors[i].none, &processor) ==
		      processors[i].good, "'%s'", processors[i].text);
		if (processors[i].good)
			CHECK(processor == processors[i].processor, "'%s'", processors[i].text);
	}
	for (i = 0; i < ROWS(usables); i++)
		CHECK(run_usable_bytes(usables[i].footprint, usables[i].percent) ==
		      usables[i].usable, "row %zu", i);
	return test_end("parse");
}

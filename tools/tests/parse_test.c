// SPDX-License-Identifier: GPL-2.0
/* Numbers, processors, and how much memory a percentage leaves. */
#include <stdint.h>

#include "../uvm/parse.h"
#include "../uvm/memory_limit.h"
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

/* Footprint over usable memory, to the nearest piece by ratio, at least one. */
static const struct {
	uint64_t footprint, permille, piece, usable;
} usables[] = {
	{ 24 << 20, 2000, 2 << 20, 12 << 20 },
	{ 24 << 20, 1000, 2 << 20, 24 << 20 },
	{ 24 << 20, 500, 2 << 20, 48 << 20 },
	{ 24 << 20, 1250, 2 << 20, 20 << 20 },	/* 19.2 */
	{ 24 << 20, 1500, 2 << 20, 16 << 20 },
	{ 4096, 2000, 2 << 20, 2 << 20 },
	{ 1, 10000, 2 << 20, 2 << 20 },
	{ 1ULL << 60, 4000, 2 << 20, 1ULL << 58 },	/* the product does not fit 64 bits */
	{ (2 << 20) + 1, 1000, 2 << 20, 4 << 20 },	/* all of it fits */
	{ (6 << 20) - 1, 990, 2 << 20, 8 << 20 },
	{ (4 << 20) + 32768, 2000, 2 << 20, 2 << 20 },
	{ (16 << 20) + 4096, 2000, 2 << 20, 8 << 20 },
	{ 4930000, 2000, 2 << 20, 2 << 20 },		/* 2.35: 235 % or 118 % */
	{ 6 << 20, 2000, 2 << 20, 4 << 20 },		/* 3: 150 % is nearer than 300 % */
	{ 10 << 20, 2000, 2 << 20, 6 << 20 },		/* 5: 167 % and 250 % */
	{ 3700000, 2000, 2 << 20, 2 << 20 },
	{ 6 << 20, 1330, 4096, 4730880 },	/* 4730452: 132.99 % */
	{ 6 << 20, 1330, 65536, 4718592 },	/* 133.3 % */
	{ 4096, 2000, 4096, 4096 },
	{ 1ULL << 63, 1010, 2 << 20, 0x7ebb9079a9e00000 },
	{ 1ULL << 63, 10, 2 << 20, UINT64_MAX },		/* more than there can be */
};

static const struct {
	const char *text;
	bool good;
	uint64_t value;
} percents[] = {
	{ "150", true, 1500 }, { "150%", true, 1500 }, { "1", true, 10 }, { "0", false, 0 },
	{ "133.3", true, 1333 }, { "133.3%", true, 1333 }, { "0.1", true, 1 }, { "0.0", false, 0 },
	{ "133.33", false, 0 }, { "133.", false, 0 }, { "133.%", false, 0 }, { ".5", false, 0 },
	{ "0%", false, 0 }, { "%", false, 0 }, { "", false, 0 }, { "150%%", false, 0 },
	{ "1K", false, 0 }, { "-5", false, 0 }, { "1.5", true, 15 }, { "0x10", false, 0 },
	{ "99999999999999999999", false, 0 },
};

static const struct {
	const char *text;
	bool good;
} settings[] = {
	{ "a=b", true }, { "a=", true }, { "a=b=c", true }, { "a=b,c", true },
	{ "a23456789012345678901234567890123456789012345678=1", false },
	{ "a2345678901234567890123456789012345678901234567=1", true },
	{ "", false }, { "a", false }, { "=b", false },
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
	for (i = 0; i < ROWS(settings); i++)
		CHECK(parse_setting(settings[i].text) == settings[i].good, "'%s'", settings[i].text);
	for (i = 0; i < ROWS(usables); i++)
		CHECK(memory_usable(usables[i].footprint, usables[i].permille, usables[i].piece) ==
		      usables[i].usable, "row %zu", i);
	return test_end("parse");
}

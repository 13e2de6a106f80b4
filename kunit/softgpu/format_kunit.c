// SPDX-License-Identifier: GPL-2.0
/* softgpu printf: conversions (C11 7.21.6.1, the subset of format.h). */
#include <kunit/test.h>
#include "softgpu/isa/format.h"

struct format_case {
	const char *format;
	u64 args[4];
	const char *text;
};

static const struct format_case format_cases[] = {
	{ "plain", {}, "plain" },
	{ "%%", {}, "%" },
	{ "%d %u", { -1ULL, -1ULL }, "-1 4294967295" },
	{ "%ld %lu", { -1ULL, -1ULL }, "-1 18446744073709551615" },
	{ "%x %lx %X", { 0x1234567890ULL, 0x1234567890ULL, 0xab }, "34567890 1234567890 AB" },
	{ "%5d|%-5d|%05d", { 42, 42, -42ULL }, "   42|42   |-0042" },
	{ "%c%c", { 'o', 'k' }, "ok" },
	{ "%s|%6s|%-6s|%.2s", { 1, 1, 1, 1 }, "text|  text|text  |te" },
	{ "%s", { 0 }, "(bad)" },
	{ "%p", { 0x2000 }, "0x2000" },
	{ "%f", { 0x3f800000 }, "1.000000" },
	{ "%f %f", { 0xbfc00000, 0x80000000 }, "-1.500000 -0.000000" },
	{ "%.2f %.0f %.9f", { 0x3f9df3b6, 0x40200000, 0x3dcccccd }, "1.23 3 0.100000001" },
	{ "%8.3f|%-8.1f|%08.2f", { 0x40490fdb, 0x40490fdb, 0xc0490fdb },
	  "   3.142|3.1     |-0003.14" },
	{ "%f", { 0x3f7fffff }, "1.000000" },
	{ "%f", { 0x00000001 }, "0.000000" },
	{ "%.1f", { 0x4b7fffff }, "16777215.0" },
	{ "%.0f", { 0x5f000000 }, "9223372036854775808" },
	{ "%.0f", { 0x7f7fffff }, "340282346638528859811704183484516925440" },
	{ "%f %f %f", { 0x7f800000, 0xff800000, 0x7fc00000 }, "inf -inf nan" },
	{ "%q %", { 7 }, "%q %" },
	{ "%d %d %d %d %d", { 1, 2, 3, 4 }, "1 2 3 4 0" },
};

static const char *format_text(void *data, u64 va, size_t *max)
{
	*max = 16;
	return va ? "text" : NULL;
}

static void format_conversions(struct kunit *test)
{
	char out[SGPU_FORMAT_BYTES + 1];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(format_cases); i++) {
		const struct format_case *c = &format_cases[i];
		size_t n = sgpu_format(out, c->format, strlen(c->format), c->args, 4, format_text,
				       NULL);

		KUNIT_ASSERT_LE(test, n, SGPU_FORMAT_BYTES);
		out[n] = 0;
		KUNIT_EXPECT_STREQ(test, c->text, out);
	}
}

/* Neither the format nor the output may be overrun. */
static void format_bounds(struct kunit *test)
{
	static const u64 args[4] = { 1, 2, 3, 4 };
	char out[SGPU_FORMAT_BYTES + 1];
	static const char format[] = { '%', '9', '9', '9', '9', '9', '9', '9', '9', '9', '9', 'd' };
	size_t i;

	memset(out, '~', sizeof(out));
	for (i = 0; i < sizeof(format); i++)
		KUNIT_EXPECT_EQ(test, i, sgpu_format(out, format, i, args, 4, format_text, NULL));
	KUNIT_EXPECT_EQ(test, SGPU_FORMAT_BYTES,
			sgpu_format(out, format, sizeof(format), args, 4, format_text, NULL));
	KUNIT_EXPECT_EQ(test, '1', out[SGPU_FORMAT_BYTES - 1]);
	KUNIT_EXPECT_EQ(test, '~', out[SGPU_FORMAT_BYTES]);
	KUNIT_EXPECT_EQ(test, 1, sgpu_format(out, "a\0b", 3, args, 4, format_text, NULL));
}

static struct kunit_case format_suite_cases[] = {
	KUNIT_CASE(format_conversions),
	KUNIT_CASE(format_bounds),
	{}
};

struct kunit_suite softgpu_format_suite = {
	.name = "softgpu_format",
	.test_cases = format_suite_cases,
};

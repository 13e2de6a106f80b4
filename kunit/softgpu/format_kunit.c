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
	{ "%p", { 0x2000 }, "0x2000" },
	{ "%f", { 0x3f800000 }, "1.000000" },
	{ "%f %f", { 0xbfc00000, 0x80000000 }, "-1.500000 -0.000000" },
	{ "%.2f %.0f %.9f", { 0x3f9df3b6, 0x40200000, 0x3dcccccd }, "1.23 2 0.100000001" },
	{ "%8.3f|%-8.1f|%08.2f", { 0x40490fdb, 0x40490fdb, 0xc0490fdb },
	  "   3.142|3.1     |-0003.14" },
	{ "%f", { 0x3f7fffff }, "1.000000" },
	{ "%f", { 0x00000001 }, "0.000000" },
	{ "%.1f", { 0x4b7fffff }, "16777215.0" },
	{ "%.0f", { 0x5f000000 }, "9223372036854775808" },
	{ "%.0f", { 0x7f7fffff }, "340282346638528859811704183484516925440" },
	{ "%f %f %f", { 0x7f800000, 0xff800000, 0x7fc00000 }, "inf -inf nan" },
	/* doubles, and what C11 says of each flag */
	{ "%lf %.3lf %.0lf %.0lf", { 0x3fb999999999999a, 0xc00080623f141206, 0x4004000000000000,
	  0x400c000000000000 }, "0.100000 -2.063 2 4" },
	{ "%le %lE %.0le %.3le", { 0x40fe240c9fbe76c9, 0x3ee4f8b588e368f1, 0x4023ff7ced916873, 0 },
	  "1.234568e+05 1.000000E-05 1e+01 0.000e+00" },
	{ "%lg %lg %lg %#lg", { 0x3f1a36e2eb1c432d, 0x412e848000000000, 0x40f86a0000000000,
	  0x3ff0000000000000 }, "0.0001 1e+06 100000 1.00000" },
	{ "%.17lg %.20lf", { 0x3fb999999999999a, 0x3fb999999999999a },
	  "0.10000000000000001 0.10000000000000000555" },
	{ "%lg %.16lg", { 0x7fefffffffffffff, 1 }, "1.79769e+308 4.940656458412465e-324" },
	{ "%+5.1lf|% lf|%-+7.1lf|%07.1lf", { 0x3ff8000000000000, 0x3ff8000000000000,
	  0x3ff8000000000000, 0xbff8000000000000 }, " +1.5| 1.500000|+1.5   |-0001.5" },
	{ "%la %.1la %lA %la", { 0x3ff8000000000000, 0x3ff1800000000000, 0xfff0000000000000, 1 },
	  "0x1.8p+0 0x1.2p+0 -INF 0x0.0000000000001p-1022" },
	{ "%e %g %a", { 0x3fc00000, 0x00000001, 0x00000001 }, "1.500000e+00 1.4013e-45 0x1p-149" },
	{ "%+d % d %o %#o", { 1, 1, 8, 8 }, "+1  1 10 010" },
	{ "%.0lf", { 0xcc70000000000000 },
	  "-1606938044258990275541962092341162602522202993782792835301376" },
	{ "%.3le %.0lf", { 0x40c387fffffffffe, 0x3fe0000000000000 }, "1.000e+04 0" },
	{ "%s|%8s|%.5s|%p", { 0, 0, 0, 0 }, "(null)|  (null)||(nil)" },
	{ "%s", { 2 }, "(bad)" },
	{ "%q %", { 7 }, "%q %" },
	{ "%#x %#lX %.3d|%5.3d|%.0u", { 255, 0xff, 7, -7ULL }, "0xff 0XFF 007| -007|" },
	{ "%d %d %d %d %d", { 1, 2, 3, 4 }, "1 2 3 4 0" },
};

static const char *format_text(void *data, u64 va, size_t *max)
{
	*max = 16;
	return va == 1 ? "text" : NULL;
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
	/* Precisions and widths that are out of all measure are cut, and so is what they print. */
	for (i = 0; i < 8; i++) {
		char longest[] = "%#+099999999999.99999999999l?";
		u64 most = i ? 0x7fefffffffffffff : 1;

		longest[sizeof(longest) - 2] = "feagFEGA"[i];
		KUNIT_EXPECT_EQ(test, SGPU_FORMAT_BYTES,
				sgpu_format(out, longest, strlen(longest), &most, 1, format_text,
					    NULL));
		KUNIT_EXPECT_EQ(test, '~', out[SGPU_FORMAT_BYTES]);
	}
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

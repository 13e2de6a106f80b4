// SPDX-License-Identifier: GPL-2.0
/*
 * printf of GPU kernels.  Floats are printed exactly (truncated by rounding
 * half up at the last digit), with integers only: no FPU is needed here.
 */
#include <kunit/visibility.h>
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include "isa/format.h"

#define FORMAT_FIELD	64
#define FORMAT_MAX_PREC	9

struct format_spec {
	bool left;
	bool zero;
	bool wide;
	int precision;
	unsigned int width;
	char conv;
};

struct format_out {
	char *to;
	size_t used;
};

static void format_char(struct format_out *out, char c)
{
	if (out->used < SGPU_FORMAT_BYTES)
		out->to[out->used++] = c;
}

/* @text padded to the field; zeros go after a sign. */
static void format_field(struct format_out *out, const struct format_spec *spec, const char *text,
			 size_t bytes)
{
	size_t pad = spec->width > bytes ? spec->width - bytes : 0;
	bool zero = spec->zero && !spec->left;

	if (zero && bytes && *text == '-') {
		format_char(out, '-');
		text++;
		bytes--;
	}
	for (; pad && !spec->left; pad--)
		format_char(out, zero ? '0' : ' ');
	while (bytes--)
		format_char(out, *text++);
	while (pad--)
		format_char(out, ' ');
}

static void format_integer(struct format_out *out, const struct format_spec *spec, u64 value)
{
	char text[FORMAT_FIELD];
	int n;

	switch (spec->conv) {
	case 'x':
		n = scnprintf(text, sizeof(text), "%llx", spec->wide ? value : (u32)value);
		break;
	case 'X':
		n = scnprintf(text, sizeof(text), "%llX", spec->wide ? value : (u32)value);
		break;
	case 'p':
		n = scnprintf(text, sizeof(text), "0x%llx", value);
		break;
	case 'u':
		n = scnprintf(text, sizeof(text), "%llu", spec->wide ? value : (u32)value);
		break;
	default:
		n = scnprintf(text, sizeof(text), "%lld", spec->wide ? (s64)value : (s32)value);
		break;
	}
	format_field(out, spec, text, n);
}

static const u32 format_pow10[FORMAT_MAX_PREC + 1] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000
};

/* mantissa * 2^exponent of at least 2^63 in decimal: repeated division by 10. */
static int format_huge(char *text, size_t room, u32 mantissa, int exponent)
{
	u32 word[6] = { 0 };
	char digits[48];
	int n = 0, i, used = 0;

	word[exponent / 32] = mantissa << (exponent % 32);
	if (exponent % 32)
		word[exponent / 32 + 1] = mantissa >> (32 - exponent % 32);
	for (;;) {
		u64 rest = 0;
		u32 any = 0;

		for (i = ARRAY_SIZE(word) - 1; i >= 0; i--) {
			rest = rest << 32 | word[i];
			word[i] = rest / 10;
			rest %= 10;
			any |= word[i];
		}
		digits[n++] = '0' + rest;
		if (!any)
			break;
	}
	while (n && used < room)
		text[used++] = digits[--n];
	return used;
}

/* |float| with @precision digits after the point. */
static int format_decimal(char *text, size_t room, u32 bits, int precision)
{
	int exponent = (bits >> 23 & 0xff) - 150;
	u32 mantissa = bits & 0x7fffff;
	u64 whole = 0, part = 0;
	int n, shift;

	if (exponent == -150)
		exponent = -149;
	else
		mantissa |= 0x800000;
	if (exponent > 39) {
		n = format_huge(text, room, mantissa, exponent);
	} else {
		if (exponent >= 0) {
			whole = (u64)mantissa << exponent;
		} else {
			/* value = mantissa / 2^shift; 24 + 30 bits fit */
			shift = -exponent;
			if (shift < 24)
				whole = mantissa >> shift;
			if (shift < 63)
				part = ((u64)(mantissa - (shift < 24 ? whole << shift : 0)) *
					format_pow10[precision] + (1ULL << (shift - 1))) >> shift;
			if (part >= format_pow10[precision]) {
				part -= format_pow10[precision];
				whole++;
			}
		}
		n = scnprintf(text, room, "%llu", whole);
	}
	if (precision)
		n += scnprintf(text + n, room - n, ".%0*llu", precision, part);
	return n;
}

static void format_float(struct format_out *out, const struct format_spec *spec, u32 bits)
{
	int precision = spec->precision < 0 ? 6 : min(spec->precision, FORMAT_MAX_PREC);
	struct format_spec field = *spec;
	char text[FORMAT_FIELD];
	int n = 0;

	if ((bits & 0x7f800000) == 0x7f800000)
		field.zero = false;
	if (bits & 0x80000000)
		text[n++] = '-';
	if ((bits & 0x7fffffff) == 0x7f800000)
		n += scnprintf(text + n, sizeof(text) - n, "inf");
	else if ((bits & 0x7fffffff) > 0x7f800000)
		n += scnprintf(text + n, sizeof(text) - n, "nan");
	else
		n += format_decimal(text + n, sizeof(text) - n, bits, precision);
	format_field(out, &field, text, n);
}

static void format_string(struct format_out *out, const struct format_spec *spec,
			  const char *text, size_t max)
{
	if (!text) {
		text = "(bad)";
		max = 5;
	}
	if (spec->precision >= 0)
		max = min_t(size_t, max, spec->precision);
	format_field(out, spec, text, strnlen(text, max));
}

/* Parse what follows a '%'; returns bytes used, 0 if it is no conversion. */
static size_t format_parse(const char *at, size_t bytes, struct format_spec *spec)
{
	size_t i = 0;

	memset(spec, 0, sizeof(*spec));
	spec->precision = -1;
	for (; i < bytes && (at[i] == '-' || at[i] == '0'); i++) {
		spec->left |= at[i] == '-';
		spec->zero |= at[i] == '0';
	}
	for (; i < bytes && isdigit(at[i]); i++)
		spec->width = min(spec->width * 10 + at[i] - '0', (unsigned int)SGPU_FORMAT_BYTES);
	if (i < bytes && at[i] == '.') {
		spec->precision = 0;
		for (i++; i < bytes && isdigit(at[i]); i++)
			spec->precision = min(spec->precision * 10 + at[i] - '0',
					      SGPU_FORMAT_BYTES);
	}
	for (; i < bytes && (at[i] == 'l' || at[i] == 'z'); i++)
		spec->wide = true;
	if (i >= bytes || !at[i] || !strchr("diuxXfcsp%", at[i]))
		return 0;
	spec->conv = at[i];
	return i + 1;
}

size_t sgpu_format(char *to, const char *format, size_t bytes, const u64 *args,
		   unsigned int count,
		   const char *(*string)(void *data, u64 va, size_t *max), void *data)
{
	struct format_out out = { .to = to };
	struct format_spec spec;
	unsigned int arg = 0;
	size_t i, skip, max = 0;
	const char *text;
	u64 value;
	char c;

	for (i = 0; i < bytes && format[i]; i++) {
		skip = format[i] == '%' ? format_parse(format + i + 1, bytes - i - 1, &spec) : 0;
		if (!skip) {
			format_char(&out, format[i]);
			continue;
		}
		i += skip;
		if (spec.conv == '%') {
			format_char(&out, '%');
			continue;
		}
		value = arg < count ? args[arg] : 0;
		arg++;
		switch (spec.conv) {
		case 'f':
			format_float(&out, &spec, value);
			break;
		case 'c':
			c = value;
			format_field(&out, &spec, &c, 1);
			break;
		case 's':
			text = string(data, value, &max);
			format_string(&out, &spec, text, max);
			break;
		default:
			format_integer(&out, &spec, value);
			break;
		}
	}
	return out.used;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_format);

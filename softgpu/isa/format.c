// SPDX-License-Identifier: GPL-2.0
/* printf of GPU kernels.  Floats are printed exactly, with integers only: no FPU is needed here. */
#include <kunit/visibility.h>
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "isa/decimal.h"
#include "isa/format.h"

#define FORMAT_FIELD	64

/**
 * struct format_spec - a conversion
 * @left: flag '-'
 * @zero: flag '0'
 * @plus: flag '+'
 * @space: flag ' '
 * @alternate: flag '#'
 * @wide: of 64 bits
 * @precision: -1 if there is none
 * @width: of the field
 * @conv: its letter
 */
struct format_spec {
	bool left;
	bool zero;
	bool plus;
	bool space;
	bool alternate;
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

/* What is before a body of @bytes in its field: blanks, @prefix, zeros.  Returns blanks behind. */
static size_t format_begin(struct format_out *out, const struct format_spec *spec,
			   const char *prefix, size_t bytes)
{
	size_t used = strlen(prefix) + bytes, pad = spec->width > used ? spec->width - used : 0;

	for (; pad && !spec->left && !spec->zero; pad--)
		format_char(out, ' ');
	while (*prefix)
		format_char(out, *prefix++);
	for (; pad && !spec->left; pad--)
		format_char(out, '0');
	return pad;
}

static void format_end(struct format_out *out, size_t pad)
{
	while (pad--)
		format_char(out, ' ');
}

static void format_field(struct format_out *out, const struct format_spec *spec, const char *prefix,
			 const char *text, size_t bytes)
{
	size_t pad = format_begin(out, spec, prefix, bytes);

	while (bytes--)
		format_char(out, *text++);
	format_end(out, pad);
}

static const char *format_sign(const struct format_spec *spec, bool negative)
{
	return negative ? "-" : spec->plus ? "+" : spec->space ? " " : "";
}

static const char *integer_prefix(const struct format_spec *spec, u64 value, bool negative)
{
	switch (spec->conv) {
	case 'd':
	case 'i':
		return format_sign(spec, negative);
	case 'x':
		return spec->alternate && value ? "0x" : "";
	case 'X':
		return spec->alternate && value ? "0X" : "";
	case 'p':
		return "0x";
	default:
		return "";
	}
}

static const char *integer_pattern(char conv)
{
	return conv == 'x' || conv == 'p' ? "%0*llx" : conv == 'X' ? "%0*llX" :
	       conv == 'o' ? "%0*llo" : "%0*llu";
}

static void format_integer(struct format_out *out, const struct format_spec *spec, u64 value)
{
	bool has_sign = spec->conv == 'd' || spec->conv == 'i';
	struct format_spec field = *spec;
	char text[FORMAT_FIELD];
	bool negative;
	int n, digits;

	if (!spec->wide && spec->conv != 'p')
		value = has_sign ? (u64)(s32)value : (u32)value;
	negative = has_sign && (s64)value < 0;
	if (negative)
		value = -value;
	digits = clamp(spec->precision, 1, FORMAT_FIELD - 1);
	n = scnprintf(text, sizeof(text), integer_pattern(spec->conv), digits, value);
	if (!spec->precision && !value)
		n = 0;
	if (spec->conv == 'p' && !value) {
		format_field(out, spec, "", "(nil)", 5);
		return;
	}
	if (spec->conv == 'o' && spec->alternate && (!n || *text != '0')) {
		memmove(text + 1, text, n++);
		*text = '0';
	}
	/* C11 7.21.6.1: a precision overrides the flag '0'. */
	field.zero &= spec->precision < 0;
	format_field(out, &field, integer_prefix(spec, value, negative), text, n);
}

/* Digits from @first to @last, with a point behind the place @unit, if there is to be one. */
static void format_digits(struct format_out *out, const struct sgpu_decimal *d, int first, int unit,
			  int last, bool point)
{
	int place;

	for (place = first; place <= last; place++) {
		format_char(out, '0' + sgpu_decimal_digit(d, place));
		if (place == unit && point)
			format_char(out, '.');
	}
}

/* As %f: @behind digits behind the point. */
static void format_fixed(struct format_out *out, const struct format_spec *spec, const char *sign,
			 const struct sgpu_decimal *d, int behind)
{
	int first = min(sgpu_decimal_first(d), SGPU_DECIMAL_UNIT);
	bool point = behind || spec->alternate;
	size_t pad = format_begin(out, spec, sign, SGPU_DECIMAL_UNIT - first + 1 + point + behind);

	format_digits(out, d, first, SGPU_DECIMAL_UNIT, SGPU_DECIMAL_UNIT + behind, point);
	format_end(out, pad);
}

/* As %e: one digit before the point, @behind digits behind it. */
static void format_exponent(struct format_out *out, const struct format_spec *spec,
			    const char *sign, const struct sgpu_decimal *d, int behind)
{
	int first = sgpu_decimal_first(d), n, i;
	bool point = behind || spec->alternate;
	char text[8];
	size_t pad;

	n = scnprintf(text, sizeof(text), "%c%c%02d", spec->conv & 0x20 ? 'e' : 'E',
		      first > SGPU_DECIMAL_UNIT ? '-' : '+', abs(SGPU_DECIMAL_UNIT - first));
	pad = format_begin(out, spec, sign, 1 + point + behind + n);
	format_digits(out, d, first, first, first + behind, point);
	for (i = 0; i < n; i++)
		format_char(out, text[i]);
	format_end(out, pad);
}

/* As %g: the shorter of both, without zeros at the end. */
static void format_general(struct format_out *out, const struct format_spec *spec, const char *sign,
			   struct sgpu_decimal *d, int digits)
{
	int exponent, last;

	sgpu_decimal_round(d, sgpu_decimal_first(d) + digits);
	exponent = SGPU_DECIMAL_UNIT - sgpu_decimal_first(d);
	last = sgpu_decimal_first(d) + digits - 1;
	while (!spec->alternate && last > sgpu_decimal_first(d) && !sgpu_decimal_digit(d, last))
		last--;
	if (exponent < -4 || exponent >= digits)
		format_exponent(out, spec, sign, d, last - sgpu_decimal_first(d));
	else
		format_fixed(out, spec, sign, d, max(last - SGPU_DECIMAL_UNIT, 0));
}

/* As %a: the bits of a double; those that are dropped round to the nearest, of two to the even. */
static void format_hex(struct format_out *out, const struct format_spec *spec, const char *sign,
		       u64 bits)
{
	bool upper = spec->conv == 'A';
	int exponent = bits >> 52 & 0x7ff, digits = 13, n;
	u64 mantissa = (bits & GENMASK_ULL(51, 0)) | (exponent ? BIT_ULL(52) : 0), half, part;
	char text[FORMAT_FIELD], prefix[4];

	if (spec->precision < 0) {
		while (digits && !(mantissa >> (52 - 4 * digits) & 15))
			digits--;
	} else if (spec->precision < digits) {
		digits = spec->precision;
		half = BIT_ULL(51 - 4 * digits);
		part = mantissa & (2 * half - 1);
		mantissa -= part;
		if (part > half || (part == half && mantissa & 2 * half))
			mantissa += 2 * half;
	}
	exponent = mantissa ? max(exponent, 1) - 1023 : 0;
	n = scnprintf(text, sizeof(text), "%llu", mantissa >> 52);
	if (digits || spec->alternate)
		text[n++] = '.';
	if (digits)
		n += scnprintf(text + n, sizeof(text) - n, upper ? "%0*llX" : "%0*llx", digits,
			       (mantissa & GENMASK_ULL(51, 0)) >> (52 - 4 * digits));
	for (digits = min(spec->precision, FORMAT_FIELD / 2) - 13; digits > 0; digits--)
		text[n++] = '0';
	n += scnprintf(text + n, sizeof(text) - n, "%c%+d", upper ? 'P' : 'p', exponent);
	scnprintf(prefix, sizeof(prefix), "%s%s", sign, upper ? "0X" : "0x");
	format_field(out, spec, prefix, text, n);
}

/* The double of a float's bits. */
static u64 format_widen(u32 bits)
{
	u64 sign = (u64)(bits >> 31) << 63, part = bits & 0x7fffff;
	int exponent = bits >> 23 & 0xff, shift;

	if (exponent == 0xff)
		return sign | GENMASK_ULL(62, 52) | part << 29;
	if (!exponent && !part)
		return sign;
	if (!exponent) {
		shift = 24 - fls64(part);
		part = part << shift & 0x7fffff;
		exponent = 1 - shift;
	}
	return sign | (u64)(exponent + 1023 - 127) << 52 | part << 29;
}

static void format_finite(struct format_out *out, const struct format_spec *spec, const char *sign,
			  u64 bits)
{
	int exponent = bits >> 52 & 0x7ff;
	int precision = spec->precision < 0 ? 6 : spec->precision;
	u64 mantissa = (bits & GENMASK_ULL(51, 0)) | (exponent ? BIT_ULL(52) : 0);
	struct sgpu_decimal d;

	sgpu_decimal_set(&d, mantissa, max(exponent, 1) - 1075);
	switch (spec->conv | 0x20) {
	case 'f':
		sgpu_decimal_round(&d, SGPU_DECIMAL_UNIT + 1 + precision);
		format_fixed(out, spec, sign, &d, precision);
		break;
	case 'e':
		sgpu_decimal_round(&d, sgpu_decimal_first(&d) + 1 + precision);
		format_exponent(out, spec, sign, &d, precision);
		break;
	default:
		format_general(out, spec, sign, &d, max(precision, 1));
		break;
	}
}

static void format_float(struct format_out *out, const struct format_spec *spec, u64 bits)
{
	struct format_spec field = *spec;
	const char *sign = format_sign(spec, bits >> 63);
	bool upper = !(spec->conv & 0x20);

	if ((bits & GENMASK_ULL(62, 52)) == GENMASK_ULL(62, 52)) {
		field.zero = false;
		format_field(out, &field, sign, bits << 12 ? (upper ? "NAN" : "nan") :
						(upper ? "INF" : "inf"), 3);
	} else if ((spec->conv | 0x20) == 'a') {
		format_hex(out, spec, sign, bits);
	} else {
		format_finite(out, spec, sign, bits);
	}
}

static void format_string(struct format_out *out, const struct format_spec *spec,
			  const char *text, size_t max, bool null)
{
	if (null) {
		/* As the C library's, on which CUDA's is built: all of it or nothing. */
		text = "(null)";
		max = spec->precision < 0 || spec->precision > 5 ? 6 : 0;
	} else if (!text) {
		text = "(bad)";
		max = 5;
	}
	if (spec->precision >= 0)
		max = min_t(size_t, max, spec->precision);
	format_field(out, spec, "", text, strnlen(text, max));
}

/* Parse what follows a '%'; returns bytes used, 0 if it is no conversion. */
static size_t format_parse(const char *at, size_t bytes, struct format_spec *spec)
{
	size_t i = 0;

	memset(spec, 0, sizeof(*spec));
	spec->precision = -1;
	for (; i < bytes && at[i] && strchr("-0+ #", at[i]); i++) {
		spec->left |= at[i] == '-';
		spec->zero |= at[i] == '0';
		spec->plus |= at[i] == '+';
		spec->space |= at[i] == ' ';
		spec->alternate |= at[i] == '#';
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
	if (i >= bytes || !at[i] || !strchr("diuoxXfFeEgGaAcsp%", at[i]))
		return 0;
	spec->conv = at[i];
	if (spec->left || strchr("csp", spec->conv))
		spec->zero = false;
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
		case 'F':
		case 'e':
		case 'E':
		case 'g':
		case 'G':
		case 'a':
		case 'A':
			format_float(&out, &spec, spec.wide ? value : format_widen(value));
			break;
		case 'c':
			c = value;
			format_field(&out, &spec, "", &c, 1);
			break;
		case 's':
			text = string(data, value, &max);
			format_string(&out, &spec, text, max, !value);
			break;
		default:
			format_integer(&out, &spec, value);
			break;
		}
	}
	return out.used;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_format);

// SPDX-License-Identifier: GPL-2.0
/* printf() and assert() of device code, by the GPU's own printing. */
#include <stddef.h>
#include <softgpu_kernel.h>

#define ARGUMENTS_MAX	12	/* SGPU_ECALL_PRINTF */

/* The next argument of a struct of those that C promotes: each is aligned to its size. */
static uint64_t take(const char **at, size_t bytes)
{
	uint64_t address = ((uint64_t)*at + bytes - 1) & -(uint64_t)bytes;

	*at = (const char *)(address + bytes);
	return bytes == 8 ? *(const uint64_t *)address : (uint64_t)*(const int32_t *)address;
}

/* The bits of the float nearest to the double with @bits; what no normal float is near to is zero. */
static uint64_t narrow(uint64_t bits)
{
	uint64_t sign = bits >> 63 << 31, fraction = bits & ((1ull << 52) - 1), half = 1ull << 28;
	int64_t exponent = (int64_t)(bits >> 52 & 0x7ff) - 1023 + 127;
	uint64_t rest = fraction & (2 * half - 1), result;

	if ((bits >> 52 & 0x7ff) == 0x7ff)
		return sign | 0x7f800000 | (fraction ? 0x400000 : 0);
	if (exponent <= 0)
		return sign;
	result = (uint64_t)exponent << 23 | fraction >> 29;
	result += rest > half || (rest == half && result & 1);
	return sign | (result < 0x7f800000 ? result : 0x7f800000);
}

static int is_float(char c)
{
	return c == 'f' || c == 'F' || c == 'e' || c == 'E' || c == 'g' || c == 'G' || c == 'a';
}

/* Behind flags, width and precision; @wide if "l", "z" and so on are among them. */
static const char *skip_to_letter(const char *p, int *wide)
{
	*wide = 0;
	for (; *p == '-' || *p == '+' || *p == ' ' || *p == '#' || *p == '.' || *p == 'h' ||
	     *p == 'l' || *p == 'z' || *p == 'j' || *p == 't' || (*p >= '0' && *p <= '9'); p++)
		*wide |= *p == 'l' || *p == 'z' || *p == 'j' || *p == 't';
	return p;
}

int vprintf(const char *format, const char *arguments)
{
	uint64_t value[ARGUMENTS_MAX] = { 0 };
	unsigned int n = 0;
	int wide;

	for (const char *p = format; *p && n < ARGUMENTS_MAX; p++) {
		if (*p != '%')
			continue;
		if (p[1] == '%') {
			p++;
			continue;
		}
		p = skip_to_letter(p + 1, &wide);
		if (!*p)
			break;
		if (is_float(*p))
			value[n++] = narrow(take(&arguments, 8));
		else
			value[n++] = take(&arguments, wide || *p == 's' || *p == 'p' ? 8 : 4);
	}
	__sgpu_print(format, value);
	return n;
}

void __assertfail(const char *expression, const char *file, unsigned int line,
		  const char *function, size_t char_bytes)
{
	const uint64_t value[] = { (uint64_t)file, line, (uint64_t)function, (uint64_t)expression };

	(void)char_bytes;
	__sgpu_print("%s:%u: %s: Assertion `%s' failed.\n", value);
	__asm__ volatile("ebreak");
}

// SPDX-License-Identifier: GPL-2.0
/* printf() and assert() of device code, by the GPU's own printing. */
#include <stddef.h>
#include <softgpu_kernel.h>

#define ARGUMENTS_MAX	12	/* SGPU_ECALL_PRINTF */
#define FORMAT_MAX	256	/* what is longer is cut */

/**
 * struct printing - a call of printf()
 * @format: as the GPU has it: its floats are single, and printed in one way
 * @used: bytes of it
 * @value: arguments
 * @count: how many
 * @next: the argument to take, in a struct of those that C promotes, each aligned to its size
 */
struct printing {
	char format[FORMAT_MAX];
	unsigned int used;
	uint64_t value[ARGUMENTS_MAX];
	unsigned int count;
	const char *next;
};

static uint64_t take(struct printing *p, size_t bytes)
{
	uint64_t address = ((uint64_t)p->next + bytes - 1) & -(uint64_t)bytes;

	p->next = (const char *)(address + bytes);
	return bytes == 8 ? *(const uint64_t *)address : (uint64_t)*(const int32_t *)address;
}

static void put(struct printing *p, char c)
{
	if (p->used < FORMAT_MAX - 1)
		p->format[p->used++] = c;
}

/* A width or precision that is an argument; a negative width is that of the left. */
static void put_number(struct printing *p, int number)
{
	unsigned int rest = number < 0 ? -(unsigned int)number : (unsigned int)number, ten = 1;

	if (number < 0)
		put(p, '-');
	while (rest / ten > 9)
		ten *= 10;
	for (; ten; ten /= 10)
		put(p, '0' + rest / ten % 10);
}

static void add_value(struct printing *p, uint64_t value)
{
	if (p->count < ARGUMENTS_MAX)
		p->value[p->count++] = value;
}

static int is_among(char c, const char *list)
{
	while (*list && *list != c)
		list++;
	return c && *list;
}

/* The float nearest to a double's bits. */
static uint64_t narrow(uint64_t bits)
{
	union { uint64_t bits; double value; } from = { .bits = bits };

	return float_bits((float)from.value);
}

static void add_converted(struct printing *p, char letter, int wide)
{
	if (is_among(letter, "fFeEgGaA")) {
		put(p, 'f');
		add_value(p, narrow(take(p, 8)));
		return;
	}
	wide |= letter == 's' || letter == 'p';
	if (wide && letter != 's' && letter != 'p')
		put(p, 'l');
	put(p, letter == 'o' ? 'x' : letter);
	add_value(p, take(p, wide ? 8 : 4));
}

/* Behind a "%": returns what follows the conversion. */
static const char *convert(struct printing *p, const char *at)
{
	int wide = 0;

	put(p, '%');
	for (; *at && is_among(*at, "-+ #.hlzjt*0123456789"); at++) {
		wide |= is_among(*at, "lzjt");
		if (*at == '*')
			put_number(p, take(p, 4));
		else if (is_among(*at, "-.0123456789"))
			put(p, *at);
	}
	if (*at == '%')
		put(p, '%');
	else if (*at)
		add_converted(p, *at, wide);
	return *at ? at + 1 : at;
}

int vprintf(const char *format, const char *arguments)
{
	struct printing p;

	p.used = 0;
	p.count = 0;
	p.next = arguments;
	while (*format)
		if (*format == '%')
			format = convert(&p, format + 1);
		else
			put(&p, *format++);
	p.format[p.used] = '\0';
	__sgpu_print(p.format, p.value);
	return p.count;
}

void __assertfail(const char *expression, const char *file, unsigned int line,
		  const char *function, size_t char_bytes)
{
	const uint64_t value[] = { (uint64_t)file, line, (uint64_t)function, (uint64_t)expression };

	(void)char_bytes;
	__sgpu_print("%s:%u: %s: Assertion `%s' failed.\n", value);
	__asm__ volatile("ebreak");
}

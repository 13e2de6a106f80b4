// SPDX-License-Identifier: GPL-2.0
/* printf() and assert() of device code, by the GPU's own printing. */
#include <stddef.h>
#include <softgpu_kernel.h>

#define ARGUMENTS_MAX	32	/* CUDA C++ Programming Guide, "Formatted Output"; what the GPU takes */
#define FORMAT_MAX	256	/* what is longer is cut */
#define STRINGS_MAX	256	/* of strings in GPU memory, all together: what is longer is cut */

/**
 * struct printing - a call of printf()
 * @format: as the GPU has it: lengths are "l" or none, and "*" is a number
 * @used: bytes of it
 * @value: arguments
 * @count: how many
 * @string: copies of strings in GPU memory, since the GPU prints those of its windows alone
 * @copied: bytes of them
 * @next: the argument to take, in a struct of those that C promotes, each aligned to its size
 */
struct printing {
	char format[FORMAT_MAX];
	unsigned int used;
	uint64_t value[ARGUMENTS_MAX];
	unsigned int count;
	char string[STRINGS_MAX];
	unsigned int copied;
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

/* "*": a negative precision is as none. */
static void put_star(struct printing *p)
{
	int number = take(p, 4);

	if (p->format[p->used - 1] == '.' && number < 0)
		p->used--;
	else
		put_number(p, number);
}

/* What "h" or "hh" leaves of an int. */
static uint64_t shorten(uint64_t value, char letter, int halves)
{
	int has_sign = letter == 'd' || letter == 'i';

	if (halves > 1)
		return has_sign ? (uint64_t)(signed char)value : (unsigned char)value;
	return has_sign ? (uint64_t)(short)value : (unsigned short)value;
}

/* A string that the GPU can print.  No byte behind its end, or behind its precision, is read. */
static const char *readable(struct printing *p, const char *text, unsigned int precision)
{
	char *copy = p->string + p->copied;
	unsigned int i, room = STRINGS_MAX - p->copied;

	if (!text || (uint64_t)text >= SGPU_WINDOW_IMAGE || !room)
		return room ? text : "";
	for (i = 0; i < room - 1 && i < precision && text[i]; i++)
		copy[i] = text[i];
	copy[i] = '\0';
	p->copied += i + 1;
	return copy;
}

/* Of what stands between "%" and the letter that is next; without one there is no end. */
static unsigned int precision_of(const struct printing *p)
{
	unsigned int i = p->used, precision = 0, ten = 1;

	for (; p->format[i - 1] >= '0' && p->format[i - 1] <= '9' && ten <= FORMAT_MAX; i--, ten *= 10)
		precision += (p->format[i - 1] - '0') * ten;
	return p->format[i - 1] == '.' ? precision : ~0u;
}

static void add_converted(struct printing *p, char letter, int wide, int halves)
{
	uint64_t value;

	wide = is_among(letter, "fFeEgGaAsp") || (wide && letter != 'c');
	value = take(p, wide ? 8 : 4);
	if (halves && is_among(letter, "dioxXu"))
		value = shorten(value, letter, halves);
	if (letter == 's')
		value = (uint64_t)readable(p, (const char *)value, precision_of(p));
	else if (wide && letter != 'p')
		put(p, 'l');
	put(p, letter);
	add_value(p, value);
}

/* Behind a "%": returns what follows the conversion. */
static const char *convert(struct printing *p, const char *at)
{
	int wide = 0, halves = 0;

	put(p, '%');
	for (; *at && is_among(*at, "-+ #.hlLzjt*0123456789"); at++) {
		wide |= is_among(*at, "lzjt");
		halves += *at == 'h';
		if (*at == '*')
			put_star(p);
		else if (is_among(*at, "-+ #.0123456789"))
			put(p, *at);
	}
	if (*at == '%')
		put(p, '%');
	else if (*at)
		add_converted(p, *at, wide, halves);
	return *at ? at + 1 : at;
}

int vprintf(const char *format, const char *arguments)
{
	struct printing p;

	p.used = 0;
	p.count = 0;
	p.copied = 0;
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

/* In the words of the CUDA C++ Programming Guide, "Assertion". */
void __assertfail(const char *expression, const char *file, unsigned int line,
		  const char *function, size_t char_bytes)
{
	const uint64_t value[] = {
		(uint64_t)file, line, (uint64_t)function, block_idx_x(), block_idx_y(), block_idx_z(),
		thread_idx_x(), thread_idx_y(), thread_idx_z(), (uint64_t)expression,
	};

	(void)char_bytes;
	__sgpu_print("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", value);
	__asm__ volatile("ebreak");
}

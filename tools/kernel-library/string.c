// SPDX-License-Identifier: GPL-2.0
/*
 * memcpy() and its like for GPU kernels: words where both sides allow it, else bytes.  Compiled
 * with -fno-builtin, without which the loops would become calls of these very functions.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Of any type, as memory is. */
typedef uint64_t __attribute__((may_alias)) word;

#define WORD	sizeof(word)

static bool string_aligned(const void *a, const void *b)
{
	return !(((uintptr_t)a | (uintptr_t)b) % WORD);
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (string_aligned(t, f))
		for (; bytes >= WORD; bytes -= WORD, t += WORD, f += WORD)
			*(word *)t = *(const word *)f;
	while (bytes--)
		*t++ = *f++;
	return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if ((uintptr_t)t - (uintptr_t)f >= bytes)
		return memcpy(to, from, bytes);
	while (bytes--)
		t[bytes] = f[bytes];
	return to;
}

void *memset(void *to, int byte, size_t bytes)
{
	word pattern = (unsigned char)byte * 0x0101010101010101ull;
	unsigned char *t = to;

	if (string_aligned(t, t))
		for (; bytes >= WORD; bytes -= WORD, t += WORD)
			*(word *)t = pattern;
	while (bytes--)
		*t++ = byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
	const unsigned char *x = a, *y = b;

	for (; bytes; bytes--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

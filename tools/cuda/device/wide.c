// SPDX-License-Identifier: GPL-2.0
/*
 * Integers of 128 bits in device code: what the compiler calls for them where the GPU has no
 * instructions, by the names that libgcc has for it.
 */
#include <stdint.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static uwide join(uint64_t high, uint64_t low)
{
	return (uwide)high << 64 | low;
}

uwide __ashlti3(uwide x, int by)
{
	uint64_t high = x >> 64, low = x;

	if (!by)
		return x;
	return by < 64 ? join(high << by | low >> (64 - by), low << by) : join(low << (by - 64), 0);
}

uwide __lshrti3(uwide x, int by)
{
	uint64_t high = x >> 64, low = x;

	if (!by)
		return x;
	return by < 64 ? join(high >> by, low >> by | high << (64 - by)) : join(0, high >> (by - 64));
}

wide __ashrti3(wide x, int by)
{
	uint64_t low = x;
	int64_t high = x >> 64;

	if (!by)
		return x;
	return by < 64 ? join(high >> by, low >> by | (uint64_t)high << (64 - by)) :
			 join(high >> 63, high >> (by - 64));
}

/* Digit by digit, as on paper.  What is divided by zero is undefined. */
static uwide divide(uwide x, uwide by, uwide *rest)
{
	uwide result = 0, left = 0;

	for (int i = 0; i < 128; i++) {
		int carry = left >> 127;

		left = left << 1 | x >> 127;
		x <<= 1;
		result <<= 1;
		if (carry || left >= by) {
			left -= by;
			result |= 1;
		}
	}
	*rest = left;
	return result;
}

uwide __udivti3(uwide x, uwide by)
{
	uwide rest;

	return divide(x, by, &rest);
}

uwide __umodti3(uwide x, uwide by)
{
	uwide rest;

	divide(x, by, &rest);
	return rest;
}

static uwide size(wide x)
{
	return x < 0 ? -(uwide)x : (uwide)x;
}

wide __divti3(wide x, wide by)
{
	uwide rest, result = divide(size(x), size(by), &rest);

	return (x < 0) != (by < 0) ? -result : result;
}

wide __modti3(wide x, wide by)
{
	uwide rest;

	divide(size(x), size(by), &rest);
	return x < 0 ? -rest : rest;
}

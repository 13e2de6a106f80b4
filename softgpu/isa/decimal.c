// SPDX-License-Identifier: GPL-2.0
/* Digits of floats: a number in words of nine digits, doubled and halved. */
#include <linux/array_size.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "isa/decimal.h"

#define DOUBLING_BITS	29	/* a word of nine digits times 2^29 and a carry is below 2^63 */
#define HALVING_BITS	9	/* 10^9 is divisible by 2^9: one more word takes the rest */

static void decimal_double(struct sgpu_decimal *d, int bits)
{
	u32 rest;
	u64 carry = 0;
	int i;

	for (i = SGPU_DECIMAL_WHOLE - 1; i >= 0; i--) {
		carry = div_u64_rem(carry + ((u64)d->word[i] << bits), SGPU_DECIMAL_BASE, &rest);
		d->word[i] = rest;
	}
}

/* Words from @first to @last have digits, or get some. */
static void decimal_halve(struct sgpu_decimal *d, int first, int last, int bits)
{
	u64 rest = 0;
	int i;

	for (i = first; i <= last; i++) {
		rest = rest * SGPU_DECIMAL_BASE + d->word[i];
		d->word[i] = rest >> bits;
		rest &= (1U << bits) - 1;
	}
}

void sgpu_decimal_set(struct sgpu_decimal *d, u64 mantissa, int exponent)
{
	int i, first, last = SGPU_DECIMAL_WHOLE - 1;
	u32 rest;

	memset(d, 0, sizeof(*d));
	/* A format may name hundreds of arguments that are not there, which are 0. */
	if (!mantissa)
		return;
	for (i = last; mantissa; i--) {
		mantissa = div_u64_rem(mantissa, SGPU_DECIMAL_BASE, &rest);
		d->word[i] = rest;
	}
	first = i + 1;
	for (; exponent > 0; exponent -= min(exponent, DOUBLING_BITS))
		decimal_double(d, min(exponent, DOUBLING_BITS));
	for (; exponent < 0; exponent += min(-exponent, HALVING_BITS)) {
		decimal_halve(d, first, ++last, min(-exponent, HALVING_BITS));
		first += !d->word[first];
	}
}

unsigned int sgpu_decimal_digit(const struct sgpu_decimal *d, int place)
{
	int i = place / SGPU_DECIMAL_DIGITS, behind;
	u32 word;

	if (place < 0 || i >= ARRAY_SIZE(d->word))
		return 0;
	word = d->word[i];
	for (behind = SGPU_DECIMAL_DIGITS - 1 - place % SGPU_DECIMAL_DIGITS; behind; behind--)
		word /= 10;
	return word % 10;
}

int sgpu_decimal_first(const struct sgpu_decimal *d)
{
	int i, place;

	for (i = 0; i < ARRAY_SIZE(d->word); i++) {
		if (!d->word[i])
			continue;
		place = i * SGPU_DECIMAL_DIGITS;
		while (!sgpu_decimal_digit(d, place))
			place++;
		return place;
	}
	return SGPU_DECIMAL_UNIT;
}

/* Any digit from @place on is not 0. */
static bool decimal_rest(const struct sgpu_decimal *d, int place)
{
	int i;

	for (; place % SGPU_DECIMAL_DIGITS; place++)
		if (sgpu_decimal_digit(d, place))
			return true;
	for (i = place / SGPU_DECIMAL_DIGITS; i < ARRAY_SIZE(d->word); i++)
		if (d->word[i])
			return true;
	return false;
}

static bool decimal_goes_up(const struct sgpu_decimal *d, int place)
{
	unsigned int digit = sgpu_decimal_digit(d, place);

	if (digit != 5)
		return digit > 5;
	return decimal_rest(d, place + 1) || sgpu_decimal_digit(d, place - 1) & 1;
}

void sgpu_decimal_round(struct sgpu_decimal *d, int place)
{
	bool up = decimal_goes_up(d, place);
	int i = place / SGPU_DECIMAL_DIGITS, behind;
	u32 one = 1;

	if (place <= 0 || i >= ARRAY_SIZE(d->word))
		return;
	for (behind = SGPU_DECIMAL_DIGITS - place % SGPU_DECIMAL_DIGITS; behind; behind--)
		one *= 10;
	/* @one: of the last digit that stays: in the word before if all of this one goes */
	d->word[i] -= one == SGPU_DECIMAL_BASE ? d->word[i] : d->word[i] % one;
	memset(&d->word[i + 1], 0, (ARRAY_SIZE(d->word) - i - 1) * sizeof(*d->word));
	if (!up)
		return;
	if (one == SGPU_DECIMAL_BASE) {
		one = 1;
		i--;
	}
	for (d->word[i] += one; i && d->word[i] >= SGPU_DECIMAL_BASE; i--) {
		d->word[i] -= SGPU_DECIMAL_BASE;
		d->word[i - 1]++;
	}
}

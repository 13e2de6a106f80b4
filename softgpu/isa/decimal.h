/* SPDX-License-Identifier: GPL-2.0 */
/* Digits of floats, exactly and with integers only; pure. */
#ifndef SOFTGPU_DECIMAL_H
#define SOFTGPU_DECIMAL_H

#include <linux/types.h>

/* Digits of the greatest double and of the smallest (IEEE 754): 309 and, behind the point, 1074. */
#define SGPU_DECIMAL_BASE	1000000000U
#define SGPU_DECIMAL_DIGITS	9	/* of a word */
#define SGPU_DECIMAL_WHOLE	35	/* words before the point */
#define SGPU_DECIMAL_PART	120	/* words behind it */

/* Place of the last digit before the point: places count from the left, of any number alike. */
#define SGPU_DECIMAL_UNIT	(SGPU_DECIMAL_WHOLE * SGPU_DECIMAL_DIGITS - 1)

/**
 * struct sgpu_decimal - a number that is not negative
 * @word: of SGPU_DECIMAL_DIGITS digits each, the greatest first
 */
struct sgpu_decimal {
	u32 word[SGPU_DECIMAL_WHOLE + SGPU_DECIMAL_PART];
};

/**
 * sgpu_decimal_set - write out mantissa * 2^exponent
 * @d: filled
 * @mantissa: at most 2^53
 * @exponent: so that the number is at most what a double can be
 */
void sgpu_decimal_set(struct sgpu_decimal *d, u64 mantissa, int exponent);

/**
 * sgpu_decimal_digit - a digit of a number
 * @d: the number
 * @place: from the left, see SGPU_DECIMAL_UNIT
 *
 * Return: 0 ... 9; 0 behind all.
 */
unsigned int sgpu_decimal_digit(const struct sgpu_decimal *d, int place);

/**
 * sgpu_decimal_first - where a number begins
 * @d: the number
 *
 * Return: place of the first digit that is not 0; SGPU_DECIMAL_UNIT for 0.
 */
int sgpu_decimal_first(const struct sgpu_decimal *d);

/**
 * sgpu_decimal_round - round to the nearest, of two to the even
 * @d: the number
 * @place: of the first digit that is dropped
 */
void sgpu_decimal_round(struct sgpu_decimal *d, int place);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Arithmetic rounded to zero, up or down: rounding.c has it, inline/rounding.c CUDA's names. */
#ifndef CUDA_ROUNDING_H
#define CUDA_ROUNDING_H

#include <stdint.h>

enum rounding {
	ROUND_TO_ZERO,
	ROUND_UP,
	ROUND_DOWN,
};

#define ROUNDING_FAMILY(type)							\
	type __softuvm_fma_##type(type a, type b, type c, enum rounding mode);	\
	type __softuvm_div_##type(type a, type b, enum rounding mode);		\
	type __softuvm_sqrt_##type(type a, enum rounding mode);			\
	/* An integer by its magnitude and sign. */				\
	type __softuvm_from_##type(uint64_t magnitude, int negative, enum rounding mode);

ROUNDING_FAMILY(float)
ROUNDING_FAMILY(double)

#undef ROUNDING_FAMILY

float __softuvm_narrow(double a, enum rounding mode);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers of device code: curand_init(), curand(), curand_uniform() and the like.  Whatever the
 * type of the state, numbers come of one generator, Philox4x32-10 (Salmon et al., "Parallel random
 * numbers: as easy as 1, 2, 3", SC 2011): a number is a function of seed, sequence and place, so a
 * place costs nothing to reach.  Those of other generators differ from NVIDIA's.
 * Names and ranges: NVIDIA's documentation of cuRAND's device API.
 */
#ifndef SOFTUVM_CURAND_KERNEL_H
#define SOFTUVM_CURAND_KERNEL_H

#include <cuda_runtime.h>

/**
 * struct softuvm_random - a place in a sequence
 * @seed: key of the generator
 * @sequence: upper half of its counter
 * @block: lower half: which four numbers are next
 * @ready: the last four
 * @used: how many of them were taken
 * @normal: the second of a pair of normal numbers, if @has_normal
 * @has_normal: 1 for a float, 2 for a double
 */
struct softuvm_random {
	unsigned long long seed, sequence, block;
	double normal;
	unsigned int ready[4];
	unsigned char used, has_normal;
};

typedef struct softuvm_random curandStateXORWOW_t, curandStateXORWOW;
typedef struct softuvm_random curandStateMRG32k3a_t, curandStateMRG32k3a;
typedef struct softuvm_random curandStatePhilox4_32_10_t, curandStatePhilox4_32_10;
typedef struct softuvm_random curandState_t, curandState;

#if defined(__CUDA__) && defined(__clang__)

#define SOFTUVM_RANDOM static inline __device__

/* Multipliers and key increments of Philox4x32: Salmon et al., table 2 and section 3.3. */
SOFTUVM_RANDOM void softuvm_philox(struct softuvm_random *state)
{
	unsigned int a = state->block, b = state->block >> 32;
	unsigned int c = state->sequence, d = state->sequence >> 32;
	unsigned int key0 = state->seed, key1 = state->seed >> 32;

	for (int round = 0; round < 10; round++) {
		unsigned long long first = 0xD2511F53ull * a, second = 0xCD9E8D57ull * c;

		a = (unsigned int)(second >> 32) ^ b ^ key0;
		c = (unsigned int)(first >> 32) ^ d ^ key1;
		b = second;
		d = first;
		key0 += 0x9E3779B9;
		key1 += 0xBB67AE85;
	}
	state->ready[0] = a;
	state->ready[1] = b;
	state->ready[2] = c;
	state->ready[3] = d;
}

SOFTUVM_RANDOM void skipahead(unsigned long long count, struct softuvm_random *state)
{
	unsigned long long place = state->used + count;

	state->block += place / 4;
	state->used = place % 4;
	softuvm_philox(state);
}

SOFTUVM_RANDOM void skipahead_sequence(unsigned long long count, struct softuvm_random *state)
{
	state->sequence += count;
	softuvm_philox(state);
}

SOFTUVM_RANDOM void skipahead_subsequence(unsigned long long count, struct softuvm_random *state)
{
	skipahead_sequence(count, state);
}

SOFTUVM_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence,
				unsigned long long offset, struct softuvm_random *state)
{
	state->seed = seed;
	state->sequence = sequence;
	state->block = 0;
	state->used = 0;
	state->has_normal = 0;
	skipahead(offset, state);
}

SOFTUVM_RANDOM unsigned int curand(struct softuvm_random *state)
{
	unsigned int number = state->ready[state->used++];

	if (state->used == 4) {
		state->used = 0;
		state->block++;
		softuvm_philox(state);
	}
	return number;
}

/* From 0, which is left out, to 1. */
SOFTUVM_RANDOM float curand_uniform(struct softuvm_random *state)
{
	return curand(state) * 0x1p-32f + 0x1p-33f;
}

SOFTUVM_RANDOM double curand_uniform_double(struct softuvm_random *state)
{
	unsigned long long low = curand(state);
	unsigned long long number = (unsigned long long)curand(state) << 32 | low;

	return (number >> 11) * 0x1p-53 + 0x1p-53;
}

/* Box and Muller: two uniform numbers are a radius and an angle; the other coordinate is kept. */
SOFTUVM_RANDOM float curand_normal(struct softuvm_random *state)
{
	float radius, angle;

	if (state->has_normal == 1) {
		state->has_normal = 0;
		return (float)state->normal;
	}
	radius = sqrtf(-2.0f * logf(curand_uniform(state)));
	angle = curand_uniform(state) * 6.2831853f;
	state->has_normal = 1;
	state->normal = radius * cosf(angle);
	return radius * sinf(angle);
}

SOFTUVM_RANDOM double curand_normal_double(struct softuvm_random *state)
{
	double radius, angle;

	if (state->has_normal == 2) {
		state->has_normal = 0;
		return state->normal;
	}
	radius = sqrt(-2.0 * log(curand_uniform_double(state)));
	angle = curand_uniform_double(state) * 6.283185307179586;
	state->has_normal = 2;
	state->normal = radius * cos(angle);
	return radius * sin(angle);
}

SOFTUVM_RANDOM float curand_log_normal(struct softuvm_random *state, float mean, float deviation)
{
	return expf(mean + deviation * curand_normal(state));
}

SOFTUVM_RANDOM double curand_log_normal_double(struct softuvm_random *state, double mean,
					       double deviation)
{
	return exp(mean + deviation * curand_normal_double(state));
}

/*
 * Knuth's way (The Art of Computer Programming 2, 3.4.1): products of uniform numbers until they are
 * below exp(-lambda).  It is taken in steps, of which each number is the sum, so that none is 0.
 */
SOFTUVM_RANDOM unsigned int curand_poisson(struct softuvm_random *state, double lambda)
{
	unsigned int number = 0;

	for (; lambda > 0; lambda -= 16) {
		double least = exp(-(lambda < 16 ? lambda : 16)), product = curand_uniform_double(state);

		for (; product > least; product *= curand_uniform_double(state))
			number++;
	}
	return number;
}

#define SOFTUVM_RANDOM_VECTOR(type, name, count, one)				\
	SOFTUVM_RANDOM type##count name(struct softuvm_random *state)			\
	{										\
		type##count v;								\
											\
		for (int i = 0; i < count; i++)						\
			(&v.x)[i] = one(state);						\
		return v;								\
	}

SOFTUVM_RANDOM_VECTOR(uint, curand4, 4, curand)
SOFTUVM_RANDOM_VECTOR(float, curand_uniform2, 2, curand_uniform)
SOFTUVM_RANDOM_VECTOR(float, curand_uniform4, 4, curand_uniform)
SOFTUVM_RANDOM_VECTOR(double, curand_uniform2_double, 2, curand_uniform_double)
SOFTUVM_RANDOM_VECTOR(float, curand_normal2, 2, curand_normal)
SOFTUVM_RANDOM_VECTOR(float, curand_normal4, 4, curand_normal)
SOFTUVM_RANDOM_VECTOR(double, curand_normal2_double, 2, curand_normal_double)

#undef SOFTUVM_RANDOM_VECTOR
#undef SOFTUVM_RANDOM

#endif
#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* What the ten programs share: a check of each call, random numbers, and the last line. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cstdio>
#include <cstdlib>

#define CHECK(call)								\
	do {									\
		cudaError_t error_ = (call);					\
										\
		if (error_ != cudaSuccess) {					\
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,	\
				cudaGetErrorString(error_));			\
			exit(2);						\
		}								\
	} while (0)

/* Managed memory for COUNT values. */
template <typename T> static T *managed(size_t count)
{
	T *memory;

	CHECK(cudaMallocManaged(&memory, count * sizeof(T)));
	return memory;
}

/* Waits for all that was launched. */
static inline void finish()
{
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
}

static inline unsigned int blocks_for(size_t threads, unsigned int block)
{
	return (threads + block - 1) / block;
}

/* The same numbers each time: xorshift of 32 bits (Marsaglia, 2003). */
struct random_numbers {
	unsigned int state;

	explicit random_numbers(unsigned int seed) : state(seed) {}
	unsigned int next()
	{
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		return state;
	}
	/* From 0 up to 1. */
	float fraction() { return (next() >> 8) / 16777216.0f; }
};

/* The number on the command line, or another. */
static inline size_t argument(int argc, char **argv, int index, size_t otherwise)
{
	return argc > index ? strtoul(argv[index], nullptr, 0) : otherwise;
}

static inline int verdict(const char *name, bool right)
{
	printf("%s: %s\n", name, right ? "right" : "WRONG");
	return right ? 0 : 1;
}

#endif

// SPDX-License-Identifier: GPL-2.0
/* curand_kernel.h: known numbers of the generator, places and sequences, and what distributions are. */
#include <curand_kernel.h>
#include "check.h"

#define THREADS 256
#define EACH 64

/* Of the paper's authors (Random123, kat_vectors: philox4x32 10): counter and key of zeros. */
static const unsigned int known[4] = { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 };

struct sums {
	double uniform, uniform_double, normal, square, normal_double, square_double, poisson, log;
	float least, most;
};

__global__ void begin(curandState *states, unsigned int *first)
{
	int i = threadIdx.x;
	curandStatePhilox4_32_10_t philox, later;

	curand_init(1234, i, 0, &states[i]);
	first[i] = curand(&states[i]);
	if (i)
		return;
	curand_init(0, 0, 0, &philox);
	for (int j = 0; j < 4; j++)
		first[THREADS + j] = curand(&philox);
	curand_init(0, 7, 0, &philox);
	curand_init(0, 7, 13, &later);
	skipahead(6, &philox);
	for (int j = 0; j < 7; j++)
		curand(&philox);
	first[THREADS + 4] = curand(&philox) == curand(&later);
	skipahead_sequence(2, &later);
	curand_init(0, 9, 14, &philox);
	first[THREADS + 5] = curand4(&philox).w;
	first[THREADS + 6] = curand4(&later).w;
}

__global__ void draw(curandState *states, sums *out)
{
	curandState state = states[threadIdx.x];
	sums s = { };

	s.least = 1;
	for (int i = 0; i < EACH; i++) {
		float u = curand_uniform(&state), n = curand_normal(&state);
		double d = curand_normal_double(&state);

		s.least = min(s.least, u);
		s.most = max(s.most, u);
		s.uniform += u;
		s.uniform_double += curand_uniform_double(&state);
		s.normal += n;
		s.square += n * n;
		s.normal_double += d;
		s.square_double += d * d;
		s.poisson += curand_poisson(&state, 20);
		s.log += log(curand_log_normal(&state, 1, 0.5f));
	}
	out[threadIdx.x] = s;
	states[threadIdx.x] = state;
}

int main()
{
	curandState *states = managed<curandState>(THREADS);
	unsigned int *first = managed<unsigned int>(THREADS + 7), equal = 0;
	sums *s = managed<sums>(THREADS), all = { };

	begin<<<1, THREADS>>>(states, first);
	draw<<<1, THREADS>>>(states, s);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 4; i++)
		CHECK(first[THREADS + i] == known[i], "%d: %x", i, first[THREADS + i]);
	CHECK(first[THREADS + 4] == 1, "places of a sequence");
	CHECK(first[THREADS + 5] == first[THREADS + 6], "a later sequence");
	for (int i = 1; i < THREADS; i++)
		equal += first[i] == first[i - 1];
	CHECK(!equal, "%u", equal);
	all.least = 1;
	for (int i = 0; i < THREADS; i++) {
		const double from[] = { s[i].uniform, s[i].uniform_double, s[i].normal, s[i].square,
					s[i].normal_double, s[i].square_double, s[i].poisson, s[i].log };

		for (int j = 0; j < 8; j++)
			(&all.uniform)[j] += from[j] / (THREADS * EACH);
		all.least = s[i].least < all.least ? s[i].least : all.least;
		all.most = s[i].most > all.most ? s[i].most : all.most;
	}
	/* Four deviations of a mean of 16384 numbers, or a little more. */
	CHECK(fabs(all.uniform - 0.5) < 0.01 && fabs(all.uniform_double - 0.5) < 0.01, "%f", all.uniform);
	CHECK(all.least > 0 && all.least < 0.001 && all.most > 0.999 && all.most <= 1, "%f", all.most);
	CHECK(fabs(all.normal) < 0.04 && fabs(all.square - 1) < 0.05, "%f %f", all.normal, all.square);
	CHECK(fabs(all.normal_double) < 0.04 && fabs(all.square_double - 1) < 0.05, "%f", all.square_double);
	CHECK(fabs(all.poisson - 20) < 0.15, "%f", all.poisson);
	CHECK(fabs(all.log - 1) < 0.02, "%f", all.log);
	return wrong != 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Stochastic Kronecker graphs (Leskovec et al., JMLR 11, 2010), drawn edge by edge as R-MAT
 * does (Chakrabarti et al., SDM 2004).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/kronecker.h"
#include "run/workload.h"

bool kronecker_parse(struct kronecker *k, const char *initiator)
{
	unsigned int back;
	int end = 0;

	/* Two digits each: a sum of 100 leaves no room for signs and overflow. */
	if (strspn(initiator, "0123456789,") != strlen(initiator) ||
	    sscanf(initiator, "%2u,%2u,%2u,%2u%n", &k->near, &k->side, &back, &k->far, &end) != 4 ||
	    initiator[end])
		return false;
	return k->side && k->side == back && k->near + 2 * k->side + k->far == 100;
}

/* One edge: at each level it is in one of the four quadrants. */
static void kronecker_draw(const struct kronecker *k, uint64_t mixed, uint64_t edge,
			   uint64_t *from, uint64_t *to)
{
	unsigned int level, upper = k->near + k->side;

	*from = 0;
	*to = 0;
	for (level = 0; level < k->scale; level++) {
		uint64_t random = (wl_mix(mixed + edge * 32 + level) >> 32) * 100 >> 32;

		*from = *from << 1 | (random >= upper);
		*to = *to << 1 | ((random >= k->near && random < upper) ||
				  random >= upper + k->side);
	}
}

/* Numbers of the vertices: NULL without memory. */
static uint32_t *kronecker_shuffle(const struct kronecker *k)
{
	uint64_t i, other, mixed = wl_mix(~k->seed), count = 1ULL << k->scale;
	uint32_t *number = malloc(count * sizeof(*number));

	for (i = 0; number && i < count; i++) {
		other = (wl_mix(mixed + i) >> 32) * (i + 1) >> 32;
		number[i] = number[other];
		number[other] = (uint32_t)i;
	}
	return number;
}

static int kronecker_list(struct graph_list *list, const struct kronecker *k, uint64_t draws,
			  const uint32_t *number)
{
	uint64_t mixed = wl_mix(k->seed), edge, from, to;
	int err = 0;

	for (edge = 0; !err && edge < draws; edge++) {
		kronecker_draw(k, mixed, edge, &from, &to);
		err = number ? graph_add(list, number[from], number[to], 0) :
			       graph_add(list, from, to, 0);
	}
	return err;
}

int kronecker_build(struct graph *g, const struct kronecker *k, uint64_t draws)
{
	struct graph_list list = { .vertices = 1ULL << k->scale };
	uint32_t *number = NULL;
	int err = -ENOMEM;

	memset(g, 0, sizeof(*g));
	if (k->shuffled)
		number = kronecker_shuffle(k);
	if (number || !k->shuffled)
		err = kronecker_list(&list, k, draws, number);
	free(number);
	if (!err)
		return graph_build(g, &list);
	graph_list_free(&list);
	return err;
}

/* base ^ power, the same to the bit everywhere, which pow() does not promise. */
static double kronecker_power(double base, uint64_t power)
{
	double result = 1.0;

	for (; power; power >>= 1, base *= base)
		if (power & 1)
			result *= base;
	return result;
}

/*
 * Edges to expect of so many draws, counting both directions.  Pairs of vertices with
 * the same numbers of levels in the four quadrants are equally likely: @corner levels
 * of near, @side of side (either of them), the rest of far.  Without @side it is a loop.
 */
static double kronecker_expect(const struct kronecker *k, uint64_t draws)
{
	unsigned int corner, side;
	double sum = 0.0, ways_corner = 1.0;

	for (corner = 0; corner < k->scale; corner++) {
		unsigned int rest = k->scale - corner;
		double ways = ways_corner;

		for (side = 1; side <= rest; side++) {
			double chance = 2.0 * kronecker_power(k->near / 100.0, corner) *
					kronecker_power(k->side / 100.0, side) *
					kronecker_power(k->far / 100.0, rest - side);

			/* Ways to choose the levels, times which side on each. */
			ways *= 2.0 * (rest - side + 1) / side;
			sum += ways * (1.0 - kronecker_power(1.0 - chance, draws));
		}
		ways_corner *= (double)rest / (corner + 1);
	}
	return sum;
}

uint64_t kronecker_draws(const struct kronecker *k, uint64_t edges, uint64_t max)
{
	uint64_t low = 1, high = max;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (kronecker_expect(k, middle) < (double)edges)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

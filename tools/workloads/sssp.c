// SPDX-License-Identifier: GPL-2.0
/* sssp: shortest paths by rounds, a thread for each vertex. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/sssp.c"
#include "../uvm/run/workload.h"

#define SSSP_DEGREE_MAX		16
#define SSSP_ROUNDS_MAX		1000000
#define SSSP_VERTICES_MAX	(1ULL << 27)	/* edges have 32 bits */
#define SSSP_WEIGHTS		1000		/* 0, 0.001 ... 0.999 */
/* What a vertex takes, and each of its edges. */
#define SSSP_VERTEX_BYTES	(sizeof(uint32_t) + 1 + 2 * sizeof(float))
#define SSSP_EDGE_BYTES		(sizeof(uint32_t) + sizeof(float))

/**
 * struct sssp - state of a run
 * @args: managed memory
 * @degree: edges of each vertex
 * @rounds: of two launches
 * @block: threads per block
 */
struct sssp {
	struct sssp_args args;
	uint64_t degree, rounds, block;
};

/**
 * struct sssp_own - the same search on the CPU, in private memory
 * @distance: as in struct sssp_args
 * @updating: likewise
 * @mask: likewise
 */
struct sssp_own {
	float *distance, *updating;
	uint8_t *mask;
};

static int sssp_take_options(struct wl_run *run)
{
	struct sssp *s = run->data;
	uint64_t each;

	s->degree = wl_number(run, "degree");
	s->rounds = wl_number(run, "rounds");
	s->block = wl_number(run, "block");
	if (!s->degree || s->degree > SSSP_DEGREE_MAX)
		return wl_fail(run, EINVAL, "a vertex has 1 ... %d edges", SSSP_DEGREE_MAX);
	if (!s->rounds || s->rounds > SSSP_ROUNDS_MAX)
		return wl_fail(run, EINVAL, "there must be 1 ... %d rounds", SSSP_ROUNDS_MAX);
	if (!s->block || s->block > 1024)
		return wl_fail(run, EINVAL, "a block has 1 ... 1024 threads");
	each = SSSP_VERTEX_BYTES + s->degree * SSSP_EDGE_BYTES;
	s->args.vertices = wl_number(run, "size") / each;
	if (s->args.vertices <= s->degree || s->args.vertices > SSSP_VERTICES_MAX)
		return wl_fail(run, EINVAL, "the size must be %llu bytes a vertex, of %llu ... 128M",
			       (unsigned long long)each, (unsigned long long)s->degree + 1);
	s->args.edge_count = s->args.vertices * s->degree;
	return 0;
}

static int sssp_setup(struct wl_run *run)
{
	struct sssp *s = run->data;
	struct sssp_args *a = &s->args;
	int err = sssp_take_options(run);

	if (err)
		return err;
	a->first = wl_alloc(run, a->vertices * sizeof(*a->first), "first");
	a->edges = wl_alloc(run, a->edge_count * sizeof(*a->edges), "edges");
	a->weights = wl_alloc(run, a->edge_count * sizeof(*a->weights), "weights");
	a->mask = wl_alloc(run, a->vertices, "mask");
	a->distance = wl_alloc(run, a->vertices * sizeof(*a->distance), "distance");
	a->updating = wl_alloc(run, a->vertices * sizeof(*a->updating), "updating");
	if (!a->first || !a->edges || !a->weights || !a->mask || !a->distance || !a->updating)
		return -ENOMEM;
	wl_input(run, a->first);
	wl_input(run, a->edges);
	wl_input(run, a->weights);
	wl_output(run, a->mask);
	wl_output(run, a->distance);
	wl_output(run, a->updating);
	return 0;
}

/* The edges of a vertex: to others, each once. */
static void sssp_draw(const struct wl_run *run, uint64_t vertex, uint32_t *to, float *weight)
{
	const struct sssp *s = run->data;
	uint64_t draw = wl_mix(wl_mix(run->seed) + vertex), i, known;

	for (i = 0; i < s->degree; i += known == i) {
		draw = wl_mix(draw + 1);
		to[i] = (uint32_t)(draw % s->args.vertices);
		weight[i] = (float)((draw >> 32) % SSSP_WEIGHTS) / SSSP_WEIGHTS;
		for (known = 0; known < i && to[known] != to[i]; known++)
			;
		if (to[i] == vertex)
			known = i + 1;
	}
}

static int sssp_init_graph(struct wl_run *run)
{
	struct sssp *s = run->data;
	uint32_t *first = (uint32_t *)s->args.first, *edges = (uint32_t *)s->args.edges;
	float *weights = (float *)s->args.weights, weight[SSSP_DEGREE_MAX];
	uint32_t to[SSSP_DEGREE_MAX];
	uint64_t v, i;

	for (v = 0; v < s->args.vertices; v++) {
		first[v] = (uint32_t)(v * s->degree);
		sssp_draw(run, v, to, weight);
		for (i = 0; i < s->degree; i++) {
			edges[v * s->degree + i] = to[i];
			weights[v * s->degree + i] = weight[i];
		}
	}
	return 0;
}

static int sssp_launch(struct wl_run *run, const char *entry)
{
	const struct sssp *s = run->data;
	uint64_t blocks = (s->args.vertices + s->block - 1) / s->block;

	return wl_launch(run, entry, UVM_DIM((uint32_t)blocks), UVM_DIM((uint32_t)s->block), 0,
			 &s->args, sizeof(s->args));
}

static int sssp_execute(struct wl_run *run)
{
	const struct sssp *s = run->data;
	int err = sssp_launch(run, "sssp_init");
	uint64_t round;

	for (round = 0; round < s->rounds && !err; round++) {
		err = sssp_launch(run, "sssp_relax");
		if (!err)
			err = sssp_launch(run, "sssp_adopt");
	}
	return err;
}

static void sssp_round(const struct wl_run *run, const struct sssp_own *own)
{
	const struct sssp *s = run->data;
	float weight[SSSP_DEGREE_MAX], distance;
	uint32_t to[SSSP_DEGREE_MAX];
	uint64_t v, i;

	for (v = 0; v < s->args.vertices; v++) {
		if (!own->mask[v])
			continue;
		own->mask[v] = 0;
		sssp_draw(run, v, to, weight);
		for (i = 0; i < s->degree; i++) {
			distance = own->distance[v] + weight[i];
			if (distance < own->updating[to[i]])
				own->updating[to[i]] = distance;
		}
	}
	for (v = 0; v < s->args.vertices; v++) {
		own->mask[v] = own->updating[v] < own->distance[v];
		own->distance[v] = own->updating[v];
	}
}

static int sssp_compare(struct wl_run *run, const struct sssp_own *own)
{
	const struct sssp_args *a = &((const struct sssp *)run->data)->args;
	uint64_t v;

	for (v = 0; v < a->vertices; v++) {
		if (a->distance[v] != own->distance[v] || a->updating[v] != own->distance[v])
			return wl_wrong(run, "vertex %llu is at distance %.9g (%.9g), not %.9g",
					(unsigned long long)v, a->distance[v], a->updating[v],
					own->distance[v]);
		if (a->mask[v] != own->mask[v])
			return wl_wrong(run, "vertex %llu is %smarked", (unsigned long long)v,
					own->mask[v] ? "not " : "");
	}
	return 0;
}

static int sssp_verify(struct wl_run *run)
{
	const struct sssp *s = run->data;
	struct sssp_own own = {
		.distance = malloc(s->args.vertices * sizeof(float)),
		.updating = malloc(s->args.vertices * sizeof(float)),
		.mask = calloc(s->args.vertices, 1),
	};
	uint64_t i;
	int wrong;

	if (own.distance && own.updating && own.mask) {
		for (i = 0; i < s->args.vertices; i++)
			own.distance[i] = own.updating[i] = SSSP_INFINITY;
		own.distance[s->args.start] = 0;
		own.updating[s->args.start] = 0;
		own.mask[s->args.start] = 1;
		for (i = 0; i < s->rounds; i++)
			sssp_round(run, &own);
		wrong = sssp_compare(run, &own);
	} else {
		wrong = wl_fail(run, ENOMEM, "out of memory");
	}
	free(own.distance);
	free(own.updating);
	free(own.mask);
	return wrong;
}

static const struct wl_option sssp_options[] = {
	{ "size", WL_BYTES, "7424K", "footprint: 13 bytes for each vertex, 8 for each edge" },
	{ "degree", WL_COUNT, "2", "edges of each vertex, to any others" },
	{ "rounds", WL_COUNT, "15", "of two launches" },
	{ "block", WL_COUNT, "32", "threads per block" },
	{ 0 },
};

static const struct wl_case sssp_cases[] = {
	{ "--size 100K", "distance", 4 * 3000 },
	{ "--size 30K --degree 4 --rounds 7 --block 16", "updating", 4 * 600 },
	{ "--size 20K --rounds 5", "mask", 50 },
	{ "--size 42 --degree 1 --rounds 1", "distance", 4 },
	{ 0 },
};

static const struct wl_size sssp_sizes[] = {
	{ "--size 4M --rounds 12", "--size 3M --rounds 8 --block 16" },
	{ 0 },
};

UVM_WORKLOAD(sssp,
	     .what = "shortest paths: rounds over all vertices, a thread each",
	     .group = "adaptive",
	     .image = "sssp",
	     .options = sssp_options,
	     .cases = sssp_cases,
	     .sizes = sssp_sizes,
	     .data_bytes = sizeof(struct sssp),
	     .setup = sssp_setup,
	     .init = sssp_init_graph,
	     .execute = sssp_execute,
	     .verify = sssp_verify,
);

// SPDX-License-Identifier: GPL-2.0
/* kmeans: points in groups, after Rodinia. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/kmeans.c"
#include "../uvm/run/workload.h"

#define KMEANS_POINT_BYTES	((2 * KMEANS_FEATURES + 1) * 4)

/**
 * struct kmeans - state of a run
 * @args: managed memory, sizes and the centres as they are now
 * @points: private copy, from which the CPU moves centres, as in Rodinia
 * @before: private, membership of the round before
 */
struct kmeans {
	struct kmeans_args args;
	float *points;
	int32_t *before;
};

static int kmeans_setup(struct wl_run *run)
{
	struct kmeans *k = run->data;
	struct kmeans_args *a = &k->args;
	uint64_t iterations = wl_number(run, "iterations");

	a->count = wl_number(run, "points");
	if (!a->count)
		a->count = wl_number(run, "size") / KMEANS_POINT_BYTES;
	a->centres = (uint32_t)wl_number(run, "centres");
	if (wl_number(run, "centres") < 2 || wl_number(run, "centres") > KMEANS_CENTRES)
		return wl_fail(run, EINVAL, "there are 2 ... %d centres", KMEANS_CENTRES);
	if (a->count < a->centres || a->count > 1 << 30)
		return wl_fail(run, EINVAL, "%u ... 1G points, which take %d bytes each",
			       a->centres, KMEANS_POINT_BYTES);
	if (!iterations || iterations > 500)
		return wl_fail(run, EINVAL, "iterations must be 1 ... 500");

	a->points = wl_alloc(run, a->count * sizeof(a->centre[0]), "points");
	a->columns = wl_alloc(run, a->count * sizeof(a->centre[0]), "columns");
	a->membership = wl_alloc(run, a->count * sizeof(*a->membership), "membership");
	k->points = malloc(a->count * sizeof(a->centre[0]));
	k->before = malloc(a->count * sizeof(*k->before));
	if (!a->points || !a->columns || !a->membership)
		return -ENOMEM;
	if (!k->points || !k->before)
		return wl_fail(run, ENOMEM, "out of memory");
	wl_input(run, a->points);
	wl_output(run, a->columns);
	wl_output(run, a->membership);
	return 0;
}

/* Around one of a few places, so that there is something to find. */
static float kmeans_feature(const struct wl_run *run, uint64_t point, uint64_t feature)
{
	uint64_t group = wl_mix(run->seed + point) % 7;

	return wl_small_float(~run->seed - group * KMEANS_FEATURES - feature) +
	       0.5f * wl_small_float(run->seed + point * KMEANS_FEATURES + feature);
}

static int kmeans_init(struct wl_run *run)
{
	struct kmeans *k = run->data;
	float *points = (float *)k->args.points;
	uint64_t i;

	for (i = 0; i < k->args.count * KMEANS_FEATURES; i++) {
		points[i] = kmeans_feature(run, i / KMEANS_FEATURES, i % KMEANS_FEATURES);
		k->points[i] = points[i];
	}
	return 0;
}

/* The first points are the first centres. */
static void kmeans_begin(struct kmeans *k, struct kmeans_args *args)
{
	uint64_t i, j;

	for (i = 0; i < args->centres; i++)
		for (j = 0; j < KMEANS_FEATURES; j++)
			args->centre[i][j] = k->points[i * KMEANS_FEATURES + j];
	for (i = 0; i < args->count; i++)
		k->before[i] = -1;
}

/* Each centre goes to the mean of its points; says whether one of these is new. */
static bool kmeans_move(struct kmeans *k, struct kmeans_args *args, const int32_t *membership)
{
	float sum[KMEANS_CENTRES][KMEANS_FEATURES] = { 0 };
	uint64_t points[KMEANS_CENTRES] = { 0 }, i, j;
	bool moved = false;

	for (i = 0; i < args->count; i++) {
		int32_t centre = membership[i];

		moved = moved || centre != k->before[i];
		k->before[i] = centre;
		/* A wrong one is for verification to find. */
		if (centre < 0 || centre >= KMEANS_CENTRES)
			continue;
		points[centre]++;
		for (j = 0; j < KMEANS_FEATURES; j++)
			sum[centre][j] += k->points[i * KMEANS_FEATURES + j];
	}
	for (i = 0; i < args->centres; i++)
		for (j = 0; j < KMEANS_FEATURES && points[i]; j++)
			args->centre[i][j] = sum[i][j] / (float)points[i];
	return moved;
}

static int kmeans_execute(struct wl_run *run)
{
	struct kmeans *k = run->data;
	struct kmeans_args *a = &k->args;
	struct uvm_dim3 grid = UVM_DIM((uint32_t)((a->count + KMEANS_BLOCK - 1) / KMEANS_BLOCK));
	uint64_t i;
	bool moved = true;
	int err;

	kmeans_begin(k, a);
	err = wl_launch(run, "kmeans_invert", grid, UVM_DIM(KMEANS_BLOCK), 0, a, sizeof(*a));
	for (i = 0; i < wl_number(run, "iterations") && !err && moved; i++) {
		err = wl_launch(run, "kmeans_nearest", grid, UVM_DIM(KMEANS_BLOCK), 0, a,
				sizeof(*a));
		if (!err)
			err = wl_to_cpu(run, a->membership, a->count * sizeof(*a->membership));
		if (!err)
			moved = kmeans_move(k, a, a->membership);
	}
	return err;
}

static float kmeans_distance_cpu(const float *point, const float *centre)
{
	float sum = 0;
	int i;

	for (i = 0; i < KMEANS_FEATURES; i++)
		sum = kmeans_add(sum, point[i], centre[i]);
	return sum;
}

/* Of several that are as near the first one. */
static int32_t kmeans_nearest_cpu(const struct kmeans_args *args, const float *point)
{
	float least = kmeans_distance_cpu(point, args->centre[0]);
	int32_t nearest = 0;
	uint32_t i;

	for (i = 1; i < args->centres; i++) {
		float distance = kmeans_distance_cpu(point, args->centre[i]);

		if (distance < least) {
			least = distance;
			nearest = (int32_t)i;
		}
	}
	return nearest;
}

/* The whole run again, from the private copy. */
static void kmeans_want(struct wl_run *run, struct kmeans_args *args, int32_t *membership)
{
	struct kmeans *k = run->data;
	bool moved = true;
	uint64_t i, j;

	kmeans_begin(k, args);
	for (i = 0; i < wl_number(run, "iterations") && moved; i++) {
		for (j = 0; j < args->count; j++)
			membership[j] = kmeans_nearest_cpu(args, k->points + j * KMEANS_FEATURES);
		moved = kmeans_move(k, args, membership);
	}
}

static int kmeans_compare(struct wl_run *run, const int32_t *membership)
{
	const struct kmeans *k = run->data;
	const struct kmeans_args *a = &k->args;
	uint64_t i, j;

	for (j = 0; j < KMEANS_FEATURES; j++)
		for (i = 0; i < a->count; i++)
			if (a->columns[j * a->count + i] != k->points[i * KMEANS_FEATURES + j])
				return wl_wrong(run, "feature %llu of point %llu is %.9g",
						(unsigned long long)j, (unsigned long long)i,
						a->columns[j * a->count + i]);
	for (i = 0; i < a->count; i++)
		if (a->membership[i] != membership[i])
			return wl_wrong(run, "the centre of point %llu is %d, not %d",
					(unsigned long long)i, a->membership[i], membership[i]);
	return 0;
}

static int kmeans_verify(struct wl_run *run)
{
	struct kmeans *k = run->data;
	struct kmeans_args args = k->args;
	int32_t *membership = malloc(args.count * sizeof(*membership));
	int wrong;

	if (!membership)
		return wl_fail(run, ENOMEM, "out of memory");
	kmeans_want(run, &args, membership);
	wrong = kmeans_compare(run, membership);
	free(membership);
	return wrong;
}

static void kmeans_cleanup(struct wl_run *run)
{
	struct kmeans *k = run->data;

	free(k->points);
	free(k->before);
}

static const struct wl_option kmeans_options[] = {
	{ "size", WL_BYTES, "17664K", "footprint: 276 bytes for each point" },
	{ "points", WL_COUNT, "0", "or so many; 0: by --size" },
	{ "centres", WL_COUNT, "5", "groups to find, 2 ... 16" },
	{ "iterations", WL_COUNT, "2", "at most; it ends when no point changes its group" },
	{ 0 },
};

static const struct wl_case kmeans_cases[] = {
	{ "--points 1000 --iterations 5", "membership", 4 * 999 },
	{ "--size 100K --centres 16", "columns", 4 * 34 },
	{ "--points 2 --centres 2", "membership", 0 },
	{ 0 },
};

static const struct wl_size kmeans_sizes[] = {
	{ .small = "--size 3M --centres 2 --iterations 1" },
	{ 0 },
};

UVM_WORKLOAD(kmeans,
	     .what = "points to the nearest of a few centres, by columns of features",
	     .group = "hpe",
	     .image = "kmeans",
	     .options = kmeans_options,
	     .cases = kmeans_cases,
	     .sizes = kmeans_sizes,
	     .data_bytes = sizeof(struct kmeans),
	     .setup = kmeans_setup,
	     .init = kmeans_init,
	     .execute = kmeans_execute,
	     .verify = kmeans_verify,
	     .cleanup = kmeans_cleanup,
);

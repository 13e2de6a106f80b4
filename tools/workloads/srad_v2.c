// SPDX-License-Identifier: GPL-2.0
/*
 * srad_v2: speckle reducing anisotropic diffusion.
 *
 * Rodinia measures the speckles on the CPU in each iteration, in a corner of the image that it
 * copies.  That would take pages from the GPU, so here they are measured once; then their scale
 * falls as Yu and Acton have it.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/srad_v2.c"
#include "../uvm/run/workload.h"

#define SRAD_ARRAYS	6
#define SRAD_SIDE_MIN	16
#define SRAD_SIDE_MAX	32768
#define SRAD_CORNER	128	/* pixels of a side where speckles are measured */
#define SRAD_LAMBDA	0.5f	/* time step */
#define SRAD_FALL	0.7165313f /* exp(-2/6): of the scale's square in an iteration */

static const char * const srad_names[SRAD_ARRAYS] = {
	"image", "c", "north", "south", "west", "east",
};

struct srad {
	float *array[SRAD_ARRAYS];
	uint64_t side;
};

static int srad_setup(struct wl_run *run)
{
	struct srad *s = run->data;
	uint64_t pixel = SRAD_ARRAYS * sizeof(float);
	int i;

	s->side = (uint64_t)sqrt((double)wl_number(run, "size") / pixel);
	if (s->side < SRAD_SIDE_MIN || s->side > SRAD_SIDE_MAX)
		return wl_fail(run, EINVAL, "the size must be 6K ... 24G");
	if (!wl_number(run, "iterations") || wl_number(run, "iterations") > 1000)
		return wl_fail(run, EINVAL, "iterations must be 1 ... 1000");

	for (i = 0; i < SRAD_ARRAYS; i++) {
		s->array[i] = wl_alloc(run, s->side * s->side * sizeof(float), srad_names[i]);
		if (!s->array[i])
			return -ENOMEM;
	}
	/* All but the image begin and end on the GPU. */
	for (i = 1; i < SRAD_ARRAYS; i++) {
		wl_input(run, s->array[i]);
		wl_output(run, s->array[i]);
	}
	return 0;
}

/* 1 ... e: Rodinia has the exponential of a random picture. */
static float srad_pixel(const struct wl_run *run, uint64_t i)
{
	return 1.86f + 0.86f * wl_small_float(run->seed + i);
}

static int srad_init(struct wl_run *run)
{
	struct srad *s = run->data;
	uint64_t i;

	for (i = 0; i < s->side * s->side; i++)
		s->array[0][i] = srad_pixel(run, i);
	return 0;
}

/* Variance by the square of the mean, of the corner of the image as it was. */
static float srad_speckle(const struct wl_run *run, const struct srad *s)
{
	uint64_t corner = s->side < SRAD_CORNER ? s->side : SRAD_CORNER, x, y;
	double sum = 0, squares = 0, mean, n = (double)corner * (double)corner;

	for (y = 0; y < corner; y++) {
		for (x = 0; x < corner; x++) {
			double pixel = srad_pixel(run, y * s->side + x);

			sum += pixel;
			squares += pixel * pixel;
		}
	}
	mean = sum / n;
	return (float)((squares / n - mean * mean) / (mean * mean));
}

static struct srad_args srad_args(const struct srad *s, float * const array[], float speckle)
{
	return (struct srad_args){
		.image = array[0], .c = array[1], .north = array[2], .south = array[3],
		.west = array[4], .east = array[5], .side = s->side, .speckle = speckle,
		.divisor = speckle * (1.0f + speckle), .step = 0.25f * SRAD_LAMBDA,
	};
}

static int srad_execute(struct wl_run *run)
{
	struct srad *s = run->data;
	uint32_t blocks = (uint32_t)((s->side + SRAD_TILE - 1) / SRAD_TILE);
	struct uvm_dim3 grid = { blocks, blocks, 1 };
	float speckle = srad_speckle(run, s);
	uint64_t i;
	int err = 0;

	for (i = 0; i < wl_number(run, "iterations") && !err; i++) {
		struct srad_args args = srad_args(s, s->array, speckle);

		err = wl_launch(run, "srad_v2_differences", grid, UVM_DIM(SRAD_THREADS), 0, &args,
				sizeof(args));
		if (!err)
			err = wl_launch(run, "srad_v2_diffuse", grid, UVM_DIM(SRAD_THREADS), 0,
					&args, sizeof(args));
		speckle *= SRAD_FALL;
	}
	return err;
}

static void srad_iterate(const struct srad_args *args)
{
	uint64_t x, y;

	for (y = 0; y < args->side; y++)
		for (x = 0; x < args->side; x++)
			srad_differences(args, x, y);
	for (y = 0; y < args->side; y++)
		for (x = 0; x < args->side; x++)
			srad_diffuse(args, x, y);
}

static int srad_compare(struct wl_run *run, const float *want)
{
	struct srad *s = run->data;
	const float *got = s->array[0];
	uint64_t i;

	for (i = 0; i < s->side * s->side; i++)
		if (got[i] != want[i])
			return wl_wrong(run, "row %llu, column %llu is %.9g, not %.9g",
					(unsigned long long)(i / s->side),
					(unsigned long long)(i % s->side), got[i], want[i]);
	return 0;
}

static int srad_verify(struct wl_run *run)
{
	struct srad *s = run->data;
	uint64_t pixels = s->side * s->side, i;
	float *memory = malloc(SRAD_ARRAYS * pixels * sizeof(float)), *array[SRAD_ARRAYS];
	float speckle = srad_speckle(run, s);
	int wrong;

	if (!memory)
		return wl_fail(run, ENOMEM, "out of memory");
	for (i = 0; i < SRAD_ARRAYS; i++)
		array[i] = memory + i * pixels;
	for (i = 0; i < pixels; i++)
		array[0][i] = srad_pixel(run, i);
	for (i = 0; i < wl_number(run, "iterations"); i++, speckle *= SRAD_FALL) {
		struct srad_args args = srad_args(s, array, speckle);

		srad_iterate(&args);
	}
	wrong = srad_compare(run, array[0]);
	free(memory);
	return wrong;
}

static const struct wl_option srad_options[] = {
	{ "size", WL_BYTES, "9600K", "footprint of the image and the five other arrays" },
	{ "iterations", WL_COUNT, "2", "iterations, of two launches each" },
	{ 0 },
};

static const struct wl_case srad_cases[] = {
	{ "--size 100K", "image", 4 * 4000 },
	{ "--size 96K --iterations 3", "image", 4 * 65 + 3 },
	{ "--size 6K --iterations 1", "image", 4 * 255 },
	{ 0 },
};

static const struct wl_size srad_sizes[] = {
	{ .small = "--size 3M --iterations 1" },
	{ 0 },
};

UVM_WORKLOAD(srad_v2,
	     .what = "speckle reducing diffusion of an image, two sweeps an iteration",
	     .group = "hpe",
	     .image = "srad_v2",
	     .options = srad_options,
	     .cases = srad_cases,
	     .sizes = srad_sizes,
	     .data_bytes = sizeof(struct srad),
	     .setup = srad_setup,
	     .init = srad_init,
	     .execute = srad_execute,
	     .verify = srad_verify,
);

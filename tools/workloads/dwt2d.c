// SPDX-License-Identifier: GPL-2.0
/*
 * dwt2d: a wavelet transform of an image, after Rodinia.
 *
 * The transform loses nothing and every result belongs to one image only, so it is
 * verified by its inverse.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/dwt2d.c"
#include "../uvm/run/workload.h"

#define DWT2D_PIXEL_BYTES	(3 + 3 * 2 * 4)
#define DWT2D_STRIPS		15	/* one above the other, or fewer */
#define DWT2D_LEVELS_MAX	8

/**
 * struct dwt2d - state of a run
 * @pixels: managed
 * @plane: managed, of each colour
 * @bands: managed, of each colour
 * @width: of the image
 * @height: of the image
 * @levels: that are transformed
 */
struct dwt2d {
	uint8_t *pixels;
	int32_t *plane[3];
	int32_t *bands[3];
	uint64_t width, height;
	unsigned int levels;
};

/* Sides can be halved for each level; the last one has four places or more. */
static int dwt2d_sides(struct wl_run *run, struct dwt2d *d)
{
	uint64_t pixels = wl_number(run, "size") / DWT2D_PIXEL_BYTES, unit;

	if (!wl_number(run, "levels") || wl_number(run, "levels") > DWT2D_LEVELS_MAX)
		return wl_fail(run, EINVAL, "levels must be 1 ... %d", DWT2D_LEVELS_MAX);
	d->levels = (unsigned int)wl_number(run, "levels");
	unit = 1ULL << d->levels;
	d->width = wl_number(run, "width");
	if (!d->width)
		d->width = (uint64_t)sqrt((double)pixels) / unit * unit;
	d->height = d->width ? pixels / d->width / unit * unit : 0;
	if (d->width < 2 * unit || d->width % unit || d->width > 1 << 20 ||
	    d->height < 2 * unit || d->height > 1 << 20)
		return wl_fail(run, EINVAL,
			       "%llu by %llu pixels: sides must be multiples of %llu for %u levels, %llu ... 1M",
			       (unsigned long long)d->width, (unsigned long long)d->height,
			       (unsigned long long)unit, d->levels, (unsigned long long)(2 * unit));
	return 0;
}

static int dwt2d_setup(struct wl_run *run)
{
	static const char * const planes[] = { "red", "green", "blue" };
	static const char * const bands[] = { "red-bands", "green-bands", "blue-bands" };
	struct dwt2d *d = run->data;
	uint64_t pixels;
	int err, i;

	err = dwt2d_sides(run, d);
	if (err)
		return err;
	pixels = d->width * d->height;
	d->pixels = wl_alloc(run, 3 * pixels, "pixels");
	if (!d->pixels)
		return -ENOMEM;
	wl_input(run, d->pixels);
	for (i = 0; i < 3; i++) {
		d->plane[i] = wl_alloc(run, pixels * sizeof(int32_t), planes[i]);
		d->bands[i] = wl_alloc(run, pixels * sizeof(int32_t), bands[i]);
		if (!d->plane[i] || !d->bands[i])
			return -ENOMEM;
		/* Planes are the GPU's alone. */
		wl_output(run, d->plane[i]);
		wl_input(run, d->plane[i]);
		wl_output(run, d->bands[i]);
	}
	return 0;
}

/* A picture of some large and some small things. */
static uint8_t dwt2d_pixel(const struct wl_run *run, uint64_t pixel, uint64_t colour)
{
	const struct dwt2d *d = run->data;
	uint64_t x = pixel % d->width, y = pixel / d->width, big, fine;

	big = wl_mix(run->seed + 3 * (x / 50 + y / 70 * d->width) + colour) % 192;
	fine = wl_mix(~run->seed - 3 * pixel - colour) % 64;
	return (uint8_t)(big + fine);
}

static int dwt2d_init(struct wl_run *run)
{
	struct dwt2d *d = run->data;
	uint64_t i;

	for (i = 0; i < 3 * d->width * d->height; i++)
		d->pixels[i] = dwt2d_pixel(run, i / 3, i % 3);
	return 0;
}

static int dwt2d_launch(struct wl_run *run, const char *entry, const struct dwt2d_args *args)
{
	uint64_t blocks = (args->count + DWT2D_SPLIT - 1) / DWT2D_SPLIT;

	return wl_launch(run, entry, UVM_DIM((uint32_t)blocks), UVM_DIM(DWT2D_SPLIT),
			 3 * DWT2D_SPLIT, args, sizeof(*args));
}

/* Threads of a block and strips, as in Rodinia. */
static int dwt2d_level(struct wl_run *run, struct dwt2d_args *args)
{
	uint32_t block = args->width >= 960 ? DWT2D_BLOCK : args->width >= 480 ? 128 : 64;
	int32_t windows = (args->height + DWT2D_STRIPS * DWT2D_ROWS - 1) /
			  (DWT2D_STRIPS * DWT2D_ROWS);
	struct uvm_dim3 grid = { ((uint32_t)args->width + block - 1) / block, 1, 1 };

	args->strip = windows * DWT2D_ROWS;
	grid.y = (uint32_t)((args->height + args->strip - 1) / args->strip);
	return wl_launch(run, "dwt2d_level", grid, UVM_DIM(block), DWT2D_SHARED, args,
			 sizeof(*args));
}

/* All levels of a plane. */
static int dwt2d_plane(struct wl_run *run, int plane)
{
	struct dwt2d *d = run->data;
	struct dwt2d_args args = {
		.plane = { d->plane[plane] }, .bands = d->bands[plane],
		.width = (int32_t)d->width, .height = (int32_t)d->height,
	};
	unsigned int level;
	int err;

	err = dwt2d_level(run, &args);
	for (level = 1; level < d->levels && !err; level++) {
		args.width /= 2;
		args.height /= 2;
		args.count = (uint64_t)args.width * (uint64_t)args.height;
		err = dwt2d_launch(run, "dwt2d_copy", &args);
		if (!err)
			err = dwt2d_level(run, &args);
	}
	return err;
}

static int dwt2d_execute(struct wl_run *run)
{
	struct dwt2d *d = run->data;
	struct dwt2d_args args = {
		.pixels = d->pixels, .plane = { d->plane[0], d->plane[1], d->plane[2] },
		.count = d->width * d->height,
	};
	int err, i;

	err = dwt2d_launch(run, "dwt2d_split", &args);
	for (i = 0; i < 3 && !err; i++)
		err = dwt2d_plane(run, i);
	return err;
}

/*
 * The inverse along one line of @size places, @step apart: low ones from @low, high ones
 * from @high, to @to, where places are @to_step apart.
 */
static void dwt2d_back_line(const int32_t *low, const int32_t *high, uint64_t step, int32_t *to,
			    uint64_t to_step, uint64_t size)
{
	uint64_t half = size / 2, i;

	for (i = 0; i < half; i++)
		to[2 * i * to_step] = low[i * step] -
			dwt2d_lift(high[(i ? i - 1 : 0) * step], high[i * step]);
	for (i = 0; i < half; i++) {
		int32_t before = to[2 * i * to_step];
		int32_t after = i + 1 < half ? to[(2 * i + 2) * to_step] : before;

		to[(2 * i + 1) * to_step] = high[i * step] + ((before + after) >> 1);
	}
}

/* The inverse of a level, in place; @other has as much room. */
static void dwt2d_back_level(int32_t *bands, int32_t *other, uint64_t width, uint64_t height)
{
	uint64_t half = width / 2, quarter = half * (height / 2), i;

	/* Columns: two quarters each become a half of the rows' low or high places. */
	for (i = 0; i < width; i++) {
		int32_t *low = bands + (i < half ? i : quarter + i - half);

		dwt2d_back_line(low, low + 2 * quarter, half, other + i, width, height);
	}
	for (i = 0; i < height; i++)
		dwt2d_back_line(other + i * width, other + i * width + half, 1, bands + i * width,
				1, width);
}

static int dwt2d_verify_plane(struct wl_run *run, int plane, int32_t *bands, int32_t *other)
{
	const struct dwt2d *d = run->data;
	uint64_t pixels = d->width * d->height, i;
	unsigned int level;

	for (i = 0; i < pixels; i++)
		bands[i] = d->bands[plane][i];
	for (level = d->levels; level--;)
		dwt2d_back_level(bands, other, d->width >> level, d->height >> level);
	for (i = 0; i < pixels; i++)
		if (bands[i] != dwt2d_pixel(run, i, plane) - 128)
			return wl_wrong(run, "row %llu, column %llu of plane %d is %d, not %d",
					(unsigned long long)(i / d->width),
					(unsigned long long)(i % d->width), plane, bands[i],
					dwt2d_pixel(run, i, plane) - 128);
	return 0;
}

static int dwt2d_verify(struct wl_run *run)
{
	const struct dwt2d *d = run->data;
	uint64_t pixels = d->width * d->height;
	int32_t *bands = malloc(2 * pixels * sizeof(*bands));
	int wrong = 0, i;

	if (!bands)
		return wl_fail(run, ENOMEM, "out of memory");
	for (i = 0; i < 3 && !wrong; i++)
		wrong = dwt2d_verify_plane(run, i, bands, bands + pixels);
	free(bands);
	return wrong;
}

static const struct wl_option dwt2d_options[] = {
	{ "size", WL_BYTES, "15552K", "footprint: 27 bytes for each pixel" },
	{ "width", WL_COUNT, "0", "of the image; 0: a square, or nearly" },
	{ "levels", WL_COUNT, "3", "of the transform, 1 ... 8" },
	{ 0 },
};

static const struct wl_case dwt2d_cases[] = {
	{ "--size 200K", "red-bands", 4 },
	{ "--size 400K --width 160 --levels 4", "blue-bands", 4 * 10000 },
	{ "--size 2M --width 1000 --levels 1", "green-bands", 4 * 70000 },
	{ "--size 432 --levels 1", "blue-bands", 4 * 15 },
	{ 0 },
};

static const struct wl_size dwt2d_sizes[] = {
	{ .small = "--size 3M --levels 2" },
	{ 0 },
};

UVM_WORKLOAD(dwt2d,
	     .what = "wavelet transform of an image, 5/3, some levels",
	     .group = "hpe",
	     .image = "dwt2d",
	     .options = dwt2d_options,
	     .cases = dwt2d_cases,
	     .sizes = dwt2d_sizes,
	     .data_bytes = sizeof(struct dwt2d),
	     .setup = dwt2d_setup,
	     .init = dwt2d_init,
	     .execute = dwt2d_execute,
	     .verify = dwt2d_verify,
);

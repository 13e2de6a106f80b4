// SPDX-License-Identifier: GPL-2.0
/* sad: sums of absolute differences for motion search, after Parboil. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/sad.c"
#include "../uvm/run/workload.h"

#define SAD_FRAME_BYTES		(SAD_SIDE * SAD_SIDE * 2)
#define SAD_BLOCK_BYTES		(2 * SAD_FRAME_BYTES + SAD_BLOCKS * SAD_ROOM * 2)

/**
 * struct sad - state of a run
 * @args: managed memory and sizes
 * @width: of a frame, in pixels
 * @height: of a frame
 */
struct sad {
	struct sad_args args;
	int64_t width, height;
};

/* Kinds of blocks, in the order of their areas. */
static const struct sad_kind {
	uint32_t area, width, height;
} sad_kinds[] = {
	{ SAD_16X16, 16, 16 }, { SAD_16X8, 16, 8 }, { SAD_8X16, 8, 16 }, { SAD_8X8, 8, 8 },
	{ SAD_8X4, 8, 4 }, { SAD_4X8, 4, 8 }, { SAD_4X4, 4, 4 },
};

#define SAD_KINDS	(sizeof(sad_kinds) / sizeof(sad_kinds[0]))

/* A frame that is wider than high, but not by more than two, and leaves out least. */
static uint64_t sad_across(uint64_t count)
{
	uint64_t across = 1, best, i;

	while (across * across < count)
		across++;
	best = across;
	for (i = across; i <= 2 * across && i <= count; i++)
		if (i * (count / i) > best * (count / best))
			best = i;
	return best;
}

static int sad_setup(struct wl_run *run)
{
	uint64_t count = wl_number(run, "size") / SAD_BLOCK_BYTES, frame;
	struct sad *s = run->data;
	struct sad_args *a = &s->args;

	if (!count || count > 1 << 24 || wl_number(run, "width") > 4096)
		return wl_fail(run, EINVAL,
			       "the size must be %d bytes (one macroblock) ... 16M times that, the width at most 4096",
			       SAD_BLOCK_BYTES);
	a->across = (uint32_t)wl_number(run, "width");
	if (!a->across)
		a->across = (uint32_t)sad_across(count);
	if (a->across > count || count / a->across > 65535)
		return wl_fail(run, EINVAL, "the size makes %llu macroblocks, not 1 ... 64K rows",
			       (unsigned long long)count);
	a->down = (uint32_t)(count / a->across);
	s->width = (int64_t)a->across * SAD_SIDE;
	s->height = (int64_t)a->down * SAD_SIDE;

	frame = (uint64_t)(s->width * s->height) * sizeof(uint16_t);
	a->frame = wl_alloc(run, frame, "frame");
	a->reference = wl_alloc(run, frame, "reference");
	a->sums = wl_alloc(run, sad_area(a, 0, SAD_BLOCKS, 0) * sizeof(uint16_t), "sums");
	if (!a->frame || !a->reference || !a->sums)
		return -ENOMEM;
	wl_input(run, a->frame);
	wl_input(run, a->reference);
	wl_output(run, a->sums);
	return 0;
}

/* Things of some pixels' size that move to the left, with noise on them. */
static uint16_t sad_pixel(const struct wl_run *run, int64_t x, int64_t y, uint64_t frame)
{
	const struct sad *s = run->data;
	uint64_t i = (uint64_t)(y * s->width + x), thing = (uint64_t)((x + 3 * (int64_t)frame) / 5);

	return (uint16_t)(wl_mix(run->seed + thing + (uint64_t)(y / 6 * s->width)) % 224 +
			  wl_mix(~run->seed - 2 * i - frame) % 32);
}

static int sad_init(struct wl_run *run)
{
	struct sad *s = run->data;
	uint16_t *frame = (uint16_t *)s->args.frame, *reference = (uint16_t *)s->args.reference;
	int64_t x, y;

	for (y = 0; y < s->height; y++) {
		for (x = 0; x < s->width; x++) {
			frame[y * s->width + x] = sad_pixel(run, x, y, 1);
			reference[y * s->width + x] = sad_pixel(run, x, y, 0);
		}
	}
	return 0;
}

static int sad_execute(struct wl_run *run)
{
	struct sad *s = run->data;
	struct sad_args *a = &s->args;
	struct uvm_dim3 grid = { a->across, a->down, 1 };
	int err;

	err = wl_launch(run, "sad_4", grid, UVM_DIM(SAD_4_THREADS), SAD_4_SHARED, a, sizeof(*a));
	if (!err)
		err = wl_launch(run, "sad_8", grid, UVM_DIM(SAD_8_THREADS), 0, a, sizeof(*a));
	if (!err)
		err = wl_launch(run, "sad_16", grid, UVM_DIM(SAD_16_THREADS), 0, a, sizeof(*a));
	return err;
}

/**
 * struct sad_check - what the CPU knows of a place of the search
 * @frame: private copy
 * @reference: private copy
 * @small: sums of 4 by 4 pixels of a macroblock
 */
struct sad_check {
	uint16_t *frame, *reference;
	uint32_t small[4][4];
};

/* The sums of 4 by 4 pixels, pixel by pixel, for a macroblock at a place of the reference. */
static void sad_small(const struct sad *s, struct sad_check *c, uint64_t macroblock,
		      uint32_t position)
{
	int64_t left = (int64_t)(macroblock % s->args.across) * SAD_SIDE, x, y;
	int64_t top = (int64_t)(macroblock / s->args.across) * SAD_SIDE, there, below;

	for (y = 0; y < SAD_SIDE; y++) {
		below = sad_inside(top + y + position / SAD_PLACES - SAD_REACH, s->height);
		for (x = 0; x < SAD_SIDE; x++) {
			uint32_t *sum = &c->small[y / 4][x / 4];

			there = sad_inside(left + x + position % SAD_PLACES - SAD_REACH, s->width);
			if (x % 4 == 0 && y % 4 == 0)
				*sum = 0;
			*sum += (uint32_t)abs(c->frame[(top + y) * s->width + left + x] -
					      c->reference[below * s->width + there]);
		}
	}
}

/* Blocks of a kind from those of 4 by 4 pixels. */
static int sad_check_kind(struct wl_run *run, const struct sad_check *c, const struct sad_kind *kind,
			  uint64_t macroblock, uint32_t position)
{
	const struct sad *s = run->data;
	uint32_t across = SAD_SIDE / kind->width, blocks = across * SAD_SIDE / kind->height;
	const uint16_t *got = s->args.sums + sad_area(&s->args, macroblock, kind->area, blocks);
	uint32_t block, x, y, left, top, want;

	for (block = 0; block < blocks; block++) {
		left = block % across * kind->width;
		top = block / across * kind->height;
		want = 0;
		for (y = top / 4; y < (top + kind->height) / 4; y++)
			for (x = left / 4; x < (left + kind->width) / 4; x++)
				want += c->small[y][x];
		if (got[block * SAD_ROOM + position] != want)
			return wl_wrong(run, "macroblock %llu, %u by %u pixels, block %u: sum %u is %u, not %u",
					(unsigned long long)macroblock, kind->width, kind->height,
					block, position, got[block * SAD_ROOM + position], want);
	}
	return 0;
}

static int sad_check_macroblock(struct wl_run *run, struct sad_check *c, uint64_t macroblock)
{
	const struct sad *s = run->data;
	uint32_t position;
	int wrong = 0;
	size_t i;

	for (position = 0; position < SAD_POSITIONS && !wrong; position++) {
		sad_small(s, c, macroblock, position);
		for (i = 0; i < SAD_KINDS && !wrong; i++)
			wrong = sad_check_kind(run, c, &sad_kinds[i], macroblock, position);
	}
	return wrong;
}

static int sad_verify(struct wl_run *run)
{
	const struct sad *s = run->data;
	uint64_t pixels = (uint64_t)(s->width * s->height), i;
	struct sad_check c = { .frame = malloc(2 * pixels * sizeof(uint16_t)) };
	int wrong = 0;

	if (!c.frame)
		return wl_fail(run, ENOMEM, "out of memory");
	c.reference = c.frame + pixels;
	for (i = 0; i < pixels; i++) {
		int64_t x = (int64_t)i % s->width, y = (int64_t)i / s->width;

		c.frame[i] = sad_pixel(run, x, y, 1);
		c.reference[i] = sad_pixel(run, x, y, 0);
	}
	for (i = 0; i < (uint64_t)s->args.across * s->args.down && !wrong; i++)
		wrong = sad_check_macroblock(run, &c, i);
	free(c.frame);
	return wrong;
}

static const struct wl_option sad_options[] = {
	{ "size", WL_BYTES, "9783K", "footprint: 25296 bytes for each macroblock of 16 by 16 pixels" },
	{ "width", WL_COUNT, "0", "macroblocks in a row; 0: a frame wider than high" },
	{ 0 },
};

static const struct wl_case sad_cases[] = {
	{ "--size 160K", "sums", 2 * (6 * 25 + 16) * SAD_ROOM + 2 * 288 },
	{ "--size 160K --width 1", "sums", 2 * 100 },
	{ "--size 25296", "sums", 2 * 9 * SAD_ROOM + 1 },
	{ 0 },
};

static const struct wl_size sad_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD(sad,
	     .what = "sums of absolute differences of two frames, for motion search",
	     .group = "hpe",
	     .image = "sad",
	     .options = sad_options,
	     .cases = sad_cases,
	     .sizes = sad_sizes,
	     .data_bytes = sizeof(struct sad),
	     .setup = sad_setup,
	     .init = sad_init,
	     .execute = sad_execute,
	     .verify = sad_verify,
);

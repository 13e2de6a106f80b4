// SPDX-License-Identifier: GPL-2.0
/*
 * histo: a saturating histogram of many bins, several times.
 *
 * Pixels are means of four random numbers, so that they gather around the middle of the bins,
 * as the original's do.  One in eight is in the very middle, where bins overflow.
 */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/histo.c"
#include "../uvm/run/workload.h"

#define HISTO_NARROW	1024	/* of the bins, the very middle */

static uint32_t histo_pixel(const struct wl_run *run, uint64_t i)
{
	const struct histo_args *h = run->data;
	uint64_t mixed = wl_mix(run->seed + i), more = wl_mix(mixed);
	uint64_t sum = (mixed & 0xffff) + (mixed >> 16 & 0xffff) + (mixed >> 32 & 0xffff) +
		       (mixed >> 48);
	uint64_t bins = h->bin_count;

	if (more >> 61)
		return (uint32_t)(((sum << 16 | (more & 0xffff)) * bins) >> 34);
	bins = bins / HISTO_NARROW + 1;
	return (uint32_t)((h->bin_count - bins) / 2 + (sum * bins >> 18));
}

static int histo_check_options(struct wl_run *run)
{
	const uint64_t pixel = 2 * sizeof(uint32_t), bin = sizeof(uint32_t) + sizeof(uint8_t);
	uint64_t size = wl_number(run, "size");
	struct histo_args *h = run->data;

	h->bin_count = wl_number(run, "bins");
	if (!h->bin_count)
		h->bin_count = size / (pixel + bin);
	if (!h->bin_count || h->bin_count > 1 << 30)
		return wl_fail(run, EINVAL, "there are %llu bins, not 1 ... 1G",
			       (unsigned long long)h->bin_count);
	if (size < h->bin_count * bin + pixel || size >> 34)
		return wl_fail(run, EINVAL, "with %llu bins the size must be %llu ... 16G",
			       (unsigned long long)h->bin_count,
			       (unsigned long long)(h->bin_count * bin + pixel));
	h->pixel_count = (size - h->bin_count * bin) / pixel;
	if (!wl_number(run, "iterations") || wl_number(run, "iterations") > 1000000)
		return wl_fail(run, EINVAL, "iterations must be 1 ... 1000000");
	return 0;
}

static int histo_setup(struct wl_run *run)
{
	struct histo_args *h = run->data;
	int err = histo_check_options(run);

	if (err)
		return err;
	h->image = wl_alloc(run, h->pixel_count * sizeof(*h->image), "image");
	h->middle = wl_alloc(run, h->pixel_count * sizeof(*h->middle), "middle");
	h->bins = wl_alloc(run, h->bin_count * sizeof(*h->bins), "bins");
	h->result = wl_alloc(run, h->bin_count, "result");
	h->range = wl_alloc(run, 2 * sizeof(*h->range), "range");
	if (!h->image || !h->middle || !h->bins || !h->result || !h->range)
		return -ENOMEM;
	wl_input(run, h->image);
	wl_output(run, h->middle);
	wl_output(run, h->bins);
	wl_output(run, h->result);
	wl_output(run, h->range);
	return 0;
}

static int histo_init(struct wl_run *run)
{
	struct histo_args *h = run->data;
	uint32_t *image = (uint32_t *)h->image;
	uint64_t i;

	for (i = 0; i < h->pixel_count; i++)
		image[i] = histo_pixel(run, i);
	return 0;
}

static int histo_launch(struct wl_run *run, const char *entry, uint64_t blocks)
{
	return wl_launch(run, entry, UVM_DIM((uint32_t)blocks), UVM_DIM(HISTO_BLOCK),
			 2 * sizeof(uint32_t), run->data, sizeof(struct histo_args));
}

static int histo_execute(struct wl_run *run)
{
	const struct histo_args *h = run->data;
	uint64_t each = HISTO_BLOCK * HISTO_ROWS, i;
	int err = 0;

	for (i = 0; i < wl_number(run, "iterations") && !err; i++) {
		err = histo_launch(run, "histo_clear", HISTO_MAIN_BLOCKS);
		if (!err)
			err = histo_launch(run, "histo_prescan", HISTO_PRESCAN_BLOCKS);
		if (!err)
			err = histo_launch(run, "histo_intermediates",
					   (h->pixel_count + each - 1) / each);
		if (!err)
			err = histo_launch(run, "histo_main", HISTO_MAIN_BLOCKS);
		if (!err)
			err = histo_launch(run, "histo_final", HISTO_MAIN_BLOCKS);
	}
	return err;
}

/* The range, the bin of each pixel, and how many each of @count has. */
static int histo_check_pixels(struct wl_run *run, uint32_t *count)
{
	const struct histo_args *h = run->data;
	uint32_t least = UINT32_MAX, most = 0;
	uint64_t i;

	for (i = 0; i < h->pixel_count; i++) {
		uint32_t pixel = histo_pixel(run, i);

		count[pixel]++;
		if (pixel < least)
			least = pixel;
		if (pixel > most)
			most = pixel;
	}
	if (h->range[0] != least || h->range[1] != ~most)
		return wl_wrong(run, "pixels are %u ... %u, not %u ... %u", h->range[0],
				~h->range[1], least, most);
	for (i = 0; i < h->pixel_count; i++) {
		uint32_t want = histo_pixel(run, i) - least;

		if (h->middle[i] != want)
			return wl_wrong(run, "pixel %llu is in bin %u, not %u",
					(unsigned long long)i, h->middle[i], want);
	}
	return 0;
}

static int histo_check_bins(struct wl_run *run, const uint32_t *count)
{
	const struct histo_args *h = run->data;
	uint64_t i, from;

	for (i = 0; i < h->bin_count; i++) {
		uint32_t want = count[i] < HISTO_SATURATED ? count[i] : HISTO_SATURATED;

		if (h->result[i] != want)
			return wl_wrong(run, "the result of %llu is %u, not %u",
					(unsigned long long)i, h->result[i], want);
		from = i + h->range[0];
		want = from < h->bin_count ? count[from] : 0;
		if (h->bins[i] != want)
			return wl_wrong(run, "bin %llu has %u, not %u", (unsigned long long)i,
					h->bins[i], want);
	}
	return 0;
}

static int histo_verify(struct wl_run *run)
{
	const struct histo_args *h = run->data;
	uint32_t *count = calloc(h->bin_count, sizeof(*count));
	int wrong;

	if (!count)
		return wl_fail(run, ENOMEM, "out of memory");
	wrong = histo_check_pixels(run, count);
	if (!wrong)
		wrong = histo_check_bins(run, count);
	free(count);
	return wrong;
}

static const struct wl_option histo_options[] = {
	{ "size", WL_BYTES, "13M", "footprint" },
	{ "bins", WL_COUNT, "0", "bins; 0: as many as pixels" },
	{ "iterations", WL_COUNT, "3", "times the same histogram" },
	{ 0 },
};

static const struct wl_case histo_cases[] = {
	{ "--size 256K --iterations 2", "result", 10000 },
	/* Most bins overflow. */
	{ "--size 160K --bins 20 --iterations 1", "bins", 4 * 8 },
	{ "--size 64K", "middle", 4 * 2000 },
	{ "--size 13 --bins 1", "result", 0 },
	{ 0 },
};

static const struct wl_size histo_sizes[] = {
	{ "--size 5M --iterations 1", "--size 2M --iterations 1" },
	{ 0 },
};

UVM_WORKLOAD(histo,
	     .what = "a saturating histogram of as many bins as pixels",
	     .group = "hpe",
	     .image = "histo",
	     .options = histo_options,
	     .cases = histo_cases,
	     .sizes = histo_sizes,
	     .data_bytes = sizeof(struct histo_args),
	     .setup = histo_setup,
	     .init = histo_init,
	     .execute = histo_execute,
	     .verify = histo_verify,
);

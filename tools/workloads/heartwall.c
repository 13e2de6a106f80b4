// SPDX-License-Identifier: GPL-2.0
/*
 * heartwall: points are followed through a video.
 *
 * The video is noise, all of which moves alike.  The CPU sums what each template covers without
 * any cumulative sums.
 */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/heartwall.c"
#include "../uvm/run/workload.h"

#define HEARTWALL_MOVE_X	3	/* pixels per frame */
#define HEARTWALL_MOVE_Y	-2
#define HEARTWALL_FRAMES_MAX	1000

static const char * const heartwall_names[] = {
	"window", "square", "column", "difference", "sum", "square_sum", "product", "correlation",
};

/* What one point's buffers must have. */
struct heartwall_want {
	float buffer[HEARTWALL_BUFFERS][HEARTWALL_SIDE][HEARTWALL_SIDE];
};

static uint8_t heartwall_pixel(const struct wl_run *run, uint64_t frame, uint64_t x, uint64_t y)
{
	x -= frame * HEARTWALL_MOVE_X;
	y -= frame * HEARTWALL_MOVE_Y;
	return (uint8_t)(wl_mix(run->seed + (y << 20) + x) >> 57);
}

static struct heartwall_place heartwall_start(const struct wl_run *run, uint64_t point)
{
	uint64_t mixed = wl_mix(~run->seed - point);

	return (struct heartwall_place){
		HEARTWALL_PLACES / 2 + mixed % (HEARTWALL_WIDTH - HEARTWALL_SIDE),
		HEARTWALL_PLACES / 2 + (mixed >> 32) % (HEARTWALL_HEIGHT - HEARTWALL_SIDE),
	};
}

static int heartwall_setup(struct wl_run *run)
{
	const uint64_t bytes = HEARTWALL_BUFFERS * HEARTWALL_PIXELS * sizeof(float);
	uint64_t frames = wl_number(run, "frames"), size = wl_number(run, "size");
	struct heartwall_args *h = run->data;
	uint64_t video = (frames + 1) * HEARTWALL_FRAME, i;

	if (!frames || frames > HEARTWALL_FRAMES_MAX)
		return wl_fail(run, EINVAL, "frames must be 1 ... %d", HEARTWALL_FRAMES_MAX);
	h->points = size > video ? (size - video) / bytes : 0;
	if (!h->points || h->points > 65536)
		return wl_fail(run, EINVAL, "the size makes %llu points, not 1 ... 64K: the video "
			       "has %llu bytes, a point %llu", (unsigned long long)h->points,
			       (unsigned long long)video, (unsigned long long)bytes);

	h->video = wl_alloc(run, video, "video");
	h->template = wl_alloc(run, h->points * HEARTWALL_TAPS * sizeof(float), "template");
	h->place = wl_alloc(run, (frames + 1) * h->points * sizeof(*h->place), "place");
	if (!h->video || !h->template || !h->place)
		return -ENOMEM;
	wl_input(run, h->video);
	wl_output(run, h->template);
	for (i = 0; i < HEARTWALL_BUFFERS; i++) {
		h->buffer[i] = wl_alloc(run, h->points * HEARTWALL_PIXELS * sizeof(float),
					heartwall_names[i]);
		if (!h->buffer[i])
			return -ENOMEM;
		wl_output(run, h->buffer[i]);
	}
	return 0;
}

static int heartwall_init(struct wl_run *run)
{
	struct heartwall_args *h = run->data;
	uint8_t *video = (uint8_t *)h->video;
	uint64_t frame, i;

	for (frame = 0; frame <= wl_number(run, "frames"); frame++)
		for (i = 0; i < HEARTWALL_FRAME; i++)
			video[frame * HEARTWALL_FRAME + i] = heartwall_pixel(run, frame,
				i % HEARTWALL_WIDTH, i / HEARTWALL_WIDTH);
	for (i = 0; i < h->points; i++)
		h->place[i] = heartwall_start(run, i);
	return 0;
}

static int heartwall_launch(struct wl_run *run, const char *entry)
{
	const struct heartwall_args *h = run->data;

	return wl_launch(run, entry, UVM_DIM((uint32_t)h->points), UVM_DIM(HEARTWALL_BLOCK),
			 sizeof(uint32_t) + HEARTWALL_BLOCK * sizeof(float), h, sizeof(*h));
}

static int heartwall_execute(struct wl_run *run)
{
	struct heartwall_args *h = run->data;
	int err = heartwall_launch(run, "heartwall_template");

	for (h->frame = 1; h->frame <= wl_number(run, "frames") && !err; h->frame++)
		err = heartwall_launch(run, "heartwall_track");
	return err;
}

/* The window, and what is summed before each pixel. */
static void heartwall_want_window(const struct wl_run *run, uint64_t frame, int32_t x, int32_t y,
				  struct heartwall_want *w)
{
	int i, row, column;

	for (row = 0; row < HEARTWALL_SIDE; row++) {
		for (column = 0; column < HEARTWALL_SIDE; column++) {
			float pixel = heartwall_pixel(run, frame, x + column, y + row), sum = 0;

			w->buffer[HEARTWALL_WINDOW][row][column] = pixel;
			w->buffer[HEARTWALL_SQUARE][row][column] = pixel * pixel;
			if (row)
				sum = w->buffer[HEARTWALL_COLUMN][row - 1][column] +
				      w->buffer[HEARTWALL_SQUARE][row - 1][column];
			w->buffer[HEARTWALL_COLUMN][row][column] = sum;
		}
	}
	for (row = 0; row < HEARTWALL_PLACES; row++) {
		float sum = 0;

		for (column = 0; column < HEARTWALL_SIDE; column++) {
			w->buffer[HEARTWALL_DIFFERENCE][row][column] = sum;
			for (i = 0; i < HEARTWALL_TEMPLATE; i++)
				sum += w->buffer[HEARTWALL_SQUARE][row + i][column];
		}
	}
}

static void heartwall_want_place(struct heartwall_want *w, const float *template, int row,
				 int column)
{
	float sum = 0, square_sum = 0, product = 0, mean, variation;
	int i;

	for (i = 0; i < HEARTWALL_TAPS; i++) {
		float pixel = w->buffer[HEARTWALL_WINDOW][row + i / HEARTWALL_TEMPLATE]
			[column + i % HEARTWALL_TEMPLATE];

		sum += pixel;
		square_sum += pixel * pixel;
		product += pixel * template[i];
	}
	variation = heartwall_variation(template, &mean);
	w->buffer[HEARTWALL_SUM][row][column] = sum;
	w->buffer[HEARTWALL_SQUARE_SUM][row][column] = square_sum;
	w->buffer[HEARTWALL_PRODUCT][row][column] = product;
	w->buffer[HEARTWALL_CORRELATION][row][column] =
		heartwall_correlation(product, sum, square_sum, mean, variation);
}

/* Where a point goes in a frame. */
static struct heartwall_place heartwall_want_frame(const struct wl_run *run, uint64_t frame,
						   const float *template,
						   struct heartwall_place place,
						   struct heartwall_want *w)
{
	int32_t x = heartwall_origin(place.x, HEARTWALL_WIDTH);
	int32_t y = heartwall_origin(place.y, HEARTWALL_HEIGHT);
	float best = -2.0f;
	int row, column;

	heartwall_want_window(run, frame, x, y, w);
	for (row = 0; row < HEARTWALL_PLACES; row++) {
		for (column = 0; column < HEARTWALL_PLACES; column++) {
			heartwall_want_place(w, template, row, column);
			if (w->buffer[HEARTWALL_CORRELATION][row][column] <= best)
				continue;
			best = w->buffer[HEARTWALL_CORRELATION][row][column];
			place = (struct heartwall_place){ x + column, y + row };
		}
	}
	return place;
}

static int heartwall_check_buffers(struct wl_run *run, uint64_t point,
				   const struct heartwall_want *w)
{
	const struct heartwall_args *h = run->data;
	int i, row, column;

	for (i = 0; i < HEARTWALL_BUFFERS; i++) {
		const float *got = h->buffer[i] + point * HEARTWALL_PIXELS;
		int columns = i < HEARTWALL_SUM ? HEARTWALL_SIDE : HEARTWALL_PLACES;
		int rows = i < HEARTWALL_DIFFERENCE ? HEARTWALL_SIDE : HEARTWALL_PLACES;

		for (row = 0; row < rows; row++, got += HEARTWALL_SIDE)
			for (column = 0; column < columns; column++)
				if (got[column] != w->buffer[i][row][column])
					return wl_wrong(run, "point %llu: %s[%d][%d] is %.9g, not "
							"%.9g", (unsigned long long)point,
							heartwall_names[i], row, column,
							got[column], w->buffer[i][row][column]);
	}
	return 0;
}

/* The way of a point, and its buffers as the last frame leaves them. */
static int heartwall_check_point(struct wl_run *run, uint64_t point, struct heartwall_want *w)
{
	const struct heartwall_args *h = run->data;
	struct heartwall_place place = heartwall_start(run, point);
	float template[HEARTWALL_TAPS];
	uint64_t frame, i;

	for (i = 0; i < HEARTWALL_TAPS; i++) {
		template[i] = heartwall_pixel(run, 0, place.x + i % HEARTWALL_TEMPLATE,
					      place.y + i / HEARTWALL_TEMPLATE);
		if (h->template[point * HEARTWALL_TAPS + i] != template[i])
			return wl_wrong(run, "the template of point %llu is wrong",
					(unsigned long long)point);
	}
	for (frame = 1; frame <= wl_number(run, "frames"); frame++) {
		const struct heartwall_place *got = h->place + frame * h->points + point;

		place = heartwall_want_frame(run, frame, template, place, w);
		if (got->x != place.x || got->y != place.y)
			return wl_wrong(run, "frame %llu has point %llu at %d, %d, not %d, %d",
					(unsigned long long)frame, (unsigned long long)point,
					got->x, got->y, place.x, place.y);
	}
	return heartwall_check_buffers(run, point, w);
}

static int heartwall_verify(struct wl_run *run)
{
	const struct heartwall_args *h = run->data;
	struct heartwall_want *want = malloc(sizeof(*want));
	uint64_t point;
	int wrong = 0;

	if (!want)
		return wl_fail(run, ENOMEM, "out of memory");
	for (point = 0; point < h->points && !wrong; point++)
		wrong = heartwall_check_point(run, point, want);
	free(want);
	return wrong;
}

static const struct wl_option heartwall_options[] = {
	{ "size", WL_BYTES, "17M", "footprint: 512K a point, and the video" },
	{ "frames", WL_COUNT, "3", "frames after the first" },
	{ 0 },
};

static const struct wl_case heartwall_cases[] = {
	{ "--size 2M --frames 2", "place", 8 * 3 },
	{ "--size 1M --frames 1", "correlation", 4 * 128 * 100 },
	{ "--size 1M --frames 1", "difference", 4 * 128 * 100 },
	{ 0 },
};

static const struct wl_size heartwall_sizes[] = {
	{ "--size 5M --frames 1", "--size 2500K --frames 1" },
	{ 0 },
};

UVM_WORKLOAD(heartwall,
	     .what = "points followed through a video by correlation",
	     .group = "hpe",
	     .image = "heartwall",
	     .options = heartwall_options,
	     .cases = heartwall_cases,
	     .sizes = heartwall_sizes,
	     .data_bytes = sizeof(struct heartwall_args),
	     .setup = heartwall_setup,
	     .init = heartwall_init,
	     .execute = heartwall_execute,
	     .verify = heartwall_verify,
);

// SPDX-License-Identifier: GPL-2.0
/*
 * heartwall: points of a heart's wall are followed from frame to frame of a video, after
 * Rodinia's heartwall.  A block for each point looks in a window of the frame for the place
 * that is most like the point's template, by normalized cross-correlation:
 *
 *	window, square		copy of the frame, and squares: sweeps
 *	column, difference, sum	sums of all places that a template covers.  Cumulative sums of
 *				columns; differences of rows, and their cumulative sums in
 *				place; differences of columns.  Once of the window, and once of
 *				the squares, into square_sum
 *	product			sums of window times template, down the columns
 *	correlation		of product, sum and square_sum; then its greatest is looked for
 *
 * These are eight buffers of 64K for each point, most of which are swept several times for a
 * frame, and all of them again for the next frame.
 *
 * Pixels have seven bits, so that all sums are exact.
 */
#ifndef KERNEL_HEARTWALL_C
#define KERNEL_HEARTWALL_C

#include <stdbool.h>
#include <stdint.h>

#define HEARTWALL_WIDTH		512	/* of a frame */
#define HEARTWALL_HEIGHT	384
#define HEARTWALL_SIDE		128	/* of the window */
#define HEARTWALL_TEMPLATE	4	/* side of the template */
#define HEARTWALL_PLACES	(HEARTWALL_SIDE - HEARTWALL_TEMPLATE) /* side of all places */
#define HEARTWALL_BLOCK		256	/* threads: two rows */

#define HEARTWALL_FRAME		(HEARTWALL_WIDTH * HEARTWALL_HEIGHT)
#define HEARTWALL_PIXELS	(HEARTWALL_SIDE * HEARTWALL_SIDE)
#define HEARTWALL_TAPS		(HEARTWALL_TEMPLATE * HEARTWALL_TEMPLATE)
#define HEARTWALL_ROWS		(HEARTWALL_BLOCK / HEARTWALL_SIDE) /* rows of a step */

enum heartwall_buffer {
	HEARTWALL_WINDOW, HEARTWALL_SQUARE, HEARTWALL_COLUMN, HEARTWALL_DIFFERENCE, HEARTWALL_SUM,
	HEARTWALL_SQUARE_SUM, HEARTWALL_PRODUCT, HEARTWALL_CORRELATION, HEARTWALL_BUFFERS,
};

/* Upper left corner of a point's template. */
struct heartwall_place {
	int32_t x, y;
};

/**
 * struct heartwall_args - arguments of both kernels
 * @video: frames, of a byte per pixel
 * @template: of each point, from the first frame
 * @place: of each frame and point; that of the first frame is given
 * @buffer: of HEARTWALL_PIXELS for each point
 * @points: how many
 * @frame: the one to look at
 */
struct heartwall_args {
	const uint8_t *video;
	float *template;
	struct heartwall_place *place;
	float *buffer[HEARTWALL_BUFFERS];
	uint64_t points;
	uint64_t frame;
};

/* Where the window of a frame begins, on one axis, for a point that was at @at. */
static inline int32_t heartwall_origin(int32_t at, int32_t limit)
{
	int32_t origin = at - HEARTWALL_PLACES / 2;

	if (origin < 0)
		return 0;
	return origin > limit - HEARTWALL_SIDE ? limit - HEARTWALL_SIDE : origin;
}

/* The mean of a template's pixels, and how much these vary. */
static inline float heartwall_variation(const float *template, float *mean)
{
	float sum = 0.0f, squares = 0.0f;

	for (uint32_t i = 0; i < HEARTWALL_TAPS; i++) {
		sum = sum + template[i];
		squares = squares + template[i] * template[i];
	}
	*mean = sum / HEARTWALL_TAPS;
	return squares - sum * *mean;
}

/* The last term keeps what does not vary at all from a division by 0. */
static inline float heartwall_correlation(float product, float sum, float square_sum, float mean,
					  float variation)
{
	float varies = square_sum - sum * sum / HEARTWALL_TAPS;

	return (product - sum * mean) / __builtin_sqrtf(varies * variation + 0x1p-20f);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(88);

/* A block for each point: its template is what is there in the first frame. */
void heartwall_template(const struct heartwall_args *args)
{
	uint32_t point = block_idx_x(), thread = thread_idx_x();
	const struct heartwall_place *place = args->place + point;
	uint32_t x = thread % HEARTWALL_TEMPLATE, y = thread / HEARTWALL_TEMPLATE;
	float *template = args->template + point * HEARTWALL_TAPS;

	if (thread < HEARTWALL_TAPS)
		template[thread] =
			args->video[(place->y + y) * HEARTWALL_WIDTH + place->x + x];
}

/* The point's part of a buffer. */
static inline float *heartwall_part(const struct heartwall_args *args, enum heartwall_buffer which)
{
	return args->buffer[which] + (uint64_t)block_idx_x() * HEARTWALL_PIXELS;
}

static inline void heartwall_copy(const uint8_t *from, float *window)
{
	uint32_t thread = thread_idx_x();

	from += thread / HEARTWALL_SIDE * HEARTWALL_WIDTH + thread % HEARTWALL_SIDE;
	window += thread;
#pragma unroll 4
	for (const float *end = window + HEARTWALL_PIXELS; window != end;
	     window += HEARTWALL_BLOCK) {
		*window = *from;
		from += HEARTWALL_ROWS * HEARTWALL_WIDTH;
	}
}

static inline void heartwall_squares(const float *window, float *square)
{
	window += thread_idx_x();
	square += thread_idx_x();
#pragma unroll 4
	for (const float *end = square + HEARTWALL_PIXELS; square != end;
	     square += HEARTWALL_BLOCK) {
		*square = *window * *window;
		window += HEARTWALL_BLOCK;
	}
}

/* A thread for each column, or row: sums of the elements before each one. */
static inline void heartwall_cumulate(const float *from, float *to, uint32_t step)
{
	float sum = 0.0f;

#pragma unroll 4
	for (const float *end = to + HEARTWALL_SIDE * step; to != end; from += step, to += step) {
		float here = *from;

		*to = sum;
		sum = sum + here;
	}
}

/* Each of all places, taken from the one @distance behind it. */
static inline void heartwall_subtract(const float *from, float *to, uint32_t distance)
{
	const float *behind = from + thread_idx_x() + distance;

	from += thread_idx_x();
	to += thread_idx_x();
#pragma unroll 2
	for (const float *end = to + HEARTWALL_PLACES * HEARTWALL_SIDE; to != end;
	     to += HEARTWALL_BLOCK) {
		*to = *behind - *from;
		behind += HEARTWALL_BLOCK;
		from += HEARTWALL_BLOCK;
	}
}

/* Whether the thread's column is one of places. */
static inline bool heartwall_has_places(void)
{
	return thread_idx_x() % HEARTWALL_SIDE < HEARTWALL_PLACES;
}

/* Sums of all places, of window or squares. */
static inline __attribute__((always_inline)) void
heartwall_sums(const struct heartwall_args *args, const float *from, float *to)
{
	float *column = heartwall_part(args, HEARTWALL_COLUMN);
	float *difference = heartwall_part(args, HEARTWALL_DIFFERENCE);
	uint32_t thread = thread_idx_x();
	float *row = difference + thread * HEARTWALL_SIDE;

	if (thread < HEARTWALL_SIDE)
		heartwall_cumulate(from + thread, column + thread, HEARTWALL_SIDE);
	barrier();
	heartwall_subtract(column, difference, HEARTWALL_TEMPLATE * HEARTWALL_SIDE);
	barrier();
	if (thread < HEARTWALL_PLACES)
		heartwall_cumulate(row, row, 1);
	barrier();
	if (heartwall_has_places())
		heartwall_subtract(difference, to, HEARTWALL_TEMPLATE);
	barrier();
}

static inline float heartwall_dot(float sum, const float *pixel, const float *template)
{
#pragma unroll
	for (uint32_t i = 0; i < HEARTWALL_TEMPLATE; i++)
		sum = __builtin_fmaf(pixel[i], template[i], sum);
	return sum;
}

/*
 * Sums of window times template.  A thread goes down half a column and reads each row once:
 * four places that are not complete yet are in registers.
 */
static inline void heartwall_products(const float *window, const float *template, float *product)
{
	uint32_t thread = thread_idx_x(), column = thread % HEARTWALL_SIDE;
	uint32_t first = thread / HEARTWALL_SIDE * (HEARTWALL_PLACES / HEARTWALL_ROWS);
	float tap[HEARTWALL_TAPS], part[HEARTWALL_TEMPLATE] = { 0 };

	if (!heartwall_has_places())
		return;
#pragma unroll
	for (uint32_t i = 0; i < HEARTWALL_TAPS; i++)
		tap[i] = template[i];
	window += first * HEARTWALL_SIDE + column;
	product += first * HEARTWALL_SIDE + column;
#pragma unroll 2
	for (int32_t row = 1 - HEARTWALL_TEMPLATE; row < HEARTWALL_PLACES / HEARTWALL_ROWS; row++) {
#pragma unroll
		for (uint32_t i = HEARTWALL_TEMPLATE - 1; i; i--)
			part[i] = heartwall_dot(part[i - 1], window, tap + i * HEARTWALL_TEMPLATE);
		part[0] = heartwall_dot(0.0f, window, tap);
		if (row >= 0) {
			*product = part[HEARTWALL_TEMPLATE - 1];
			product += HEARTWALL_SIDE;
		}
		window += HEARTWALL_SIDE;
	}
}

static inline void heartwall_correlate(const struct heartwall_args *args, const float *template,
				       float *correlation)
{
	const float *product = heartwall_part(args, HEARTWALL_PRODUCT) + thread_idx_x();
	const float *sum = heartwall_part(args, HEARTWALL_SUM) + thread_idx_x();
	const float *square_sum = heartwall_part(args, HEARTWALL_SQUARE_SUM) + thread_idx_x();
	float mean, variation = heartwall_variation(template, &mean);

	if (!heartwall_has_places())
		return;
#pragma unroll 2
	for (const float *end = correlation + HEARTWALL_PLACES * HEARTWALL_SIDE;
	     correlation != end; correlation += HEARTWALL_BLOCK) {
		*correlation = heartwall_correlation(*product, *sum, *square_sum, mean, variation);
		product += HEARTWALL_BLOCK;
		sum += HEARTWALL_BLOCK;
		square_sum += HEARTWALL_BLOCK;
	}
}

/* The greatest correlation that a thread looks at. */
static inline float heartwall_best(const float *correlation)
{
	const float *end = correlation + HEARTWALL_PLACES * HEARTWALL_SIDE;
	float best = -2.0f;

	if (!heartwall_has_places())
		return best;
#pragma unroll 2
	for (; correlation != end; correlation += HEARTWALL_BLOCK)
		best = __builtin_fmaxf(best, *correlation);
	return best;
}

/* Where the first of the greatest of the block is, for thread 0. */
static inline uint32_t heartwall_first(const float *correlation)
{
	uint32_t thread = thread_idx_x(), *first = shared_base();
	float *bests = (float *)(first + 1);
	float mine = heartwall_best(correlation), best = mine;

	*first = HEARTWALL_PIXELS;
	bests[thread] = best;
	for (uint32_t half = HEARTWALL_BLOCK / 2; half; half /= 2) {
		barrier();
		if (thread < half) {
			best = __builtin_fmaxf(best, bests[thread + half]);
			bests[thread] = best;
		}
	}
	barrier();
	if (mine == bests[0]) {
		uint32_t i = 0;

		while (correlation[i] != mine)
			i += HEARTWALL_BLOCK;
		atomic_min_u32(first, i + thread);
	}
	barrier();
	return *first;
}

/* A block for each point: finds its place in the frame. */
void heartwall_track(const struct heartwall_args *args)
{
	uint32_t point = block_idx_x(), at;
	struct heartwall_place *to = args->place + args->frame * args->points + point;
	const struct heartwall_place *from = to - args->points;
	const float *template = args->template + point * HEARTWALL_TAPS;
	int32_t x = heartwall_origin(from->x, HEARTWALL_WIDTH);
	int32_t y = heartwall_origin(from->y, HEARTWALL_HEIGHT);
	float *window = heartwall_part(args, HEARTWALL_WINDOW);
	float *square = heartwall_part(args, HEARTWALL_SQUARE);
	float *correlation = heartwall_part(args, HEARTWALL_CORRELATION) + thread_idx_x();

	heartwall_copy(args->video + args->frame * HEARTWALL_FRAME + y * HEARTWALL_WIDTH + x,
		       window);
	barrier();
	heartwall_sums(args, window, heartwall_part(args, HEARTWALL_SUM));
	heartwall_squares(window, square);
	barrier();
	heartwall_sums(args, square, heartwall_part(args, HEARTWALL_SQUARE_SUM));
	heartwall_products(window, template, heartwall_part(args, HEARTWALL_PRODUCT));
	barrier();
	heartwall_correlate(args, template, correlation);
	barrier();
	at = heartwall_first(correlation);
	if (!thread_idx_x()) {
		to->x = x + (int32_t)(at % HEARTWALL_SIDE);
		to->y = y + (int32_t)(at / HEARTWALL_SIDE);
	}
}
#endif

#endif

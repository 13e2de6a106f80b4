// SPDX-License-Identifier: GPL-2.0
/*
 * dwt2d: the reversible wavelet transform of JPEG 2000 (5/3, by lifting) of an image, in
 * several levels, after Rodinia's dwt2d (Che et al., IISWC 2009).
 *
 * dwt2d_split reads "pixels" once and writes the three planes.  Then comes one plane after
 * the other.  dwt2d_level transforms it: a block takes a strip of columns and goes down
 * its rows, 8 at a time, each along the row and then along the columns, and writes the four
 * quarters of the plane's bands, one after the other in memory.  dwt2d_copy copies the
 * first quarter back to the start of the plane, where the next level reads it: a quarter
 * of plane and bands is touched again for each level, the rest once.
 */
#ifndef KERNEL_DWT2D_C
#define KERNEL_DWT2D_C

#include <stdint.h>

#define DWT2D_BLOCK	192	/* threads at most, and columns of a strip */
#define DWT2D_ROWS	8	/* of a window, which slides down a strip */
#define DWT2D_WIDE	(DWT2D_BLOCK + 4)	/* with two columns on either side */
#define DWT2D_SHARED	(DWT2D_ROWS * DWT2D_WIDE * 4)
#define DWT2D_SPLIT	256	/* threads of dwt2d_split and dwt2d_copy */

/**
 * struct dwt2d_args - arguments of all kernels
 * @pixels: managed, three bytes each
 * @plane: managed; dwt2d_level and dwt2d_copy take the first one
 * @bands: managed: low rows and columns, low rows and high columns, high rows and low
 *	columns, high ones
 * @count: what dwt2d_split and dwt2d_copy have to do
 * @width: of this level
 * @height: of this level
 * @strip: rows of a strip, a multiple of DWT2D_ROWS
 */
struct dwt2d_args {
	const uint8_t *pixels;
	int32_t *plane[3];
	int32_t *bands;
	uint64_t count;
	int32_t width;
	int32_t height;
	int32_t strip;
};

/* Lifting: odd places become high ones, then even places low ones. */
static inline int32_t dwt2d_high(int32_t before, int32_t odd, int32_t after)
{
	return odd - ((before + after) >> 1);
}

static inline int32_t dwt2d_lift(int32_t high_before, int32_t high_after)
{
	return (high_before + high_after + 2) >> 2;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(64);

void dwt2d_split(const struct dwt2d_args *args)
{
	uint64_t thread = thread_idx_x(), i = global_idx_x();
	uint64_t at = 3 * (i - thread) + thread;
	uint8_t *shared = shared_base();

#pragma unroll
	for (int part = 0; part < 3; part++, at += DWT2D_SPLIT)
		if (at < 3 * args->count)
			shared[part * DWT2D_SPLIT + thread] = args->pixels[at];
	barrier();
	if (i >= args->count)
		return;
#pragma unroll
	for (int plane = 0; plane < 3; plane++)
		args->plane[plane][i] = shared[3 * thread + plane] - 128;
}

void dwt2d_copy(const struct dwt2d_args *args)
{
	uint64_t i = global_idx_x();

	if (i < args->count)
		args->plane[0][i] = args->bands[i];
}

/* What is beyond a border is as in a mirror, two places at most; nobody needs more. */
static inline int32_t dwt2d_mirror(int32_t at, int32_t size)
{
	if (at < 0)
		return -at;
	if (at < size)
		return at;
	return at <= size ? size - 2 : size - 3;
}

/**
 * struct dwt2d_strip - where a thread is
 * @from: first row of the column that it loads
 * @more: the same of a column at the end, for the first four threads
 * @cell: the thread's in shared memory
 * @middle: of the column that it transforms: even ones the first half of the threads
 * @width: from a row to the next one
 * @height: of the plane
 * @block: threads
 * @odd: the thread transforms an odd column
 */
struct dwt2d_strip {
	const int32_t *from, *more;
	int32_t *cell;
	const int32_t *middle;
	int64_t width;
	int32_t height;
	int32_t block;
	int odd;
};

/*
 * Row @y and those below: the column of the thread in each, transformed along the row.  The
 * compiler must not keep the addresses of all rows, which would spill them: it does not know
 * how the pointers advance.
 */
static inline __attribute__((always_inline)) void dwt2d_rows(const struct dwt2d_strip *s, int32_t y,
							     int rows, int32_t *value)
{
	int32_t *cell = s->cell;
	const int32_t *x = s->middle;

#pragma unroll
	for (int i = 0; i < rows; i++, cell += DWT2D_WIDE) {
		int64_t at = dwt2d_mirror(y + i, s->height) * s->width;

		__asm__("" : "+r"(cell));
		cell[0] = s->from[at];
		if (s->more)
			cell[s->block] = s->more[at];
	}
	barrier();
	if (s->odd) {
#pragma unroll
		for (int i = 0; i < rows; i++, x += DWT2D_WIDE) {
			__asm__("" : "+r"(x));
			value[i] = dwt2d_high(x[-1], x[0], x[1]);
		}
	} else {
#pragma unroll
		for (int i = 0; i < rows; i++, x += DWT2D_WIDE) {
			__asm__("" : "+r"(x));
			value[i] = x[0] + dwt2d_lift(dwt2d_high(x[-2], x[-1], x[0]),
						     dwt2d_high(x[0], x[1], x[2]));
		}
	}
	barrier();
}

static inline void dwt2d_begin(const struct dwt2d_args *args, struct dwt2d_strip *s)
{
	int32_t thread = thread_idx_x(), block = block_dim_x();
	int32_t x = block_idx_x() * block - 2 + thread, column = 2 * thread;
	int32_t *shared = shared_base();

	s->width = args->width;
	s->height = args->height;
	s->block = block;
	s->odd = column >= block;
	if (s->odd)
		column -= block - 1;
	s->cell = shared + thread;
	s->middle = shared + column + 2;
	s->from = args->plane[0] + dwt2d_mirror(x, args->width);
	s->more = 0;
	if (thread < 4)
		s->more = args->plane[0] + dwt2d_mirror(x + block, args->width);
}

void dwt2d_level(const struct dwt2d_args *args)
{
	int32_t y = block_idx_y() * args->strip, end = y + args->strip;
	int64_t width = args->width / 2, quarter = width * (args->height / 2), x;
	int32_t even, high, value[DWT2D_ROWS], *to;
	struct dwt2d_strip s;

	dwt2d_begin(args, &s);
	if (end > args->height)
		end = args->height;
	x = block_idx_x() * (block_dim_x() / 2) + thread_idx_x();
	if (s.odd)
		x -= block_dim_x() / 2;
	to = args->bands + y / 2 * width + x + (s.odd ? quarter : 0);

	dwt2d_rows(&s, y - 2, 3, value);
	even = value[2];
	high = dwt2d_high(value[0], value[1], even);
	for (; y < end; y += DWT2D_ROWS) {
		dwt2d_rows(&s, y + 1, DWT2D_ROWS, value);
#pragma unroll
		for (int i = 0; i < DWT2D_ROWS; i += 2, to += width) {
			int32_t above = high;

			if (x >= width || y + i >= end)
				break;
			high = dwt2d_high(even, value[i], value[i + 1]);
			to[0] = even + dwt2d_lift(above, high);
			to[2 * quarter] = high;
			even = value[i + 1];
		}
	}
}
#endif

#endif

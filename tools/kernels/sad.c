// SPDX-License-Identifier: GPL-2.0
/*
 * sad: sums of absolute differences for the motion search of H.264, after Parboil's sad
 * (Stratton et al., IMPACT-12-01, 2012).
 *
 * A frame is cut into macroblocks of 16 by 16 pixels, and each is compared with 289 places
 * of the frame before: 17 by 17 around its own.  sad_4 writes the sums of its 16 blocks
 * of 4 by 4 pixels.  sad_8 reads those and writes the sums of 8 by 4, 4 by 8 and 8 by 8
 * pixels; sad_16 reads the last ones and writes those of 16 by 8, 8 by 16 and 16 by 16.
 * So "sums" is written area after area: each launch goes through several areas at once, in
 * the order of the macroblocks, and what one writes the next one partly reads again.
 * The frames are small and read again by neighbours.
 */
#ifndef KERNEL_SAD_C
#define KERNEL_SAD_C

#include <stdint.h>

#define SAD_SIDE	16	/* of a macroblock */
#define SAD_REACH	8	/* of the search, to each side */
#define SAD_PLACES	(2 * SAD_REACH + 1)
#define SAD_POSITIONS	(SAD_PLACES * SAD_PLACES)
#define SAD_ROOM	296	/* for the sums of a block: a multiple of 8 */
#define SAD_WINDOW	(SAD_SIDE + 2 * SAD_REACH)	/* of the other frame */

#define SAD_BLOCKS	41	/* in all, of a macroblock */

/*
 * Where an area begins, in blocks of each macroblock; widths before heights.  In an area are
 * the blocks of a macroblock by rows, and of each the sums of all positions by rows.
 */
#define SAD_16X16	0
#define SAD_16X8	1
#define SAD_8X16	3
#define SAD_8X8		5
#define SAD_8X4		9
#define SAD_4X8		17
#define SAD_4X4		25

#define SAD_4_THREADS	64
#define SAD_4_SHARED	(2 * SAD_WINDOW * SAD_WINDOW * 4)
#define SAD_8_THREADS	128	/* a warp for each 8 by 8 pixels */
#define SAD_16_THREADS	32

/**
 * struct sad_args - arguments of all kernels
 * @frame: managed, pixels of 0 ... 255 in 16 bits, as in Parboil
 * @reference: managed, the frame before
 * @sums: managed
 * @across: macroblocks in a row
 * @down: rows of them
 */
struct sad_args {
	const uint16_t *frame;
	const uint16_t *reference;
	uint16_t *sums;
	uint32_t across;
	uint32_t down;
};

/* The sums of the first block of an area. */
static inline uint64_t sad_area(const struct sad_args *args, uint64_t macroblock, uint32_t area,
				uint32_t blocks)
{
	uint64_t count = (uint64_t)args->across * args->down;

	return (area * count + macroblock * blocks) * SAD_ROOM;
}

/* Outside of a frame are the pixels of its border. */
static inline int64_t sad_inside(int64_t at, int64_t size)
{
	if (at < 0)
		return 0;
	return at < size ? at : size - 1;
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(56);

#define SAD_ONES	0x0001000100010001ULL
#define SAD_CARRY	(SAD_ONES << 8)

/*
 * Four pixels below each other are a word, and so are their differences: 256 + a - b, with bit
 * 8 set if that is not less than 256.  @a has the 256.  What this returns is short of the
 * absolute differences by 256 in each, which sad_total() adds.
 */
static inline uint64_t sad_differences(uint64_t a, uint64_t b)
{
	uint64_t more = a - b, carry = more & SAD_CARRY;
	uint64_t ones = carry - (carry >> 8);

	return ones - (more ^ ones);
}

/* Of four columns. */
static inline uint16_t sad_total(uint64_t sums)
{
	return (uint16_t)((sums + 4 * SAD_CARRY) * SAD_ONES >> 48);
}

/* The window of the reference, and the macroblock: words of four pixels of a column. */
static inline void sad_load(const struct sad_args *args, uint64_t *window, uint64_t *own)
{
	int64_t width = args->across * SAD_SIDE, height = args->down * SAD_SIDE;
	int64_t left = block_idx_x() * SAD_SIDE, top = block_idx_y() * SAD_SIDE;
	int64_t x = thread_idx_x() % SAD_WINDOW, y, at;
	uint64_t word = 0;

	if (thread_idx_x() < SAD_WINDOW) {
		at = sad_inside(left - SAD_REACH + x, width);
		for (y = 0; y < SAD_WINDOW; y++) {
			word = word >> 16 | (uint64_t)args->reference[at + width *
				sad_inside(top - SAD_REACH + y, height)] << 48;
			if (y >= 3)
				window[(y - 3) * SAD_WINDOW + x] = word;
		}
	} else if (x < SAD_SIDE) {
		at = top * width + left + x;
		for (y = 0; y < SAD_SIDE; y++, at += width) {
			word = word >> 16 | (uint64_t)args->frame[at] << 48;
			if (y % 4 == 3)
				own[y / 4 * SAD_SIDE + x] = word + SAD_CARRY;
		}
	}
}

/* All positions of a block: the one of @own at its place in @window. */
static inline void sad_block(const uint64_t *window, const uint64_t *own, uint16_t *sums)
{
	uint64_t a = own[0], b = own[1], c = own[2], d = own[3];

	for (uint32_t i = thread_idx_x(); i < SAD_POSITIONS; i += SAD_4_THREADS) {
		const uint64_t *at = window + i / SAD_PLACES * SAD_WINDOW + i % SAD_PLACES;

		sums[i] = sad_total(sad_differences(a, at[0]) + sad_differences(b, at[1]) +
				    sad_differences(c, at[2]) + sad_differences(d, at[3]));
	}
}

void sad_4(const struct sad_args *args)
{
	uint64_t *window = shared_base(), *own = window + (SAD_WINDOW - 3) * SAD_WINDOW;
	uint64_t macroblock = (uint64_t)block_idx_y() * args->across + block_idx_x();
	uint16_t *sums = args->sums + sad_area(args, macroblock, SAD_4X4, 16);

	sad_load(args, window, own);
	barrier();
	for (uint32_t y = 0; y < SAD_SIDE / 4; y++) {
		for (uint32_t x = 0; x < SAD_SIDE; x += 4) {
			sad_block(window + 4 * y * SAD_WINDOW + x, own + y * SAD_SIDE + x, sums);
			sums += SAD_ROOM;
		}
	}
}

/* The sums of a block, two positions in a word: none is more than 16 bits. */
static inline uint32_t *sad_words(const struct sad_args *args, uint64_t macroblock, uint32_t area,
				  uint32_t blocks, uint32_t block)
{
	return (uint32_t *)(args->sums + sad_area(args, macroblock, area, blocks) +
			    block * SAD_ROOM);
}

/*
 * Four blocks to the left and right, above and below, become two wide ones, two tall ones and
 * the whole.  The pointers are of the first of each; @next words lead to the block below.
 */
static inline void sad_add(const uint32_t *from, uint32_t next, uint32_t *wide, uint32_t wide_next,
			   uint32_t *tall, uint32_t *whole)
{
	const uint32_t word = SAD_ROOM / 2;

	for (uint32_t i = thread_idx_x() % 32; i < (SAD_POSITIONS + 1) / 2; i += 32) {
		uint32_t a = from[i], b = from[i + word];
		uint32_t c = from[i + next], d = from[i + next + word];

		wide[i] = a + b;
		wide[i + wide_next] = c + d;
		tall[i] = a + c;
		tall[i + word] = b + d;
		whole[i] = a + b + (c + d);
	}
}

void sad_8(const struct sad_args *args)
{
	uint64_t macroblock = (uint64_t)block_idx_y() * args->across + block_idx_x();
	uint32_t eighth = thread_idx_x() / 32, x = eighth % 2, y = eighth / 2;

	/* Rows have 4 blocks of 4 by 4 and of 4 by 8 pixels, 2 of 8 by 4. */
	sad_add(sad_words(args, macroblock, SAD_4X4, 16, 8 * y + 2 * x), 4 * SAD_ROOM / 2,
		sad_words(args, macroblock, SAD_8X4, 8, 4 * y + x), 2 * SAD_ROOM / 2,
		sad_words(args, macroblock, SAD_4X8, 8, 4 * y + 2 * x),
		sad_words(args, macroblock, SAD_8X8, 4, eighth));
}

void sad_16(const struct sad_args *args)
{
	uint64_t macroblock = (uint64_t)block_idx_y() * args->across + block_idx_x();

	sad_add(sad_words(args, macroblock, SAD_8X8, 4, 0), 2 * SAD_ROOM / 2,
		sad_words(args, macroblock, SAD_16X8, 2, 0), SAD_ROOM / 2,
		sad_words(args, macroblock, SAD_8X16, 2, 0),
		sad_words(args, macroblock, SAD_16X16, 1, 0));
}
#endif

#endif

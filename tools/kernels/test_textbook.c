// SPDX-License-Identifier: GPL-2.0
/*
 * Blocks that work together, in the forms of the textbooks: nothing is hidden from
 * the compiler.  It must not give the threads that sit out a barrier of their own.
 * Each kernel is run by one block of TEXTBOOK_BLOCK threads (qemu-tests/tests/textbook/textbook.c).
 */
#ifndef KERNEL_TEST_TEXTBOOK_C
#define KERNEL_TEST_TEXTBOOK_C

#include <stdint.h>

#define TEXTBOOK_BLOCK	64
#define TEXTBOOK_STEPS	5	/* of the stencil */

struct test_textbook_args {
	const uint32_t *in;	/* one word per thread */
	uint32_t *out;		/* the same; sums are out[0] */
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_SHARED uint32_t textbook[TEXTBOOK_BLOCK];
SGPU_SHARED uint32_t textbook_flag;
SGPU_SHARED uint32_t textbook_tiles[TEXTBOOK_BLOCK / 32][3 * 256];

/* The loop with the condition around the work and the barrier after it. */
void test_textbook_reduce(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x();

	textbook[t] = args->in[t];
	barrier();
	for (uint32_t s = TEXTBOOK_BLOCK / 2; s; s >>= 1) {
		if (t < s)
			textbook[t] += textbook[t + s];
		barrier();
	}
	if (!t)
		args->out[0] = textbook[0];
}

/* The same with a bound that the compiler does not know, sum in a register. */
void test_textbook_register(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x(), sum = args->in[t];

	textbook[t] = sum;
	for (uint32_t s = block_dim_x() / 2; s > 0; s /= 2) {
		barrier();
		if (t < s) {
			sum = sum + textbook[t + s];
			textbook[t] = sum;
		}
	}
	if (t == 0)
		args->out[0] = sum;
}

void test_textbook_unrolled(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x();

	textbook[t] = args->in[t];
	barrier();
#pragma unroll
	for (uint32_t s = TEXTBOOK_BLOCK / 2; s; s >>= 1) {
		if (t < s)
			textbook[t] += textbook[t + s];
		barrier();
	}
	if (!t)
		args->out[0] = textbook[0];
}

/* Unrolled by hand, one condition within the other's range. */
void test_textbook_by_hand(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x();

	textbook[t] = args->in[t];
	barrier();
	if (t < 32)
		textbook[t] += textbook[t + 32];
	barrier();
	if (t < 16)
		textbook[t] += textbook[t + 16];
	barrier();
	if (t < 8)
		textbook[t] += textbook[t + 8];
	barrier();
	if (t < 4)
		textbook[t] += textbook[t + 4];
	barrier();
	if (t < 2)
		textbook[t] += textbook[t + 2];
	barrier();
	if (t < 1)
		args->out[0] = textbook[0] + textbook[1];
}

void test_textbook_continue(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x();

	textbook[t] = args->in[t];
	for (uint32_t s = TEXTBOOK_BLOCK / 2; s; s >>= 1) {
		barrier();
		if (t >= s)
			continue;
		textbook[t] += textbook[t + s];
	}
	if (!t)
		args->out[0] = textbook[0];
}

/* Neighbours first: the threads that work are ever further apart. */
void test_textbook_tree(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x();

	textbook[t] = args->in[t];
	for (uint32_t s = 1; s < TEXTBOOK_BLOCK; s *= 2) {
		barrier();
		if (t % (2 * s) == 0)
			textbook[t] += textbook[t + s];
	}
	barrier();
	if (!t)
		args->out[0] = textbook[0];
}

/* Sorts by exchanging neighbours, until nobody has exchanged anything. */
void test_textbook_while(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x(), swap, odd = 0;
	int again = 1;

	textbook[t] = args->in[t];
	while (again) {
		barrier();
		if (t == 0)
			textbook_flag = 0;
		barrier();
		for (odd = 0; odd < 2; odd++) {
			if (t % 2 == odd && t + 1 < TEXTBOOK_BLOCK &&
			    textbook[t] > textbook[t + 1]) {
				swap = textbook[t];
				textbook[t] = textbook[t + 1];
				textbook[t + 1] = swap;
				textbook_flag = 1;
			}
			barrier();
		}
		again = textbook_flag;
	}
	args->out[t] = textbook[t];
}

/* Sums of all before and with this one: everybody looks ever further back. */
void test_textbook_scan(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x(), before;

	textbook[t] = args->in[t];
	barrier();
	for (uint32_t s = 1; s < TEXTBOOK_BLOCK; s <<= 1) {
		before = 0;
		if (t >= s)
			before = textbook[t - s];
		barrier();
		textbook[t] += before;
		barrier();
	}
	args->out[t] = textbook[t];
}

/* The same without the thread's own: up a tree and down again. */
void test_textbook_sweep(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x(), s = 1, d, left, right, kept;

	textbook[t] = args->in[t];
	for (d = TEXTBOOK_BLOCK / 2; d > 0; d >>= 1, s *= 2) {
		barrier();
		if (t < d)
			textbook[s * (2 * t + 2) - 1] += textbook[s * (2 * t + 1) - 1];
	}
	if (t == 0)
		textbook[TEXTBOOK_BLOCK - 1] = 0;
	for (d = 1; d < TEXTBOOK_BLOCK; d *= 2) {
		s >>= 1;
		barrier();
		if (t < d) {
			left = s * (2 * t + 1) - 1;
			right = s * (2 * t + 2) - 1;
			kept = textbook[left];
			textbook[left] = textbook[right];
			textbook[right] += kept;
		}
	}
	barrier();
	args->out[t] = textbook[t];
}

/* Steps of a stencil whose border stays as it is. */
void test_textbook_stencil(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x(), next;

	textbook[t] = args->in[t];
	barrier();
	for (int step = 0; step < TEXTBOOK_STEPS; step++) {
		next = textbook[t];
		if (t > 0 && t < TEXTBOOK_BLOCK - 1)
			next = textbook[t - 1] + 2 * textbook[t] + textbook[t + 1];
		barrier();
		textbook[t] = next;
		barrier();
	}
	args->out[t] = textbook[t];
}

/* Who executes together after each step in which some sat out: everybody. */
void test_textbook_mask(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x(), all = ~0u, sum = args->in[t];

	for (uint32_t s = 16; s; s >>= 1) {
		if (t % 32 < s)
			sum += sum * 3 + s;
		all &= active_mask();
	}
	args->out[t] = all;
	textbook[t] = sum;
}

/* Tiles are multiplied after each step in which some filled in theirs: D += A * 1. */
void test_textbook_tiles(const struct test_textbook_args *args)
{
	uint32_t t = thread_idx_x(), lane = t % 32, *tile = textbook_tiles[t / 32];
	float *d = (float *)tile, *a = d + 256, *one = d + 512;

	if (lane < 16)
		one[lane * 17] = 1.0f;
	for (uint32_t s = 16; s; s >>= 1) {
		if (lane < s)
			a[lane * 17] += (float)args->in[t];
		sgpu_mma_16x16x16(d, 16, a, 16, one, 16);
	}
	if (lane < 16)
		args->out[t] = (uint32_t)d[lane * 17];
}
#endif

#endif

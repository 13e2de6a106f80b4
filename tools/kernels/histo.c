// SPDX-License-Identifier: GPL-2.0
/*
 * histo: a saturating histogram with about as many bins as the image has pixels, after
 * Parboil's histo.  Five kernels:
 *
 *	histo_clear		bins are zero
 *	histo_prescan		least and greatest pixel: sweeps the image
 *	histo_intermediates	the bin of each pixel, counted from the least: sweeps the image,
 *				and the intermediate array, which it writes
 *	histo_main		sweeps the intermediate array, and counts atomically anywhere in
 *				the bins, most often in the middle
 *	histo_final		sweeps bins and results, bytes that stay at 255
 *
 * Each iteration does all of it again.  But for the intermediates a fixed number of threads
 * sweeps, all of them side by side.
 */
#ifndef KERNEL_HISTO_C
#define KERNEL_HISTO_C

#include <stdint.h>

#define HISTO_BLOCK		512	/* threads */
#define HISTO_PRESCAN_BLOCKS	64
#define HISTO_MAIN_BLOCKS	42
#define HISTO_ROWS		32	/* pixels of a thread of the intermediates */
#define HISTO_SATURATED		255

/**
 * struct histo_args - arguments of all its kernels
 * @image: pixels
 * @middle: intermediates: of each pixel
 * @bins: counts; the first is that of the least pixel
 * @result: counts up to 255, of all numbers that pixels can be
 * @range: the least pixel, and the complement of the greatest one
 * @pixel_count: pixels
 * @bin_count: bins
 */
struct histo_args {
	const uint32_t *image;
	uint32_t *middle;
	uint32_t *bins;
	uint8_t *result;
	uint32_t *range;
	uint64_t pixel_count, bin_count;
};

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(24);

/* Threads of a launch, which is how far each goes on at a time. */
static inline uint64_t histo_threads(void)
{
	return (uint64_t)grid_dim_x() * HISTO_BLOCK;
}

void histo_clear(const struct histo_args *args)
{
	uint64_t threads = histo_threads(), first = global_idx_x();
	uint32_t *bin = args->bins + first, *end = args->bins + args->bin_count;

	for (; bin < end; bin += threads)
		*bin = 0;
	if (!first) {
		args->range[0] = UINT32_MAX;
		args->range[1] = UINT32_MAX;
	}
}

void histo_prescan(const struct histo_args *args)
{
	const uint32_t *pixel = args->image + global_idx_x();
	const uint32_t *end = args->image + args->pixel_count;
	uint32_t *shared = shared_base(), thread = thread_idx_x();
	uint64_t threads = histo_threads(), least = UINT32_MAX, most = 0;

	for (; pixel < end; pixel += threads) {
		uint64_t value = *pixel;

		if (value < least)
			least = value;
		if (value > most)
			most = value;
	}
	if (!thread) {
		shared[0] = UINT32_MAX;
		shared[1] = UINT32_MAX;
	}
	barrier();
	atomic_min_u32(&shared[0], (uint32_t)least);
	atomic_min_u32(&shared[1], ~(uint32_t)most);
	barrier();
	if (!thread) {
		atomic_min_u32(&args->range[0], shared[0]);
		atomic_min_u32(&args->range[1], shared[1]);
	}
}

/* A block owns HISTO_ROWS times as many neighbouring pixels as it has threads. */
void histo_intermediates(const struct histo_args *args)
{
	uint64_t first = (uint64_t)block_idx_x() * HISTO_BLOCK * HISTO_ROWS;
	uint64_t count = args->pixel_count - first;
	const uint32_t *pixel = args->image + first + thread_idx_x();
	const uint32_t *end = args->image + first;
	uint32_t *middle = args->middle + first + thread_idx_x();
	uint32_t least = args->range[0];

	end += count < HISTO_BLOCK * HISTO_ROWS ? count : HISTO_BLOCK * HISTO_ROWS;
	for (; pixel < end; pixel += HISTO_BLOCK, middle += HISTO_BLOCK)
		*middle = *pixel - least;
}

void histo_main(const struct histo_args *args)
{
	const uint32_t *middle = args->middle + global_idx_x();
	const uint32_t *end = args->middle + args->pixel_count;
	uint64_t threads = histo_threads();
	uint32_t *bins = args->bins;

	for (; middle < end; middle += threads)
		atomic_add_u32(&bins[*middle], 1);
}

void histo_final(const struct histo_args *args)
{
	uint64_t threads = histo_threads(), count = args->bin_count, first = global_idx_x();
	uint64_t least = args->range[0], width = (uint32_t)~args->range[1] - least;
	const uint32_t *bin = args->bins + first - least;
	uint8_t *result = args->result;

	for (uint64_t i = first; i < count; i += threads, bin += threads) {
		uint32_t sum = 0;

		if (i - least <= width)
			sum = *bin;
		result[i] = (uint8_t)(sum < HISTO_SATURATED ? sum : HISTO_SATURATED);
	}
}
#endif

#endif

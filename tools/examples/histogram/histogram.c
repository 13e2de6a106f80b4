// SPDX-License-Identifier: GPL-2.0
/*
 * How often each value occurs: atomics; and what a kernel prints is shown.
 *
 *   histogram KERNEL.elf
 */
#include <stdio.h>

#include <uvm.h>

#include "histogram.h"

#define ELEMENTS	(1 << 18)
#define BLOCKS		16
#define BLOCK		128

/* What kernels say with sgpu_printf() is kept until somebody reads it. */
static void histogram_show_output(struct uvm *uvm)
{
	char text[4096];
	long got;

	while ((got = uvm_gpu_output(uvm, 0, text, sizeof(text))) > 0)
		fwrite(text, 1, got, stdout);
}

static int histogram_run(struct uvm *uvm, const char *kernel)
{
	struct histogram_args args = { .elements = ELEMENTS };
	struct uvm_launch_params launch = {
		.gpu = 0, .entry = "histogram", .grid = UVM_DIM(BLOCKS), .block = UVM_DIM(BLOCK),
		.args = &args, .args_bytes = sizeof(args),
	};
	uint32_t want[HISTOGRAM_BINS] = { 0 };
	uint8_t *in;
	int err, i;

	in = uvm_malloc_managed(uvm, ELEMENTS, "in");
	args.bins = uvm_malloc_managed(uvm, sizeof(want), "bins");	/* reads as zero */
	if (!in || !args.bins)
		return -1;
	for (i = 0; i < ELEMENTS; i++) {
		in[i] = (uint32_t)i * i >> 7;
		want[in[i] % HISTOGRAM_BINS]++;
	}

	args.in = in;
	err = uvm_load_image_file(uvm, 0, kernel, &launch.image);
	if (!err)
		err = uvm_launch(uvm, &launch);
	if (!err)
		err = uvm_synchronize(uvm);
	histogram_show_output(uvm);
	if (err)
		return err;

	for (i = 0; i < HISTOGRAM_BINS; i++) {
		if (args.bins[i] != want[i]) {
			printf("bin %d: %u, not %u\n", i, args.bins[i], want[i]);
			return 1;
		}
	}
	printf("right; %d bins\n", HISTOGRAM_BINS);
	return 0;
}

int main(int argc, char **argv)
{
	struct uvm *uvm = NULL;
	int gpu = 0, err;

	if (argc != 2) {
		fprintf(stderr, "usage: histogram KERNEL.elf\n");
		return 2;
	}
	err = uvm_open(&uvm, &gpu, 1);
	if (!err)
		err = histogram_run(uvm, argv[1]);
	if (err < 0)
		fprintf(stderr, "histogram: %s\n", uvm_last_error(uvm));
	uvm_close(uvm);
	return err ? 1 : 0;
}

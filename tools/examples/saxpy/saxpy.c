// SPDX-License-Identifier: GPL-2.0
/*
 * The host side of a complete program: y += factor * x on GPU 0.
 *
 *   saxpy KERNEL.elf
 */
#include <stdio.h>

#include <uvm.h>

#include "saxpy.h"

#define ELEMENTS	(1 << 20)
#define BLOCK		256

static int saxpy_run(struct uvm *uvm, const char *kernel)
{
	struct saxpy_args args = { .elements = ELEMENTS, .factor = 2.0f };
	struct uvm_launch_params launch = {
		.gpu = 0, .entry = "saxpy", .grid = UVM_DIM(ELEMENTS / BLOCK),
		.block = UVM_DIM(BLOCK), .args = &args, .args_bytes = sizeof(args),
	};
	struct uvm_stats stats;
	float *x, *y;
	int err, i;

	x = uvm_malloc_managed(uvm, ELEMENTS * sizeof(float), "x");
	y = uvm_malloc_managed(uvm, ELEMENTS * sizeof(float), "y");
	if (!x || !y)
		return -1;
	for (i = 0; i < ELEMENTS; i++) {
		x[i] = (float)i;
		y[i] = 1.0f;
	}

	/* No copies: the GPU faults, and the driver brings the pages. */
	args.x = x;
	args.y = y;
	err = uvm_load_image_file(uvm, 0, kernel, &launch.image);
	if (!err)
		err = uvm_launch(uvm, &launch);
	if (!err)
		err = uvm_synchronize(uvm);
	if (err)
		return err;

	/* And back: the CPU just reads. */
	for (i = 0; i < ELEMENTS; i++) {
		if (y[i] != 2.0f * (float)i + 1.0f) {
			printf("y[%d] is %g\n", i, y[i]);
			return 1;
		}
	}
	err = uvm_stats_read(uvm, &stats, false);
	if (!err)
		printf("right; %llu GPU faults in %llu batches, %llu bytes moved to the GPU\n",
		       (unsigned long long)stats.faults_fetched,
		       (unsigned long long)stats.batches, (unsigned long long)stats.bytes_htod);
	return err;
}

int main(int argc, char **argv)
{
	struct uvm *uvm = NULL;
	int gpu = 0, err;

	if (argc != 2) {
		fprintf(stderr, "usage: saxpy KERNEL.elf\n");
		return 2;
	}
	err = uvm_open(&uvm, &gpu, 1);
	if (!err)
		err = saxpy_run(uvm, argv[1]);
	if (err < 0)
		fprintf(stderr, "saxpy: %s\n", uvm_last_error(uvm));
	uvm_close(uvm);
	return err ? 1 : 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Sum of a vector: each block reduces its part, the CPU adds the blocks' sums.
 *
 *   reduction KERNEL.elf
 */
#include <stdio.h>

#include <uvm.h>

#include "reduction.h"

#define ELEMENTS	1000003
#define BLOCKS		56

static int reduction_run(struct uvm *uvm, const char *kernel)
{
	struct reduction_args args = { .elements = ELEMENTS };
	struct uvm_launch_params launch = {
		.gpu = 0, .entry = "reduction", .grid = UVM_DIM(BLOCKS),
		.block = UVM_DIM(REDUCTION_BLOCK), .args = &args, .args_bytes = sizeof(args),
	};
	uint64_t want = 0, sum = 0;
	uint32_t *in;
	int err, i;

	in = uvm_malloc_managed(uvm, ELEMENTS * sizeof(*in), "in");
	args.sums = uvm_malloc_managed(uvm, BLOCKS * sizeof(*args.sums), "sums");
	if (!in || !args.sums)
		return -1;
	for (i = 0; i < ELEMENTS; i++) {
		in[i] = (uint32_t)i * 2654435761u;
		want += in[i];
	}

	args.in = in;
	err = uvm_load_image_file(uvm, 0, kernel, &launch.image);
	if (!err)
		err = uvm_launch(uvm, &launch);
	if (!err)
		err = uvm_synchronize(uvm);
	if (err)
		return err;

	/* The page with the sums comes back when the CPU reads the first of them. */
	for (i = 0; i < BLOCKS; i++)
		sum += args.sums[i];
	printf("%s; the sum of %d numbers is %llu\n", sum == want ? "right" : "wrong", ELEMENTS,
	       (unsigned long long)sum);
	return sum != want;
}

int main(int argc, char **argv)
{
	struct uvm *uvm = NULL;
	int gpu = 0, err;

	if (argc != 2) {
		fprintf(stderr, "usage: reduction KERNEL.elf\n");
		return 2;
	}
	err = uvm_open(&uvm, &gpu, 1);
	if (!err)
		err = reduction_run(uvm, argv[1]);
	if (err < 0)
		fprintf(stderr, "reduction: %s\n", uvm_last_error(uvm));
	uvm_close(uvm);
	return err ? 1 : 0;
}

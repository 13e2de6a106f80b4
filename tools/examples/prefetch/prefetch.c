// SPDX-License-Identifier: GPL-2.0
/*
 * One kernel, four ways to have its memory where it is needed.
 *
 *   prefetch KERNEL.elf
 */
#include <stdio.h>

#include <uvm.h>

#include "prefetch.h"

#define ELEMENTS	(1 << 20)
#define BYTES		(ELEMENTS * sizeof(uint32_t))
#define BLOCK		256

/* All moves by faults. */
static int way_faults(struct uvm *uvm, const struct prefetch_args *args)
{
	(void)uvm;
	(void)args;
	return 0;
}

/* What the kernel uses is brought before it is launched. */
static int way_prefetch(struct uvm *uvm, const struct prefetch_args *args)
{
	int err = uvm_prefetch(uvm, args->in, BYTES, 0);

	return err ? err : uvm_prefetch(uvm, args->out, BYTES, 0);
}

/* The CPU keeps its copy of what is only read, and need not fetch it back. */
static int way_read_duplicate(struct uvm *uvm, const struct prefetch_args *args)
{
	return uvm_advise(uvm, args->in, BYTES, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE);
}

/* The input stays at the CPU, and the GPU reads it from there. */
static int way_remote(struct uvm *uvm, const struct prefetch_args *args)
{
	int err = uvm_advise(uvm, args->in, BYTES, UVM_ADVICE_PREFERRED_LOCATION,
			     UVM_PROCESSOR_CPU);

	return err ? err : uvm_advise(uvm, args->in, BYTES, UVM_ADVICE_ACCESSED_BY, 0);
}

static const struct {
	const char *name;
	int (*prepare)(struct uvm *uvm, const struct prefetch_args *args);
} ways[] = {
	{ "faults", way_faults },
	{ "prefetch", way_prefetch },
	{ "read duplicate", way_read_duplicate },
	{ "remote", way_remote },
};

/* 0 if the CPU finds what it should; it reads the input, too. */
static int prefetch_verify(const struct prefetch_args *args, const char *name)
{
	for (int i = 0; i < ELEMENTS; i++) {
		if (args->in[i] != (uint32_t)i || args->out[i] != 3 * (uint32_t)i + 1) {
			printf("%s: out[%d] is %u\n", name, i, args->out[i]);
			return 1;
		}
	}
	return 0;
}

/* Memory of its own for each way, so that none begins with what another left. */
static int prefetch_one(struct uvm *uvm, struct uvm_launch_params *launch, int way)
{
	struct prefetch_args args = { .elements = ELEMENTS };
	struct uvm_stats stats;
	uint32_t *in;
	int err;

	args.in = in = uvm_malloc_managed(uvm, BYTES, "in");
	args.out = uvm_malloc_managed(uvm, BYTES, "out");
	if (!in || !args.out)
		return -1;
	for (int i = 0; i < ELEMENTS; i++)
		in[i] = (uint32_t)i;

	launch->args = &args;
	launch->args_bytes = sizeof(args);
	err = uvm_stats_read(uvm, &stats, true);
	if (!err)
		err = ways[way].prepare(uvm, &args);
	if (!err)
		err = uvm_launch(uvm, launch);
	if (!err)
		err = uvm_synchronize(uvm);
	if (!err)
		err = prefetch_verify(&args, ways[way].name);
	if (!err)
		err = uvm_stats_read(uvm, &stats, false);
	if (!err)
		printf("%-14s  %6llu GPU faults  %8llu bytes to the GPU  %8llu back\n",
		       ways[way].name, (unsigned long long)stats.faults_fetched,
		       (unsigned long long)stats.bytes_htod, (unsigned long long)stats.bytes_dtoh);
	uvm_free(uvm, in);
	uvm_free(uvm, args.out);
	return err;
}

int main(int argc, char **argv)
{
	struct uvm_launch_params launch = {
		.gpu = 0, .entry = "prefetch", .grid = UVM_DIM(ELEMENTS / BLOCK),
		.block = UVM_DIM(BLOCK),
	};
	struct uvm *uvm = NULL;
	int gpu = 0, err;

	if (argc != 2) {
		fprintf(stderr, "usage: prefetch KERNEL.elf\n");
		return 2;
	}
	err = uvm_open(&uvm, &gpu, 1);
	if (!err)
		err = uvm_load_image_file(uvm, 0, argv[1], &launch.image);
	for (int way = 0; !err && way < 4; way++)
		err = prefetch_one(uvm, &launch, way);
	if (err < 0)
		fprintf(stderr, "prefetch: %s\n", uvm_last_error(uvm));
	if (!err)
		printf("right, four ways\n");
	uvm_close(uvm);
	return err ? 1 : 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Workloads without a device: their kernels are compiled for this CPU and a fake
 * libuvm runs them.  Each must verify, and must notice one flipped bit.
 */
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __riscv 1
#include "../kernels/bfs.c"
#include "../kernels/chase.c"
#include "../kernels/cufft.c"
#include "../kernels/cusparse.c"
#include "../kernels/hpgmg.c"
#include "../kernels/pages.c"
#include "../kernels/sgemm.c"
#include "../kernels/stencil.c"
#include "../kernels/tealeaf.c"
#include "../kernels/triad.c"
#include "../kernels/vecadd.c"
#undef __riscv

#include "../uvm/workload.h"
#include "test.h"

#define FAKE_THREADS		1024
#define FAKE_STACK		16384
#define FAKE_ALLOCATIONS	16

/* ---- threads of a block as fibers --------------------------------------- */

struct fake_ids fake;
float fake_shared[32768];

static ucontext_t fake_main, fake_fiber[FAKE_THREADS];
static char fake_stack[FAKE_THREADS][FAKE_STACK];
static int fake_ended[FAKE_THREADS];
static void (*fake_kernel)(const void *args);
static const void *fake_args;

void fake_yield(void)
{
	swapcontext(&fake_fiber[fake.thread], &fake_main);
}

static void fake_enter(void)
{
	fake_kernel(fake_args);
	fake_ended[fake.thread] = 1;
}

static void fake_block(uint32_t threads)
{
	uint32_t i, left = threads;

	memset(fake_shared, 0, sizeof(fake_shared));
	for (i = 0; i < threads; i++) {
		fake_ended[i] = 0;
		getcontext(&fake_fiber[i]);
		fake_fiber[i].uc_stack.ss_sp = fake_stack[i];
		fake_fiber[i].uc_stack.ss_size = FAKE_STACK;
		fake_fiber[i].uc_link = &fake_main;
		makecontext(&fake_fiber[i], fake_enter, 0);
	}
	while (left) {
		for (i = 0; i < threads; i++) {
			if (fake_ended[i])
				continue;
			fake.thread = i;
			swapcontext(&fake_main, &fake_fiber[i]);
			left -= fake_ended[i];
		}
	}
}

/* ---- libuvm, as far as workloads use it ----------------------------------- */

#define KERNEL(name) { #name, (void (*)(const void *))name }

static const struct {
	const char *name;
	void (*run)(const void *args);
} fake_kernels[] = {
	KERNEL(bfs), KERNEL(chase), KERNEL(cufft_radix2), KERNEL(cufft_radix4),
	KERNEL(cusparse_count), KERNEL(cusparse_fill), KERNEL(cusparse_multiply),
	KERNEL(cusparse_scan), KERNEL(hpgmg_prolong), KERNEL(hpgmg_residual),
	KERNEL(hpgmg_restrict), KERNEL(hpgmg_smooth), KERNEL(pages), KERNEL(sgemm),
	KERNEL(sgemm_tensor), KERNEL(stencil), KERNEL(tealeaf_advance), KERNEL(tealeaf_apply),
	KERNEL(tealeaf_conduct), KERNEL(tealeaf_direction), KERNEL(tealeaf_finish),
	KERNEL(tealeaf_residual), KERNEL(tealeaf_sum), KERNEL(triad), KERNEL(vecadd),
};

static struct {
	char *base;
	size_t bytes;
	char name[32];
} fake_allocation[FAKE_ALLOCATIONS];
static unsigned int fake_allocations;

void *uvm_malloc_managed(struct uvm *u, size_t bytes, const char *name)
{
	char *base;

	(void)u;
	bytes = (bytes + UVM_PAGE_SIZE - 1) & ~(UVM_PAGE_SIZE - 1);
	base = aligned_alloc(UVM_PAGE_SIZE, bytes);
	memset(base, 0, bytes);
	fake_allocation[fake_allocations].base = base;
	fake_allocation[fake_allocations].bytes = bytes;
	snprintf(fake_allocation[fake_allocations].name, 32, "%s", name);
	fake_allocations++;
	return base;
}

/* These tests know managed memory only. */
void *uvm_malloc_mirrored(struct uvm *u, int gpu, size_t bytes, const char *name)
{
	(void)gpu;
	return uvm_malloc_managed(u, bytes, name);
}

int uvm_mirror_to_gpu(struct uvm *u, const void *ptr, size_t bytes)
{
	(void)u;
	(void)ptr;
	(void)bytes;
	return 0;
}

int uvm_mirror_to_cpu(struct uvm *u, const void *ptr, size_t bytes)
{
	return uvm_mirror_to_gpu(u, ptr, bytes);
}

int uvm_launch(struct uvm *u, const struct uvm_launch_params *launch)
{
	uint32_t x, y;
	size_t i;

	(void)u;
	for (i = 0; i < ROWS(fake_kernels); i++)
		if (!strcmp(fake_kernels[i].name, launch->entry))
			break;
	CHECK(i < ROWS(fake_kernels), "kernel %s", launch->entry);
	if (i == ROWS(fake_kernels))
		return -1;

	fake_kernel = fake_kernels[i].run;
	fake_args = launch->args;
	fake.block_dim = launch->block.x;
	fake.grid_x = launch->grid.x;
	for (y = 0; y < (launch->grid.y ? launch->grid.y : 1); y++) {
		for (x = 0; x < launch->grid.x; x++) {
			fake.block_x = x;
			fake.block_y = y;
			fake_block(launch->block.x);
		}
	}
	return 0;
}

int uvm_synchronize(struct uvm *u)
{
	(void)u;
	return 0;
}

const char *uvm_last_error(const struct uvm *u)
{
	(void)u;
	return "fake";
}

/* ---- cases ---------------------------------------------------------------- */

/*
 * @corrupt names an allocation that holds results, and @at a byte of it; one
 * flipped bit there must be noticed.
 */
static const struct row {
	const char *workload;
	const char *options[4][2];
	const char *corrupt;
	size_t at;
} rows[] = {
	{ "vecadd", { { "size", "96K" } }, "c", 4 * 8191 + 1 },
	/* The shape of issue C: one warp, each lane a page of a, b and c. */
	{ "vecadd", { { "elements", "32" }, { "stride", "4K" }, { "block", "32" } },
	  "c", 31 << 12 },
	{ "vecadd", { { "elements", "33" }, { "stride", "8" }, { "block", "1" } }, "c", 32 * 8 },
	{ "triad", { { "size", "96K" } }, "a", 0 },
	{ "triad", { { "size", "12" } }, "a", 3 },
	{ "regular", { { "size", "2M" } }, "buffer", 511 << 12 },
	{ "regular", { { "size", "2M" }, { "access", "both" } }, "buffer", 1 << 12 },
	{ "regular", { { "size", "1M" }, { "access", "read" } }, "seen", 4 * 255 },
	{ "random", { { "size", "2M" } }, "buffer", 17 << 12 },
	/* A permutation of a size that is no power of two is walked back into range. */
	{ "random", { { "size", "1388K" }, { "block", "96" } }, "buffer", 346 << 12 },
	{ "random", { { "size", "4K" }, { "access", "both" } }, "buffer", 0 },
	{ "chase", { { "size", "256K" } }, "result", 7 },
	{ "chase", { { "size", "4K" }, { "hops", "5" } }, "result", 0 },
	{ "stencil", { { "size", "256K" }, { "width", "100" } }, "odd", 4 * 5050 },
	{ "stencil", { { "size", "256K" }, { "width", "64" }, { "sweeps", "2" } }, "even", 4 * 70 },
	{ "stencil", { { "size", "72" }, { "width", "3" }, { "sweeps", "1" } }, "odd", 16 },
	{ "sgemm", { { "m", "64" }, { "n", "128" }, { "k", "48" } }, "c", 4 * 100 + 3 },
	{ "sgemm", { { "size", "100K" } }, "c", 4 * 64 * 63 + 3 },
	{ "sgemm", { { "tensor", "on" }, { "m", "128" }, { "n", "64" }, { "k", "32" } }, "c", 3 },
	{ "sgemm", { { "m", "64" }, { "n", "64" }, { "k", "16" } }, "a", 3 },
	{ "bfs", { { "kronecker", "9" }, { "degree", "4" } }, "level", 0 },
	{ "bfs", { { "kronecker", "6" }, { "degree", "20" }, { "start", "3" } }, "level", 12 },
	/* Radix 4 alone; an odd power of two, with a pass of radix 2; the shortest. */
	{ "cufft", { { "size", "64K" }, { "points", "256" } }, "signal", 8 * 4095 + 5 },
	{ "cufft", { { "size", "64K" }, { "points", "2048" } }, "signal", 0 },
	{ "cufft", { { "size", "800" }, { "points", "2" } }, "signal", 4 },
	/* Enough iterations for the residual to mean something; several blocks. */
	{ "tealeaf", { { "size", "256K" }, { "width", "50" }, { "iterations", "20" } },
	  "energy", 4 * 4000 },
	{ "tealeaf", { { "size", "64K" }, { "width", "64" }, { "steps", "3" } }, "energy", 4 * 65 },
	{ "tealeaf", { { "size", "288" }, { "width", "3" }, { "iterations", "1" } }, "energy", 16 },
	/* One box; many boxes and all levels; no coarser level; several cycles. */
	{ "hpgmg", { { "cells", "16" } }, "level0", 4 * 2741 },
	{ "hpgmg", { { "cells", "32" }, { "cycles", "3" } }, "level0", 0 },
	{ "hpgmg", { { "cells", "4" }, { "cycles", "1" } }, "level0", 4 * 63 },
	{ "hpgmg", { { "cells", "8" }, { "cycles", "6" }, { "smooths", "2" } }, "level0", 4 * 100 },
	/* A row longer than a block takes at once; ends that are no multiples; all full. */
	{ "cusparse", { { "size", "5M" }, { "density", "1" }, { "columns", "1" } }, "begin", 0 },
	{ "cusparse", { { "size", "40000" }, { "columns", "33" } }, "c", 4 * 3000 + 2 },
	{ "cusparse", { { "size", "10000" }, { "density", "1000" }, { "columns", "130" } },
	  "column", 4 * 777 },
	{ "cusparse", { { "size", "64K" }, { "density", "500" } }, "value", 4 * 777 + 1 },
	{ "cusparse", { { "size", "4" }, { "density", "1000" } }, "c", 0 },
};

static void row_corrupt(const struct row *row, struct wl_run *run)
{
	unsigned int i;

	for (i = 0; i < fake_allocations; i++)
		if (!strcmp(fake_allocation[i].name, row->corrupt))
			break;
	CHECK(i < fake_allocations && row->at < fake_allocation[i].bytes, "%s: no %s",
	      row->workload, row->corrupt);
	if (i == fake_allocations)
		return;
	fake_allocation[i].base[row->at] ^= 1;
	CHECK(run->workload->verify(run) == 1, "%s: flipped bit in %s missed", row->workload,
	      row->corrupt);
	fake_allocation[i].base[row->at] ^= 1;
	CHECK(run->workload->verify(run) == 0, "%s: %s", row->workload, run->error);
}

static void row_run(const struct row *row)
{
	struct wl_run run = { .workload = wl_find(row->workload), .seed = 7 };
	const struct workload *w = run.workload;
	int i, at, err;

	for (i = 0; w->options[i].name; i++)
		run.value[i] = w->options[i].value;
	for (i = 0; i < 4 && row->options[i][0]; i++) {
		at = wl_option_index(w, row->options[i][0]);
		CHECK(at >= 0, "%s has no option %s", w->name, row->options[i][0]);
		run.value[at] = row->options[i][1];
	}

	run.data = calloc(1, w->data_bytes);
	fake_allocations = 0;
	err = w->setup(&run);
	CHECK(!err, "%s: setup: %s", w->name, run.error);
	if (!err) {
		CHECK(!w->init(&run), "%s: init: %s", w->name, run.error);
		CHECK(w->verify(&run) == 1, "%s: verified before it ran", w->name);
		CHECK(!w->execute(&run), "%s: execute: %s", w->name, run.error);
		CHECK(w->verify(&run) == 0, "%s: %s", w->name, run.error);
		row_corrupt(row, &run);
	}
	if (w->cleanup)
		w->cleanup(&run);
	while (fake_allocations)
		free(fake_allocation[--fake_allocations].base);
	free(run.data);
}

/* Every image is one bijection: pages_permute() must hit each page once. */
static void check_permutation(void)
{
	static const uint64_t sizes[] = { 1, 2, 3, 4, 5, 63, 64, 65, 1000, 4096 };
	size_t i, page;

	for (i = 0; i < ROWS(sizes); i++) {
		unsigned char *hit = calloc(1, sizes[i]);
		uint64_t missed = 0;

		for (page = 0; page < sizes[i]; page++)
			hit[pages_permute(page, sizes[i], 99)]++;
		for (page = 0; page < sizes[i]; page++)
			missed += hit[page] != 1;
		CHECK(!missed, "%llu of %llu pages", (unsigned long long)missed,
		      (unsigned long long)sizes[i]);
		free(hit);
	}
}

int main(void)
{
	size_t i;

	for (i = 0; i < ROWS(rows); i++)
		row_run(&rows[i]);
	check_permutation();
	return test_end("workloads");
}

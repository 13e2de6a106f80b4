// SPDX-License-Identifier: GPL-2.0
/*
 * Workloads without a device: their kernels are compiled for this CPU and a fake
 * libuvm runs them.  Each must verify, and must notice one flipped bit.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define __riscv 1
#include "../kernels/bc.c"
#include "../kernels/bfs.c"
#include "../kernels/bfs_dwc.c"
#include "../kernels/bfs_ta.c"
#include "../kernels/bfs_tf.c"
#include "../kernels/bfs_ttc.c"
#include "../kernels/bfs_twc.c"
#include "../kernels/chase.c"
#include "../kernels/cufft.c"
#include "../kernels/cusparse.c"
#include "../kernels/gc_dtc.c"
#include "../kernels/gc_ttc.c"
#include "../kernels/hpgmg.c"
#include "../kernels/kcore.c"
#include "../kernels/pagerank.c"
#include "../kernels/pages.c"
#include "../kernels/sgemm.c"
#include "../kernels/sssp_twc.c"
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
	KERNEL(bc_backward), KERNEL(bc_clear), KERNEL(bc_forward), KERNEL(bc_init),
	KERNEL(bc_sum), KERNEL(bfs_dwc), KERNEL(bfs_dwc_init), KERNEL(bfs_ta),
	KERNEL(bfs_ta_init), KERNEL(bfs_tf), KERNEL(bfs_tf_init), KERNEL(bfs_tf_update),
	KERNEL(bfs_ttc), KERNEL(bfs_ttc_init), KERNEL(bfs_twc), KERNEL(bfs_twc_init),
	KERNEL(gc_dtc), KERNEL(gc_dtc_init), KERNEL(gc_ttc), KERNEL(gc_ttc_init),
	KERNEL(kcore_init), KERNEL(kcore_remove), KERNEL(kcore_subtract),
	KERNEL(pagerank_begin), KERNEL(pagerank_check), KERNEL(pagerank_init),
	KERNEL(pagerank_push), KERNEL(sssp_twc), KERNEL(sssp_twc_init),
	KERNEL(sssp_twc_update), KERNEL(bfs), KERNEL(chase), KERNEL(cufft_radix2), KERNEL(cufft_radix4),
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
	/* One warp a block; a size; several sources; a core that costs more than one round. */
	{ "bc", { { "kronecker", "8" }, { "degree", "4" }, { "sources", "3" } }, "centrality", 8 },
	{ "bc", { { "size", "40K" }, { "block", "32" } }, "paths", 4 },
	{ "bfs-dwc", { { "kronecker", "9" }, { "degree", "30" }, { "block", "32" } }, "level", 0 },
	{ "bfs-dwc", { { "size", "100K" } }, "level", 9 },
	{ "bfs-ta", { { "kronecker", "9" }, { "degree", "4" }, { "block", "96" } }, "level", 0 },
	{ "bfs-tf", { { "kronecker", "9" }, { "degree", "4" }, { "start", "3" } }, "level", 4 },
	{ "bfs-ttc", { { "kronecker", "9" }, { "degree", "4" } }, "level", 5 },
	{ "bfs-ttc", { { "kronecker", "9" }, { "initiator", "45,15,15,25" }, { "shuffle", "1" } },
	  "level", 5 },
	{ "bfs-twc", { { "size", "60000" } }, "level", 0 },
	{ "gc-dtc", { { "kronecker", "9" }, { "degree", "8" } }, "color", 4 },
	{ "gc-dtc", { { "kronecker", "9" }, { "degree", "8" }, { "sort", "1" } }, "color", 4 },
	{ "gc-ttc", { { "kronecker", "9" }, { "degree", "8" } }, "color", 4 },
	{ "gc-dtc", { { "kronecker", "9" }, { "degree", "8" }, { "rounds", "5" } }, "color", 4 },
	{ "gc-ttc", { { "kronecker", "9" }, { "degree", "8" }, { "rounds", "5" } }, "color", 4 },
	{ "kcore", { { "kronecker", "9" }, { "degree", "8" } }, "degree", 0 },
	{ "kcore", { { "kronecker", "9" }, { "degree", "8" }, { "k", "20" } }, "removed", 300 },
	{ "pagerank", { { "kronecker", "8" }, { "degree", "8" } }, "rank", 8 },
	{ "pagerank", { { "size", "80K" }, { "iterations", "2" } }, "rank", 0 },
	{ "sssp-twc", { { "kronecker", "9" }, { "degree", "8" } }, "distance", 8 },
	{ "sssp-twc", { { "size", "90K" }, { "weights", "1" } }, "distance", 0 },
};

static const char * const graph_workloads[] = {
	"bc", "bfs", "bfs-dwc", "bfs-ta", "bfs-tf", "bfs-ttc", "bfs-twc", "gc-dtc", "gc-ttc",
	"kcore", "pagerank", "sssp-twc",
};

/* What graphs can be like at worst; the first vertex has a shortest path to itself only. */
static const char * const graph_files[] = {
	"0 1\n",						/* a single edge */
	"0 1\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 8\n",		/* a path */
	"3 0\n3 1\n3 2\n3 4\n3 5\n3 6\n3 40\n",		/* a star, and loners */
	"1 2\n2 3\n1 3\n5 6\n6 7\n7 8\n8 5\n5 7\n6 8\n",	/* parts */
	"p sp 5 5\na 1 2 9\na 1 3 1\na 3 2 1\na 4 3 0\na 2 4 4294967295\n",
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
		if (row->corrupt)
			row_corrupt(row, &run);
	}
	if (w->cleanup)
		w->cleanup(&run);
	while (fake_allocations)
		free(fake_allocation[--fake_allocations].base);
	free(run.data);
}

/* All workloads on graphs on all files. */
static void check_graph_files(void)
{
	char path[] = "/tmp/uvm-graph-XXXXXX";
	struct row row = { .options = { { "graph", path } } };
	size_t file, i;
	int fd = mkstemp(path);

	CHECK(fd >= 0, "%s", path);
	for (file = 0; fd >= 0 && file < ROWS(graph_files); file++) {
		ssize_t bytes = (ssize_t)strlen(graph_files[file]);

		CHECK(!ftruncate(fd, 0) && pwrite(fd, graph_files[file], bytes, 0) == bytes,
		      "%s", path);
		for (i = 0; i < ROWS(graph_workloads); i++) {
			row.workload = graph_workloads[i];
			row_run(&row);
		}
	}
	close(fd);
	unlink(path);
}

/* Each of 33 squares in a row doubles the shortest paths: too many for 32 bits. */
static void write_squares(int fd)
{
	FILE *file = fdopen(dup(fd), "w");
	int i;

	CHECK(file, "squares");
	if (!file)
		return;
	for (i = 0; i < 99; i += 3)
		fprintf(file, "%d %d\n%d %d\n%d %d\n%d %d\n", i, i + 1, i, i + 2, i + 1, i + 3,
			i + 2, i + 3);
	fclose(file);
}

/* setup refuses it and says so. */
static void check_refused(const char *workload, const char *option, const char *value)
{
	struct wl_run run = { .workload = wl_find(workload), .seed = 7 };
	const struct workload *w = run.workload;
	int i;

	for (i = 0; w->options[i].name; i++)
		run.value[i] = w->options[i].value;
	run.value[wl_option_index(w, option)] = value;
	run.data = calloc(1, w->data_bytes);
	fake_allocations = 0;
	CHECK(w->setup(&run) == -EINVAL && run.error[0], "%s --%s %s: %s", workload, option, value,
	      run.error);
	w->cleanup(&run);
	while (fake_allocations)
		free(fake_allocation[--fake_allocations].base);
	free(run.data);
}

static void check_refusals(void)
{
	char path[] = "/tmp/uvm-graph-XXXXXX";
	int fd = mkstemp(path);

	write_squares(fd);
	check_refused("bc", "graph", path);
	close(fd);
	unlink(path);
	check_refused("bfs-ttc", "block", "0");
	check_refused("bfs-ttc", "block", "33");
	check_refused("bfs-ttc", "block", "1056");
	check_refused("bfs-ttc", "size", "1");
	check_refused("bfs-ttc", "kronecker", "29");
	check_refused("bfs-ttc", "degree", "0");
	check_refused("bfs-ttc", "initiator", "57,19,19,6");
	check_refused("bfs-ttc", "start", "8192");
	check_refused("bfs-ttc", "graph", "/nowhere/graph");
	check_refused("bc", "sources", "0");
	check_refused("gc-dtc", "rounds", "0");
	check_refused("kcore", "k", "0");
	check_refused("pagerank", "iterations", "0");
	check_refused("sssp-twc", "weights", "0");
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
	check_graph_files();
	check_refusals();
	check_permutation();
	return test_end("workloads");
}

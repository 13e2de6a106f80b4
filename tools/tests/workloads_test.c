// SPDX-License-Identifier: GPL-2.0
/*
 * Workloads without a device: their kernels are compiled for this CPU and a fake
 * libuvm runs them.  Each must verify, and must notice one flipped bit.  The cases are
 * the workloads' own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "../kernels/pages.c"
#include "../uvm/run/workload.h"
#include "fake/softgpu_kernel.h"
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

	(void)u;
	/* The kernels are linked into this program, which shows their names. */
	fake_kernel = (void (*)(const void *))dlsym(RTLD_DEFAULT, launch->entry);
	CHECK(fake_kernel, "kernel %s", launch->entry);
	if (!fake_kernel)
		return -1;

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

/* What graphs can be like at worst; the first vertex has a shortest path to itself only. */
static const char * const graph_files[] = {
	"0 1\n",						/* a single edge */
	"0 1\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 8\n",		/* a path */
	"3 0\n3 1\n3 2\n3 4\n3 5\n3 6\n3 40\n",		/* a star, and loners */
	"1 2\n2 3\n1 3\n5 6\n6 7\n7 8\n8 5\n5 7\n6 8\n",	/* parts */
	"p sp 5 5\na 1 2 9\na 1 3 1\na 3 2 1\na 4 3 0\na 2 4 4294967295\n",
};

static void case_corrupt(const struct wl_case *c, struct wl_run *run)
{
	const char *name = run->workload->name;
	unsigned int i;

	for (i = 0; i < fake_allocations; i++)
		if (!strcmp(fake_allocation[i].name, c->corrupt))
			break;
	CHECK(i < fake_allocations && c->at < fake_allocation[i].bytes, "%s: no %s", name,
	      c->corrupt);
	if (i == fake_allocations)
		return;
	fake_allocation[i].base[c->at] ^= 1;
	CHECK(run->workload->verify(run) == 1, "%s %s: flipped bit in %s missed", name, c->options,
	      c->corrupt);
	fake_allocation[i].base[c->at] ^= 1;
	CHECK(run->workload->verify(run) == 0, "%s: %s", name, run->error);
}

/* Options as on the command line; @words is taken apart. */
static void case_options(struct wl_run *run, char *words)
{
	const struct workload *w = run->workload;
	char *rest, *word = strtok_r(words, " ", &rest);
	int i;

	for (i = 0; w->options[i].name; i++)
		run->value[i] = w->options[i].value;
	for (; word; word = strtok_r(NULL, " ", &rest)) {
		i = strncmp(word, "--", 2) ? -1 : wl_option_index(w, word + 2);
		CHECK(i >= 0, "%s has no option %s", w->name, word);
		if (i < 0)
			return;
		run->value[i] = w->options[i].type == WL_FLAG ? "1" : strtok_r(NULL, " ", &rest);
		CHECK(run->value[i], "%s --%s: no value", w->name, w->options[i].name);
	}
}

static void case_run(const struct workload *w, const struct wl_case *c)
{
	struct wl_run run = { .workload = w, .seed = 7 };
	char *words = strdup(c->options);
	int err;

	case_options(&run, words);
	run.data = calloc(1, w->data_bytes);
	fake_allocations = 0;
	err = w->setup(&run);
	CHECK(!err, "%s %s: setup: %s", w->name, c->options, run.error);
	if (!err) {
		CHECK(!w->init(&run), "%s: init: %s", w->name, run.error);
		CHECK(w->verify(&run) == 1, "%s: verified before it ran", w->name);
		CHECK(!w->execute(&run), "%s: execute: %s", w->name, run.error);
		CHECK(w->verify(&run) == 0, "%s: %s", w->name, run.error);
		if (c->corrupt)
			case_corrupt(c, &run);
	}
	if (w->cleanup)
		w->cleanup(&run);
	while (fake_allocations)
		free(fake_allocation[--fake_allocations].base);
	free(run.data);
	free(words);
}

/* Every workload has cases that say what is to be noticed, and sizes for tests on the device. */
static void check_cases(void)
{
	const struct workload *w;
	const struct wl_case *c;

	for (w = workloads; w; w = w->next) {
		CHECK(w->cases && w->cases->options, "%s has no cases", w->name);
		CHECK(w->sizes && w->sizes->small, "%s has no sizes", w->name);
		for (c = w->cases; c && c->options; c++) {
			CHECK(c->corrupt, "%s %s: no results named", w->name, c->options);
			case_run(w, c);
		}
	}
}

/* All workloads on graphs on all files. */
static void check_graph_files(void)
{
	char options[] = "--graph /tmp/uvm-graph-XXXXXX", *path = strchr(options, '/');
	const struct wl_case c = { .options = options };
	const struct workload *w;
	size_t file;
	int fd = mkstemp(path);

	CHECK(fd >= 0, "%s", path);
	for (file = 0; fd >= 0 && file < ROWS(graph_files); file++) {
		ssize_t bytes = (ssize_t)strlen(graph_files[file]);

		CHECK(!ftruncate(fd, 0) && pwrite(fd, graph_files[file], bytes, 0) == bytes,
		      "%s", path);
		for (w = workloads; w; w = w->next)
			if (wl_option_index(w, "graph") >= 0)
				case_run(w, &c);
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
	if (w->cleanup)
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
	check_refused("sssp", "block", "0");
	check_refused("sssp", "block", "1025");
	check_refused("sssp", "degree", "17");
	check_refused("sssp", "rounds", "0");
	check_refused("sssp", "size", "86");
	check_refused("fdtd2d", "steps", "0");
	check_refused("fdtd2d", "size", "71");
	check_refused("fdtd2d", "size", "1T");
	check_refused("atax", "size", "15");
	check_refused("ra", "size", "11");
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
	check_cases();
	check_graph_files();
	check_refusals();
	check_permutation();
	return test_end("workloads");
}

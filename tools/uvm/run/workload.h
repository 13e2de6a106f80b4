/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a workload is.  A workload is one kernel file (kernels/NAME.c) and one
 * host file (workloads/NAME.c) that ends with UVM_WORKLOAD(); nothing else has
 * to be edited to add one.
 */
#ifndef UVM_WORKLOAD_H
#define UVM_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lib/uvm.h"

enum wl_type {
	WL_COUNT,	/* a number */
	WL_BYTES,	/* a number with K, M, G */
	WL_TEXT,
	WL_FLAG,
};

/**
 * struct wl_option - an option of a workload, "--name" on the command line
 * @name: without dashes; NULL ends the table
 * @type: how to read it
 * @value: default, as on the command line; "" for an unset flag or text
 * @what: for --help
 */
struct wl_option {
	const char *name;
	enum wl_type type;
	const char *value;
	const char *what;
};

/**
 * struct wl_case - a run of no time, for the test of workloads without a device
 * @options: as on the command line; NULL ends the table
 * @corrupt: an allocation with results
 * @at: a byte of it; one flipped bit there must be noticed
 */
struct wl_case {
	const char *options;
	const char *corrupt;
	size_t at;
};

/**
 * struct wl_size - a moderate run, for tests on the device
 * @small: options; a few MB, so that 200 % leaves more than one chunk, and at most two million
 *	warp instructions; NULL ends the table
 * @tiny: the same for a memory of one chunk, where blocks thrash whatever their size, and a policy
 *	may move 2 MB for each page; NULL: @small
 */
struct wl_size {
	const char *small;
	const char *tiny;
};

#define WL_OPTIONS_MAX	12
#define WL_BUFFERS_MAX	64

/**
 * struct wl_buffer - memory of a run
 * @ptr: address
 * @bytes: size
 * @to_gpu: explicit memory: copied to the GPU before the run
 * @to_cpu: and back after it
 */
struct wl_buffer {
	void *ptr;
	uint64_t bytes;
	bool to_gpu;
	bool to_cpu;
};

/**
 * struct wl_run - one run of a workload
 * @workload: what runs
 * @uvm: the VA space
 * @gpu: where
 * @image: the workload's kernel image, loaded
 * @seed: of everything random
 * @value: options in force, in the order of the table
 * @explicit_memory: buffers are mirrored and copied, not managed
 * @buffers: what wl_alloc() gave out
 * @buffer_count: how many
 * @data: the workload's own, zeroed, @workload->data_bytes long
 * @launched: a launch has ended; may be NULL.  0, or a negative errno and words in @error
 * @observer: its own
 * @error: what went wrong, in words
 */
struct wl_run {
	const struct workload *workload;
	struct uvm *uvm;
	int gpu;
	uint32_t image;
	uint64_t seed;
	const char *value[WL_OPTIONS_MAX];
	bool explicit_memory;
	struct wl_buffer buffers[WL_BUFFERS_MAX];
	unsigned int buffer_count;
	void *data;
	int (*launched)(struct wl_run *run);
	void *observer;
	char error[320];
};

/**
 * struct workload - a workload
 * @name: on the command line
 * @what: one line for people
 * @group: suite it belongs to, which `uvm run` runs by that name; NULL: it is one of "all"
 * @image: kernel file, without suffix
 * @options: table that ends with a NULL name
 * @cases: what tests run without a device; at least one
 * @sizes: what tests run on it, once for each kind of kernel; at least one
 * @data_bytes: size of wl_run.data
 * @setup: allocate all managed memory (the sum is the footprint)
 * @init: fill it, on the CPU
 * @execute: launch kernels and wait for them
 * @verify: compare with a computation on the CPU
 * @cleanup: free what is not managed memory; may be NULL
 * @next: list
 *
 * Managed memory is filled and read by plain loops, not memcpy() or memset():
 * those touch pages in an order that depends on the host's CPU.
 *
 * The functions return 0 or a negative errno, @verify 1 for a wrong result;
 * wl_fail() records words.  -EINVAL from @setup is a usage error.
 */
struct workload {
	const char *name;
	const char *what;
	const char *group;
	const char *image;
	const struct wl_option *options;
	const struct wl_case *cases;
	const struct wl_size *sizes;
	size_t data_bytes;
	int (*setup)(struct wl_run *run);
	int (*init)(struct wl_run *run);
	int (*execute)(struct wl_run *run);
	int (*verify)(struct wl_run *run);
	void (*cleanup)(struct wl_run *run);
	struct workload *next;
};

/* All workloads, by name. */
extern struct workload *workloads;

void wl_register(struct workload *workload);
struct workload *wl_find(const char *name);

#define UVM_WORKLOAD(id, ...)	UVM_WORKLOAD_NAMED(id, #id, __VA_ARGS__)

/* For a name that is no identifier. */
#define UVM_WORKLOAD_NAMED(id, text, ...)					\
	static struct workload workload_##id = { .name = text, __VA_ARGS__ };	\
	__attribute__((constructor)) static void workload_register_##id(void)	\
	{									\
		wl_register(&workload_##id);					\
	}									\
	struct workload

/* Option number, or -1. */
int wl_option_index(const struct workload *workload, const char *name);

/* Options of a run; the name must be in the table. */
uint64_t wl_number(const struct wl_run *run, const char *name);
const char *wl_text(const struct wl_run *run, const char *name);
bool wl_flag(const struct wl_run *run, const char *name);

/* Record words, return -@err. */
int wl_fail(struct wl_run *run, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Say that the result is wrong; returns 1. */
int wl_wrong(struct wl_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Managed memory, or with --explicit mirrored; NULL after wl_fail().  Freed after
 * the run.  With --explicit all of it is copied to the GPU before execute and back
 * after it, unless wl_input() or wl_output() says that one way will do.
 */
void *wl_alloc(struct wl_run *run, uint64_t bytes, const char *name);
/* The GPU only reads it: not copied back. */
void wl_input(struct wl_run *run, const void *ptr);
/* The GPU writes it before it reads it: not copied to the GPU. */
void wl_output(struct wl_run *run, const void *ptr);
/*
 * Inside execute: the GPU is to see what the CPU wrote, or the reverse.  Nothing to
 * do for managed memory.  0 or a negative errno after wl_fail().
 */
int wl_to_gpu(struct wl_run *run, const void *ptr, uint64_t bytes);
int wl_to_cpu(struct wl_run *run, const void *ptr, uint64_t bytes);
/* All buffers, before and after execute. */
int wl_copy_in(struct wl_run *run);
int wl_copy_out(struct wl_run *run);

/* Launch one kernel of the workload's image and wait for it. */
int wl_launch(struct wl_run *run, const char *entry, struct uvm_dim3 grid, struct uvm_dim3 block,
	      uint32_t shared_bytes, const void *args, uint32_t args_bytes);

/* A good 64-bit mixer, and the numbers it makes of a seed: wl_mix(seed + i). */
uint64_t wl_mix(uint64_t x);

/* In [-1, 1), with few enough bits that sums of a few stay exact. */
float wl_small_float(uint64_t x);

#endif

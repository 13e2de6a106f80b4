// SPDX-License-Identifier: GPL-2.0
/* The list of workloads, and what they all need. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "run/workload.h"

struct workload *workloads;

void wl_register(struct workload *workload)
{
	struct workload **link = &workloads;

	while (*link && strcmp((*link)->name, workload->name) < 0)
		link = &(*link)->next;
	workload->next = *link;
	*link = workload;
}

struct workload *wl_find(const char *name)
{
	struct workload *w;

	for (w = workloads; w; w = w->next)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}

int wl_option_index(const struct workload *workload, const char *name)
{
	int i;

	for (i = 0; workload->options[i].name; i++)
		if (!strcmp(workload->options[i].name, name))
			return i;
	return -1;
}

const char *wl_text(const struct wl_run *run, const char *name)
{
	int i = wl_option_index(run->workload, name);

	/* A name that is not in the table is a bug of the workload. */
	if (i < 0)
		abort();
	return run->value[i];
}

uint64_t wl_number(const struct wl_run *run, const char *name)
{
	uint64_t value = 0;

	/* Checked when the command line was read. */
	parse_size(wl_text(run, name), &value);
	return value;
}

bool wl_flag(const struct wl_run *run, const char *name)
{
	return wl_text(run, name)[0];
}

int wl_fail(struct wl_run *run, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(run->error, sizeof(run->error), format, args);
	va_end(args);
	return -err;
}

int wl_wrong(struct wl_run *run, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(run->error, sizeof(run->error), format, args);
	va_end(args);
	return 1;
}

void *wl_alloc(struct wl_run *run, uint64_t bytes, const char *name)
{
	struct wl_buffer *buffer = &run->buffers[run->buffer_count];
	void *ptr;

	if (run->buffer_count == WL_BUFFERS_MAX) {
		wl_fail(run, ENOMEM, "more than %d buffers", WL_BUFFERS_MAX);
		return NULL;
	}
	if (run->explicit_memory)
		ptr = uvm_malloc_mirrored(run->uvm, run->gpu, bytes, name);
	else
		ptr = uvm_malloc_managed(run->uvm, bytes, name);
	if (!ptr) {
		wl_fail(run, ENOMEM, "%s", uvm_last_error(run->uvm));
		return NULL;
	}
	*buffer = (struct wl_buffer){ .ptr = ptr, .bytes = bytes, .to_gpu = true, .to_cpu = true };
	run->buffer_count++;
	return ptr;
}

static struct wl_buffer *wl_buffer_of(struct wl_run *run, const void *ptr)
{
	unsigned int i;

	for (i = 0; i < run->buffer_count; i++)
		if (run->buffers[i].ptr == ptr)
			return &run->buffers[i];
	/* A pointer that wl_alloc() did not return is a bug of the workload. */
	abort();
}

void wl_input(struct wl_run *run, const void *ptr)
{
	wl_buffer_of(run, ptr)->to_cpu = false;
}

void wl_output(struct wl_run *run, const void *ptr)
{
	wl_buffer_of(run, ptr)->to_gpu = false;
}

int wl_to_gpu(struct wl_run *run, const void *ptr, uint64_t bytes)
{
	int err = run->explicit_memory ? uvm_mirror_to_gpu(run->uvm, ptr, bytes) : 0;

	return err ? wl_fail(run, -err, "%s", uvm_last_error(run->uvm)) : 0;
}

int wl_to_cpu(struct wl_run *run, const void *ptr, uint64_t bytes)
{
	int err = run->explicit_memory ? uvm_mirror_to_cpu(run->uvm, ptr, bytes) : 0;

	return err ? wl_fail(run, -err, "%s", uvm_last_error(run->uvm)) : 0;
}

int wl_copy_in(struct wl_run *run)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < run->buffer_count; i++)
		if (run->buffers[i].to_gpu)
			err = wl_to_gpu(run, run->buffers[i].ptr, run->buffers[i].bytes);
	return err;
}

int wl_copy_out(struct wl_run *run)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < run->buffer_count; i++)
		if (run->buffers[i].to_cpu)
			err = wl_to_cpu(run, run->buffers[i].ptr, run->buffers[i].bytes);
	return err;
}

int wl_launch(struct wl_run *run, const char *entry, struct uvm_dim3 grid, struct uvm_dim3 block,
	      uint32_t shared_bytes, const void *args, uint32_t args_bytes)
{
	struct uvm_launch_params launch = {
		.gpu = run->gpu, .image = run->image, .entry = entry, .grid = grid,
		.block = block, .shared_bytes = shared_bytes, .args = args,
		.args_bytes = args_bytes,
	};
	int err;

	err = uvm_launch(run->uvm, &launch);
	if (!err)
		err = uvm_synchronize(run->uvm);
	if (err)
		wl_fail(run, -err, "%s", uvm_last_error(run->uvm));
	else if (run->launched)
		err = run->launched(run);
	return err;
}

uint64_t wl_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

float wl_small_float(uint64_t x)
{
	return (float)((int)(wl_mix(x) >> 48) - 32768) / 32768.0f;
}

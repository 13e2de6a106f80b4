// SPDX-License-Identifier: GPL-2.0
/*
 * What the environment asks of a program, as options do of `uvm run`: memory, parameters, a report,
 * events, a trace.  What it asks and cannot have ends the program: its results would not be those
 * that somebody wants.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out/events_file.h"
#include "out/events_json.h"
#include "memory_limit.h"
#include "parse.h"
#include "out/trace_file.h"
#include "uvm_cmd.h"
#include "environment.h"

static struct rt_environment environment;

static void environment_refuse(const char *variable, const char *why)
{
	fprintf(stderr, "softuvm: %s: %s\n", variable, why);
	/* nothing of the program has run yet that would have to end in good order */
	_exit(EXIT_USAGE);
}

/* NULL: not there, or empty. */
static const char *environment_get(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value ? value : NULL;
}

/* SOFTUVM_SET=NAME=VALUE,...: into words. */
static void environment_split_sets(void)
{
	const char *value = environment_get("SOFTUVM_SET");
	char *rest = value ? strdup(value) : NULL, *word;

	if (value && !rest)
		environment_refuse("SOFTUVM_SET", strerror(ENOMEM));
	while ((word = strsep(&rest, ","))) {
		char *equals = strchr(word, '=');

		if (!equals || equals == word || environment.set_count == RT_SETS_MAX)
			environment_refuse("SOFTUVM_SET", "it must be NAME=VALUE, with commas between");
		environment.sets[environment.set_count++] = word;
	}
}

static void environment_set_parameters(void)
{
	for (unsigned int i = 0; i < environment.set_count; i++) {
		char *name = strdup(environment.sets[i]), *equals;

		if (!name)
			environment_refuse("SOFTUVM_SET", strerror(ENOMEM));
		equals = strchr(name, '=');
		*equals = '\0';
		if (uvm_param_set(rt.u, name, equals + 1))
			environment_refuse("SOFTUVM_SET", uvm_last_error(rt.u));
		free(name);
	}
}

/* SOFTUVM_VRAM=SIZE: of each GPU. */
static void environment_limit_memory(void)
{
	const char *value = environment_get("SOFTUVM_VRAM");
	uint64_t limit = 0, piece, usable;
	struct softgpu_info info;
	char wanted[24], got[24];

	if (!value)
		return;
	if (!parse_size(value, &limit) || !limit)
		environment_refuse("SOFTUVM_VRAM", "it must be " PARSE_SIZE_FORM);
	piece = memory_piece(environment.sets, environment.set_count);
	for (int i = 0; i < rt.count; i++) {
		if (uvm_gpu_info(rt.u, rt.devices[i].gpu, &info))
			environment_refuse("SOFTUVM_VRAM", uvm_last_error(rt.u));
		usable = info.usable_bytes;
		if (limit < usable &&
		    memory_limit_set(rt.u, rt.devices[i].gpu, limit, piece, &usable))
			environment_refuse("SOFTUVM_VRAM", uvm_last_error(rt.u));
		rt.devices[i].limit = usable;
		if (usable / piece != limit / piece)
			fprintf(stderr, "softuvm: %s of GPU memory instead of %s: %s\n",
				format_bytes(usable, got, sizeof(got)),
				format_bytes(limit, wanted, sizeof(wanted)),
				usable > limit ? "there cannot be less" : "there is no more");
	}
}

static void environment_record(void)
{
	static const struct trace_options options = { .stall_ns = TRACE_STALL_NS };
	const char *types = environment_get("SOFTUVM_EVENT_TYPES");
	uint64_t mask = types ? event_types_parse(types) : 0;
	int gpus[UVM_GPU_MAX], err = 0;

	environment.events_path = environment_get("SOFTUVM_EVENTS");
	environment.trace_path = environment_get("SOFTUVM_TRACE");
	if (environment.events_path && environment.trace_path)
		environment_refuse("SOFTUVM_EVENTS", "it and SOFTUVM_TRACE exclude each other");
	if (types && !mask)
		environment_refuse("SOFTUVM_EVENT_TYPES", "there is no such type");
	if (environment.events_path) {
		err = events_file_open(&environment.events, environment.events_path);
		if (err)
			environment_refuse(environment.events_path, strerror(-err));
		err = events_file_start(&environment.events, rt.u, mask);
	}
	if (environment.trace_path) {
		for (int i = 0; i < rt.count; i++)
			gpus[i] = rt.devices[i].gpu;
		err = trace_file_begin(&environment.trace, rt.u, gpus, rt.count,
				       environment.trace_path, &options);
	}
	if (err)
		environment_refuse(environment.events_path ? "SOFTUVM_EVENTS" : "SOFTUVM_TRACE",
				   err == -ENOENT || err == -EACCES ? strerror(-err) :
				   uvm_last_error(rt.u));
}

cudaError_t rt_environment_begin(void)
{
	if (!environment.split)
		environment_split_sets();
	environment.split = true;
	environment_set_parameters();
	environment_limit_memory();
	environment_record();
	rt_report_begin(&environment, environment_get("SOFTUVM_STATS"));
	return cudaSuccess;
}

void rt_environment_end(void)
{
	int err = 0, closed;

	rt_report_end(&environment);
	if (environment.events_path) {
		err = events_file_stop(&environment.events, &environment.events_lost);
		closed = events_file_close(&environment.events);
		err = err ? err : closed;
	}
	if (environment.trace_path)
		err = trace_file_end(&environment.trace);
	if (err)
		fprintf(stderr, "softuvm: %s: %s\n", environment.events_path ?
			environment.events_path : environment.trace_path, strerror(-err));
}

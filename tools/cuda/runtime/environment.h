/* SPDX-License-Identifier: GPL-2.0 */
/* What the environment asks of a program, and its report. */
#ifndef LIBUVMCUDA_ENVIRONMENT_H
#define LIBUVMCUDA_ENVIRONMENT_H

#include <errno.h>
#include <stdio.h>

#include "out/events_file.h"
#include "out/trace_file.h"
#include "runtime.h"

#define RT_SETS_MAX	32

/**
 * struct rt_environment - what was asked for
 * @split: @sets are known
 * @sets: PARAM=VALUE
 * @set_count: how many
 * @events_path: file for events, or NULL
 * @events: the same
 * @events_lost: how many were lost
 * @trace_path: file for a trace, or NULL
 * @trace: the same
 * @report: file for the report, or NULL
 * @before: the first GPU, when the report begins
 * @start_s: host time
 */
struct rt_environment {
	bool split;
	const char *sets[RT_SETS_MAX];
	unsigned int set_count;
	const char *events_path;
	struct events_file events;
	uint64_t events_lost;
	const char *trace_path;
	struct trace_file trace;
	FILE *report;
	struct softgpu_info before;
	double start_s;
};

/* Counters begin here; @path: where the report goes, or NULL. */
void rt_report_begin(struct rt_environment *e, const char *path);
/* One line of JSON. */
void rt_report_end(struct rt_environment *e);

#endif

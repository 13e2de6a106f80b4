// SPDX-License-Identifier: GPL-2.0
/*
 * uvm stat: counters of the GPUs over all VA spaces, with the batch-size
 * histogram; or faults and migrated bytes by processor.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "out/counters_json.h"
#include "out/events_json.h"
#include "out/stats_json.h"
#include "options.h"
#include "uvm_cmd.h"

static void stat_json(int gpu, const struct uvm_stats *s)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "gpu", gpu);
	stats_add_json(o, s);
	json_add(o, "batch_histogram", stats_histogram_json(s));
	json_print_line(stdout, o);
	json_object_put(o);
}

static void stat_histogram(const struct uvm_stats *s)
{
	uint64_t most = 0;
	unsigned int b, stars;

	for (b = 0; b < UVM_BATCH_BUCKETS; b++)
		if (s->batch_histogram[b] > most)
			most = s->batch_histogram[b];
	if (!most)
		return;
	printf("faults of a batch          batches\n");
	for (b = 0; b < UVM_BATCH_BUCKETS; b++) {
		if (!s->batch_histogram[b])
			continue;
		printf("  %8llu ... %-8llu %10llu  ", 1ULL << b, (2ULL << b) - 1,
		       (unsigned long long)s->batch_histogram[b]);
		for (stars = (s->batch_histogram[b] * 40 + most - 1) / most; stars; stars--)
			putchar('*');
		putchar('\n');
	}
}

static void stat_text(int gpu, const struct uvm_stats *s)
{
	printf("GPU %d\n", gpu);
	stats_print(s);
	stat_histogram(s);
}

/* By processor: the CPU, then the GPUs. */
static int stat_faults(bool json, int count)
{
	struct uvm_counters counters;
	struct json_object *o;
	int processor;

	for (processor = UVM_PROCESSOR_CPU; processor < count; processor++) {
		if (uvm_processor_counters(NULL, processor, &counters)) {
			fprintf(stderr, "uvm stat: %s\n", uvm_last_error(NULL));
			return EXIT_DEVICE;
		}
		if (json) {
			o = counters_json(processor, count, &counters);
			json_print_line(stdout, o);
			json_object_put(o);
		} else {
			counters_print(processor, count, &counters);
		}
	}
	fflush(stdout);
	return EXIT_OK;
}

static int stat_once(bool json, int count)
{
	struct uvm_stats stats;
	int gpu;

	for (gpu = 0; gpu < count; gpu++) {
		if (uvm_gpu_stats(gpu, &stats)) {
			fprintf(stderr, "uvm stat: %s\n", uvm_last_error(NULL));
			return EXIT_DEVICE;
		}
		if (json)
			stat_json(gpu, &stats);
		else
			stat_text(gpu, &stats);
	}
	fflush(stdout);
	return EXIT_OK;
}

struct stat_line {
	bool faults;
	bool json;
	uint64_t interval;
	uint64_t count;
};

#define AT_LEAST_1	.min = 1, .form = "1 or more"

static const struct option_row stat_rows[] = {
	{ "faults", OPTION_FLAG(struct stat_line, faults),
	  "faults and migrated bytes by processor instead" },
	{ "json", OPTION_FLAG(struct stat_line, json), "one JSON object per line" },
	{ "interval", OPTION_SIZE(struct stat_line, interval), "SECONDS",
	  "again after so many seconds", .letter = 'i', AT_LEAST_1 },
	{ "count", OPTION_SIZE(struct stat_line, count), "N", "so many times", .letter = 'c',
	  .needs = "interval", AT_LEAST_1 },
	{ 0 },
};

static const struct options stat_options = {
	.command = "stat",
	.usage = "stat [OPTION]...",
	.about = "Show the counters of the GPUs over all VA spaces, with sizes of fault batches.\n",
	.rows = stat_rows,
};

int cmd_stat(int argc, char **argv)
{
	struct stat_line line = { 0 };
	uint64_t done;
	int status, gpus;

	options_parse(&stat_options, &line, argc, argv);
	gpus = uvm_gpu_count();
	if (!gpus) {
		fprintf(stderr, "uvm stat: no /dev/softgpu0 (is the softgpu module loaded?)\n");
		return EXIT_DEVICE;
	}
	for (done = 1; ; done++) {
		struct timespec pause = { .tv_sec = line.interval };

		status = line.faults ? stat_faults(line.json, gpus) :
				       stat_once(line.json, gpus);
		if (status || !line.interval || done == line.count)
			return status;
		nanosleep(&pause, NULL);
	}
}

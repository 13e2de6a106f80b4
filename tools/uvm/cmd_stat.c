// SPDX-License-Identifier: GPL-2.0
/*
 * uvm stat: counters of the GPUs over all VA spaces, with the batch-size
 * histogram; or faults and migrated bytes by processor.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "out/counters_json.h"
#include "out/events_json.h"
#include "parse.h"
#include "out/stats_json.h"
#include "usage.h"
#include "uvm_cmd.h"

static void stat_json(int gpu, const struct uvm_stats *s)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "gpu", gpu);
	stats_add_json(o, s);
	json_object_object_add(o, "batch_histogram", stats_histogram_json(s));
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

int cmd_stat(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "faults", no_argument, NULL, 'f' },
		{ "interval", required_argument, NULL, 'i' },
		{ "count", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	uint64_t interval = 0, count = 0, done;
	int option, status, gpus;
	bool json = false, faults = false;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":hi:c:", options, NULL)) != -1) {
		if (option == 'j') {
			json = true;
		} else if (option == 'f') {
			faults = true;
		} else if (option == 'i' || option == 'c') {
			if (parse_size(optarg, option == 'i' ? &interval : &count) &&
			    (option == 'i' ? interval : count))
				continue;
			fprintf(stderr, "uvm stat: --%s must be 1 or more, not '%s'\n",
				option == 'i' ? "interval" : "count", optarg);
			return EXIT_USAGE;
		} else if (option != 'h') {
			return usage_bad_option("stat", option, argv, options);
		} else {
			printf("usage: uvm stat [--faults] [--json] [--interval SECONDS [--count N]]\n");
			return EXIT_OK;
		}
	}

	gpus = uvm_gpu_count();
	if (!gpus) {
		fprintf(stderr, "uvm stat: no /dev/softgpu0 (is the softgpu module loaded?)\n");
		return EXIT_DEVICE;
	}
	for (done = 1; ; done++) {
		struct timespec pause = { .tv_sec = interval };

		status = faults ? stat_faults(json, gpus) : stat_once(json, gpus);
		if (status || !interval || done == count)
			return status;
		nanosleep(&pause, NULL);
	}
}

// SPDX-License-Identifier: GPL-2.0
/* uvm info: the GPUs, their profiles with sources, the driver's parameters. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "out/device_json.h"
#include "out/events_json.h"
#include "usage.h"
#include "uvm_cmd.h"

static int info_json(struct uvm *u, int count)
{
	struct json_object *o = json_object_new_object(), *gpus = json_object_new_array(), *gpu;
	int i, status = EXIT_OK;

	for (i = 0; i < count; i++) {
		gpu = device_gpu_json(u, i);
		if (gpu)
			json_object_array_add(gpus, gpu);
		else
			status = EXIT_DEVICE;
	}
	json_object_object_add(o, "gpus", gpus);
	json_object_object_add(o, "parameters", device_parameters_json(u));
	json_print_line(stdout, o);
	json_object_put(o);
	return status;
}

static int info_text(struct uvm *u, int count)
{
	int i, status = EXIT_OK;

	for (i = 0; i < count; i++)
		if (device_print_gpu(u, i))
			status = EXIT_DEVICE;
	printf("driver parameters\n");
	device_print_parameters(u);
	return status;
}

int cmd_info(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	bool json = false;
	struct uvm *u;
	int option, count, status;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (option == 'j') {
			json = true;
			continue;
		}
		if (option != 'h')
			return usage_bad_option("info", option, argv, options);
		printf("usage: uvm info [--json]\n");
		return EXIT_OK;
	}

	count = uvm_gpu_count();
	if (!count) {
		fprintf(stderr, "uvm info: no /dev/softgpu0 (is the softgpu module loaded?)\n");
		return EXIT_DEVICE;
	}
	if (device_open_any(&u)) {
		fprintf(stderr, "uvm info: %s\n", uvm_last_error(NULL));
		return EXIT_DEVICE;
	}
	status = json ? info_json(u, count) : info_text(u, count);
	if (status)
		fprintf(stderr, "uvm info: %s\n", uvm_last_error(u));
	uvm_close(u);
	return status;
}

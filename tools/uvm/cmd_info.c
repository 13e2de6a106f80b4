// SPDX-License-Identifier: GPL-2.0
/* uvm info: the GPUs, their profiles with sources, the driver's parameters. */
#include <stdbool.h>
#include <stdio.h>

#include "out/device_json.h"
#include "out/events_json.h"
#include "options.h"
#include "uvm_cmd.h"

static int info_json(struct uvm *u, int count)
{
	struct json_object *o = json_object_new_object(), *gpus = json_object_new_array(), *gpu;
	int i, status = EXIT_OK;

	for (i = 0; i < count; i++) {
		gpu = device_gpu_json(u, i);
		if (gpu)
			json_append(gpus, gpu);
		else
			status = EXIT_DEVICE;
	}
	json_add(o, "gpus", gpus);
	json_add(o, "parameters", device_parameters_json(u));
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

struct info_line {
	bool json;
};

static const struct option_row info_rows[] = {
	{ "json", OPTION_FLAG(struct info_line, json), "one JSON object on one line" },
	{ 0 },
};

static const struct options info_options = {
	.command = "info",
	.usage = "info [OPTION]...",
	.about = "Show the GPUs, their profiles with sources, and the driver's parameters.\n",
	.rows = info_rows,
};

int cmd_info(int argc, char **argv)
{
	struct info_line line = { 0 };
	int count, status;
	struct uvm *u;

	options_parse(&info_options, &line, argc, argv);
	count = uvm_gpu_count();
	if (!count) {
		fprintf(stderr, "uvm info: no /dev/softgpu0 (is the softgpu module loaded?)\n");
		return EXIT_DEVICE;
	}
	if (device_open_any(&u)) {
		fprintf(stderr, "uvm info: %s\n", uvm_last_error(NULL));
		return EXIT_DEVICE;
	}
	status = line.json ? info_json(u, count) : info_text(u, count);
	if (status)
		fprintf(stderr, "uvm info: %s\n", uvm_last_error(u));
	uvm_close(u);
	return status;
}

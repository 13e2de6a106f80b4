// SPDX-License-Identifier: GPL-2.0
/* uvm list: workloads with their options, policies and parameters of the driver. */
#include <stdio.h>
#include <string.h>

#include "out/device_json.h"
#include "out/events_json.h"
#include "parse.h"
#include "out/stats_json.h"
#include "options.h"
#include "uvm_cmd.h"
#include "run/workload.h"

static void list_sizes_json(struct json_object *o, const struct wl_size *size)
{
	struct json_object *small = json_object_new_array(), *tiny = json_object_new_array();

	for (; size->small; size++) {
		json_append(small, json_object_new_string(size->small));
		json_append(tiny, json_object_new_string(size->tiny ? size->tiny : size->small));
	}
	json_add(o, "small", small);
	json_add(o, "tiny", tiny);
}

static struct json_object *list_workload_json(const struct workload *w)
{
	static const char * const kinds[] = {
		[WL_COUNT] = "number", [WL_BYTES] = "size", [WL_TEXT] = "text", [WL_FLAG] = "flag",
	};
	struct json_object *o = json_object_new_object(), *options = json_object_new_array();
	const struct wl_option *option;

	json_add_text(o, "name", w->name);
	json_add_text(o, "group", w->group ? w->group : "all");
	list_sizes_json(o, w->sizes);
	json_add_text(o, "what", w->what);
	for (option = w->options; option->name; option++) {
		struct json_object *item = json_object_new_object();

		json_add_text(item, "name", option->name);
		json_add_text(item, "type", kinds[option->type]);
		json_add_text(item, "default", option->value);
		json_add_text(item, "what", option->what);
		json_append(options, item);
	}
	json_add(o, "options", options);
	return o;
}

static void list_json(struct uvm *u)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	const struct workload *w;

	for (w = workloads; w; w = w->next)
		json_append(list, list_workload_json(w));
	json_add(o, "workloads", list);
	json_add(o, "parameters", device_parameters_json(u));
	json_add(o, "policies", device_policies_json(u));
	json_print_line(stdout, o);
	json_object_put(o);
}

static void list_text(struct uvm *u)
{
	const struct wl_option *option;
	const struct workload *w;

	printf("workloads (uvm run NAME)\n");
	for (w = workloads; w; w = w->next) {
		printf("  %-10s%s\n", w->name, w->what);
		for (option = w->options; option->name; option++)
			printf("      --%-14s%s%s%s%s\n", option->name, option->what,
			       option->value[0] ? " (" : "", option->value,
			       option->value[0] ? ")" : "");
	}
	if (u) {
		printf("\nparameters (uvm run --set NAME=VALUE, 'set' in a probe)\n");
		device_print_parameters(u);
		printf("\npolicies (uvm run --set PARAMETER=NAME)\n");
		device_print_policies(u);
	}
}

struct list_line {
	bool json;
};

static const struct option_row list_rows[] = {
	{ "json", OPTION_FLAG(struct list_line, json), "one JSON object on one line" },
	{ 0 },
};

static const struct options list_options = {
	.command = "list",
	.usage = "list [OPTION]...",
	.about = "List workloads with their options, and the driver's policies and parameters.\n",
	.rows = list_rows,
};

int cmd_list(int argc, char **argv)
{
	struct list_line line = { 0 };
	struct uvm *u;

	options_parse(&list_options, &line, argc, argv);
	/* Workloads can be listed anywhere; parameters need the driver. */
	if (device_open_any(&u))
		fprintf(stderr, "uvm list: no driver, so no parameters: %s\n",
			uvm_last_error(NULL));
	if (line.json)
		list_json(u);
	else
		list_text(u);
	uvm_close(u);
	return EXIT_OK;
}

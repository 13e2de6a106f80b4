// SPDX-License-Identifier: GPL-2.0
/* uvm probe: run a script of single accesses; show the driver's events after each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/probe.c"
#include "../lib/uvm.h"
#include "out/events_json.h"
#include "probe_script.h"
#include "out/residency_json.h"
#include "options.h"
#include "uvm_cmd.h"

/* Where an allocation is or was: events of a free still carry its addresses. */
struct probe_place {
	const char *name;
	uint64_t base;
	uint64_t bytes;
};

/**
 * struct probe - a running probe
 * @uvm: the VA space
 * @script: the script
 * @image: probe kernels, by GPU
 * @places: by slot
 * @events: of the current command; filled by the event thread and the drain
 * @event_count: how many
 * @event_room: room for so many
 * @lost: no memory for an event
 * @pages: what "residency" has found, for printing
 * @page_first: offset in the allocation of the first of them
 * @page_count: how many; 0: another command
 * @json: output as JSON
 */
struct probe {
	struct uvm *uvm;
	struct probe_script script;
	uint32_t image[UVM_GPU_MAX];
	struct probe_place *places;
	uint64_t group[PROBE_GROUPS + 1];	/* by the script's number; [0] is none */
	struct uvm_event *events;
	size_t event_count;
	size_t event_room;
	bool lost;
	struct uvm_page_residency *pages;
	uint64_t page_first;
	uint64_t page_count;
	bool json;
};

static void probe_event(void *arg, const struct uvm_event *event)
{
	struct probe *p = arg;
	struct uvm_event *events;
	size_t room;

	if (p->event_count == p->event_room) {
		room = p->event_room ? 2 * p->event_room : 1024;
		events = realloc(p->events, room * sizeof(*events));
		if (!events) {
			p->lost = true;
			return;
		}
		p->events = events;
		p->event_room = room;
	}
	p->events[p->event_count++] = *event;
}

static bool probe_resolve(void *arg, uint64_t address, char *name, size_t room, uint64_t *offset)
{
	struct probe *p = arg;
	unsigned int i;

	for (i = 0; i < p->script.slots; i++) {
		const struct probe_place *place = &p->places[i];

		if (address >= place->base && address - place->base < place->bytes) {
			snprintf(name, room, "%s", place->name);
			*offset = address - place->base;
			return true;
		}
	}
	return false;
}

static int probe_alloc(struct probe *p, const struct probe_command *c)
{
	struct probe_place *place = &p->places[c->slot];
	void *ptr = uvm_malloc_managed(p->uvm, c->length, c->name);

	if (!ptr)
		return -ENOMEM;
	place->name = c->name;
	place->base = (uintptr_t)ptr;
	place->bytes = (c->length + UVM_PAGE_SIZE - 1) & ~(UVM_PAGE_SIZE - 1);
	return 0;
}

static int probe_cpu(struct probe *p, const struct probe_command *c)
{
	volatile uint8_t *base = (volatile uint8_t *)p->places[c->slot].base;
	uint64_t at;

	for (at = c->offset; at < c->offset + c->length; at += c->stride) {
		if (c->write)
			base[at] = (uint8_t)(at / UVM_PAGE_SIZE + 1);
		else
			(void)base[at];
	}
	return 0;
}

static int probe_gpu(struct probe *p, const struct probe_command *c)
{
	struct probe_args args = {
		.base = (char *)p->places[c->slot].base, .count = c->offset_count,
		.write = c->write,
	};
	struct uvm_launch_params launch = {
		.gpu = c->gpu, .image = p->image[c->gpu],
		.entry = c->op == PROBE_WARP ? "probe_warp" : "probe_serial",
		.grid = UVM_DIM(1), .block = UVM_DIM(c->op == PROBE_WARP ? PROBE_LANES : 1),
		.args = &args,
		.args_bytes = sizeof(args) - (PROBE_OFFSETS - c->offset_count) * sizeof(uint64_t),
	};
	int err;

	memcpy(args.offset, c->offsets, c->offset_count * sizeof(uint64_t));
	err = uvm_launch(p->uvm, &launch);
	return err ? err : uvm_synchronize(p->uvm);
}

static int probe_free(struct probe *p, const struct probe_command *c)
{
	return uvm_free(p->uvm, (void *)p->places[c->slot].base);
}

/* A script numbers its groups; they are made when first used. */
static int probe_group(struct probe *p, const struct probe_command *c, void *at)
{
	int err = 0;

	if (c->group && !p->group[c->group])
		err = uvm_group_create(p->uvm, &p->group[c->group]);
	return err ? err : uvm_group_set(p->uvm, at, c->length, p->group[c->group]);
}

static int probe_residency(struct probe *p, const struct probe_command *c)
{
	uint64_t first = c->offset & ~(UVM_PAGE_SIZE - 1);
	uint64_t count = (c->offset + c->length - first + UVM_PAGE_SIZE - 1) / UVM_PAGE_SIZE;
	struct uvm_page_residency *pages = realloc(p->pages, count * sizeof(*pages));
	int err;

	if (!pages)
		return -ENOMEM;
	p->pages = pages;
	err = uvm_residency(p->uvm, (void *)(p->places[c->slot].base + first),
			    count * UVM_PAGE_SIZE, pages);
	p->page_first = first;
	p->page_count = err ? 0 : count;
	return err;
}

static int probe_execute(struct probe *p, const struct probe_command *c)
{
	void *at = (void *)(p->places ? p->places[c->slot].base + c->offset : 0);

	switch (c->op) {
	case PROBE_ALLOC:
		return probe_alloc(p, c);
	case PROBE_FREE:
		return probe_free(p, c);
	case PROBE_CPU:
		return probe_cpu(p, c);
	case PROBE_GPU:
	case PROBE_WARP:
		return probe_gpu(p, c);
	case PROBE_PREFETCH:
		return uvm_prefetch(p->uvm, at, c->length, c->processor);
	case PROBE_ADVISE:
		return (c->off ? uvm_unadvise : uvm_advise)(p->uvm, at, c->length, c->advice,
							    c->processor);
	case PROBE_DISCARD:
		return uvm_discard(p->uvm, at, c->length, c->off);
	case PROBE_POPULATE:
		return uvm_populate(p->uvm, at, c->length, c->processor);
	case PROBE_GROUP:
		return probe_group(p, c, at);
	case PROBE_MIGRATION:
		return uvm_group_set_migration(p->uvm, p->group[c->group], !c->off);
	case PROBE_PEER:
		return (c->off ? uvm_disable_peer_access : uvm_enable_peer_access)
			(p->uvm, c->gpu, c->processor);
	case PROBE_SET:
		return uvm_param_set(p->uvm, c->param, c->value);
	case PROBE_COUNTERS:
		return uvm_access_counters(p->uvm, c->processor, c->write, c->length, c->stride);
	case PROBE_EVICT:
		return uvm_evict(p->uvm, at, c->length, c->processor, NULL);
	case PROBE_RESIDENCY:
		return probe_residency(p, c);
	case PROBE_COUNTERS_CLEAR:
		return uvm_clear_access_counters(p->uvm, c->processor);
	}
	return -EINVAL;
}

static void probe_print(struct probe *p, const struct probe_command *c, const char *error)
{
	struct json_object *o;
	size_t i;

	if (p->json) {
		o = json_object_new_object();
		json_add_text(o, "cmd", c->text);
		if (error)
			json_add_text(o, "error", error);
		json_print_line(stdout, o);
		json_object_put(o);
	} else {
		printf("%s%s%s\n", c->text, error ? "   # " : "", error ? error : "");
	}

	for (i = 0; i < p->event_count; i++) {
		o = event_to_json(&p->events[i], probe_resolve, p);
		if (p->json)
			json_print_line(stdout, o);
		else
			event_print_text(stdout, o);
		json_object_put(o);
	}
	p->event_count = 0;
	residency_print(stdout, p->json, c->name, p->page_first, p->pages, p->page_count);
	p->page_count = 0;
	fflush(stdout);
}

/*
 * Until all that a command began has ended.  Waiting takes simulated time, so a command
 * that only looks must not, or what follows would be later than without it.
 */
static int probe_settle(struct probe *p)
{
	int err = uvm_wait_quiet(p->uvm);

	return err ? err : uvm_events_drain(p->uvm);
}

/* One command and all its events; an exit status. */
static int probe_command(struct probe *p, const struct probe_command *c)
{
	char error[256] = "";
	int err, status = EXIT_OK;

	err = probe_execute(p, c);
	if (err) {
		/* A launch that fails is a finding; the rest is a failed request. */
		status = uvm_failure(p->uvm) && (c->op == PROBE_GPU || c->op == PROBE_WARP) ?
			 EXIT_WRONG : EXIT_DEVICE;
		snprintf(error, sizeof(error), "%s", uvm_last_error(p->uvm));
	}
	err = c->op == PROBE_RESIDENCY ? 0 : probe_settle(p);
	if (!err && (p->lost || uvm_events_dropped(p->uvm))) {
		fprintf(stderr, "uvm probe: events were lost\n");
		return EXIT_DEVICE;
	}
	if (err) {
		fprintf(stderr, "uvm probe: line %u: %s\n", c->line, uvm_last_error(p->uvm));
		return EXIT_DEVICE;
	}
	probe_print(p, c, error[0] ? error : NULL);
	if (error[0])
		fprintf(stderr, "uvm probe: line %u: %s\n", c->line, error);
	return status;
}

static int probe_open(struct probe *p)
{
	int gpus[UVM_GPU_MAX], i, err;

	for (i = 0; i < p->script.gpus; i++)
		gpus[i] = i;
	err = uvm_open(&p->uvm, gpus, p->script.gpus);
	if (err)
		return err;
	for (i = 0; i < p->script.gpus && !err; i++)
		err = uvm_load_builtin(p->uvm, i, "probe", &p->image[i]);
	if (!err)
		err = uvm_events_start(p->uvm, 0, probe_event, p);
	return err;
}

static int probe_run(struct probe *p)
{
	int status, worst = EXIT_OK;
	unsigned int i;

	p->places = calloc(p->script.slots + 1, sizeof(*p->places));
	if (!p->places || probe_open(p)) {
		fprintf(stderr, "uvm probe: %s\n",
			p->places ? uvm_last_error(p->uvm) : "out of memory");
		return EXIT_DEVICE;
	}
	for (i = 0; i < p->script.count; i++) {
		status = probe_command(p, &p->script.commands[i]);
		if (status > worst)
			worst = status;
	}
	return worst;
}

static const struct option_row probe_rows[] = {
	{ "json", OPTION_FLAG(struct probe, json), "one JSON object per line" },
	{ 0 },
};

static const struct options probe_options = {
	.command = "probe",
	.usage = "probe [OPTION]... SCRIPT|-",
	.about = "Run the commands of a script and show the driver's events after each.\n",
	.rows = probe_rows,
	.after = "A line of a script has one command:\n"
		"  alloc NAME SIZE\n"
		"  free NAME\n"
		"  cpu read|write NAME OFFSET [LENGTH [STRIDE]]    bytes at OFFSET, OFFSET+STRIDE, ...\n"
		"  gpu read|write NAME OFFSET...                   one thread, one after the other\n"
		"  warp read|write NAME OFFSET...                  one offset per lane, at once\n"
		"  prefetch NAME OFFSET LENGTH gpuN|cpu\n"
		"  advise NAME OFFSET LENGTH preferred=gpuN|cpu|none\n"
		"  advise NAME OFFSET LENGTH accessed-by=gpuN|cpu|none\n"
		"  advise NAME OFFSET LENGTH read-duplicate=on|off\n"
		"  discard NAME OFFSET LENGTH [unmap]\n"
		"  populate NAME OFFSET LENGTH gpuN|cpu\n"
		"  group NAME OFFSET LENGTH NUMBER|none             range groups, from 1\n"
		"  migration NUMBER allow|prevent                  of a range group\n"
		"  peer gpuN gpuM on|off                           peer access\n"
		"  set PARAM VALUE\n"
		"  counters gpuN on|off|clear [GRANULARITY [THRESHOLD]]    access counters\n"
		"  evict NAME OFFSET LENGTH gpuN                   as if that GPU needed the memory\n"
		"  residency NAME [OFFSET LENGTH]                  where it is, who has it mapped how\n"
		"LENGTH is 1 and STRIDE 4096 by default; numbers take K, M, G; 'gpu1', 'warp1' are\n"
		"other GPUs; '#' begins a comment.  Status 1: a GPU access failed.\n",
};

int cmd_probe(int argc, char **argv)
{
	struct probe p = { 0 };
	char error[256];
	const char *path;
	FILE *file;
	int status;
	bool good;

	if (options_parse(&probe_options, &p, argc, argv) != argc - 1) {
		options_help(&probe_options, stderr);
		return EXIT_USAGE;
	}
	path = argv[argc - 1];

	file = strcmp(path, "-") ? fopen(path, "r") : stdin;
	if (!file) {
		fprintf(stderr, "uvm probe: %s: %s\n", path, strerror(errno));
		return EXIT_USAGE;
	}
	good = probe_script_read(&p.script, file, error, sizeof(error));
	if (file != stdin)
		fclose(file);
	if (good) {
		status = probe_run(&p);
		uvm_close(p.uvm);
	} else {
		fprintf(stderr, "uvm probe: %s: %s\n", path, error);
		status = EXIT_USAGE;
	}
	probe_script_free(&p.script);
	free(p.places);
	free(p.pages);
	free(p.events);
	return status;
}

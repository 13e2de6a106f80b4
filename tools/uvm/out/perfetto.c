// SPDX-License-Identifier: GPL-2.0
/* Trace files as Chrome trace-event JSON; see perfetto.h. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "out/events_json.h"
#include "out/json_read.h"
#include "out/perfetto.h"
#include "out/stats_json.h"
#include "out/trace_file.h"

#define PERFETTO_DRIVER		1
#define PERFETTO_GPU(n)		(100 + (int)(n))
#define PERFETTO_COUNTERS	2

enum perfetto_kind {
	PERFETTO_SLICE,
	PERFETTO_INSTANT,
	PERFETTO_COUNTER,
};

/**
 * struct perfetto_item - one object of the output
 * @track: slices and instants: where it is drawn; changed to a lane of it
 * @kind: enum perfetto_kind
 * @name: what is written on it; counters: the track
 * @start: ns
 * @end: ns
 * @seq: order of the input
 * @args: details
 * @pid: of a counter
 * @delta: of a counter of which the sum is shown
 */
struct perfetto_item {
	struct perfetto_track *track;
	enum perfetto_kind kind;
	char name[32];
	uint64_t start;
	uint64_t end;
	uint64_t seq;
	struct json_object *args;
	int pid;
	int64_t delta;
};

/**
 * struct perfetto_track - one thread of the output
 * @next: list, in order of creation
 * @lane: the next track of the same name, for what would overlap
 * @pid: process
 * @tid: thread, unique within the process
 * @order: tracks are listed by this
 * @nested: slices within slices are drawn within them; else on the next lane
 * @name: for people
 * @end: end of the last slice that was placed
 */
struct perfetto_track {
	struct perfetto_track *next;
	struct perfetto_track *lane;
	int pid;
	int tid;
	int order;
	bool nested;
	char name[48];
	uint64_t end;
};

struct perfetto {
	struct perfetto_item *items;
	size_t count;
	size_t room;
	struct perfetto_track *tracks;
	int next_tid;
	int64_t resident[UVM_GPU_MAX];
	bool gpu_seen[UVM_GPU_MAX];
	bool failed;
};

static uint64_t item_u64(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ? json_object_get_uint64(value) : 0;
}

static const char *item_text(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ? json_object_get_string(value) : "";
}

/* The track of that name in a process, made when it is first asked for. */
static struct perfetto_track *perfetto_track(struct perfetto *p, int pid, int order, bool nested,
					     const char *name)
{
	struct perfetto_track **at, *track;

	for (at = &p->tracks; *at; at = &(*at)->next)
		if ((*at)->pid == pid && !strcmp((*at)->name, name))
			return *at;
	track = calloc(1, sizeof(*track));
	if (!track) {
		p->failed = true;
		return NULL;
	}
	track->pid = pid;
	track->tid = p->next_tid++;
	track->order = order;
	track->nested = nested;
	snprintf(track->name, sizeof(track->name), "%s", name);
	*at = track;
	return track;
}

static struct perfetto_item *perfetto_add(struct perfetto *p, enum perfetto_kind kind,
					  struct perfetto_track *track, const char *name,
					  uint64_t start, uint64_t end)
{
	struct perfetto_item *item;

	if (p->count == p->room) {
		size_t room = p->room ? 2 * p->room : 4096;
		struct perfetto_item *items = realloc(p->items, room * sizeof(*items));

		if (!items) {
			p->failed = true;
			return NULL;
		}
		p->items = items;
		p->room = room;
	}
	item = &p->items[p->count];
	memset(item, 0, sizeof(*item));
	item->track = track;
	item->kind = kind;
	snprintf(item->name, sizeof(item->name), "%s", name);
	item->start = start;
	item->end = end;
	item->seq = p->count++;
	return item;
}

/* A slice, or an instant if it lasts no time; details are all members but the times. */
static void perfetto_draw(struct perfetto *p, struct perfetto_track *track, const char *name,
			  struct json_object *o)
{
	uint64_t start = item_u64(o, "time_ns"), duration = item_u64(o, "duration_ns");
	struct perfetto_item *item;

	item = perfetto_add(p, duration ? PERFETTO_SLICE : PERFETTO_INSTANT, track, name, start,
			    start + duration);
	if (!item)
		return;
	item->args = json_object_get(o);
	json_object_object_del(o, "time_ns");
	json_object_object_del(o, "duration_ns");
}

static void perfetto_count(struct perfetto *p, int pid, const char *name, uint64_t time,
			   uint64_t value)
{
	struct perfetto_item *item = perfetto_add(p, PERFETTO_COUNTER, NULL, name, time, time);

	if (!item)
		return;
	item->pid = pid;
	item->args = json_object_new_object();
	json_add_u64(item->args, "value", value);
}

/* ---- events of the driver -------------------------------------------- */

/* -1: the CPU */
static int event_processor(struct json_object *o, const char *key)
{
	const char *text = item_text(o, key);
	int gpu;

	if (sscanf(text, "gpu%d", &gpu) == 1 && gpu >= 0 && gpu < UVM_GPU_MAX)
		return gpu;
	return -1;
}

/* Bytes that a migration takes from one processor and gives to another, when it ends. */
static void perfetto_move(struct perfetto *p, int gpu, uint64_t when, int64_t delta)
{
	struct perfetto_item *item;

	if (gpu < 0)
		return;
	item = perfetto_add(p, PERFETTO_COUNTER, NULL, "net bytes migrated here", when, when);
	if (!item)
		return;
	item->pid = PERFETTO_GPU(gpu);
	item->delta = delta;
}

static void event_migration(struct perfetto *p, struct json_object *o)
{
	uint64_t end = item_u64(o, "time_ns") + item_u64(o, "duration_ns");
	int src = event_processor(o, "src"), dst = event_processor(o, "dst");
	int64_t bytes = (int64_t)item_u64(o, "bytes");
	char name[48];

	perfetto_move(p, src, end, -bytes);
	perfetto_move(p, dst, end, bytes);
	snprintf(name, sizeof(name), "migrations %s to %s", item_text(o, "src"),
		 item_text(o, "dst"));
	perfetto_draw(p, perfetto_track(p, PERFETTO_DRIVER, 400, false, name),
		      item_text(o, "cause"), o);
}

static struct perfetto_track *event_bottom_half(struct perfetto *p, struct json_object *o)
{
	char name[48];

	snprintf(name, sizeof(name), "bottom half of GPU %llu",
		 (unsigned long long)item_u64(o, "gpu"));
	return perfetto_track(p, PERFETTO_DRIVER, 100 + (int)item_u64(o, "gpu"), true, name);
}

static void event_phase(struct perfetto *p, struct json_object *o)
{
	const char *work = item_text(o, "work");
	struct perfetto_track *track;

	if (!strcmp(work, "cpu_fault"))
		track = perfetto_track(p, PERFETTO_DRIVER, 200, false, "CPU faults");
	else if (!strcmp(work, "migrate"))
		track = perfetto_track(p, PERFETTO_DRIVER, 300, false, "explicit migrations");
	else
		track = event_bottom_half(p, o);
	perfetto_draw(p, track, item_text(o, "phase"), o);
}

static void event_other(struct perfetto *p, const char *type, struct json_object *o)
{
	int gpu = (int)item_u64(o, "gpu");

	if (!strcmp(type, "gpu_fault"))
		perfetto_draw(p, perfetto_track(p, PERFETTO_GPU(gpu), 200, false, "faults"),
			      item_text(o, "access"), o);
	else if (!strcmp(type, "fatal_fault"))
		perfetto_draw(p, perfetto_track(p, PERFETTO_GPU(gpu), 201, false, "fatal faults"),
			      item_text(o, "access"), o);
	else if (!strcmp(type, "cpu_fault"))
		perfetto_draw(p, perfetto_track(p, PERFETTO_DRIVER, 200, false, "CPU faults"),
			      item_text(o, "access"), o);
	else if (!strcmp(type, "eviction"))
		perfetto_draw(p, perfetto_track(p, PERFETTO_DRIVER, 500, false, "evictions"), type,
			      o);
	else if (!strcmp(type, "replay"))
		perfetto_draw(p, event_bottom_half(p, o), type, o);
	else if (!strncmp(type, "thr", 3))
		perfetto_draw(p, perfetto_track(p, PERFETTO_DRIVER, 600, false, "thrashing"), type,
			      o);
	else
		perfetto_draw(p, perfetto_track(p, PERFETTO_DRIVER, 700, false, "other events"),
			      type, o);
}

static void perfetto_event(struct perfetto *p, struct json_object *o)
{
	const char *type = item_text(o, "event");
	char name[32];

	if (!strcmp(type, "batch")) {
		snprintf(name, sizeof(name), "batch %llu", (unsigned long long)item_u64(o, "batch"));
		perfetto_draw(p, event_bottom_half(p, o), name, o);
	} else if (!strcmp(type, "phase")) {
		event_phase(p, o);
	} else if (!strcmp(type, "migration")) {
		event_migration(p, o);
	} else if (strcmp(type, "copy")) {
		/* Copies are those of the engines, and what they moved is in the migrations. */
		event_other(p, type, o);
	}
}

/* ---- timelines ------------------------------------------------------- */

static const char *timeline_direction(struct json_object *o)
{
	if (!strcmp(item_text(o, "dst"), "sys"))
		return "to system memory";
	return strcmp(item_text(o, "src"), "sys") ? "internal" : "from system memory";
}

static void perfetto_timeline(struct perfetto *p, struct json_object *o)
{
	const char *type = item_text(o, "timeline");
	unsigned long long sm = item_u64(o, "sm"), engine = item_u64(o, "engine");
	int pid = PERFETTO_GPU(item_u64(o, "gpu"));
	char name[48], label[32];

	if (!strcmp(type, "launch")) {
		snprintf(label, sizeof(label), "launch %llu",
			 (unsigned long long)item_u64(o, "launch"));
		perfetto_draw(p, perfetto_track(p, pid, 100, false, "launches"), label, o);
	} else if (!strcmp(type, "stall")) {
		snprintf(name, sizeof(name), "SM %llu", sm);
		perfetto_draw(p, perfetto_track(p, pid, 1000 + (int)sm, false, name), type, o);
	} else if (!strcmp(type, "block")) {
		snprintf(name, sizeof(name), "SM %llu blocks", sm);
		snprintf(label, sizeof(label), "block %llu",
			 (unsigned long long)item_u64(o, "block"));
		perfetto_draw(p, perfetto_track(p, pid, 5000 + (int)sm, false, name), label, o);
	} else if (!strcmp(type, "switch")) {
		snprintf(name, sizeof(name), "SM %llu switches", sm);
		snprintf(label, sizeof(label), "to block %llu",
			 (unsigned long long)item_u64(o, "in"));
		perfetto_draw(p, perfetto_track(p, pid, 7000 + (int)sm, false, name), label, o);
	} else if (!strcmp(type, "copy")) {
		snprintf(name, sizeof(name), "copy engine %llu %s", engine, timeline_direction(o));
		perfetto_draw(p, perfetto_track(p, pid, 300 + (int)engine, false, name),
			      strcmp(item_text(o, "src"), "none") ? "copy" : "memset", o);
	} else if (!strcmp(type, "fault")) {
		perfetto_count(p, pid, "accesses waiting for a replay", item_u64(o, "time_ns"),
			       item_u64(o, "waiting"));
	} else if (!strcmp(type, "replay")) {
		/* Before, and after it: they are translated again. */
		perfetto_count(p, pid, "accesses waiting for a replay", item_u64(o, "time_ns"), 0);
		perfetto_draw(p, perfetto_track(p, pid, 202, false, "replays"), type, o);
	} else {
		perfetto_draw(p, perfetto_track(p, pid, 900, false, "other"), type, o);
	}
}

/* ---- order ----------------------------------------------------------- */

/* By time; what encloses comes before what it encloses. */
static int item_compare(const void *a, const void *b)
{
	const struct perfetto_item *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* A lane of the track that is free at @item's start. */
static struct perfetto_track *perfetto_lane(struct perfetto *p, struct perfetto_track *track,
					    const struct perfetto_item *item)
{
	struct perfetto_track *lane = track;

	while (lane->end > item->start) {
		if (!lane->lane) {
			struct perfetto_track *more = calloc(1, sizeof(*more));

			if (!more) {
				p->failed = true;
				return lane;
			}
			*more = *track;
			more->lane = NULL;
			more->tid = p->next_tid++;
			more->end = 0;
			more->next = lane->next;
			lane->next = more;
			lane->lane = more;
		}
		lane = lane->lane;
	}
	return lane;
}

/*
 * On a nested track a slice that begins within another ends within it: on the
 * real clock the bracket of a phase may end a moment after that of its batch.
 */
static void perfetto_nest(struct perfetto_item *item)
{
	struct perfetto_track *track = item->track;

	if (item->start >= track->end)
		track->end = item->end;
	else if (item->end > track->end)
		item->end = track->end;
}

static void perfetto_place(struct perfetto *p)
{
	size_t i;

	qsort(p->items, p->count, sizeof(*p->items), item_compare);
	for (i = 0; i < p->count; i++) {
		struct perfetto_item *item = &p->items[i];

		if (item->kind != PERFETTO_SLICE || !item->track)
			continue;
		if (item->track->nested) {
			perfetto_nest(item);
			continue;
		}
		item->track = perfetto_lane(p, item->track, item);
		item->track->end = item->end;
	}
}

/* ---- output ---------------------------------------------------------- */

static struct json_object *perfetto_us(uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu.%03llu", (unsigned long long)(ns / 1000),
		 (unsigned long long)(ns % 1000));
	return json_object_new_double_s((double)ns / 1000, text);
}

static struct json_object *perfetto_object(const char *phase, int pid, int tid, const char *name)
{
	struct json_object *o = json_object_new_object();

	json_add_text(o, "ph", phase);
	json_add_u64(o, "pid", (uint64_t)pid);
	json_add_u64(o, "tid", (uint64_t)tid);
	json_add_text(o, "name", name);
	return o;
}

static void perfetto_write(FILE *to, struct json_object *o, bool *first)
{
	fputs(*first ? "" : ",\n", to);
	*first = false;
	if (!json_lost())
		json_write(to, o);
	json_object_put(o);
}

static void perfetto_write_meta(FILE *to, bool *first, const char *what, int pid, int tid,
				const char *key, struct json_object *value)
{
	struct json_object *o = perfetto_object("M", pid, tid, what);
	struct json_object *args = json_object_new_object();

	json_add(args, key, value);
	json_add(o, "args", args);
	perfetto_write(to, o, first);
}

static void perfetto_write_process(FILE *to, bool *first, int pid, const char *name)
{
	perfetto_write_meta(to, first, "process_name", pid, 0, "name",
			    json_object_new_string(name));
	perfetto_write_meta(to, first, "process_sort_index", pid, 0, "sort_index",
			    json_object_new_int(pid));
}

static void perfetto_write_names(struct perfetto *p, FILE *to, bool *first)
{
	struct perfetto_track *track;
	char name[32];
	int gpu;

	perfetto_write_process(to, first, PERFETTO_DRIVER, "driver");
	for (gpu = 0; gpu < UVM_GPU_MAX; gpu++) {
		if (!p->gpu_seen[gpu])
			continue;
		snprintf(name, sizeof(name), "GPU %d", gpu);
		perfetto_write_process(to, first, PERFETTO_GPU(gpu), name);
	}
	for (track = p->tracks; track; track = track->next) {
		perfetto_write_meta(to, first, "thread_name", track->pid, track->tid, "name",
				    json_object_new_string(track->name));
		perfetto_write_meta(to, first, "thread_sort_index", track->pid, track->tid,
				    "sort_index", json_object_new_int(track->order));
	}
}

static void perfetto_write_item(struct perfetto *p, struct perfetto_item *item, FILE *to,
				bool *first)
{
	static const char * const phases[] = { "X", "i", "C" };
	int pid = item->track ? item->track->pid : item->pid;
	int tid = item->track ? item->track->tid : PERFETTO_COUNTERS;
	struct json_object *o = perfetto_object(phases[item->kind], pid, tid, item->name);

	json_add(o, "ts", perfetto_us(item->start));
	if (item->kind == PERFETTO_SLICE)
		json_add(o, "dur", perfetto_us(item->end - item->start));
	if (item->kind == PERFETTO_INSTANT)
		json_add_text(o, "s", "t");
	if (item->kind == PERFETTO_COUNTER && item->delta) {
		int64_t *sum = &p->resident[pid - PERFETTO_GPU(0)];

		*sum += item->delta;
		item->args = json_object_new_object();
		json_add(item->args, "value", json_object_new_int64(*sum));
	}
	if (item->args)
		json_add(o, "args", item->args);
	item->args = NULL;
	perfetto_write(to, o, first);
}

static void perfetto_output(struct perfetto *p, FILE *to)
{
	bool first = true;
	size_t i;

	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", to);
	perfetto_write_names(p, to, &first);
	for (i = 0; i < p->count; i++)
		perfetto_write_item(p, &p->items[i], to, &first);
	fputs("\n]}\n", to);
}

/* ---- input ----------------------------------------------------------- */

/* What is wrong with the line, or NULL. */
static const char *perfetto_line(struct perfetto *p, struct json_object *o, unsigned long line,
				 bool *ended)
{
	uint64_t gpu = item_u64(o, "gpu");

	if (!json_object_is_type(o, json_type_object))
		return "not a JSON object";
	if (line == 1)
		return item_u64(o, "softuvm_trace") == TRACE_FILE_VERSION ? NULL :
		       "not a trace file of this version";
	if (*ended)
		return "lines after the end";
	if (gpu >= UVM_GPU_MAX)
		return "no such GPU";
	if (json_object_object_get_ex(o, "gpu", NULL))
		p->gpu_seen[gpu] = true;
	if (json_object_object_get_ex(o, "timeline", NULL))
		perfetto_timeline(p, o);
	else if (json_object_object_get_ex(o, "event", NULL))
		perfetto_event(p, o);
	else if (json_object_object_get_ex(o, "end", NULL))
		*ended = true;
	else
		return "neither an event nor of a timeline";
	return NULL;
}

static const char *perfetto_read(struct perfetto *p, FILE *from, unsigned long *line)
{
	const char *error = NULL;
	bool ended = false;
	char *text = NULL;
	size_t room = 0;

	for (*line = 1; !error && !p->failed && getline(&text, &room, from) > 0; ++*line) {
		struct json_object *o = json_read(text);

		error = o ? perfetto_line(p, o, *line, &ended) : "not a JSON object";
		json_object_put(o);
		if (error)
			break;
	}
	free(text);
	/* a line without memory looks like the end */
	if (!error && ferror(from))
		error = "cannot read on";
	else if (!error && !feof(from))
		p->failed = true;
	if (!error && !ended)
		error = "the file ends before the recording did";
	return error;
}

static void perfetto_free(struct perfetto *p)
{
	struct perfetto_track *track;
	size_t i;

	for (i = 0; i < p->count; i++)
		json_object_put(p->items[i].args);
	free(p->items);
	while (p->tracks) {
		track = p->tracks;
		p->tracks = track->next;
		free(track);
	}
}

int perfetto_convert(FILE *from, FILE *to, unsigned long *line, const char **error)
{
	struct perfetto p = { .next_tid = PERFETTO_COUNTERS + 1 };

	*error = perfetto_read(&p, from, line);
	if (!*error) {
		perfetto_place(&p);
		perfetto_output(&p, to);
		if (ferror(to) || fflush(to)) {
			*line = 0;
			*error = "cannot write";
		}
	}
	if (p.failed || json_lost()) {
		*line = 0;
		*error = "out of memory";
	}
	perfetto_free(&p);
	return *error ? -1 : 0;
}

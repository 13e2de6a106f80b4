// SPDX-License-Identifier: GPL-2.0
/* Trace files: recording; see trace_file.h. */
#include <errno.h>
#include <string.h>

#include "out/output.h"
#include "out/stats_json.h"
#include "out/trace_file.h"

static const char * const timeline_names[SOFTGPU_TIMELINE_COUNT] = {
	[SOFTGPU_TIMELINE_LOST] = "lost",
	[SOFTGPU_TIMELINE_LAUNCH] = "launch",
	[SOFTGPU_TIMELINE_BLOCK] = "block",
	[SOFTGPU_TIMELINE_STALL] = "stall",
	[SOFTGPU_TIMELINE_COPY] = "copy",
	[SOFTGPU_TIMELINE_FAULT] = "fault",
	[SOFTGPU_TIMELINE_REPLAY] = "replay",
	[SOFTGPU_TIMELINE_SWITCH] = "switch",
};

static const char *timeline_memory(uint8_t memory)
{
	switch (memory) {
	case SOFTGPU_MEMORY_VID:
		return "vid";
	case SOFTGPU_MEMORY_SYS:
		return "sys";
	case SOFTGPU_MEMORY_PEER:
		return "peer";
	case SOFTGPU_MEMORY_NONE:
		return "none";
	default:
		return "unknown";
	}
}

static void timeline_add_page(struct json_object *o, uint64_t address, event_resolve_fn resolve,
			      void *arg)
{
	uint64_t offset;
	char name[64];

	if (resolve && resolve(arg, address, name, sizeof(name), &offset)) {
		json_add_text(o, "name", name);
		json_add_u64(o, "offset", offset);
	} else {
		json_add_u64(o, "address", address);
	}
}

struct json_object *trace_timeline_json(const struct softgpu_timeline_record *r,
					event_resolve_fn resolve, void *arg)
{
	const char *name = r->type < SOFTGPU_TIMELINE_COUNT ? timeline_names[r->type] : NULL;
	struct json_object *o = json_object_new_object();

	json_add_text(o, "timeline", name ? name : "unknown");
	json_add_u64(o, "gpu", r->gpu);
	json_add_u64(o, "time_ns", r->time_ns);
	switch (r->type) {
	case SOFTGPU_TIMELINE_LAUNCH:
		json_add_u64(o, "duration_ns", r->duration_ns);
		json_add_u64(o, "launch", r->id);
		json_add_u64(o, "instructions", r->value);
		break;
	case SOFTGPU_TIMELINE_BLOCK:
		json_add_u64(o, "duration_ns", r->duration_ns);
		json_add_u64(o, "sm", r->unit);
		json_add_u64(o, "launch", r->id);
		json_add_u64(o, "block", r->value);
		break;
	case SOFTGPU_TIMELINE_STALL:
		json_add_u64(o, "duration_ns", r->duration_ns);
		json_add_u64(o, "sm", r->unit);
		json_add_u64(o, "warps", r->value);
		break;
	case SOFTGPU_TIMELINE_COPY:
		json_add_u64(o, "duration_ns", r->duration_ns);
		json_add_u64(o, "engine", r->unit);
		json_add_text(o, "src", timeline_memory(r->src));
		json_add_text(o, "dst", timeline_memory(r->dst));
		json_add_u64(o, "bytes", r->value);
		break;
	case SOFTGPU_TIMELINE_FAULT:
		json_add_u64(o, "gpc", r->unit);
		timeline_add_page(o, r->id, resolve, arg);
		json_add_u64(o, "waiting", r->value);
		break;
	case SOFTGPU_TIMELINE_REPLAY:
		json_add_u64(o, "waiting", r->value);
		break;
	case SOFTGPU_TIMELINE_SWITCH:
		json_add_u64(o, "duration_ns", r->duration_ns);
		json_add_u64(o, "sm", r->unit);
		if (r->id != SOFTGPU_SWITCH_NONE)
			json_add_u64(o, "out", r->id);
		json_add_u64(o, "in", r->value);
		break;
	default:
		json_add_u64(o, "count", r->value);
	}
	return o;
}

static bool trace_resolve(void *arg, uint64_t address, char *name, size_t room, uint64_t *offset)
{
	struct trace_file *t = arg;

	return !uvm_find_allocation(t->uvm, address, name, room, offset);
}

static void trace_line(FILE *to, struct json_object *o)
{
	json_print_line(to, o);
	json_object_put(o);
}

/* What began before the recording is shown from its begin on. */
static void trace_rebase(const struct trace_file *t, __u64 *time_ns, __u64 *duration_ns)
{
	__u64 before = *time_ns < t->base_ns ? t->base_ns - *time_ns : 0;

	*time_ns += before - t->base_ns;
	*duration_ns -= before < *duration_ns ? before : *duration_ns;
}

static void trace_event(void *arg, const struct uvm_event *event)
{
	struct trace_file *t = arg;
	struct uvm_event e = *event;

	trace_rebase(t, &e.time_ns, &e.duration_ns);
	if (e.batch && e.gpu >= 0 && e.gpu < UVM_GPU_MAX) {
		if (!t->batch_known[e.gpu])
			t->batch[e.gpu] = e.batch - 1;
		t->batch_known[e.gpu] = true;
		e.batch -= t->batch[e.gpu];
	}
	trace_line(t->file, event_to_json(&e, trace_resolve, t));
	t->events++;
}

static void trace_timeline(void *arg, const struct softgpu_timeline_record *record)
{
	struct softgpu_timeline_record r = *record;
	struct trace_gpu *g = arg;

	trace_rebase(g->file, &r.time_ns, &r.duration_ns);
	if (r.type == SOFTGPU_TIMELINE_LOST)
		g->lost += r.value;
	trace_line(g->lines, trace_timeline_json(&r, trace_resolve, g->file));
	g->count++;
}

static void trace_header(struct trace_file *t, const struct softgpu_info *info)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	int i;

	json_add_u64(o, "softuvm_trace", TRACE_FILE_VERSION);
	json_add_text(o, "clock", info[0].clock ? "real" : "virtual");
	json_add_text(o, "profile", info[0].profile);
	for (i = 0; i < t->gpu_count; i++) {
		struct json_object *gpu = json_object_new_object();

		json_add_u64(gpu, "gpu", info[i].gpu);
		json_add_u64(gpu, "sms", info[i].sm_count);
		json_append(list, gpu);
	}
	json_add(o, "gpus", list);
	trace_line(t->file, o);
}

static int trace_fail(struct trace_file *t, int err)
{
	trace_file_end(t);
	return err;
}

/* A file next to @path that is gone when it is closed: /tmp may be small. */
static FILE *trace_scratch(const char *path)
{
	char name[4096];
	FILE *file;

	if (output_is_stdout(path))
		return tmpfile();
	if (snprintf(name, sizeof(name), "%s.part", path) >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	file = fopen(name, "w+");
	if (file)
		remove(name);
	return file;
}

int trace_file_begin(struct trace_file *t, struct uvm *u, const int *gpus, int count,
		     const char *path, const struct trace_options *options)
{
	uint64_t mask = ((1ULL << SOFTGPU_TIMELINE_COUNT) - 1) & ~3ULL;
	struct softgpu_info info[UVM_GPU_MAX];
	int i, err = 0;

	memset(t, 0, sizeof(*t));
	if (!options->blocks)
		mask &= ~(1ULL << SOFTGPU_TIMELINE_BLOCK);
	t->uvm = u;
	t->file = output_open(path);
	if (!t->file)
		return -errno;
	for (i = 0; i < count && !err; i++)
		err = uvm_gpu_info(u, gpus[i], &info[i]);
	if (err)
		return trace_fail(t, err);
	t->base_ns = info[0].now_ns;
	t->gpu_count = count;
	trace_header(t, info);
	for (i = 0; i < count; i++) {
		struct trace_gpu *g = &t->gpus[i];

		g->file = t;
		g->gpu = gpus[i];
		g->lines = trace_scratch(path);
		if (!g->lines)
			return trace_fail(t, -errno);
		err = uvm_timeline_start(u, g->gpu, mask, options->stall_ns, trace_timeline, g);
		if (err)
			return trace_fail(t, err);
	}
	err = uvm_events_start(u, (1ULL << UVM_EVENT_COUNT) - 2, trace_event, t);
	return err ? trace_fail(t, err) : 0;
}

/* The lines of a timeline go behind those of the events. */
static int trace_append(struct trace_file *t, struct trace_gpu *g)
{
	char buffer[65536];
	size_t got;

	rewind(g->lines);
	while ((got = fread(buffer, 1, sizeof(buffer), g->lines)) > 0)
		if (fwrite(buffer, 1, got, t->file) != got)
			return -EIO;
	return ferror(g->lines) ? -EIO : 0;
}

int trace_file_end(struct trace_file *t)
{
	struct json_object *o = json_object_new_object();
	uint64_t lost = 0, records = 0;
	int i, err = 0, ret;

	if (t->file) {
		lost = uvm_events_dropped(t->uvm);
		err = uvm_events_stop(t->uvm);
	}
	for (i = 0; i < t->gpu_count; i++) {
		struct trace_gpu *g = &t->gpus[i];

		ret = uvm_timeline_stop(t->uvm, g->gpu);
		if (g->lines) {
			ret = ret ? ret : trace_append(t, g);
			fclose(g->lines);
		}
		g->lines = NULL;
		err = err ? err : ret;
		lost += g->lost;
		records += g->count;
	}
	json_add_u64(o, "end", 1);
	json_add_u64(o, "events", t->events);
	json_add_u64(o, "timeline_records", records);
	json_add_u64(o, "lost", lost);
	if (t->file) {
		json_print_line(t->file, o);
		if (output_close(t->file) && !err)
			err = -EIO;
	}
	t->file = NULL;
	json_object_put(o);
	return !err && json_lost() ? -ENOMEM : err;
}

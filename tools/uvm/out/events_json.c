// SPDX-License-Identifier: GPL-2.0
/* Events as JSON objects and as lines for people. */
#include <string.h>

#include "../../lib/uvm.h"
#include "../../lib/nearest.h"
#include "out/events_json.h"

struct event_kind {
	const char *name;
	unsigned int fields;
};

static const struct event_kind event_kinds[UVM_EVENT_COUNT] = {
#define X(name, text, fields) [UVM_EVENT_##name] = { text, fields },
	UVM_EVENT_TYPES(X)
#undef X
};

static int event_type_find(const char *name, size_t length)
{
	int type;

	for (type = 0; type < UVM_EVENT_COUNT; type++) {
		const char *known = event_kinds[type].name;

		if (known && strlen(known) == length && !strncmp(known, name, length))
			return type;
	}
	return -1;
}

uint64_t event_types_parse(const char *list)
{
	uint64_t mask = 0;

	for (;; list++) {
		size_t length = strcspn(list, ",");
		int type = event_type_find(list, length);

		if (type < 0)
			return 0;
		mask |= 1ULL << type;
		list += length;
		if (!*list)
			return mask;
	}
}

bool event_types_check(const char *list)
{
	return event_types_parse(list);
}

void event_types_explain(FILE *to, const char *list)
{
	struct nearest n = { 0 };
	char word[64], hint[96];
	int type;

	while (event_type_find(list, strcspn(list, ",")) >= 0)
		list += strcspn(list, ",") + 1;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(list, ","), list);
	n.word = word;
	for (type = 0; type < UVM_EVENT_COUNT; type++)
		if (event_kinds[type].name)
			nearest_try(&n, event_kinds[type].name);
	fprintf(to, "no such type of events '%s'%s", word, n.name ? nearest_hint(&n, hint, sizeof(hint)) : "; there are:");
	for (type = 0; type < UVM_EVENT_COUNT && !n.name; type++)
		if (event_kinds[type].name)
			fprintf(to, " %s", event_kinds[type].name);
	fprintf(to, "\n");
}

static const char * const event_causes[] = {
	[UVM_CAUSE_NONE] = NULL,
	[UVM_CAUSE_FAULT] = "fault",
	[UVM_CAUSE_PREFETCH] = "prefetch",
	[UVM_CAUSE_EVICTION] = "eviction",
	[UVM_CAUSE_USER] = "user",
	[UVM_CAUSE_CPU_FAULT] = "cpu_fault",
	[UVM_CAUSE_POLICY] = "policy",
	[UVM_CAUSE_UNREGISTER] = "unregister",
	[UVM_CAUSE_THRASHING] = "thrashing",
	[UVM_CAUSE_ACCESS_COUNTER] = "access_counter",
	[UVM_CAUSE_NON_REPLAYABLE] = "non_replayable",
};

static const char * const event_fault_types[] = {
	[UVM_FAULT_NONE] = NULL,
	[UVM_FAULT_INVALID_PDE] = "invalid_pde",
	[UVM_FAULT_INVALID_PTE] = "invalid_pte",
	[UVM_FAULT_RO_VIOLATION] = "ro_violation",
	[UVM_FAULT_ATOMIC_VIOLATION] = "atomic_violation",
	[UVM_FAULT_OTHER] = "other",
};

static const char * const event_accesses[] = {
	[UVM_ACCESS_PREFETCH] = "prefetch",
	[UVM_ACCESS_READ] = "read",
	[UVM_ACCESS_WRITE] = "write",
	[UVM_ACCESS_ATOMIC] = "atomic",
};

#define NAME(table, index) \
	((index) < sizeof(table) / sizeof((table)[0]) ? (table)[index] : "unknown")

static void event_add_text(struct json_object *o, const char *key, const char *value)
{
	if (value)
		json_add_text(o, key, value);
}

static void event_add_processor(struct json_object *o, const char *key, int processor)
{
	char text[16] = "cpu";

	if (processor == UVM_PROCESSOR_NONE)
		return;
	if (processor >= 0)
		snprintf(text, sizeof(text), "gpu%d", processor);
	event_add_text(o, key, text);
}

static const char *event_phase_name(uint64_t phase)
{
	const char *name = phase < UVM_PHASE_COUNT ? uvm_phase_name(phase) : NULL;

	return name ? name : "unknown";
}

static void event_add_span(struct json_object *o, const struct uvm_event *event,
			   event_resolve_fn resolve, void *arg)
{
	uint64_t offset;
	char name[64];

	if (resolve && resolve(arg, event->address, name, sizeof(name), &offset)) {
		event_add_text(o, "name", name);
		json_add_u64(o, "offset", offset);
	} else {
		json_add_u64(o, "address", event->address);
	}
	if (event->bytes)
		json_add_u64(o, "bytes", event->bytes);
}

static void event_add_origin(struct json_object *o, const struct uvm_event *event)
{
	json_add_u64(o, "sm", event->sm);
	json_add_u64(o, "block", event->block);
	json_add_u64(o, "warp", event->warp);
	json_add_u64(o, "pc", event->pc);
}

struct json_object *event_to_json(const struct uvm_event *event, event_resolve_fn resolve,
				  void *arg)
{
	static const struct event_kind unknown = { "unknown", UVM_EVENT_HAS_SPAN };
	const struct event_kind *kind = &unknown;
	struct json_object *o = json_object_new_object();

	if (event->type < UVM_EVENT_COUNT && event_kinds[event->type].name)
		kind = &event_kinds[event->type];

	event_add_text(o, "event", kind->name);
	if (event->gpu >= 0)
		json_add_u64(o, "gpu", event->gpu);
	if (kind->fields & UVM_EVENT_HAS_SPAN)
		event_add_span(o, event, resolve, arg);
	if (kind->fields & UVM_EVENT_HAS_TYPE)
		event_add_text(o, "type", NAME(event_fault_types, event->fault_type));
	if (kind->fields & UVM_EVENT_HAS_ACCESS)
		event_add_text(o, "access", NAME(event_accesses, event->access));
	if (kind->fields & UVM_EVENT_HAS_WAY) {
		event_add_processor(o, "src", event->src);
		event_add_processor(o, "dst", event->dst);
	}
	if (kind->fields & UVM_EVENT_HAS_CAUSE)
		event_add_text(o, "cause", NAME(event_causes, event->cause));
	if (event->batch)
		json_add_u64(o, "batch", event->batch);
	if (kind->fields & UVM_EVENT_HAS_BATCH) {
		json_add_u64(o, "faults", event->count);
		json_add_u64(o, "bytes", event->bytes);
		json_add_u64(o, "handling_ns", event->value);
	}
	if (kind->fields & UVM_EVENT_HAS_PHASE) {
		event_add_text(o, "phase", event_phase_name(event->count));
		event_add_text(o, "work", event_phase_name(event->value));
	}
	if (kind->fields & UVM_EVENT_HAS_COUNTER) {
		json_add_u64(o, "accesses", event->count);
		json_add_u64(o, "sub_granularity", event->value);
	}
	if (kind->fields & UVM_EVENT_HAS_HITS) {
		json_add_u64(o, "hits", event->count);
		json_add_u64(o, "requests", event->value);
	}
	if (kind->fields & UVM_EVENT_HAS_PATTERN)
		event_add_text(o, "pattern", uvm_pattern_name(event->value) ?: "unknown");
	if (kind->fields & UVM_EVENT_HAS_POLICY) {
		json_add_u64(o, "wrong", event->count);
		json_add_u64(o, "choice", event->value);
	}
	json_add_u64(o, "time_ns", event->time_ns);
	if (kind->fields & UVM_EVENT_HAS_DURATION)
		json_add_u64(o, "duration_ns", event->duration_ns);
	if (kind->fields & UVM_EVENT_HAS_UNIT) {
		json_add_u64(o, "gpc", event->gpc);
		json_add_u64(o, "client", event->client);
		json_add_u64(o, "utlb", event->utlb);
		json_add_flag(o, "duplicate", event->count == 1);
	}
	if (event->flags & UVM_EVENT_ORIGIN)
		event_add_origin(o, event);
	return o;
}

static void event_print_value(FILE *to, struct json_object *value)
{
	if (json_object_is_type(value, json_type_string))
		fputs(json_object_get_string(value), to);
	else
		json_write(to, value);
}

void event_print_text(FILE *to, struct json_object *event)
{
	struct json_object *time = NULL, *name = NULL, *offset = NULL;
	struct json_object_iterator it, end;
	char where[96] = "";

	if (json_lost())
		return;
	it = json_object_iter_begin(event);
	end = json_object_iter_end(event);

	json_object_object_get_ex(event, "time_ns", &time);
	if (json_object_object_get_ex(event, "name", &name) &&
	    json_object_object_get_ex(event, "offset", &offset))
		snprintf(where, sizeof(where), "%s+%#llx", json_object_get_string(name),
			 (unsigned long long)json_object_get_uint64(offset));
	fprintf(to, "  %12llu ns  %-12s%-20s",
		time ? (unsigned long long)json_object_get_uint64(time) : 0ULL,
		json_object_get_string(json_object_object_get(event, "event")), where);

	for (; !json_object_iter_equal(&it, &end); json_object_iter_next(&it)) {
		const char *key = json_object_iter_peek_name(&it);

		if (!strcmp(key, "event") || !strcmp(key, "time_ns") || !strcmp(key, "name") ||
		    !strcmp(key, "offset"))
			continue;
		fprintf(to, " %s=", key);
		event_print_value(to, json_object_iter_peek_value(&it));
	}
	fputc('\n', to);
}

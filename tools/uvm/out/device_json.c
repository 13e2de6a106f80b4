// SPDX-License-Identifier: GPL-2.0
/* Facts about GPUs and the driver, as JSON and for people. */
#include <stdio.h>
#include <string.h>

#include "out/device_json.h"
#include "out/stats_json.h"
#include "uvm_cmd.h"

int device_open_any(struct uvm **u)
{
	int gpus[UVM_GPU_MAX], count = uvm_gpu_count(), i;

	for (i = 0; i < count; i++)
		gpus[i] = i;
	return uvm_open(u, gpus, count);
}

struct json_object *device_parameters_json(struct uvm *u)
{
	struct json_object *list = json_object_new_array();
	struct uvm_get_param p;
	char values[512];
	uint32_t i;

	for (i = 0; u && !uvm_param_get(u, i, &p); i++) {
		struct json_object *o = json_object_new_object();

		json_add_text(o, "name", p.name);
		json_add_text(o, "value", p.value);
		json_add_text(o, "source", p.source);
		json_add_text(o, "choices", uvm_param_values(u, &p, values, sizeof(values)));
		json_add_text(o, "what", p.what);
		json_append(list, o);
	}
	return list;
}

static const struct {
	uint32_t bit;
	const char *name;
} device_feeds[] = {
	{ UVM_FEED_ACCESSED, "accessed" },
	{ UVM_FEED_COUNTERS, "counters" },
	{ UVM_FEED_WALKS, "walks" },
	{ UVM_FEED_HIR, "hir" },
	{ UVM_FEED_ACCESSES, "accesses" },
	{ UVM_FEED_REQUESTS, "requests" },
};

static struct json_object *device_words_json(const char *text)
{
	struct json_object *list = json_object_new_array();
	size_t n;

	for (; *text; text += n + !!text[n]) {
		n = strcspn(text, " ");
		json_append(list, json_object_new_string_len(text, (int)n));
	}
	return list;
}

static struct json_object *device_policy_json(const char *param, const struct uvm_get_choice *c)
{
	struct json_object *o = json_object_new_object(), *feeds = json_object_new_array();

	json_add_text(o, "kind", c->kind);
	json_add_text(o, "parameter", param);
	json_add_text(o, "name", c->name);
	json_add_text(o, "what", c->what);
	json_add(o, "parameters", device_words_json(c->params));
	for (size_t i = 0; i < sizeof(device_feeds) / sizeof(device_feeds[0]); i++)
		if (c->feeds & device_feeds[i].bit)
			json_append(feeds, json_object_new_string(device_feeds[i].name));
	json_add(o, "feeds", feeds);
	return o;
}

struct json_object *device_policies_json(struct uvm *u)
{
	struct json_object *list = json_object_new_array();
	struct uvm_get_choice c;
	struct uvm_get_param p;

	for (uint32_t i = 0; u && !uvm_param_get(u, i, &p); i++)
		for (uint32_t n = 0; n < p.choices && !uvm_choice_get(u, i, n, &c); n++)
			if (*c.kind)
				json_append(list, device_policy_json(p.name, &c));
	return list;
}

void device_print_parameters(struct uvm *u)
{
	char values[512];
	int name = (int)strlen("name"), value = (int)strlen("value");
	struct uvm_get_param p;
	uint32_t i;

	for (i = 0; !uvm_param_get(u, i, &p); i++) {
		name = (int)strlen(p.name) > name ? (int)strlen(p.name) : name;
		value = (int)strlen(p.value) > value ? (int)strlen(p.value) : value;
	}
	printf("  %-*s  %-*s  %-8s  %s\n", name, "name", value, "value", "source",
	       "choices: what it is");
	for (i = 0; !uvm_param_get(u, i, &p); i++)
		printf("  %-*s  %-*s  %-8s  %s: %s\n", name, p.name, value, p.value, p.source,
		       uvm_param_values(u, &p, values, sizeof(values)), p.what);
}

void device_print_policies(struct uvm *u)
{
	struct uvm_get_choice c;
	struct uvm_get_param p;
	char both[128];

	for (uint32_t i = 0; !uvm_param_get(u, i, &p); i++)
		for (uint32_t n = 0; n < p.choices && !uvm_choice_get(u, i, n, &c); n++) {
			snprintf(both, sizeof(both), "%s=%s", p.name, c.name);
			if (*c.kind)
				printf("  %-34s%s\n", both, c.what);
		}
}

/* A unit "replay|wait" has the names of the values 0 and 1. */
static int device_value_named(const struct softgpu_profile_entry *e, char *name, size_t size)
{
	const char *begin = e->unit, *end;
	uint64_t i;

	if (!strchr(begin, '|'))
		return 0;
	for (i = 0; i < e->value && begin; i++) {
		begin = strchr(begin, '|');
		begin = begin ? begin + 1 : NULL;
	}
	if (!begin)
		return 0;
	end = strchr(begin, '|');
	snprintf(name, size, "%.*s", end ? (int)(end - begin) : (int)strlen(begin), begin);
	return 1;
}

static struct json_object *device_profile_json(struct uvm *u, int gpu, uint32_t entries)
{
	struct json_object *list = json_object_new_array();
	struct softgpu_profile_entry e;
	uint32_t i;

	for (i = 0; i < entries && !uvm_gpu_profile(u, gpu, i, &e); i++) {
		struct json_object *o = json_object_new_object();
		char name[sizeof(e.unit)];

		json_add_text(o, "name", e.name);
		json_add_u64(o, "value", e.value);
		if (device_value_named(&e, name, sizeof(name)))
			json_add_text(o, "value_name", name);
		json_add_text(o, "unit", e.unit);
		json_add_flag(o, "overridden", e.overridden);
		json_add_text(o, "what", e.what);
		json_add_text(o, "source", e.source);
		json_append(list, o);
	}
	return list;
}

struct json_object *device_gpu_json(struct uvm *u, int gpu)
{
	struct json_object *o;
	struct softgpu_info i;

	if (uvm_gpu_info(u, gpu, &i))
		return NULL;

	o = json_object_new_object();
	json_add_u64(o, "gpu", i.gpu);
	json_add_text(o, "profile", i.profile);
	json_add_text(o, "clock", i.clock ? "real" : "virtual");
	json_add_u64(o, "vram_bytes", i.vram_bytes);
	json_add_u64(o, "usable_bytes", i.usable_bytes);
	json_add_u64(o, "now_ns", i.now_ns);
	json_add_u64(o, "sm_count", i.sm_count);
	json_add_u64(o, "sm_clock_khz", i.sm_clock_khz);
	json_add_u64(o, "threads_per_sm", i.threads_per_sm);
	json_add_u64(o, "warps_per_sm", i.warps_per_sm);
	json_add_u64(o, "blocks_per_sm", i.blocks_per_sm);
	json_add_u64(o, "dma_faults", i.dma_faults);
	json_add_u64(o, "tlb_hits", i.tlb_hits);
	json_add_u64(o, "tlb_misses", i.tlb_misses);
	json_add_u64(o, "walks", i.walks);
	json_add_u64(o, "faults_written", i.faults_written);
	json_add_u64(o, "faults_merged", i.faults_merged);
	json_add_u64(o, "faults_dropped", i.faults_dropped);
	json_add_u64(o, "faults_replayed", i.faults_replayed);
	json_add_u64(o, "instructions", i.instructions);
	json_add_u64(o, "switched_out", i.switched_out);
	json_add_u64(o, "switched_in", i.switched_in);
	json_add_u64(o, "switch_ns", i.switch_ns);
	json_add_u64(o, "link_reads", i.link_reads);
	json_add_u64(o, "link_writes", i.link_writes);
	json_add_u64(o, "link_read_bytes", i.link_read_bytes);
	json_add_u64(o, "link_write_bytes", i.link_write_bytes);
	json_add(o, "profile_values", device_profile_json(u, gpu, i.profile_entries));
	return o;
}

uint64_t device_profile_value(struct uvm *u, int gpu, uint32_t entries, const char *name)
{
	struct softgpu_profile_entry e;
	uint32_t i;

	for (i = 0; i < entries && !uvm_gpu_profile(u, gpu, i, &e); i++)
		if (!strcmp(e.name, name))
			return e.value;
	return 0;
}

static void device_print_link(struct uvm *u, int gpu, uint32_t entries)
{
	static const char * const links[] = { "none", "PCIe, no atomics", "NVLink, atomics" };
	uint64_t link = device_profile_value(u, gpu, entries, "peer_link");

	printf("  link to other GPUs: %s", link < 3 ? links[link] : "?");
	if (link)
		printf(", %llu MB/s each way",
		       (unsigned long long)device_profile_value(u, gpu, entries,
								"copy_peer_mbps"));
	printf("\n");
}

static void device_print_value(const struct softgpu_profile_entry *e)
{
	char name[sizeof(e->unit)], value[32];
	int named = device_value_named(e, name, sizeof(name));

	snprintf(value, sizeof(value), "%llu", (unsigned long long)e->value);
	printf("  %c %-26s%12s %-8s%s [%s]\n", e->overridden ? '*' : ' ', e->name,
	       named ? name : value, named ? "" : e->unit, e->what, e->source);
}

int device_print_gpu(struct uvm *u, int gpu)
{
	struct softgpu_profile_entry e;
	struct softgpu_info i;
	char vram[32], usable[32];
	uint32_t n;
	int err;

	err = uvm_gpu_info(u, gpu, &i);
	if (err)
		return err;

	printf("GPU %u: profile %s, %s clock, now %llu ns\n", i.gpu, i.profile,
	       i.clock ? "real" : "virtual", (unsigned long long)i.now_ns);
	printf("  %u SMs at %u MHz; per SM %u threads, %u warps, %u blocks\n", i.sm_count,
	       i.sm_clock_khz / 1000, i.threads_per_sm, i.warps_per_sm, i.blocks_per_sm);
	printf("  memory %s, usable %s\n", format_bytes(i.vram_bytes, vram, sizeof(vram)),
	       format_bytes(i.usable_bytes, usable, sizeof(usable)));
	device_print_link(u, gpu, i.profile_entries);
	printf("  since load: %llu warp instructions; uTLB hits %llu, misses %llu, walks %llu;\n"
	       "    faults written %llu, merged %llu, dropped %llu; DMA faults %llu\n",
	       (unsigned long long)i.instructions, (unsigned long long)i.tlb_hits,
	       (unsigned long long)i.tlb_misses, (unsigned long long)i.walks,
	       (unsigned long long)i.faults_written, (unsigned long long)i.faults_merged,
	       (unsigned long long)i.faults_dropped, (unsigned long long)i.dma_faults);
	printf("  profile values (* changed with set=)\n");
	for (n = 0; n < i.profile_entries && !uvm_gpu_profile(u, gpu, n, &e); n++)
		device_print_value(&e);
	return 0;
}

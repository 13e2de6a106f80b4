// SPDX-License-Identifier: GPL-2.0
/* What was done on a device between two readings. */
#include "out/counters_json.h"
#include "out/device_use.h"
#include "out/stats_json.h"

/* Of the GPU, whoever uses it. */
static struct json_object *use_blocks(const struct softgpu_info *before,
				      const struct softgpu_info *after)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "switched_out", after->switched_out - before->switched_out);
	json_add_u64(o, "switched_in", after->switched_in - before->switched_in);
	json_add_u64(o, "switch_ns", after->switch_ns - before->switch_ns);
	return o;
}

/* What the GPU says of its faults: replayed ones have led to one more try. */
static struct json_object *use_gpu_faults(const struct softgpu_info *before,
					  const struct softgpu_info *after)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "written", after->faults_written - before->faults_written);
	json_add_u64(o, "merged", after->faults_merged - before->faults_merged);
	json_add_u64(o, "dropped", after->faults_dropped - before->faults_dropped);
	json_add_u64(o, "replayed", after->faults_replayed - before->faults_replayed);
	return o;
}

static struct json_object *use_mmu(const struct softgpu_info *before,
				   const struct softgpu_info *after)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "utlb_hits", after->tlb_hits - before->tlb_hits);
	json_add_u64(o, "utlb_misses", after->tlb_misses - before->tlb_misses);
	json_add_u64(o, "walks", after->walks - before->walks);
	return o;
}

struct json_object *device_use_link_json(const struct softgpu_info *before,
					 const struct softgpu_info *after)
{
	struct json_object *o = json_object_new_object();

	json_add_u64(o, "reads", after->link_reads - before->link_reads);
	json_add_u64(o, "writes", after->link_writes - before->link_writes);
	json_add_u64(o, "read_bytes", after->link_read_bytes - before->link_read_bytes);
	json_add_u64(o, "write_bytes", after->link_write_bytes - before->link_write_bytes);
	return o;
}

void device_use_add_json(struct json_object *to, const struct softgpu_info *before,
			 const struct softgpu_info *after)
{
	json_add(to, "thread_blocks", use_blocks(before, after));
	json_add(to, "gpu_faults", use_gpu_faults(before, after));
	json_add(to, "mmu", use_mmu(before, after));
	json_add(to, "link", device_use_link_json(before, after));
}

int device_use_counters(struct uvm *u, struct uvm_counters *counters, int *gpus)
{
	int processor, err = 0;

	*gpus = uvm_gpu_count();
	for (processor = UVM_PROCESSOR_CPU; !err && processor < *gpus; processor++)
		err = uvm_processor_counters(u, processor, &counters[1 + processor]);
	return err;
}

struct json_object *device_use_processors_json(const struct uvm_counters *counters, int gpus)
{
	struct json_object *list = json_object_new_array();
	int i;

	for (i = 0; i <= gpus; i++)
		json_append(list, counters_json(i - 1, gpus, &counters[i]));
	return list;
}

/* Until there are no more. */
struct json_object *device_use_policy_json(struct uvm *u, int gpu)
{
	struct json_object *o = json_object_new_object();
	struct uvm_get_policy_number number;
	uint32_t i;

	for (i = 0; !uvm_policy_number(u, gpu, i, &number); i++)
		json_add_u64(o, number.name, number.value);
	return o;
}

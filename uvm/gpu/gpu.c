// SPDX-License-Identifier: GPL-2.0
/*
 * GPUs: the table of them, and what others look up in one.
 */
#include <kunit/visibility.h>
#include <softgpu/regs.h>
#include "gpu/gpu.h"
#include "space/va_space_types.h"

static struct uvm_gpu *uvm_gpus[UVM_MAX_GPUS];

/**
 * uvm_gpu - a GPU by number
 * @index: number, as users see it
 *
 * Return: the GPU, or NULL; valid while the module is loaded.
 */
struct uvm_gpu *uvm_gpu(unsigned int index)
{
	return index < UVM_MAX_GPUS ? uvm_gpus[index] : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_gpu);

void uvm_gpu_publish(unsigned int index, struct uvm_gpu *gpu)
{
	uvm_gpus[index] = gpu;
}

/**
 * uvm_gpu_count - how many there are
 *
 * Return: 1 ... %UVM_MAX_GPUS.
 */
unsigned int uvm_gpu_count(void)
{
	return min_t(unsigned int, rm_gpu_count(), UVM_MAX_GPUS);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_gpu_count);

/**
 * uvm_gpu_find_va_space - translate an instance pointer
 * @gpu: the GPU
 * @instance: from a fault record
 *
 * The result stays valid while the service lock is held: a VA space removes
 * itself here and then flushes the bottom half before it goes.
 *
 * Return: the address space, or NULL if it is gone.
 */
struct uvm_gpu_va_space *uvm_gpu_find_va_space(struct uvm_gpu *gpu, u64 instance)
{
	struct uvm_gpu_va_space *gvs, *found = NULL;

	spin_lock(&gpu->instance_lock);
	list_for_each_entry(gvs, &gpu->gpu_va_spaces, node) {
		if (gvs->instance == instance) {
			found = gvs;
			break;
		}
	}
	spin_unlock(&gpu->instance_lock);
	return found;
}

/**
 * uvm_gpu_note_launch - a launch begins or has ended: its VA space counts it
 * @gpu: the GPU
 * @instance: the instance pointer
 * @begins: which
 *
 * Any context.
 *
 * Return: number of the VA space; 0 if it is gone.
 */
u64 uvm_gpu_note_launch(struct uvm_gpu *gpu, u64 instance, bool begins)
{
	struct uvm_gpu_va_space *gvs;
	u64 id = 0;

	spin_lock(&gpu->instance_lock);
	list_for_each_entry(gvs, &gpu->gpu_va_spaces, node) {
		if (gvs->instance != instance)
			continue;
		spin_lock(&gvs->va_space->range_lock);
		uvm_range_states_launch(&gvs->va_space->range_states, begins);
		spin_unlock(&gvs->va_space->range_lock);
		id = gvs->va_space->id;
	}
	spin_unlock(&gpu->instance_lock);
	return id;
}

/**
 * uvm_gpu_add_va_space - from now on its faults are found
 * @gpu: the GPU
 * @gpu_va_space: with its instance pointer set
 */
void uvm_gpu_add_va_space(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gpu_va_space)
{
	spin_lock(&gpu->instance_lock);
	list_add_tail(&gpu_va_space->node, &gpu->gpu_va_spaces);
	spin_unlock(&gpu->instance_lock);
}

/**
 * uvm_gpu_is_unused - has no VA space registered it?
 * @gpu: the GPU
 *
 * Return: true if so; on the real clock that may change at once.
 */
bool uvm_gpu_is_unused(struct uvm_gpu *gpu)
{
	bool unused;

	spin_lock(&gpu->instance_lock);
	unused = list_empty(&gpu->gpu_va_spaces);
	spin_unlock(&gpu->instance_lock);
	return unused;
}

/**
 * uvm_gpu_remove_va_space - from now on its faults are stale
 * @gpu: the GPU
 * @gpu_va_space: as added
 */
void uvm_gpu_remove_va_space(struct uvm_gpu *gpu, struct uvm_gpu_va_space *gpu_va_space)
{
	spin_lock(&gpu->instance_lock);
	list_del(&gpu_va_space->node);
	spin_unlock(&gpu->instance_lock);
}

void uvm_gpu_set_extensions(struct uvm_gpu *gpu, u32 ours, u32 wanted)
{
	u32 others;

	spin_lock(&gpu->extension_lock);
	others = rm_reg_read(gpu->rm, REG_EXT_ENABLE) & ~ours;
	rm_reg_write(gpu->rm, REG_EXT_ENABLE,
		     others | (wanted & ours & rm_reg_read(gpu->rm, REG_CAPS)));
	spin_unlock(&gpu->extension_lock);
}

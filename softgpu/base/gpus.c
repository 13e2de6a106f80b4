// SPDX-License-Identifier: GPL-2.0
/* The GPUs of this module; see gpus.h. */
#include <linux/export.h>
#include "base/gpu.h"
#include "base/gpus.h"

static struct rm_gpu *gpus[RM_MAX_GPUS];
static unsigned int gpus_count;

void sgpu_gpus_add(struct rm_gpu *gpu)
{
	gpus[gpu->index] = gpu;
	gpus_count++;
}

void sgpu_gpus_remove(struct rm_gpu *gpu)
{
	gpus[gpu->index] = NULL;
	gpus_count--;
}

unsigned int rm_gpu_count(void)
{
	return gpus_count;
}
EXPORT_SYMBOL_NS_GPL(rm_gpu_count, SOFTGPU);

struct rm_gpu *rm_gpu(unsigned int index)
{
	return index < RM_MAX_GPUS ? gpus[index] : NULL;
}
EXPORT_SYMBOL_NS_GPL(rm_gpu, SOFTGPU);

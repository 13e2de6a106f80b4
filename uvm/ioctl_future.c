// SPDX-License-Identifier: GPL-2.0
/* ioctls of /dev/uvm that tell an eviction policy the future; see ioctl.c. */
#include <linux/err.h>
#include <linux/nospec.h>
#include <linux/uvm.h>
#include "gpu/gpu.h"
#include "ioctl_future.h"
#include "memory/pmm.h"
#include "memory/pmm_stays.h"
#include "request/stays.h"
#include "space/va_space_types.h"

static void future_enter(struct sim_task *self, enum rm_profile_key cost)
{
	sim_enter(self);
	sim_charge(rm_profile(uvm_gpu(0)->rm, cost));
}

/* Which units that GPU of the VA space has, 0 if there is none. */
static u32 future_gpu_unit(struct uvm_va_space *va_space, s32 gpu)
{
	struct uvm_gpu_va_space *gvs;
	struct sim_task self;
	u32 unit = 0;

	future_enter(&self, RM_PROFILE_cost_poll);
	sim_down_read(&va_space->lock);
	gvs = va_space->gpus[array_index_nospec(gpu, UVM_MAX_GPUS)];
	if (gvs)
		unit = uvm_chunk_bytes(uvm_pmm_granularity(gvs->gpu));
	sim_up_read(&va_space->lock);
	sim_leave(&self);
	return unit;
}

/* What a user says becomes the GPU's; he has been copied without the clock. */
static int future_set(struct uvm_va_space *va_space, s32 gpu, struct uvm_stays *stays)
{
	struct uvm_gpu_va_space *gvs;
	struct sim_task self;
	int ret = -ENODEV;

	if (IS_ERR(stays))
		return PTR_ERR(stays);
	if (stays)
		stays->plan.va_space = va_space->id;
	future_enter(&self, RM_PROFILE_cost_ioctl);
	sim_down_read(&va_space->lock);
	gvs = va_space->gpus[array_index_nospec(gpu, UVM_MAX_GPUS)];
	if (gvs)
		ret = uvm_pmm_set_stays(gvs->gpu, stays);
	sim_up_read(&va_space->lock);
	sim_leave(&self);
	if (ret)
		uvm_stays_free(stays);
	return ret;
}

/* The copy comes in between, for it may have to wait for the clock. */
int uvm_future_set_stays(struct uvm_va_space *va_space, const struct uvm_set_stays *arg)
{
	u32 unit;

	if (arg->__reserved)
		return -EINVAL;
	if (arg->gpu < 0 || arg->gpu >= UVM_MAX_GPUS)
		return -ENODEV;
	unit = future_gpu_unit(va_space, arg->gpu);
	if (!unit)
		return -ENODEV;
	return future_set(va_space, arg->gpu, uvm_stays_from_user(arg, unit));
}

int uvm_future_set_uses(struct uvm_va_space *va_space, const struct uvm_set_uses *arg)
{
	if (arg->gpu < 0 || arg->gpu >= UVM_MAX_GPUS || !future_gpu_unit(va_space, arg->gpu))
		return -ENODEV;
	return future_set(va_space, arg->gpu, uvm_uses_from_user(arg));
}

// SPDX-License-Identifier: GPL-2.0
/* How a launch gets on; see launch_progress.h. */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <uapi/linux/softgpu.h>
#include "base/gpu.h"
#include "base/timeline.h"
#include "clock/clock.h"
#include "context_types.h"
#include "sm/cta.h"
#include "sm/cta_state.h"
#include "sm/kick.h"
#include "sm/launch_progress.h"
#include "sm/launch_state.h"
#include "sm/sm_state.h"

u32 sgpu_fail_errno(u32 reason)
{
	static const u8 errors[] = {
		[SOFTGPU_FAIL_NONE] = 0,
		[SOFTGPU_FAIL_FAULT] = EFAULT,
		[SOFTGPU_FAIL_MISALIGNED] = EFAULT,
		[SOFTGPU_FAIL_WINDOW] = EFAULT,
		[SOFTGPU_FAIL_JUMP] = ENOEXEC,
		[SOFTGPU_FAIL_BARRIER] = EDEADLK,
		[SOFTGPU_FAIL_INSTRUCTION_LIMIT] = ETIME,
		[SOFTGPU_FAIL_CANCELLED] = ECANCELED,
		[SOFTGPU_FAIL_TRAP] = ENOEXEC,
		[SOFTGPU_FAIL_NO_MEMORY] = ENOMEM,
		[SOFTGPU_FAIL_HANG] = EIO,
	};

	return reason < ARRAY_SIZE(errors) ? errors[reason] : EFAULT;
}

u32 sgpu_quota(u64 limit, u64 used, u32 resident)
{
	if (used >= limit)
		return 0;
	return clamp(div_u64(limit - used, resident), 1ULL, SGPU_QUOTA);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_quota);

u32 sgpu_launch_quota(struct sgpu_launch *launch, u32 used)
{
	struct sgpu_dispatcher *dispatcher = &launch->context->gpu->dispatcher;
	u32 quota;

	spin_lock(&dispatcher->lock);
	launch->used += used;
	quota = sgpu_quota(launch->limit, launch->used, launch->resident);
	spin_unlock(&dispatcher->lock);
	return quota;
}

bool sgpu_launch_over(const struct sgpu_launch *launch)
{
	if (launch->resident)
		return false;
	return launch->stop || launch->done == launch->ctas;
}

void sgpu_launch_cta_gone(struct sgpu_cta *cta, bool ran, u64 now_ps)
{
	struct sgpu_launch *launch = cta->launch;
	struct rm_context *context = launch->context;
	struct rm_gpu *gpu = context->gpu;
	struct sgpu_dispatcher *dispatcher = &gpu->dispatcher;
	u32 left = cta->quota + sgpu_cta_ahead(cta);

	sgpu_timeline_emit(&gpu->timelines, .type = SOFTGPU_TIMELINE_BLOCK,
			   .unit = cta->sm->index, .gpu = gpu->index,
			   .time_ns = div64_u64(cta->start_ps, PS_PER_NS),
			   .duration_ns = div64_u64(max(now_ps, cta->start_ps) -
						    cta->start_ps, PS_PER_NS),
			   .id = launch->id, .value = cta->index);
	spin_lock(&dispatcher->lock);
	launch->used += cta->last_quota - left;
	launch->instructions += cta->granted - left;
	launch->done += ran;
	launch->end_ps = max(launch->end_ps, now_ps);
	list_add(&cta->node, &context->pool.free);
	launch->resident--;
	if (sgpu_launch_over(launch))
		sgpu_event_at(&launch->event, launch->end_ps);
	spin_unlock(&dispatcher->lock);
}

void sgpu_launch_fail(struct sgpu_launch *launch, const struct sgpu_failure *failure)
{
	struct rm_gpu *gpu = launch->context->gpu;
	struct sgpu_dispatcher *dispatcher = &gpu->dispatcher;
	bool first;

	spin_lock(&dispatcher->lock);
	first = !launch->stop && !(launch->done == launch->ctas);
	if (first) {
		launch->failure = *failure;
		WRITE_ONCE(launch->stop, true);
		if (launch->started && !launch->resident)
			sgpu_event_at(&launch->event, sgpu_now_ps());
	}
	spin_unlock(&dispatcher->lock);
	if (first)
		sgpu_sms_look(gpu);
}

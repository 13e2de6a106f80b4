/* SPDX-License-Identifier: GPL-2.0 */
/* Memory of resident CTAs; see cta.h. */
#ifndef SOFTGPU_CTA_TYPES_H
#define SOFTGPU_CTA_TYPES_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <softgpu/rm.h>

/**
 * struct sgpu_cta_shape - what a launch wants of its pool
 * @count: CTAs
 * @warps: warps of each
 * @mem_ops: memory operations per warp
 * @stack_bytes: stack per thread
 * @shared_bytes: shared memory of each
 * @doubles: float registers have 64 bits
 */
struct sgpu_cta_shape {
	u32 count;
	u32 warps;
	u32 mem_ops;
	u32 stack_bytes;
	u32 shared_bytes;
	u32 doubles;
};

/**
 * struct sgpu_cta_pool - memory for the resident CTAs of a context
 * @lock: serialises reservations; allocates inside, so the device never takes it
 * @chunks: the memory, only ever added to
 * @charge: of all of it
 * @shape: what it is cut into.  Belongs to the launch that runs
 * @count: how many of these CTAs that launch has
 * @cut: all of them, in order
 * @free: CTAs not in use.  Protected by the dispatcher's lock
 */
struct sgpu_cta_pool {
	struct mutex lock;	/* see above */
	struct list_head chunks;
	struct rm_charge charge;
	struct sgpu_cta_shape shape;
	u32 count;
	struct list_head cut;
	struct list_head free;
};

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Copies of a context; see user_copy.h. */
#ifndef SOFTGPU_USER_COPY_TYPES_H
#define SOFTGPU_USER_COPY_TYPES_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <uapi/linux/softgpu.h>
#include "base/history.h"

struct sgpu_copy_channel;

/**
 * struct sgpu_copies - copies of a context
 * @lock: serialises making, filling and freeing channels; nothing is waited for
 *	inside
 * @channel: by direction; changed under both locks.  Protected by the context's
 *	lock, as all below
 * @ended: copies that ended
 * @next: next id
 */
struct sgpu_copies {
	struct mutex lock;	/* see above */
	struct sgpu_copy_channel *channel[SOFTGPU_COPY_DIRECTIONS];
	struct sgpu_history ended;
	u64 next;
};

#endif

// SPDX-License-Identifier: GPL-2.0
/* What a driver is told of an open /dev/softgpuN; see rm.h. */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kref.h>
#include "chardev.h"
#include "context_types.h"
#include "user_memory.h"

int rm_context_get(struct file *file, struct rm_context **out)
{
	struct rm_context *context = sgpu_chardev_context(file);

	if (!context)
		return -EBADF;
	if (xchg(&context->tied, 1))
		return -EBUSY;
	kref_get(&context->ref);
	*out = context;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(rm_context_get, SOFTGPU);

int rm_memory_get(struct file *file, u32 handle, struct rm_memory **memory)
{
	struct rm_context *context = sgpu_chardev_context(file);

	if (!context)
		return -EBADF;
	*memory = sgpu_memory_find(context, handle);
	return *memory ? 0 : -ENOENT;
}
EXPORT_SYMBOL_NS_GPL(rm_memory_get, SOFTGPU);

// SPDX-License-Identifier: GPL-2.0
/* The dispatcher of ioctls of both modules; see <softgpu/door.h>. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "door_priv.h"

/* What fits is no call that can fail for want of memory; all of /dev/softgpuN does. */
#define DOOR_SMALL	384

struct door_head {
	u32 size;
	u32 flags;
};

const struct door_row *door_row_of(const struct door *door, unsigned int cmd)
{
	unsigned int nr = _IOC_NR(cmd);

	if (cmd != _IO(door->type, nr) || nr >= door->count)
		return NULL;
	return door->rows[array_index_nospec(nr, door->count)];
}
EXPORT_SYMBOL_IF_KUNIT(door_row_of);

static bool door_reserved_ok(const struct door_row *row, const void *arg)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row->reserved); i++)
		if (row->reserved[i] && *(const u32 *)(arg + row->reserved[i]))
			return false;
	return true;
}

static bool door_row_span_ok(const struct door_row *row, const void *arg)
{
	const u64 *span = arg + row->span;

	return !row->span || door_span_ok(span[0], span[1]);
}

/* In range, for the CPU's guesses as well. */
static bool door_gpus_ok(const struct door_row *row, void *arg)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(row->gpu); i++) {
		s32 *gpu = arg + row->gpu[i];

		if (!row->gpu[i])
			continue;
		if (*gpu < 0 || *gpu >= RM_MAX_GPUS)
			return false;
		*gpu = array_index_nospec(*gpu, RM_MAX_GPUS);
	}
	return true;
}

static int door_check(const struct door_row *row, struct file *file, void *arg)
{
	const struct door_head *head = arg;
	int ret;

	if (head->flags & ~row->flags)
		return -EOPNOTSUPP;
	if (!door_reserved_ok(row, arg) || !door_row_span_ok(row, arg))
		return -EINVAL;
	ret = row->check ? row->check(file, arg) : 0;
	if (ret)
		return ret;
	return door_gpus_ok(row, arg) ? 0 : -ENODEV;
}

int door_run(const struct door *door, const struct door_row *row, struct file *file, void *arg)
{
	struct sim_task self;
	int ret;

	ret = door_check(row, file, arg);
	if (ret)
		return ret;
	if (row->cost == DOOR_OUTSIDE)
		return row->fn(file, arg);
	sim_enter(&self);
	if (row->cost >= DOOR_CHARGED)
		sim_charge(rm_profile(door->gpu(file), row->cost - DOOR_CHARGED));
	ret = row->fn(file, arg);
	sim_leave(&self);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(door_run);

/* @ret of the call goes to the user, and with it what the call has written. */
static int door_answer(const struct door_row *row, struct door_head *arg, void __user *user,
		       int ret)
{
	bool told;

	if (!row->out || (ret && ret != row->out_error))
		return ret;
	told = !copy_to_user(user, arg, min_t(u32, arg->size, row->size));
	if (!ret && row->told)
		row->told(arg, told);
	return told ? ret : -EFAULT;
}

long door_ioctl(const struct door *door, struct file *file, unsigned int cmd, unsigned long arg)
{
	const struct door_row *row = door_row_of(door, cmd);
	void __user *user = (void __user *)arg;
	u64 small[DOOR_SMALL / sizeof(u64)];
	struct door_head *head = (void *)small;
	u32 size, room;
	int ret;

	if (!row)
		return -ENOTTY;
	if (get_user(size, (u32 __user *)user))
		return -EFAULT;
	if (size < (row->min_size ?: row->size))
		return -EINVAL;
	/* all of it is looked at */
	if (size > PAGE_SIZE)
		return -E2BIG;
	room = row->room ?: row->size;
	if (room > sizeof(small))
		head = kmalloc(room, GFP_KERNEL_ACCOUNT);
	if (!head)
		return -ENOMEM;
	memset(head, 0, room);
	ret = copy_struct_from_user(head, row->size, user, size);
	if (!ret) {
		/* Read twice by now: what counts is the first. */
		head->size = size;
		ret = door_answer(row, head, user, door_run(door, row, file, head));
	}
	if (head != (void *)small)
		kfree(head);
	return ret;
}
EXPORT_SYMBOL_NS_GPL(door_ioctl, SOFTGPU);

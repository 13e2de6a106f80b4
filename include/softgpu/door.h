/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Doors: the ioctls of the device nodes of both modules.  One row says what is true of a call,
 * and one dispatcher sees to it, so that no call can forget it.
 */
#ifndef SOFTGPU_DOOR_H
#define SOFTGPU_DOOR_H

#include <linux/ioctl.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <softgpu/profile.h>
#include <softgpu/rm.h>
#include <softgpu/sim.h>

struct file;

/* How a call takes part in the clock: not, free of charge, or for a cost of the profile. */
enum door_cost {
	DOOR_OUTSIDE,
	DOOR_INSIDE,
	DOOR_CHARGED
};

#define DOOR_COST(key)		(DOOR_CHARGED + RM_PROFILE_cost_##key)
/* Where member @member of struct @tag is. */
#define DOOR_AT(tag, member)	offsetof(struct tag, member)

/**
 * struct door_row - one ioctl
 * @size: sizeof its struct now; the struct begins with size and flags, 32 bits each
 * @min_size: sizeof its struct when it was first published; 0: @size
 * @room: bytes of the kernel's copy, behind the struct those of @fn and @told; 0: @size
 * @flags: flags that are known
 * @reserved: where 32 bits have to be 0; 0: nowhere
 * @span: where the base of whole pages is, and their length behind it, 64 bits each; 0: nowhere
 * @gpu: where numbers of GPUs are, 32 bits with a sign; 0: nowhere.  @fn gets such that index
 *	RM_MAX_GPUS elements, speculation included; whether there is that GPU @fn sees
 * @cost: enum door_cost, or DOOR_COST()
 * @out: the struct is copied back if @fn returns 0, or @out_error
 * @out_error: an error that has results, or 0
 * @check: refuses values of the struct, before any time passes; or NULL
 * @fn: does it; the struct is a kernel copy.  No participant of the clock if @cost is
 *	%DOOR_OUTSIDE, else one, and must not touch user memory
 * @told: after @fn has returned 0 and the user has been told of it, or could not be; or NULL
 *
 * Tests are made in this order, and the first that fails decides: size (-EINVAL, -E2BIG), flags
 * (-EOPNOTSUPP), @reserved and @span (-EINVAL), @check, @gpu (-ENODEV).
 */
struct door_row {
	u16 size;
	u16 min_size;
	u16 room;
	u16 reserved[2];
	u16 span;
	u16 gpu[2];
	u16 cost;
	bool out;
	s16 out_error;
	u32 flags;
	int (*check)(struct file *file, const void *arg);
	int (*fn)(struct file *file, void *arg);
	void (*told)(void *arg, bool told);
};

/* A row of a table by number: the other members follow. */
#define DOOR_ROW(cmd_, tag_, fn_, ...)					\
	[_IOC_NR(cmd_)] = &(const struct door_row) {			\
		.size = sizeof(struct tag_), .fn = (fn_), __VA_ARGS__	\
	}

/**
 * struct door - the ioctls of a device node
 * @rows: by number; NULL in gaps
 * @count: of @rows
 * @type: of the ioctls, which are _IO(type, number)
 * @gpu: whose profile has the costs, of an open file
 */
struct door {
	const struct door_row *const *rows;
	unsigned int count;
	unsigned int type;
	struct rm_gpu *(*gpu)(struct file *file);
};

/**
 * door_ioctl - ioctl(2) of a device node
 * @door: its ioctls
 * @file: the file
 * @cmd: which
 * @arg: user pointer to its struct
 *
 * The struct is copied before the clock is entered and back after it was left: a page fault
 * of the copy may have to enter it.
 *
 * Return: what the call does; -ENOTTY, -EFAULT, -ENOMEM, -E2BIG, or as &struct door_row says.
 */
long door_ioctl(const struct door *door, struct file *file, unsigned int cmd, unsigned long arg);

/**
 * door_enter - become a participant of the clock, for a price
 * @self: as for sim_enter()
 * @gpu: whose profile has the cost
 * @key: the cost
 *
 * For calls that do so in the midst of what they do.  sim_leave() is the reverse.
 */
static inline void door_enter(struct sim_task *self, struct rm_gpu *gpu, enum rm_profile_key key)
{
	sim_enter(self);
	sim_charge(rm_profile(gpu, key));
}

/* Whole pages, at least one, that do not wrap around. */
static inline bool door_span_ok(u64 base, u64 length)
{
	u64 end;

	return length && PAGE_ALIGNED(base) && PAGE_ALIGNED(length) &&
	       !check_add_overflow(base, length, &end);
}

#endif

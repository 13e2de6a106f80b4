// SPDX-License-Identifier: GPL-2.0
/*
 * Range groups of a VA space (nvidia-uvm 1.6, 6.2).
 */
#include "base/ioctl_row.h"
#include "gpu/gpu.h"
#include "space/va_space.h"

static int uvm_ioctl_group_create_check(struct file *file, const void *data)
{
	const struct uvm_group *arg = data;

	return arg->id ? -EINVAL : 0;
}

/* A group without memory, migratable.  0 or -ENOMEM. */
static int uvm_ioctl_group_create(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	struct uvm_group *arg = data;
	struct uvm_range_group *group;
	int ret;

	sim_down_write(&va_space->lock);
	ret = uvm_range_group_create(&va_space->groups, GFP_KERNEL_ACCOUNT, &group);
	if (!ret)
		arg->id = group->id;
	sim_up_write(&va_space->lock);
	return ret;
}

UVM_IOCTL(UVM_IOC_GROUP_CREATE, uvm_group, uvm_ioctl_group_create,
	  .check = uvm_ioctl_group_create_check, .cost = DOOR_COST(ioctl), .out = true);

/* The memory of the group is migratable again.  0 or -ENOENT. */
static int uvm_ioctl_group_destroy(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_group *arg = data;
	struct uvm_range_group *group;

	sim_down_write(&va_space->lock);
	group = uvm_range_group_find(&va_space->groups, arg->id);
	if (group)
		uvm_range_group_destroy(&va_space->groups, group);
	sim_up_write(&va_space->lock);
	return group ? 0 : -ENOENT;
}

UVM_IOCTL(UVM_IOC_GROUP_DESTROY, uvm_group, uvm_ioctl_group_destroy, .cost = DOOR_COST(ioctl));

/* A span goes into a group, or out of all.  0, -EINVAL (not all managed), -ENOENT, -ENOMEM. */
static int uvm_ioctl_group_set(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_group_set *arg = data;
	struct uvm_range_group *group = NULL;
	bool managed;
	int ret;

	sim_down_write(&va_space->lock);
	mutex_lock(&va_space->ranges_lock);
	managed = uvm_va_space_is_managed(va_space, arg->base, arg->length);
	mutex_unlock(&va_space->ranges_lock);
	if (arg->id)
		group = uvm_range_group_find(&va_space->groups, arg->id);
	if (!managed)
		ret = -EINVAL;
	else if (arg->id && !group)
		ret = -ENOENT;
	else
		ret = uvm_range_group_set(&va_space->groups, group, arg->base,
					  arg->base + arg->length - 1, GFP_KERNEL_ACCOUNT);
	sim_up_write(&va_space->lock);
	return ret;
}

UVM_IOCTL(UVM_IOC_GROUP_SET, uvm_group_set, uvm_ioctl_group_set,
	  .span = DOOR_AT(uvm_group_set, base), .cost = DOOR_COST(ioctl));

/*
 * What must not migrate lives at its preferred location, and that is system
 * memory: -EINVAL if a range has none, -ENODEV if it is a GPU.
 */
static int uvm_group_check_preferred(struct uvm_va_space *va_space,
				     const struct uvm_range_group *group)
{
	struct uvm_range_group_span *span;
	struct uvm_va_range *range;
	int ret = 0;

	mutex_lock(&va_space->ranges_lock);
	list_for_each_entry(span, &group->spans, of_group) {
		for_each_uvm_va_range_in(range, &va_space->ranges, span->node.start,
					 span->node.last) {
			u8 preferred = range->policy.preferred;

			if (!ret && preferred == UVM_ID_INVALID)
				ret = -EINVAL;
			else if (!ret && uvm_id_is_gpu(preferred))
				ret = -ENODEV;
		}
	}
	mutex_unlock(&va_space->ranges_lock);
	return ret;
}

static int uvm_group_allow(struct uvm_va_space *va_space, u64 id, bool allow)
{
	struct uvm_range_group *group;
	int ret = -ENOENT;

	sim_down_write(&va_space->lock);
	group = uvm_range_group_find(&va_space->groups, id);
	if (group)
		ret = allow ? 0 : uvm_group_check_preferred(va_space, group);
	if (!ret)
		group->migratable = allow;
	sim_up_write(&va_space->lock);
	return ret;
}

/* Everything of a group moves, whether it is migratable or not.  Also -ENOENT. */
static int uvm_group_migrate(struct uvm_va_space *va_space, u64 id, unsigned int dst)
{
	struct uvm_range_group_span *span;
	struct uvm_range_group *group;
	struct uvm_migration migration = {
		.dst = dst, .flags = UVM_MIGRATE_HOLES | UVM_MIGRATE_FIXED,
	};
	u64 start = 0, end;
	bool found;
	int ret = 0;

	while (!ret) {
		/* the group may change while pages move: look it up again */
		found = false;
		sim_down_read(&va_space->lock);
		group = uvm_range_group_find(&va_space->groups, id);
		if (group) {
			span = uvm_range_group_first(&va_space->groups, start, U64_MAX >> 1);
			while (span && span->group != group)
				span = uvm_range_group_next(span, start, U64_MAX >> 1);
			found = span;
			if (span) {
				start = max_t(u64, start, span->node.start);
				end = span->node.last;
			}
		}
		sim_up_read(&va_space->lock);
		if (!group)
			return -ENOENT;
		if (!found)
			return 0;
		migration.base = start;
		migration.length = end - start + 1;
		ret = uvm_migrate(va_space, &migration);
		start = end + 1;
	}
	return ret;
}

static int uvm_ioctl_group_migrate_check(struct file *file, const void *data)
{
	const struct uvm_group_migrate *arg = data;

	return uvm_ioctl_processor_check(arg->dst);
}

static int uvm_ioctl_group_migrate(struct file *file, void *data)
{
	const struct uvm_group_migrate *arg = data;

	return uvm_group_migrate(file->private_data, arg->id, uvm_id_from_user(arg->dst));
}

UVM_IOCTL(UVM_IOC_GROUP_MIGRATE, uvm_group_migrate, uvm_ioctl_group_migrate,
	  .reserved = { DOOR_AT(uvm_group_migrate, __reserved) },
	  .check = uvm_ioctl_group_migrate_check, .cost = DOOR_COST(ioctl));

static int uvm_ioctl_group_migration_check(struct file *file, const void *data)
{
	const struct uvm_group_migration *arg = data;

	return !arg->count || arg->count > UVM_GROUP_IDS ? -EINVAL : 0;
}

/*
 * Migration of groups is allowed, or prevented: then their pages go home to system memory first.
 * 0, -ENOENT, -EINVAL (memory without a preferred location), -ENODEV (preferred is a GPU),
 * -ENOMEM, -EIO; groups before the one that failed have changed.
 */
static int uvm_ioctl_group_migration(struct file *file, void *data)
{
	struct uvm_va_space *va_space = file->private_data;
	const struct uvm_group_migration *arg = data;
	bool allow = !(arg->flags & UVM_GROUP_PREVENT);
	unsigned int i;
	int ret = 0;

	for (i = 0; i < arg->count && !ret; i++) {
		ret = uvm_group_allow(va_space, arg->ids[i], allow);
		if (!ret && !allow)
			ret = uvm_group_migrate(va_space, arg->ids[i], UVM_ID_CPU);
	}
	return ret;
}

UVM_IOCTL(UVM_IOC_GROUP_MIGRATION, uvm_group_migration, uvm_ioctl_group_migration,
	  .flags = UVM_GROUP_PREVENT, .reserved = { DOOR_AT(uvm_group_migration, __reserved) },
	  .check = uvm_ioctl_group_migration_check, .cost = DOOR_COST(ioctl));

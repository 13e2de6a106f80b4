// SPDX-License-Identifier: GPL-2.0
/*
 * Range groups of a VA space (nvidia-uvm 1.6, 6.2).
 */
#include "gpu/gpu.h"
#include "space/va_space.h"

/**
 * uvm_group_create - a group without memory, migratable
 * @va_space: the VA space
 * @id: out
 *
 * Return: 0 or -ENOMEM.
 */
int uvm_group_create(struct uvm_va_space *va_space, u64 *id)
{
	struct uvm_range_group *group;
	int ret;

	sim_down_write(&va_space->lock);
	ret = uvm_range_group_create(&va_space->groups, GFP_KERNEL_ACCOUNT, &group);
	if (!ret)
		*id = group->id;
	sim_up_write(&va_space->lock);
	return ret;
}

/**
 * uvm_group_destroy - forget a group; its memory is migratable again
 * @va_space: the VA space
 * @id: the group
 *
 * Return: 0 or -ENOENT.
 */
int uvm_group_destroy(struct uvm_va_space *va_space, u64 id)
{
	struct uvm_range_group *group;

	sim_down_write(&va_space->lock);
	group = uvm_range_group_find(&va_space->groups, id);
	if (group)
		uvm_range_group_destroy(&va_space->groups, group);
	sim_up_write(&va_space->lock);
	return group ? 0 : -ENOENT;
}

/**
 * uvm_group_set - put a span into a group
 * @va_space: the VA space
 * @base: first byte, page aligned
 * @length: bytes, page aligned
 * @id: the group, or 0 for none
 *
 * Return: 0, -EINVAL (not all managed), -ENOENT, -ENOMEM.
 */
int uvm_group_set(struct uvm_va_space *va_space, u64 base, u64 length, u64 id)
{
	struct uvm_range_group *group = NULL;
	bool managed;
	int ret;

	sim_down_write(&va_space->lock);
	mutex_lock(&va_space->ranges_lock);
	managed = uvm_va_space_is_managed(va_space, base, length);
	mutex_unlock(&va_space->ranges_lock);
	if (id)
		group = uvm_range_group_find(&va_space->groups, id);
	if (!managed)
		ret = -EINVAL;
	else if (id && !group)
		ret = -ENOENT;
	else
		ret = uvm_range_group_set(&va_space->groups, group, base, base + length - 1,
					  GFP_KERNEL_ACCOUNT);
	sim_up_write(&va_space->lock);
	return ret;
}

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

/**
 * uvm_group_migrate - move everything of a group
 * @va_space: the VA space
 * @id: the group
 * @dst: where to, whether the group is migratable or not
 *
 * Return: 0, -ENOENT, or as uvm_migrate().
 */
int uvm_group_migrate(struct uvm_va_space *va_space, u64 id, unsigned int dst)
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

/**
 * uvm_group_set_migration - allow or prevent migration of groups
 * @va_space: the VA space
 * @ids: the groups
 * @count: how many
 * @allow: or prevent: their pages go home to system memory first
 *
 * Return: 0, -ENOENT, -EINVAL (memory without a preferred location), -ENODEV
 * (preferred is a GPU), -ENOMEM, -EIO; groups before the one that failed have
 * changed.
 */
int uvm_group_set_migration(struct uvm_va_space *va_space, const u64 *ids, unsigned int count,
			    bool allow)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < count && !ret; i++) {
		ret = uvm_group_allow(va_space, ids[i], allow);
		if (!ret && !allow)
			ret = uvm_group_migrate(va_space, ids[i], UVM_ID_CPU);
	}
	return ret;
}

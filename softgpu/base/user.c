// SPDX-License-Identifier: GPL-2.0
/*
 * What one user can have of a GPU's memory and device addresses: see rm_user_take().
 *
 * Memory that is pinned is taken from all others, who then find none; a share leaves them the
 * rest.  Whom something belongs to is settled when the file is opened: later it may be taken
 * by threads of the driver.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "base/user.h"
#include "memory/iommu_types.h"

static int user_percent_set(const char *text, const struct kernel_param *param)
{
	return param_set_uint_minmax(text, param, 1, 100);
}

static const struct kernel_param_ops user_percent_ops = {
	.set = user_percent_set,
	.get = param_get_uint,
};

static unsigned int user_percent = 75;
module_param_cb(user_percent, &user_percent_ops, &user_percent, 0444);
MODULE_PARM_DESC(user_percent,
		 "Share of a GPU's memory that one user can pin, and of its device addresses (75)");

static DEFINE_SPINLOCK(users_lock);	/* users */
static LIST_HEAD(users);

/**
 * struct rm_user - one user and what he has
 * @node: in users
 * @uid: the user
 * @refs: files and objects of his.  Protected by users_lock
 * @bytes: by GPU, what he has taken.  Likewise
 */
struct rm_user {
	struct list_head node;
	kuid_t uid;
	unsigned int refs;
	u64 bytes[RM_MAX_GPUS][RM_SHARE_COUNT];
};

u64 sgpu_user_limit(u64 total)
{
	return mul_u64_u64_div_u64(total, user_percent, 100);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_user_limit);

static struct rm_user *user_find(kuid_t uid)
{
	struct rm_user *user;

	lockdep_assert_held(&users_lock);
	list_for_each_entry(user, &users, node)
		if (uid_eq(user->uid, uid))
			return user;
	return NULL;
}

int sgpu_user_get(kuid_t uid, struct rm_user **out)
{
	struct rm_user *fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT), *user;

	if (!fresh)
		return -ENOMEM;
	spin_lock(&users_lock);
	user = user_find(uid);
	if (!user) {
		user = fresh;
		fresh = NULL;
		user->uid = uid;
		list_add(&user->node, &users);
	}
	user->refs++;
	spin_unlock(&users_lock);
	kfree(fresh);
	*out = user;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_user_get);

int rm_user_get(struct rm_user **user)
{
	*user = NULL;
	if (ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE))
		return 0;
	return sgpu_user_get(current_uid(), user);
}
EXPORT_SYMBOL_NS_GPL(rm_user_get, SOFTGPU);

struct rm_user *rm_user_hold(struct rm_user *user)
{
	if (user) {
		spin_lock(&users_lock);
		user->refs++;
		spin_unlock(&users_lock);
	}
	return user;
}
EXPORT_SYMBOL_NS_GPL(rm_user_hold, SOFTGPU);

void rm_user_put(struct rm_user *user)
{
	bool last;

	if (!user)
		return;
	spin_lock(&users_lock);
	last = !--user->refs;
	if (last)
		list_del(&user->node);
	spin_unlock(&users_lock);
	if (last)
		kfree(user);
}
EXPORT_SYMBOL_NS_GPL(rm_user_put, SOFTGPU);

static u64 user_total(const struct rm_gpu *gpu, enum rm_share share)
{
	return share == RM_SHARE_MEMORY ? gpu->vram_bytes :
		(u64)SGPU_IOVA_WINDOWS << SGPU_IOVA_WINDOW_SHIFT;
}

int rm_user_take(struct rm_user *user, struct rm_gpu *gpu, enum rm_share share, u64 bytes)
{
	u64 limit = sgpu_user_limit(user_total(gpu, share)), *has;
	int ret = -ENOMEM;

	if (!user)
		return 0;
	has = &user->bytes[gpu->index][share];
	spin_lock(&users_lock);
	if (bytes <= limit && *has <= limit - bytes) {
		*has += bytes;
		ret = 0;
	}
	spin_unlock(&users_lock);
	return ret;
}
EXPORT_SYMBOL_NS_GPL(rm_user_take, SOFTGPU);

void rm_user_give(struct rm_user *user, struct rm_gpu *gpu, enum rm_share share, u64 bytes)
{
	if (!user)
		return;
	spin_lock(&users_lock);
	WARN_ON_ONCE(bytes > user->bytes[gpu->index][share]);
	user->bytes[gpu->index][share] -= bytes;
	spin_unlock(&users_lock);
}
EXPORT_SYMBOL_NS_GPL(rm_user_give, SOFTGPU);

// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel memory that users make the modules allocate, counted by user: see rm_charge().
 *
 * A memory cgroup, where there is one, has its own idea; but a user without one must not be
 * able to take the memory of all, while the OOM killer looks for who has the largest process.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <kunit/visibility.h>
#include <softgpu/rm.h>
#include "base/account.h"

static unsigned long user_mb;
module_param(user_mb, ulong, 0444);
MODULE_PARM_DESC(user_mb,
		 "Kernel memory for one user's launches, images, queues and ranges in MB (0: a quarter of RAM)");

static DEFINE_SPINLOCK(accounts_lock);	/* accounts */
static LIST_HEAD(accounts);

/**
 * struct rm_account - what one user has been charged; gone when that is nothing
 * @node: in accounts
 * @uid: the user
 * @bytes: charged, more than 0.  Protected by accounts_lock
 * @threads: likewise
 */
struct rm_account {
	struct list_head node;
	kuid_t uid;
	u64 bytes;
	unsigned long threads;
};

static u64 account_limit(void)
{
	return user_mb ? (u64)user_mb << 20 : (u64)totalram_pages() << (PAGE_SHIFT - 2);
}

bool sgpu_account_fits(u64 used, u64 bytes, u64 limit)
{
	u64 sum;

	return !check_add_overflow(used, bytes, &sum) && sum <= limit;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_account_fits);

static struct rm_account *account_find(kuid_t uid)
{
	struct rm_account *account;

	list_for_each_entry(account, &accounts, node)
		if (uid_eq(account->uid, uid))
			return account;
	return NULL;
}

/* A new account takes *@spare. */
static struct rm_account *account_get(struct rm_charge *charge, struct rm_account **spare)
{
	struct rm_account *account = charge->account ?: account_find(current_uid());

	if (account)
		return account;
	account = *spare;
	*spare = NULL;
	account->uid = current_uid();
	list_add(&account->node, &accounts);
	return account;
}

static void account_put(struct rm_account *account)
{
	if (account->bytes)
		return;
	list_del(&account->node);
	kfree(account);
}

/* Under accounts_lock: 0 if the account can have that too. */
static int account_admit(const struct rm_account *account, u64 bytes, unsigned int threads)
{
	if (ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE))
		return 0;
	if (threads && account->threads >= rlimit(RLIMIT_NPROC))
		return -EAGAIN;
	return sgpu_account_fits(account->bytes, bytes, account_limit()) ? 0 : -ENOMEM;
}

static int account_charge(struct rm_charge *charge, u64 bytes, unsigned int threads)
{
	struct rm_account *spare = kzalloc(sizeof(*spare), GFP_KERNEL_ACCOUNT), *account;
	int ret;

	if (!spare)
		return -ENOMEM;
	spin_lock(&accounts_lock);
	account = account_get(charge, &spare);
	ret = account_admit(account, bytes, threads);
	if (!ret) {
		account->bytes += bytes;
		account->threads += threads;
		charge->bytes += bytes;
		charge->threads += threads;
		charge->account = charge->bytes ? account : NULL;
	}
	account_put(account);
	spin_unlock(&accounts_lock);
	kfree(spare);
	return ret;
}

int rm_charge(struct rm_charge *charge, u64 bytes)
{
	return account_charge(charge, bytes, 0);
}
EXPORT_SYMBOL_NS_GPL(rm_charge, SOFTGPU);

int rm_charge_thread(struct rm_charge *charge)
{
	return account_charge(charge, THREAD_SIZE, 1);
}
EXPORT_SYMBOL_NS_GPL(rm_charge_thread, SOFTGPU);

void rm_uncharge(struct rm_charge *charge)
{
	if (!charge->account)
		return;
	spin_lock(&accounts_lock);
	charge->account->bytes -= charge->bytes;
	charge->account->threads -= charge->threads;
	account_put(charge->account);
	spin_unlock(&accounts_lock);
	*charge = (struct rm_charge){};
}
EXPORT_SYMBOL_NS_GPL(rm_uncharge, SOFTGPU);

u64 rm_charged(kuid_t uid)
{
	struct rm_account *account;
	u64 bytes;

	spin_lock(&accounts_lock);
	account = account_find(uid);
	bytes = account ? account->bytes : 0;
	spin_unlock(&accounts_lock);
	return bytes;
}
EXPORT_SYMBOL_NS_GPL(rm_charged, SOFTGPU);

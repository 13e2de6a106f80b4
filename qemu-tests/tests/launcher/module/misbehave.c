// SPDX-License-Identifier: GPL-2.0
/* Does wrong on purpose, so that the launcher can be seen to notice. */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/panic.h>
#include <linux/slab.h>

static char *how = "";
module_param(how, charp, 0444);
MODULE_PARM_DESC(how, "warn, oops, leak, lockdep, taint or overflow");

static DEFINE_MUTEX(misbehave_a);
static DEFINE_MUTEX(misbehave_b);

/* Two locks taken in both orders: only lockdep can see that. */
static void misbehave_lockdep(void)
{
	mutex_lock(&misbehave_a);
	mutex_lock(&misbehave_b);
	mutex_unlock(&misbehave_b);
	mutex_unlock(&misbehave_a);
	mutex_lock(&misbehave_b);
	mutex_lock(&misbehave_a);
	mutex_unlock(&misbehave_a);
	mutex_unlock(&misbehave_b);
}

/* Writes one byte behind an object, which KASAN reports. */
static void misbehave_overflow(void)
{
	char *volatile p = kmalloc(40, GFP_KERNEL);

	if (p)
		p[40] = 1;
	kfree(p);
}

static int __init misbehave_init(void)
{
	void *volatile lost;

	if (!strcmp(how, "warn")) {
		WARN_ON(1);
	} else if (!strcmp(how, "oops")) {
		*(int *volatile)NULL = 1;
	} else if (!strcmp(how, "leak")) {
		lost = kzalloc(333, GFP_KERNEL);
		lost = NULL;
	} else if (!strcmp(how, "lockdep")) {
		misbehave_lockdep();
	} else if (!strcmp(how, "taint")) {
		add_taint(TAINT_USER, LOCKDEP_STILL_OK);
	} else if (!strcmp(how, "overflow")) {
		misbehave_overflow();
	} else {
		return -EINVAL;
	}
	return 0;
}
module_init(misbehave_init);

static void __exit misbehave_exit(void)
{
}
module_exit(misbehave_exit);

MODULE_DESCRIPTION("Test of the VM launcher");
MODULE_AUTHOR("softuvm contributors");
MODULE_LICENSE("GPL");

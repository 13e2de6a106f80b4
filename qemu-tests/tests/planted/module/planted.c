// SPDX-License-Identifier: GPL-2.0
/* Has a bug of each kind that a debug kernel must report, and nothing else notices. */
#define pr_fmt(fmt) "planted: " fmt

#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>

static char *bugs = "";
module_param(bugs, charp, 0444);
MODULE_PARM_DESC(bugs, "comma list, in the order in which they are made");

static DEFINE_MUTEX(planted_a);
static DEFINE_MUTEX(planted_b);
static DEFINE_SPINLOCK(planted_spin);
static int planted_global[5];
/* Not known to the compiler. */
static volatile int planted_five = 5;
static volatile int planted_size = 40;

static void planted_use_after_free(void)
{
	char *volatile p = kmalloc(planted_size, GFP_KERNEL);

	kfree(p);
	READ_ONCE(p[8]);
}

static void planted_double_free(void)
{
	char *volatile p = kmalloc(planted_size, GFP_KERNEL);

	kfree(p);
	kfree(p);
}

static void planted_heap(void)
{
	char *volatile p = kmalloc(planted_size, GFP_KERNEL);

	if (p)
		WRITE_ONCE(p[planted_size], 1);
	kfree(p);
}

static void planted_vmalloc(void)
{
	char *volatile p = vmalloc(PAGE_SIZE - planted_size);

	if (p)
		READ_ONCE(p[PAGE_SIZE - planted_size]);
	vfree(p);
}

static noinline void planted_stack(void)
{
	volatile int five[5] = {};
	volatile int *p = five;

	READ_ONCE(p[planted_five]);
}

static void planted_static(void)
{
	volatile int *p = planted_global;

	READ_ONCE(p[planted_five]);
}

static void planted_leak(void)
{
	void *volatile lost = kzalloc(333, GFP_KERNEL);

	lost = NULL;
}

static void planted_sleep(void)
{
	spin_lock(&planted_spin);
	might_sleep();
	spin_unlock(&planted_spin);
}

static void planted_schedule(void)
{
	preempt_disable();
	schedule();		/* its report puts the count right */
}

static void planted_list_add(void)
{
	struct list_head head, entry;

	INIT_LIST_HEAD(&head);
	list_add(&entry, &head);
	list_add(&entry, &head);
}

static void planted_list_del(void)
{
	struct list_head head, entry;

	INIT_LIST_HEAD(&head);
	list_add(&entry, &head);
	list_del(&entry);
	list_del(&entry);
}

static void planted_bounds(void)
{
	volatile int result = planted_global[planted_five];

	(void)result;
}

static void planted_boolean(void)
{
	bool flag;

	memset(&flag, planted_five, sizeof(flag));
	if (*(volatile bool *)&flag)
		barrier();
}

static void planted_refcount(void)
{
	refcount_t count = REFCOUNT_INIT(0);

	refcount_inc(&count);
}

static void planted_rcu_sleep(void)
{
	/* One report of those that must not sleep is told a second. */
	schedule_timeout_uninterruptible(HZ + 1);
	rcu_read_lock();
	might_sleep();
	rcu_read_unlock();
}

/* The rest are lockdep's, which tells the first and is silent from then on, as after KASAN's. */

static void planted_rcu(void)
{
	static int __rcu *pointer;
	int *volatile p = rcu_dereference(pointer);

	(void)p;
}

static void planted_inversion(void)
{
	mutex_lock(&planted_a);
	mutex_lock(&planted_b);
	mutex_unlock(&planted_b);
	mutex_unlock(&planted_a);
	mutex_lock(&planted_b);
	mutex_lock(&planted_a);
	mutex_unlock(&planted_a);
	mutex_unlock(&planted_b);
}

static void planted_recursion(void)
{
	static struct mutex two[2];
	int i;

	for (i = 0; i < 2; i++)
		mutex_init(&two[i]);
	mutex_lock(&two[0]);
	mutex_lock(&two[1]);
	mutex_unlock(&two[1]);
	mutex_unlock(&two[0]);
}

static void planted_tick(struct timer_list *timer)
{
	spin_lock(&planted_spin);
	spin_unlock(&planted_spin);
}

static void planted_softirq(void)
{
	static struct timer_list timer;

	timer_setup(&timer, planted_tick, 0);
	mod_timer(&timer, jiffies + 1);
	schedule_timeout_uninterruptible(5);
	timer_delete_sync(&timer);
	spin_lock(&planted_spin);
	spin_unlock(&planted_spin);
}

static void planted_unlock(void)
{
	struct rw_semaphore lock;

	init_rwsem(&lock);
	up_read(&lock);
}

static void planted_held(void)
{
	struct mutex *lock = kmalloc(sizeof(*lock), GFP_KERNEL);

	if (!lock)
		return;
	mutex_init(lock);
	mutex_lock(lock);
	kfree(lock);
}

#define PLANTED(name) { #name, planted_##name }

static const struct {
	const char *name;
	void (*make)(void);
} planted_bugs[] = {
	PLANTED(use_after_free), PLANTED(double_free), PLANTED(heap), PLANTED(vmalloc),
	PLANTED(stack), PLANTED(static), PLANTED(leak), PLANTED(sleep), PLANTED(schedule),
	PLANTED(list_add), PLANTED(list_del), PLANTED(bounds), PLANTED(boolean), PLANTED(refcount),
	PLANTED(rcu), PLANTED(rcu_sleep), PLANTED(inversion), PLANTED(recursion),
	PLANTED(softirq), PLANTED(unlock), PLANTED(held),
};

static int __init planted_one(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(planted_bugs); i++) {
		if (strcmp(planted_bugs[i].name, name))
			continue;
		pr_info("begin %s\n", name);
		planted_bugs[i].make();
		return 0;
	}
	return -EINVAL;
}

static int __init planted_init(void)
{
	char *name;
	int err = 0;

	while (!err && (name = strsep(&bugs, ",")))
		err = planted_one(name);
	pr_info("begin nothing\n");
	return err;
}
module_init(planted_init);

static void __exit planted_exit(void)
{
}
module_exit(planted_exit);

MODULE_DESCRIPTION("Bugs that a debug kernel must report");
MODULE_AUTHOR("softuvm contributors");
MODULE_LICENSE("GPL");

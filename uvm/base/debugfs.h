/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers of live objects, for leak checks: /sys/kernel/debug/uvm/objects, and
 * a complaint at module exit if any is not 0.
 */
#ifndef UVM_DEBUGFS_H
#define UVM_DEBUGFS_H

#include <linux/atomic.h>

enum uvm_object {
	UVM_OBJECT_VA_SPACE,
	UVM_OBJECT_VA_RANGE,
	UVM_OBJECT_BLOCK,
	UVM_OBJECT_CHUNK,
	UVM_OBJECT_CPU_PAGE,
	UVM_OBJECT_PAGE_TABLE,
	UVM_OBJECT_CHANNEL,
	UVM_OBJECT_THREAD,
	UVM_OBJECT_QUEUE,
	UVM_OBJECT_EXTERNAL_MAP,
	UVM_OBJECT_COUNT
};

extern atomic_long_t uvm_objects[UVM_OBJECT_COUNT];

/**
 * uvm_object_add - count objects that live or are gone
 * @object: of which kind
 * @n: how many more, or fewer
 *
 * Context: any.
 */
static inline void uvm_object_add(enum uvm_object object, long n)
{
	atomic_long_add(n, &uvm_objects[object]);
}

/**
 * uvm_object_inc - one more object lives
 * @object: of which kind
 *
 * Context: any.
 */
static inline void uvm_object_inc(enum uvm_object object)
{
	uvm_object_add(object, 1);
}

/**
 * uvm_object_dec - one object is gone
 * @object: of which kind
 *
 * Context: any.
 */
static inline void uvm_object_dec(enum uvm_object object)
{
	uvm_object_add(object, -1);
}

struct dentry *uvm_debugfs_init(void);
void uvm_debugfs_exit(void);

#endif

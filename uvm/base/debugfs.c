// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of live objects.
 */
#include <linux/bug.h>
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <kunit/visibility.h>
#include "base/debugfs.h"

atomic_long_t uvm_objects[UVM_OBJECT_COUNT];
EXPORT_SYMBOL_IF_KUNIT(uvm_objects);

static struct dentry *uvm_debugfs_dir;

static const char *const uvm_object_names[UVM_OBJECT_COUNT] = {
	[UVM_OBJECT_VA_SPACE] = "va_spaces",
	[UVM_OBJECT_VA_RANGE] = "va_ranges",
	[UVM_OBJECT_BLOCK] = "blocks",
	[UVM_OBJECT_CHUNK] = "chunks",
	[UVM_OBJECT_CPU_PAGE] = "cpu_pages",
	[UVM_OBJECT_PAGE_TABLE] = "page_tables",
	[UVM_OBJECT_CHANNEL] = "channels",
	[UVM_OBJECT_THREAD] = "threads",
	[UVM_OBJECT_QUEUE] = "queues",
	[UVM_OBJECT_EXTERNAL_MAP] = "external_maps",
};

static int uvm_objects_show(struct seq_file *seq, void *data)
{
	unsigned int i;

	for (i = 0; i < UVM_OBJECT_COUNT; i++)
		seq_printf(seq, "%s %ld\n", uvm_object_names[i],
			   atomic_long_read(&uvm_objects[i]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(uvm_objects);

/**
 * uvm_debugfs_init - make /sys/kernel/debug/uvm
 *
 * Nothing depends on it, so failure is not reported.
 *
 * Return: the directory, for files of others.
 */
struct dentry *uvm_debugfs_init(void)
{
	uvm_debugfs_dir = debugfs_create_dir("uvm", NULL);
	debugfs_create_file("objects", 0400, uvm_debugfs_dir, NULL, &uvm_objects_fops);
	return uvm_debugfs_dir;
}

/**
 * uvm_debugfs_exit - remove it; complain about leaks
 */
void uvm_debugfs_exit(void)
{
	unsigned int i;
	long n;

	debugfs_remove(uvm_debugfs_dir);
	for (i = 0; i < UVM_OBJECT_COUNT; i++) {
		n = atomic_long_read(&uvm_objects[i]);
		WARN(n, "uvm: %ld %s leaked\n", n, uvm_object_names[i]);
	}
}

// SPDX-License-Identifier: GPL-2.0
/*
 * debugfs: /sys/kernel/debug/softgpu/gpuN/.  Three knobs make the hardware
 * misbehave (ignore_tlb_invalidate, lose_replay, break_channel: the n-th method
 * from now on kills its channel), slow_dtoh_us makes it slow, reg_write writes a
 * register behind the driver's back; the rest are counters.
 */
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>
#include "base/gpu.h"
#include "host/copy_engine.h"
#include "rm_priv.h"

static struct dentry *sgpu_debugfs_root;

static void sgpu_debugfs_u64(struct dentry *dir, const char *name, u64 *value)
{
	debugfs_create_u64(name, 0400, dir, value);
}

static int sgpu_debugfs_get_peer_faults(void *data, u64 *value)
{
	struct rm_gpu *gpu = data;

	*value = atomic64_read(&gpu->peers.faults);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(sgpu_debugfs_peer_faults, sgpu_debugfs_get_peer_faults, NULL, "%llu\n");

/* "OFFSET VALUE", by a participant: no other writes a register at that time. */
static ssize_t sgpu_debugfs_reg_write(struct file *file, const char __user *buf, size_t bytes,
				      loff_t *pos)
{
	struct rm_gpu *gpu = file->private_data;
	struct sim_task self;
	u32 reg, value;
	char text[32];

	if (bytes >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, buf, bytes))
		return -EFAULT;
	text[bytes] = 0;
	if (sscanf(text, "%i %i", &reg, &value) != 2)
		return -EINVAL;
	sim_enter(&self);
	rm_reg_write(gpu, reg, value);
	sim_leave(&self);
	return bytes;
}

static const struct file_operations sgpu_debugfs_reg_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = sgpu_debugfs_reg_write,
};

static void sgpu_debugfs_add_mmu(struct dentry *dir, struct sgpu_mmu *mmu)
{
	debugfs_create_bool("ignore_tlb_invalidate", 0600, dir, &mmu->ignore_invalidate);
	debugfs_create_u32("lose_replay", 0600, dir, &mmu->lose_replay);
	sgpu_debugfs_u64(dir, "walks", &mmu->walks);
	sgpu_debugfs_u64(dir, "faults", &mmu->faults);
	sgpu_debugfs_u64(dir, "faults_merged", &mmu->merged);
	sgpu_debugfs_u64(dir, "accesses_waiting", &mmu->waiting);
	sgpu_debugfs_u64(dir, "accesses_cancelled", &mmu->cancelled);
	sgpu_debugfs_u64(dir, "replays", &mmu->replayed);
	sgpu_debugfs_u64(dir, "tlb_invalidates", &mmu->invalidates);
}

static void sgpu_debugfs_add_engines(struct dentry *dir, struct sgpu_host *host)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < host->engine_count; i++) {
		snprintf(name, sizeof(name), "ce%u_copies", i);
		sgpu_debugfs_u64(dir, name, &host->engines[i].copies);
		snprintf(name, sizeof(name), "ce%u_bytes", i);
		sgpu_debugfs_u64(dir, name, &host->engines[i].bytes);
		snprintf(name, sizeof(name), "ce%u_busy_ps", i);
		sgpu_debugfs_u64(dir, name, &host->engines[i].busy_ps);
	}
}

void sgpu_debugfs_add(struct rm_gpu *gpu)
{
	struct dentry *dir;
	char name[16];

	snprintf(name, sizeof(name), "gpu%u", gpu->index);
	dir = debugfs_create_dir(name, sgpu_debugfs_root);
	debugfs_create_file("reg_write", 0200, dir, gpu, &sgpu_debugfs_reg_fops);
	sgpu_debugfs_add_mmu(dir, &gpu->mmu);
	sgpu_debugfs_u64(dir, "fault_records", &gpu->faults.written);
	sgpu_debugfs_u64(dir, "fault_records_dropped", &gpu->faults.dropped);
	sgpu_debugfs_u64(dir, "interrupts", &gpu->faults.raised);
	debugfs_create_u32("extensions", 0400, dir, &gpu->faults.extensions);
	sgpu_debugfs_u64(dir, "accesses_counted", &gpu->counters.accesses);
	sgpu_debugfs_u64(dir, "access_records", &gpu->counters.written);
	sgpu_debugfs_u64(dir, "access_records_dropped", &gpu->counters.dropped);
	sgpu_debugfs_u64(dir, "access_counters_evicted", &gpu->counters.evicted);
	sgpu_debugfs_u64(dir, "accesses_uncounted", &gpu->counters.uncounted);
	sgpu_debugfs_u64(dir, "accesses_held", &gpu->mmu.holds);
	sgpu_debugfs_u64(dir, "accessed_reads", &gpu->accessed.reads);
	sgpu_debugfs_u64(dir, "doorbells", &gpu->host.doorbells);
	sgpu_debugfs_u64(dir, "methods", &gpu->host.methods);
	sgpu_debugfs_u64(dir, "channel_errors", &gpu->host.errors);
	debugfs_create_atomic_t("break_channel", 0600, dir, &gpu->host.break_after);
	debugfs_create_u32("slow_dtoh_us", 0600, dir, &gpu->host.slow_dtoh_us);
	sgpu_debugfs_u64(dir, "non_replayable_faults", &gpu->non_replayable.faults);
	sgpu_debugfs_u64(dir, "non_replayable_cleared", &gpu->non_replayable.cleared);
	sgpu_debugfs_add_engines(dir, &gpu->host);
	sgpu_debugfs_u64(dir, "remote_writes", &gpu->link.way[SGPU_LINK_OUT].requests);
	sgpu_debugfs_u64(dir, "remote_reads", &gpu->link.way[SGPU_LINK_IN].requests);
	sgpu_debugfs_u64(dir, "remote_bytes_out", &gpu->link.way[SGPU_LINK_OUT].bytes);
	sgpu_debugfs_u64(dir, "remote_bytes_in", &gpu->link.way[SGPU_LINK_IN].bytes);
	sgpu_debugfs_u64(dir, "peer_bytes_out", &gpu->peers.bytes_out);
	sgpu_debugfs_u64(dir, "peer_bytes_in", &gpu->peers.bytes_in);
	debugfs_create_file_unsafe("peer_faults", 0400, dir, gpu, &sgpu_debugfs_peer_faults);
	sgpu_debugfs_u64(dir, "pma_allocs", &gpu->pma.allocs);
	sgpu_debugfs_u64(dir, "pma_evicted", &gpu->pma.evicted);
	debugfs_create_u32("pma_used", 0400, dir, &gpu->pma.used_count);
	sgpu_debugfs_u64(dir, "reserve_used", &gpu->reserve.used);
	sgpu_debugfs_u64(dir, "iova_reserved", &gpu->iommu.reserved);
	sgpu_debugfs_u64(dir, "iova_mapped", &gpu->iommu.mapped);
}

void sgpu_debugfs_init(void)
{
	sgpu_debugfs_root = debugfs_create_dir("softgpu", NULL);
}

void sgpu_debugfs_exit(void)
{
	debugfs_remove(sgpu_debugfs_root);
	sgpu_debugfs_root = NULL;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Peers of a VA space: which of its GPUs reach each other's memory (nvidia-uvm 1.2,
 * and 9, ENABLE/DISABLE_PEER_ACCESS).
 *
 * The topology says who are peers; it changes under the VA space's lock, held for
 * writing, so nobody serves meanwhile.  Eviction, which holds no more than a block's
 * lock, takes mappings away whatever the topology says, and makes none.
 */
#include "base/ioctl_row.h"
#include "gpu/gpu.h"
#include "block/service.h"
#include "block/va_block.h"
#include "gpu/tracker.h"
#include "space/external.h"
#include "space/va_space.h"
#include "base/work.h"

/**
 * struct uvm_pair - two GPUs of a VA space
 * @gvs: the GPUs
 */
struct uvm_pair {
	struct uvm_gpu_va_space *gvs[2];
};

static bool uvm_peer_find(struct uvm_va_space *va_space, unsigned int a, unsigned int b,
			  struct uvm_pair *pair)
{
	pair->gvs[0] = va_space->gpus[a];
	pair->gvs[1] = va_space->gpus[b];
	return pair->gvs[0] && pair->gvs[1] && !pair->gvs[0]->leaving && !pair->gvs[1]->leaving;
}

/* What is resident at one is mapped for the other where its range is accessed by it. */
static int uvm_peer_map_accessed_by(struct uvm_service *service, const void *arg)
{
	const struct uvm_pair *pair = arg;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(pair->gvs) && !ret; i++) {
		unsigned int id = pair->gvs[i]->gpu->id;

		if (service->request.span.policy.accessed_by & BIT(id))
			ret = uvm_service_map_accessed_by(service, id, &service->pages.wanted);
	}
	return ret;
}

static int uvm_peer_connect(struct uvm_va_space *va_space, const struct uvm_pair *pair)
{
	struct uvm_gpu *a = pair->gvs[0]->gpu, *b = pair->gvs[1]->gpu;
	bool own_link = rm_peer_link(a->rm, b->rm) == RM_PEER_LINK_NVLINK;
	int ret;

	sim_assert_held_write(&va_space->lock);
	ret = rm_peer_create(a->rm, b->rm);
	if (ret)
		return ret;
	uvm_topology_set_peers(&va_space->topology, a->id, b->id, own_link, own_link);
	/* what cannot be mapped now faults when it is used */
	uvm_va_space_visit(va_space, 0, U64_MAX >> 1, uvm_peer_map_accessed_by, pair);
	return 0;
}

static void uvm_peer_disconnect(struct uvm_va_space *va_space, struct uvm_gpu *a,
				struct uvm_gpu *b)
{
	sim_assert_held_write(&va_space->lock);
	uvm_topology_clear_peers(&va_space->topology, a->id, b->id);
	rm_peer_destroy(a->rm, b->rm);
}

/* A dead channel unmaps nothing, but its GPU runs nothing either, and RM cuts the link. */
static int uvm_peer_unmap(struct uvm_service *service, const void *arg)
{
	const struct uvm_pair *pair = arg;
	struct uvm_va_block *block = service->request.block;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pair->gvs); i++) {
		struct uvm_gpu *gpu = pair->gvs[i]->gpu;

		if (!(block->state.mapped_procs & BIT(gpu->id)))
			continue;
		uvm_work_enter(service->request.work, UVM_PHASE_MAP, uvm_cost(gpu, map));
		uvm_va_block_unmap_peer(block, pair->gvs[i], pair->gvs[!i]->gpu->id);
	}
	uvm_tracker_wait(&block->tracker);
	return 0;
}

/*
 * They stay peers if not all that either has mapped of the other can be unmapped.  External
 * maps go last, since no fault brings them back.  munmap needs none of our locks: what it
 * took out of the ranges before the visit came there has copies under way over the link
 * still, and mappings.
 */
static int uvm_peer_part(struct uvm_va_space *va_space, const struct uvm_pair *pair)
{
	unsigned int i;
	int ret;

	ret = uvm_va_space_visit(va_space, 0, U64_MAX >> 1, uvm_peer_unmap, pair);
	for (i = 0; i < ARRAY_SIZE(pair->gvs) && !ret; i++)
		ret = uvm_external_remove_peer(va_space, pair->gvs[i], pair->gvs[!i]->gpu);
	if (ret)
		return ret;
	uvm_va_space_reap(va_space);
	uvm_peer_disconnect(va_space, pair->gvs[0]->gpu, pair->gvs[1]->gpu);
	return 0;
}

/*
 * Two GPUs may reach each other's memory, or no longer: then what either has mapped of the
 * other's is unmapped: kernels that use it fault, and managed pages come to them; external maps
 * do not come back when they are peers again (nvidia-uvm 6.3).
 *
 * 0, -ENODEV (not registered), -EEXIST (@on, and they are), -ENOENT (not @on, and they are not),
 * -EOPNOTSUPP (nothing joins them); -ENOMEM or, killed, -EINTR, and they still are.
 */
static int uvm_peer_change(struct uvm_va_space *va_space, const struct uvm_peer_access *arg,
			   bool on)
{
	unsigned int a = arg->gpu_a, b = arg->gpu_b;
	struct uvm_pair pair;
	int ret;

	sim_down_write(&va_space->lock);
	uvm_va_space_reap(va_space);
	if (!uvm_peer_find(va_space, a, b, &pair))
		ret = -ENODEV;
	else if (uvm_topology_is_peer(&va_space->topology, UVM_ID_GPU(a), UVM_ID_GPU(b)) == on)
		ret = on ? -EEXIST : -ENOENT;
	else
		ret = on ? uvm_peer_connect(va_space, &pair) : uvm_peer_part(va_space, &pair);
	sim_up_write(&va_space->lock);
	return ret;
}

/* A number that is out of range has another error, which the row sees to. */
static int uvm_ioctl_peer_check(struct file *file, const void *data)
{
	const struct uvm_peer_access *arg = data;

	return arg->gpu_a == arg->gpu_b && arg->gpu_a >= 0 && arg->gpu_a < UVM_MAX_GPUS ?
	       -EINVAL : 0;
}

static int uvm_ioctl_enable_peer(struct file *file, void *data)
{
	return uvm_peer_change(file->private_data, data, true);
}

static int uvm_ioctl_disable_peer(struct file *file, void *data)
{
	return uvm_peer_change(file->private_data, data, false);
}

UVM_IOCTL(UVM_IOC_ENABLE_PEER_ACCESS, uvm_peer_access, uvm_ioctl_enable_peer,
	  .check = uvm_ioctl_peer_check, .cost = DOOR_COST(ioctl),
	  .gpu = { DOOR_AT(uvm_peer_access, gpu_a), DOOR_AT(uvm_peer_access, gpu_b) });
UVM_IOCTL(UVM_IOC_DISABLE_PEER_ACCESS, uvm_peer_access, uvm_ioctl_disable_peer,
	  .check = uvm_ioctl_peer_check, .cost = DOOR_COST(ioctl),
	  .gpu = { DOOR_AT(uvm_peer_access, gpu_a), DOOR_AT(uvm_peer_access, gpu_b) });

/**
 * uvm_va_space_join_peers - what a link of their own joins are peers at once
 * @va_space: the VA space; lock held for writing
 * @gpu: a GPU that has been registered
 */
void uvm_va_space_join_peers(struct uvm_va_space *va_space, struct uvm_gpu *gpu)
{
	struct uvm_pair pair;
	unsigned int i;

	for (i = 0; i < UVM_MAX_GPUS; i++)
		if (i != gpu->index && uvm_peer_find(va_space, gpu->index, i, &pair) &&
		    rm_peer_link(gpu->rm, uvm_gpu(i)->rm) == RM_PEER_LINK_NVLINK)
			uvm_peer_connect(va_space, &pair);
}

/**
 * uvm_va_space_leave_peers - a GPU that leaves is nobody's peer
 * @va_space: the VA space; lock held for writing
 * @gpu: the GPU; it has no page, and maps none
 */
void uvm_va_space_leave_peers(struct uvm_va_space *va_space, struct uvm_gpu *gpu)
{
	unsigned int id;

	for_each_uvm_gpu_id(id) {
		if (uvm_topology_is_peer(&va_space->topology, gpu->id, id))
			uvm_peer_disconnect(va_space, gpu, uvm_gpu(uvm_id_gpu_index(id)));
	}
}

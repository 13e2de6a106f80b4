/* SPDX-License-Identifier: GPL-2.0 */
/* Several GPUs in the VA space of a case, for the tests of peers. */
#ifndef TEST_PEERS_H
#define TEST_PEERS_H

#include "explicit.h"

#define GPUS	4

/* Contexts of pair's VA space on each GPU; gpus[0] is pair itself. */
static UNUSED struct pair gpus[GPUS];
static UNUSED int gpu_count;

static UNUSED void gpu_join(int i)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/softgpu%d", i);
	gpus[i] = (struct pair){ .uvm = pair.uvm, .gpu = open(path, O_RDWR | O_CLOEXEC) };
	must(gpus[i].gpu >= 0 && !gpu_register(pair.uvm, gpus[i].gpu));
	must(!image_load(gpus[i].gpu, test_image, test_image_bytes(), &gpus[i].image));
}

static UNUSED void gpus_open(void)
{
	char path[32];

	gpus[0] = pair;
	for (gpu_count = 1; gpu_count < GPUS; gpu_count++) {
		snprintf(path, sizeof(path), "/dev/softgpu%d", gpu_count);
		if (access(path, F_OK))
			break;
		gpu_join(gpu_count);
	}
	must(gpu_count > 1);
}

static UNUSED void gpus_close(void)
{
	for (int i = 1; i < gpu_count; i++)
		close(gpus[i].gpu);
}

static UNUSED long peers(bool on, int a, int b)
{
	struct uvm_peer_access arg = { .size = sizeof(arg), .gpu_a = a, .gpu_b = b };

	return try_ioctl(pair.uvm, on ? UVM_IOC_ENABLE_PEER_ACCESS : UVM_IOC_DISABLE_PEER_ACCESS,
			 &arg);
}

/* Over NVLink they are from the beginning. */
static UNUSED void peers_all(void)
{
	for (int a = 0; a < gpu_count; a++)
		for (int b = a + 1; b < gpu_count; b++) {
			long ret = peers(true, a, b);

			must(!ret || ret == -EEXIST);
		}
}

/* Profile key peer_link. */
static UNUSED uint64_t link_kind(void)
{
	struct softgpu_profile_entry e = { .size = sizeof(e) };

	for (; !try_ioctl(pair.gpu, SOFTGPU_IOC_PROFILE, &e); e.index++)
		if (!strcmp(e.name, "peer_link"))
			return e.value;
	must(!"peer_link");
	return 0;
}

static UNUSED bool nvlink(void)
{
	return link_kind() == 2;
}

/* Of the hardware: accesses that went to a peer which is none. */
static UNUSED uint64_t peer_faults(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < gpu_count; i++)
		sum += counter_of(i, "peer_faults");
	return sum;
}

#endif

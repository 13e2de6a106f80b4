// SPDX-License-Identifier: GPL-2.0
/* UVM_IOC_SET_STAYS: what is refused, and that the rest is forgotten with its user. */
#include "common.h"

static struct uvm_page_stays pages[4];
static uint32_t ends[8];

static long set(uint32_t nr_pages, uint32_t nr_stays)
{
	struct uvm_set_stays arg = {
		.size = sizeof(arg), .nr_pages = nr_pages, .pages = (uintptr_t)pages,
		.ends = (uintptr_t)ends, .nr_stays = nr_stays,
	};

	return try_ioctl(pair.uvm, UVM_IOC_SET_STAYS, &arg);
}

/* Four pages of two stays each. */
static void good(void)
{
	for (int i = 0; i < 4; i++)
		pages[i] = (struct uvm_page_stays){ .address = (4 + i) * PAGE, .stays = 2 };
	for (int i = 0; i < 8; i++)
		ends[i] = i / 2 + i % 2 * 4;
}

static void test_refused(void)
{
	struct uvm_set_stays arg = { .size = sizeof(arg), .gpu = 31, .nr_pages = 1 };

	must(!set_param(pair.uvm, "root_chunk_granularity", "4k"));
	is(try_ioctl(pair.uvm, UVM_IOC_SET_STAYS, &arg), -ENODEV, "no such GPU");
	good();
	is(set(4, 8), 0, "four pages");
	is(set(4, 7), -EINVAL, "fewer stays than the pages have");
	is(set(3, 8), -EINVAL, "more stays than the pages have");
	is(set(4, UVM_STAYS_MAX + 1), -EINVAL, "too many");
	is(set(4, 3), -EINVAL, "fewer stays than pages");
	pages[2].stays = 0;
	is(set(4, 8), -EINVAL, "a page that does not come");
	good();
	pages[1].stays = UINT32_MAX;
	is(set(4, 8), -EINVAL, "a sum that wraps");
	good();
	pages[2].address = pages[1].address;
	is(set(4, 8), -EINVAL, "a page twice");
	good();
	pages[3].address++;
	is(set(4, 8), -EINVAL, "no page begins there");
	good();
	pages[0].__reserved = 1;
	is(set(4, 8), -EINVAL, "reserved");
	good();
	ends[3] = ends[2];
	is(set(4, 8), -EINVAL, "two stays end at once");
	good();
	arg = (struct uvm_set_stays){ .size = sizeof(arg), .nr_pages = 4, .nr_stays = 8,
					.pages = 4096, .ends = (uintptr_t)ends };
	is(try_ioctl(pair.uvm, UVM_IOC_SET_STAYS, &arg), -EFAULT, "nothing is there");
	is(set(0, 0), 0, "forgotten");
	must(!set_param(pair.uvm, "root_chunk_granularity", "64k"));
	is(set(4, 8), -EINVAL, "pages are smaller than units");
}

/* The policy uses them, and nothing of them is left when the user goes. */
static void test_used(void)
{
	char *at = managed(pair.uvm, 4 * MB);

	must(!set_param(pair.uvm, "root_chunk_granularity", "4k"));
	must(!set_param(pair.uvm, "gpu_memory_limit_kb", "2048"));
	must(!set_param(pair.uvm, "eviction_policy", "min"));
	good();
	for (int i = 0; i < 4; i++)
		pages[i].address = (uintptr_t)at + i * PAGE;
	is(set(4, 8), 0, "stays of what there is");
	must(!gpu_fill(&pair, at, 4 * MB / PAGE, PAGE, 7));
	is(gpu_wrong(&pair, at, 4 * MB / PAGE, PAGE, 7, false) +
	   cpu_wrong(at, 4 * MB / PAGE, PAGE, 7, false), 0, "data right");
	is(set(0, 0), 0, "forgotten while it is in force");
	must(!gpu_fill(&pair, at, 4 * MB / PAGE, PAGE, 8));
	is(gpu_wrong(&pair, at, 4 * MB / PAGE, PAGE, 8, false), 0, "data right without");
	is(set(4, 8), 0, "told again, and left behind");
	munmap(at, 4 * MB);
}

static const struct test_case cases[] = {
	{ "refused", test_refused }, { "used", test_used },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "stays", cases, ARRAY_SIZE(cases));
}

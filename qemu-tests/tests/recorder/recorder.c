// SPDX-License-Identifier: GPL-2.0
/* UVM_IOC_SET_TOUCHES: what is refused, and that the rest is forgotten with its user. */
#include "common.h"

static struct uvm_touched_page pages[4];
static uint64_t positions[8];

static long set(uint32_t nr_pages, uint32_t nr_touches)
{
	struct uvm_set_touches arg = {
		.size = sizeof(arg), .nr_pages = nr_pages, .pages = (uintptr_t)pages,
		.positions = (uintptr_t)positions, .nr_touches = nr_touches,
	};

	return try_ioctl(pair.uvm, UVM_IOC_SET_TOUCHES, &arg);
}

/* Four pages of two touches each. */
static void good(void)
{
	for (int i = 0; i < 4; i++)
		pages[i] = (struct uvm_touched_page){ .address = (4 + i) * PAGE, .touches = 2 };
	for (int i = 0; i < 8; i++)
		positions[i] = i / 2 + i % 2 * 4;
}

static void test_refused(void)
{
	struct uvm_set_touches arg = { .size = sizeof(arg), .gpu = 31, .nr_pages = 1 };

	must(!set_param(pair.uvm, "root_chunk_granularity", "4k"));
	is(try_ioctl(pair.uvm, UVM_IOC_SET_TOUCHES, &arg), -ENODEV, "no such GPU");
	good();
	is(set(4, 8), 0, "four pages");
	is(set(4, 7), -EINVAL, "fewer touches than the pages have");
	is(set(3, 8), -EINVAL, "more touches than the pages have");
	is(set(4, UVM_TOUCHES_MAX + 1), -EINVAL, "too many");
	is(set(4, 3), -EINVAL, "fewer touches than pages");
	pages[2].touches = 0;
	is(set(4, 8), -EINVAL, "a page that is not touched");
	good();
	pages[1].touches = UINT32_MAX;
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
	positions[3] = positions[2];
	is(set(4, 8), -EINVAL, "two touches at once");
	good();
	arg = (struct uvm_set_touches){ .size = sizeof(arg), .nr_pages = 4, .nr_touches = 8,
					.pages = 4096, .positions = (uintptr_t)positions };
	is(try_ioctl(pair.uvm, UVM_IOC_SET_TOUCHES, &arg), -EFAULT, "nothing is there");
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
	is(set(4, 8), 0, "touches of what there is");
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
	return run_cases(argc, argv, "touches", cases, ARRAY_SIZE(cases));
}

// SPDX-License-Identifier: GPL-2.0
/*
 * UVM_IOC_SET_STAYS and UVM_IOC_SET_USES: what is refused, and that the rest is forgotten with its
 * user.
 */
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

/* ---- uses ----------------------------------------------------------------------- */

#define BIG	(64ULL << 10)

static struct uvm_used used[2];
static struct uvm_use uses[4];
static uint32_t launches[2];

static long set_uses(uint32_t nr_used, uint32_t nr_uses, uint32_t nr_launches)
{
	struct uvm_set_uses arg = {
		.size = sizeof(arg), .nr_used = nr_used, .used = (uintptr_t)used,
		.uses = (uintptr_t)uses, .launches = (uintptr_t)launches, .nr_uses = nr_uses,
		.nr_launches = nr_launches,
	};

	return try_ioctl(pair.uvm, UVM_IOC_SET_USES, &arg);
}

/* Two times 64 KB, used twice each, and two launches. */
static void good_uses(uint64_t start)
{
	for (int i = 0; i < 2; i++)
		used[i] = (struct uvm_used){ .address = start + i * BIG, .uses = 2 };
	for (int i = 0; i < 4; i++)
		uses[i] = (struct uvm_use){
			.position = i / 2 + i % 2 * 2, .requests = 1 + i, .pages = 0xffff,
		};
	launches[0] = 0;
	launches[1] = 2;
}

static void test_uses_refused(void)
{
	struct uvm_set_uses arg = { .size = sizeof(arg), .gpu = 31, .nr_used = 1 };

	is(try_ioctl(pair.uvm, UVM_IOC_SET_USES, &arg), -ENODEV, "no such GPU");
	good_uses(BIG);
	is(set_uses(2, 4, 2), 0, "two times 64 KB");
	is(set_uses(2, 3, 2), -EINVAL, "fewer uses than they have");
	is(set_uses(1, 4, 2), -EINVAL, "more uses than they have");
	is(set_uses(2, UVM_USES_MAX + 1, 2), -EINVAL, "too many");
	is(set_uses(2, 1, 2), -EINVAL, "fewer uses than 64 KB");
	is(set_uses(2, 4, 0), -EINVAL, "no launch");
	is(set_uses(2, 4, UVM_USES_MAX + 1), -EINVAL, "too many launches");
	used[1].uses = 0;
	is(set_uses(2, 4, 2), -EINVAL, "64 KB that are not used");
	good_uses(BIG);
	used[0].uses = UINT32_MAX;
	is(set_uses(2, 4, 2), -EINVAL, "a sum that wraps");
	good_uses(BIG);
	used[1].address = used[0].address;
	is(set_uses(2, 4, 2), -EINVAL, "the same twice");
	good_uses(BIG + PAGE);
	is(set_uses(2, 4, 2), -EINVAL, "no 64 KB begin there");
	good_uses(BIG);
	used[0].__reserved = 1;
	is(set_uses(2, 4, 2), -EINVAL, "reserved");
	good_uses(BIG);
	uses[1].position = uses[0].position;
	is(set_uses(2, 4, 2), -EINVAL, "two uses at once");
	good_uses(BIG);
	uses[3].position = UINT32_MAX;
	is(set_uses(2, 4, 2), -EINVAL, "a use that never comes");
	good_uses(BIG);
	uses[2].requests = 0;
	is(set_uses(2, 4, 2), -EINVAL, "a use that nobody asks for");
	good_uses(BIG);
	uses[2].pages = 0;
	is(set_uses(2, 4, 2), -EINVAL, "a use of nothing");
	good_uses(BIG);
	uses[2].__reserved = 1;
	is(set_uses(2, 4, 2), -EINVAL, "reserved in a use");
	good_uses(BIG);
	launches[0] = 3;
	is(set_uses(2, 4, 2), -EINVAL, "a launch that begins before the last one");
	good_uses(BIG);
	arg = (struct uvm_set_uses){ .size = sizeof(arg), .nr_used = 2, .nr_uses = 4,
				     .nr_launches = 2, .used = (uintptr_t)used, .uses = 4096,
				     .launches = (uintptr_t)launches };
	is(try_ioctl(pair.uvm, UVM_IOC_SET_USES, &arg), -EFAULT, "nothing is there");
	is(set_uses(0, 0, 0), 0, "forgotten");
}

/* With units of each size: uses instead of stays, stays instead of uses, and nothing left. */
static void test_uses_used(void)
{
	static const char *const sizes[] = { "4k", "64k", "2m" };

	for (int i = 0; i < 3; i++) {
		char *at = managed(pair.uvm, 4 * MB);

		must(!set_param(pair.uvm, "root_chunk_granularity", sizes[i]));
		must(!set_param(pair.uvm, "gpu_memory_limit_kb", "2048"));
		must(!set_param(pair.uvm, "policy", "fnu"));
		good_uses((uintptr_t)at);
		is(set_uses(2, 4, 2), 0, "uses of what there is");
		must(!gpu_fill(&pair, at, 4 * MB / PAGE, PAGE, 7));
		is(gpu_wrong(&pair, at, 4 * MB / PAGE, PAGE, 7, false) +
		   cpu_wrong(at, 4 * MB / PAGE, PAGE, 7, false), 0, "data right");
		is(set_uses(0, 0, 0), 0, "forgotten while it is in force");
		must(!gpu_fill(&pair, at, 4 * MB / PAGE, PAGE, 8));
		is(gpu_wrong(&pair, at, 4 * MB / PAGE, PAGE, 8, false), 0, "data right without");
		is(set_uses(2, 4, 2), 0, "told again, and left behind");
		munmap(at, 4 * MB);
	}
	must(!set_param(pair.uvm, "root_chunk_granularity", "4k"));
	good();
	is(set(4, 8), 0, "stays instead");
}

/* What the policy tells of itself by that name; 0: nothing. */
static uint64_t policy_number(const char *name)
{
	struct uvm_get_policy_number arg = { .size = sizeof(arg) };

	while (!try_ioctl(pair.uvm, UVM_IOC_GET_POLICY_NUMBER, &arg)) {
		if (!strcmp(arg.name, name))
			return arg.value;
		arg.index++;
	}
	return 0;
}

/* Told, uses are known: requests that they do not have are counted.  Units of another size end that. */
static void test_uses_end(void)
{
	for (int other = 0; other < 2; other++) {
		char *at = managed(pair.uvm, 4 * MB);

		must(!set_param(pair.uvm, "root_chunk_granularity", "4k"));
		must(!set_param(pair.uvm, "gpu_memory_limit_kb", "2048"));
		must(!set_param(pair.uvm, "policy", "fnu"));
		good_uses((uintptr_t)at);
		is(set_uses(2, 4, 2), 0, "uses");
		if (other)
			must(!set_param(pair.uvm, "root_chunk_granularity", "64k"));
		must(!gpu_fill(&pair, at, 4 * MB / PAGE, PAGE, 7));
		ok((policy_number("requests_excess") == 0) == other,
		   other ? "are forgotten with other units" : "are known");
		munmap(at, 4 * MB);
	}
	must(!set_param(pair.uvm, "root_chunk_granularity", "4k"));
}

static const struct test_case cases[] = {
	{ "refused", test_refused }, { "used", test_used },
	{ "uses refused", test_uses_refused }, { "uses used", test_uses_used },
	{ "uses end", test_uses_end },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "stays", cases, ARRAY_SIZE(cases));
}

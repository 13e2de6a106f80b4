// SPDX-License-Identifier: GPL-2.0
/* chase: follow a random cycle through all pages; nothing can overlap. */
#include <errno.h>
#include <stdlib.h>

#include "../kernels/chase.c"
#include "../uvm/run/workload.h"

struct chase {
	char *nodes;
	uint64_t *result;
	uint32_t *order;	/* page of each hop; private memory */
	uint64_t pages;
	uint64_t hops;
};

static int chase_setup(struct wl_run *run)
{
	struct chase *c = run->data;
	uint64_t i, j, swap;

	c->pages = wl_number(run, "size") / UVM_PAGE_SIZE;
	if (!c->pages || c->pages > 1ULL << 31)
		return wl_fail(run, EINVAL, "the size must be 4K ... 8T");
	c->hops = wl_number(run, "hops");
	if (!c->hops)
		c->hops = 2 * c->pages;

	c->order = malloc(c->pages * sizeof(*c->order));
	if (!c->order)
		return wl_fail(run, ENOMEM, "out of memory");
	for (i = 0; i < c->pages; i++)
		c->order[i] = (uint32_t)i;
	for (i = c->pages - 1; i > 0; i--) {
		j = wl_mix(run->seed * 0x100000001b3ULL + i) % (i + 1);
		swap = c->order[i];
		c->order[i] = c->order[j];
		c->order[j] = (uint32_t)swap;
	}

	c->nodes = wl_alloc(run, c->pages * UVM_PAGE_SIZE, "nodes");
	c->result = wl_alloc(run, sizeof(*c->result), "result");
	if (!c->nodes || !c->result)
		return -ENOMEM;
	wl_input(run, c->nodes);
	return 0;
}

static struct chase_node *chase_node(const struct chase *c, uint64_t hop)
{
	return (struct chase_node *)(c->nodes + c->order[hop % c->pages] * UVM_PAGE_SIZE);
}

static int chase_init(struct wl_run *run)
{
	struct chase *c = run->data;
	uint64_t i;

	for (i = 0; i < c->pages; i++) {
		struct chase_node *node = chase_node(c, i);

		node->next = chase_node(c, i + 1);
		node->id = wl_mix(run->seed + i);
	}
	*c->result = 0;
	return 0;
}

static int chase_execute(struct wl_run *run)
{
	struct chase *c = run->data;
	struct chase_args args = {
		.start = chase_node(c, 0), .hops = c->hops, .result = c->result,
	};

	return wl_launch(run, "chase", UVM_DIM(1), UVM_DIM(1), 0, &args, sizeof(args));
}

static int chase_verify(struct wl_run *run)
{
	struct chase *c = run->data;
	uint64_t sum = 0, hop;

	for (hop = 0; hop < c->hops; hop++)
		sum = chase_mix(sum, wl_mix(run->seed + hop % c->pages));
	if (*c->result != sum)
		return wl_wrong(run, "the checksum is %#llx, not %#llx",
				(unsigned long long)*c->result, (unsigned long long)sum);
	return 0;
}

static void chase_cleanup(struct wl_run *run)
{
	struct chase *c = run->data;

	free(c->order);
}

static const struct wl_option chase_options[] = {
	{ "size", WL_BYTES, "16M", "buffer, one node per page" },
	{ "hops", WL_COUNT, "0", "nodes to visit; 0 for twice round" },
	{ 0 },
};

static const struct wl_case chase_cases[] = {
	{ "--size 256K", "result", 7 },
	{ "--size 4K --hops 5", "result", 0 },
	{ 0 },
};

static const struct wl_size chase_sizes[] = {
	{ .small = "--size 8M" },
	{ 0 },
};

UVM_WORKLOAD(chase,
	     .what = "dependent pointer chase over pages in random order",
	     .image = "chase",
	     .options = chase_options,
	     .cases = chase_cases,
	     .sizes = chase_sizes,
	     .data_bytes = sizeof(struct chase),
	     .setup = chase_setup,
	     .init = chase_init,
	     .execute = chase_execute,
	     .verify = chase_verify,
	     .cleanup = chase_cleanup,
);

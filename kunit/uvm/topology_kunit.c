// SPDX-License-Identifier: GPL-2.0
/*
 * Topology: who reaches whom, and which copy is the closest.
 */
#include <kunit/test.h>
#include "uvm/model/topology.h"
#include "uvm_pure.h"

#define CPU	UVM_ID_CPU
#define GPU(n)	UVM_ID_GPU(n)
#define SET(id)	BIT(id)

static void topology_alone(struct kunit *test)
{
	struct uvm_topology t;
	unsigned int a, b;

	uvm_topology_init(&t);
	for (a = 0; a < UVM_MAX_PROCESSORS; a++) {
		for (b = 0; b < UVM_MAX_PROCESSORS; b++) {
			/* nvidia-uvm 1.2; no CPU mapping of GPU memory, no atomics over a link */
			bool reach = a == b || (uvm_id_is_gpu(a) && b == CPU);

			KUNIT_EXPECT_EQ_MSG(test, uvm_topology_can_access(&t, a, b), reach,
					    "%u %u", a, b);
			KUNIT_EXPECT_EQ(test, !!(t.accessible_from[b] & BIT(a)), reach);
			KUNIT_EXPECT_EQ(test, !!(t.native_atomics[a] & BIT(b)), a == b);
			KUNIT_EXPECT_FALSE(test, uvm_topology_is_peer(&t, a, b));
			/* everybody's engines reach the CPU's memory (3.5) */
			KUNIT_EXPECT_EQ(test, uvm_topology_can_copy(&t, a, b),
					a == b || a == CPU || b == CPU);
		}
		KUNIT_EXPECT_EQ(test, t.fast_link[a], 0);
	}
}

static void topology_peers(struct kunit *test)
{
	struct uvm_topology t, before;

	uvm_topology_init(&t);
	before = t;
	uvm_topology_set_peers(&t, GPU(0), GPU(2), true, true);
	KUNIT_EXPECT_TRUE(test, uvm_topology_can_access(&t, GPU(0), GPU(2)));
	KUNIT_EXPECT_TRUE(test, uvm_topology_can_access(&t, GPU(2), GPU(0)));
	KUNIT_EXPECT_FALSE(test, uvm_topology_can_access(&t, GPU(1), GPU(2)));
	KUNIT_EXPECT_FALSE(test, uvm_topology_can_access(&t, CPU, GPU(2)));
	KUNIT_EXPECT_TRUE(test, t.accessible_from[GPU(2)] & BIT(GPU(0)));
	KUNIT_EXPECT_TRUE(test, uvm_topology_can_copy(&t, GPU(2), GPU(0)));
	KUNIT_EXPECT_FALSE(test, uvm_topology_can_copy(&t, GPU(2), GPU(1)));
	KUNIT_EXPECT_TRUE(test, uvm_topology_is_peer(&t, GPU(0), GPU(2)));
	/* each with the other's memory; others not */
	KUNIT_EXPECT_EQ(test, t.native_atomics[GPU(0)], BIT(GPU(0)) | BIT(GPU(2)));
	KUNIT_EXPECT_EQ(test, t.native_atomics[GPU(1)], BIT(GPU(1)));
	/* over PCIe none, and nothing is fast */
	uvm_topology_set_peers(&t, GPU(0), GPU(1), false, false);
	KUNIT_EXPECT_EQ(test, t.native_atomics[GPU(1)], BIT(GPU(1)));
	KUNIT_EXPECT_EQ(test, t.fast_link[GPU(0)], BIT(GPU(2)));
	uvm_topology_clear_peers(&t, GPU(0), GPU(1));
	uvm_topology_clear_peers(&t, GPU(2), GPU(0));
	KUNIT_EXPECT_MEMEQ(test, &t, &before, sizeof(t));
}

struct closest_case {
	const char *rule;
	unsigned int id;
	u16 candidates;
	unsigned int want;
};

/* GPU0 has a fast link to GPU2 and a slow one to GPU1; nvidia-uvm 3.1, the closest copy. */
static const struct closest_case closest_cases[] = {
	{ "nobody", GPU(0), 0, UVM_ID_INVALID },
	{ "itself", GPU(0), SET(CPU) | SET(GPU(0)) | SET(GPU(2)), GPU(0) },
	{ "fast peer before slow one", GPU(0), SET(CPU) | SET(GPU(1)) | SET(GPU(2)), GPU(2) },
	{ "slow peer before CPU", GPU(0), SET(CPU) | SET(GPU(1)) | SET(GPU(3)), GPU(1) },
	{ "CPU before strangers", GPU(0), SET(CPU) | SET(GPU(3)), CPU },
	{ "lowest stranger", GPU(0), SET(GPU(5)) | SET(GPU(4)), GPU(4) },
	{ "the CPU's own", CPU, SET(CPU) | SET(GPU(0)), CPU },
	{ "the CPU takes the lowest GPU", CPU, SET(GPU(3)) | SET(GPU(1)), GPU(1) },
};

static void topology_closest(struct kunit *test)
{
	struct uvm_topology t;

	uvm_topology_init(&t);
	uvm_topology_set_peers(&t, GPU(0), GPU(2), true, true);
	uvm_topology_set_peers(&t, GPU(0), GPU(1), false, false);
	for (int i = 0; i < ARRAY_SIZE(closest_cases); i++) {
		const struct closest_case *c = &closest_cases[i];

		KUNIT_EXPECT_EQ_MSG(test, uvm_topology_closest(&t, c->id, c->candidates), c->want,
				    "%s", c->rule);
	}
}

static struct kunit_case topology_cases[] = {
	KUNIT_CASE(topology_alone),
	KUNIT_CASE(topology_peers),
	KUNIT_CASE(topology_closest),
	{}
};

struct kunit_suite uvm_topology_suite = {
	.name = "uvm_topology",
	.test_cases = topology_cases,
};

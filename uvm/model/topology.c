// SPDX-License-Identifier: GPL-2.0
/*
 * Topology: reach of processors (nvidia-uvm 1.2, 3.1).
 */
#include <kunit/visibility.h>
#include <linux/bitmap.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include "model/topology.h"

/**
 * uvm_topology_init - processors without peers
 * @topology: written
 */
void uvm_topology_init(struct uvm_topology *topology)
{
	unsigned int id;

	*topology = (struct uvm_topology){};
	for_each_uvm_id(id) {
		topology->can_access[id] = BIT(id) | (uvm_id_is_gpu(id) ? BIT(UVM_ID_CPU) : 0);
		topology->accessible_from[id] = BIT(id);
		topology->native_atomics[id] = BIT(id);
		if (uvm_id_is_gpu(id))
			topology->accessible_from[UVM_ID_CPU] |= BIT(id);
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_topology_init);

static void topology_set(u16 *sets, unsigned int a, unsigned int b, bool on)
{
	if (on) {
		sets[a] |= BIT(b);
		sets[b] |= BIT(a);
	} else {
		sets[a] &= ~BIT(b);
		sets[b] &= ~BIT(a);
	}
}

/**
 * uvm_topology_set_peers - two GPUs reach each other's memory
 * @topology: changed, symmetrically
 * @a: a GPU
 * @b: another
 * @fast: by a link of their own
 * @atomics: it has atomics
 */
void uvm_topology_set_peers(struct uvm_topology *topology, unsigned int a, unsigned int b,
			    bool fast, bool atomics)
{
	topology_set(topology->can_access, a, b, true);
	topology_set(topology->accessible_from, a, b, true);
	topology_set(topology->fast_link, a, b, fast);
	topology_set(topology->native_atomics, a, b, atomics);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_topology_set_peers);

/**
 * uvm_topology_clear_peers - the reverse
 * @topology: changed, symmetrically
 * @a: a GPU
 * @b: another
 */
void uvm_topology_clear_peers(struct uvm_topology *topology, unsigned int a, unsigned int b)
{
	topology_set(topology->can_access, a, b, false);
	topology_set(topology->accessible_from, a, b, false);
	topology_set(topology->fast_link, a, b, false);
	topology_set(topology->native_atomics, a, b, false);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_topology_clear_peers);

/**
 * uvm_topology_closest - which of several copies to use
 * @topology: the relations
 * @id: who wants it
 * @candidates: bit per processor with a copy
 *
 * Itself, over a fast link, a peer, the CPU, anybody; the lowest id among
 * equals (nvidia-uvm 3.1, the closest copy).
 *
 * Return: a processor, or UVM_ID_INVALID without candidates.
 */
unsigned int uvm_topology_closest(const struct uvm_topology *topology, unsigned int id,
				  u16 candidates)
{
	const u16 order[] = {
		BIT(id),
		topology->fast_link[id],
		topology->can_access[id] & ~BIT(UVM_ID_CPU),
		BIT(UVM_ID_CPU),
		U16_MAX,
	};

	/* Asked for every page and entry, and mostly there is one. */
	if (is_power_of_2(candidates))
		return __ffs(candidates);
	for (unsigned int i = 0; i < ARRAY_SIZE(order); i++) {
		if (candidates & order[i])
			return __ffs(candidates & order[i]);
	}
	return UVM_ID_INVALID;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_topology_closest);

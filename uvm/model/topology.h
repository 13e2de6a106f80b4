/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Topology: which processor reaches whose memory, and how well.
 *
 * Sets of processors are u16, bit i for processor id i.  A set is read "bit B
 * of X[A]", as in nvidia-uvm 1.2.  A VA space has one; it changes when GPUs
 * come, leave, or become peers.
 *
 * Pure: the lock of the VA space is the caller's.
 */
#ifndef UVM_TOPOLOGY_H
#define UVM_TOPOLOGY_H

#include <linux/bits.h>
#include <linux/types.h>
#include "base/types.h"

/**
 * struct uvm_topology - relations between processors
 * @can_access: A may map B's memory.  Everybody its own; GPUs also the CPU's;
 *	the CPU no GPU's, for it has no window into GPU memory
 * @accessible_from: the reverse: B may map A's memory
 * @fast_link: of these, by a link faster than the CPU's
 * @native_atomics: A's atomics work on B's memory.  Everybody's on its own; between
 *	peers it depends on their link, and the link to the CPU has none
 */
struct uvm_topology {
	u16 can_access[UVM_MAX_PROCESSORS];
	u16 accessible_from[UVM_MAX_PROCESSORS];
	u16 fast_link[UVM_MAX_PROCESSORS];
	u16 native_atomics[UVM_MAX_PROCESSORS];
};

void uvm_topology_init(struct uvm_topology *topology);
void uvm_topology_set_peers(struct uvm_topology *topology, unsigned int a, unsigned int b,
			    bool fast, bool atomics);
void uvm_topology_clear_peers(struct uvm_topology *topology, unsigned int a, unsigned int b);
unsigned int uvm_topology_closest(const struct uvm_topology *topology, unsigned int id,
				  u16 candidates);

/**
 * uvm_topology_can_access - may a processor map another one's memory?
 * @topology: of the VA space
 * @id: a processor
 * @other: whose memory; may be @id
 *
 * Return: true if so.
 */
static inline bool uvm_topology_can_access(const struct uvm_topology *topology, unsigned int id,
					   unsigned int other)
{
	return topology->can_access[id] & BIT(other);
}

/**
 * uvm_topology_can_copy - can a copy engine copy between two processors at once?
 * @topology: of the VA space
 * @src: a processor
 * @dst: another one
 *
 * Everybody's reaches the CPU's memory; that of others is reached by peers.
 *
 * Return: true if so; else the copy goes through system memory.
 */
static inline bool uvm_topology_can_copy(const struct uvm_topology *topology, unsigned int src,
					 unsigned int dst)
{
	return uvm_id_is_cpu(src) || uvm_id_is_cpu(dst) ||
	       uvm_topology_can_access(topology, src, dst);
}

/**
 * uvm_topology_is_peer - are two processors peers?
 * @topology: of the VA space
 * @a: a processor
 * @b: another one
 *
 * Return: true if both are GPUs, not the same, and reach each other.
 */
static inline bool uvm_topology_is_peer(const struct uvm_topology *topology, unsigned int a,
					unsigned int b)
{
	return a != b && uvm_id_is_gpu(a) && uvm_id_is_gpu(b) &&
	       uvm_topology_can_access(topology, a, b);
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The replayable fault buffer (class C369): 32-byte records in memory that
 * the GPU writes at PUT and the driver reads at GET.
 */
#ifndef SOFTGPU_FAULT_FORMAT_H
#define SOFTGPU_FAULT_FORMAT_H

#include <linux/bits.h>

#define FAULT_RECORD_BYTES		32
#define FAULT_RECORD_WORDS		8

/* word 0, 1: instance pointer of the faulting context */
#define FAULT_W0_INST_APERTURE		GENMASK(9, 8)
#define FAULT_W0_INST_LO		GENMASK(31, 12)
/* word 2, 3: faulting address in units of 4K */
#define FAULT_W2_ADDR_LO		GENMASK(31, 12)
/* word 4, 5: timestamp, ns */
#define FAULT_W6_ENGINE_ID		GENMASK(8, 0)
#define FAULT_ENGINE_GRAPHICS		64
#define FAULT_ENGINE_CE0		15
#define FAULT_W7_TYPE			GENMASK(4, 0)
#define FAULT_W7_REPLAYABLE		BIT(7)
#define FAULT_W7_CLIENT			GENMASK(14, 8)	/* SM within the GPC */
#define FAULT_W7_ACCESS			GENMASK(19, 16)
#define FAULT_W7_HUB			BIT(20)
#define FAULT_CLIENT_HUB_CE0		0x60	/* client of copy engine 0; ours */
#define FAULT_W7_GPC			GENMASK(28, 24)
#define FAULT_W7_REPLAYABLE_EN		BIT(30)
#define FAULT_W7_VALID			BIT(31)

#define FAULT_TYPE_PDE			0x0
#define FAULT_TYPE_PDE_SIZE		0x1
#define FAULT_TYPE_PTE			0x2
#define FAULT_TYPE_VA_LIMIT		0x3
#define FAULT_TYPE_UNBOUND_INST		0x4
#define FAULT_TYPE_RO			0x6
#define FAULT_TYPE_WO			0x7
#define FAULT_TYPE_REGION		0xd	/* misaligned access, see manual */
#define FAULT_TYPE_ATOMIC		0xf

#define FAULT_ACCESS_READ		0
#define FAULT_ACCESS_WRITE		1
#define FAULT_ACCESS_ATOMIC_STRONG	2
#define FAULT_ACCESS_PREFETCH		3
#define FAULT_ACCESS_ATOMIC_WEAK	4

/*
 * Extension REG_CAP_FAULT_ORIGIN, of no published GPU: a second ring with as
 * many records, of which each belongs to the fault record of the same index and
 * is written before that one's VALID.  It says who made the oldest access that
 * waits for the page: what "Demystifying GPU UVM Cost" wishes for as increased
 * fault origin information.
 */
#define FAULT_ORIGIN_BYTES		32
#define FAULT_ORIGIN_WORDS		8
/* word 0: SM of the GPU; word 1: warp in its block */
/* word 2, 3: block in its launch, counted as blocks are dispatched */
/* word 4, 5: address of the instruction in the image window */
/* word 6, 7: 0 */

#endif

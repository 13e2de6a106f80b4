/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MMU version-2 page tables (Pascal to Ada): 49-bit virtual addresses, five
 * levels, 4K, 64K and 2M pages.  Definitions written from the published facts.
 *
 * level  name  VA bits   entries  entry bytes
 *   0    PDE3  [48:47]       4        8
 *   1    PDE2  [46:38]     512        8
 *   2    PDE1  [37:29]     512        8
 *   3    PDE0  [28:21]     256       16 (dual: big and small, or a 2M PTE)
 *   4    PTE   [20:12]     512        8 (4K)    or [20:16], 32, 8 (64K)
 *
 * A walk reads PDE0; if its first word is a PTE the page is 2M.  Otherwise
 * the big (64K) table is looked at first: a valid PTE there translates; an
 * invalid one with %MMU_PTE_PRIVILEGE set ends the walk with a fault
 * ("unmapped big PTE"); an all-zero one sends the walk to the 4K table.
 */
#ifndef SOFTGPU_MMU_FORMAT_H
#define SOFTGPU_MMU_FORMAT_H

#include <linux/bits.h>

#define MMU_VA_BITS			49
#define MMU_PDE_LEVELS			4
#define MMU_PDE3_SHIFT			47
#define MMU_PDE2_SHIFT			38
#define MMU_PDE1_SHIFT			29
#define MMU_PDE0_SHIFT			21
#define MMU_BIG_SHIFT			16
#define MMU_SMALL_SHIFT			12
#define MMU_PDE3_ENTRIES		4
#define MMU_PDE2_ENTRIES		512
#define MMU_PDE1_ENTRIES		512
#define MMU_PDE0_ENTRIES		256
#define MMU_BIG_ENTRIES			32
#define MMU_SMALL_ENTRIES		512
#define MMU_PDE_BYTES			8
#define MMU_PDE0_BYTES			16
#define MMU_PTE_BYTES			8

/* Page directory entry, 64 bits (PDE3..PDE1 and each half of PDE0). */
#define MMU_PDE_IS_PTE			BIT_ULL(0)
#define MMU_PDE_APERTURE		GENMASK_ULL(2, 1)
#define MMU_PDE_APERTURE_INVALID	0
#define MMU_PDE_APERTURE_VID		1
#define MMU_PDE_APERTURE_SYS_COH	2
#define MMU_PDE_VOL			BIT_ULL(3)
#define MMU_PDE_ADDR			GENMASK_ULL(53, 8)	/* pa >> 12 */
/* PDE0, low word: table of 64K PTEs (256-byte aligned). */
#define MMU_PDE0_BIG_ADDR		GENMASK_ULL(53, 4)	/* pa >> 8 */

/* Page table entry, 64 bits. */
#define MMU_PTE_VALID			BIT_ULL(0)
#define MMU_PTE_APERTURE		GENMASK_ULL(2, 1)
#define MMU_PTE_APERTURE_VID		0
#define MMU_PTE_APERTURE_PEER		1
#define MMU_PTE_APERTURE_SYS_COH	2
#define MMU_PTE_VOL			BIT_ULL(3)
#define MMU_PTE_PRIVILEGE		BIT_ULL(5)
#define MMU_PTE_READ_ONLY		BIT_ULL(6)
#define MMU_PTE_ATOMIC_DISABLE		BIT_ULL(7)
#define MMU_PTE_ADDR			GENMASK_ULL(53, 8)	/* pa >> 12 */
/* Of the address, with MMU_PTE_APERTURE_PEER: whose memory it is in; the rest is below. */
#define MMU_PTE_PEER_ID			GENMASK_ULL(35, 33)
#define MMU_PTE_KIND			GENMASK_ULL(63, 56)
#define MMU_KIND_GENERIC		0x06
/* The "unmapped: stop here" encoding of a 64K PTE. */
#define MMU_PTE_BIG_UNMAPPED		MMU_PTE_PRIVILEGE

#endif

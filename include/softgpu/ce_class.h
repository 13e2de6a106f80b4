/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copy engine class, as published for Turing (class C5B5).  Definitions
 * written from the published facts; only what a UVM driver emits.
 */
#ifndef SOFTGPU_CE_CLASS_H
#define SOFTGPU_CE_CLASS_H

#include <linux/bits.h>

#define CE_CLASS			0xc5b5

#define CE_NOP				0x0100
#define CE_SET_SEMAPHORE_A		0x0240	/* address [48:32] */
#define CE_SET_SEMAPHORE_B		0x0244	/* address [31:0] */
#define CE_SET_SEMAPHORE_PAYLOAD	0x0248
#define CE_SET_SRC_PHYS_MODE		0x0260
#define CE_SET_DST_PHYS_MODE		0x0264
#define CE_PHYS_TARGET			GENMASK(1, 0)
#define CE_PHYS_LOCAL_FB		0
#define CE_PHYS_COHERENT_SYSMEM		1
#define CE_PHYS_PEER_MEMORY		3	/* with a peer id, as from class C6B5 on */
#define CE_PHYS_PEER_ID			GENMASK(8, 6)
#define CE_LAUNCH_DMA			0x0300
#define CE_OFFSET_IN_UPPER		0x0400
#define CE_OFFSET_IN_LOWER		0x0404
#define CE_OFFSET_OUT_UPPER		0x0408
#define CE_OFFSET_OUT_LOWER		0x040c
#define CE_PITCH_IN			0x0410
#define CE_PITCH_OUT			0x0414
#define CE_LINE_LENGTH_IN		0x0418	/* bytes, or elements if remap */
#define CE_LINE_COUNT			0x041c
#define CE_SET_REMAP_CONST_A		0x0700
#define CE_SET_REMAP_CONST_B		0x0704
#define CE_SET_REMAP_COMPONENTS		0x0708

#define CE_LAUNCH_TRANSFER		GENMASK(1, 0)
#define CE_TRANSFER_NONE		0
#define CE_TRANSFER_PIPELINED		1
#define CE_TRANSFER_NON_PIPELINED	2
#define CE_LAUNCH_FLUSH			BIT(2)
#define CE_LAUNCH_SEMAPHORE		GENMASK(4, 3)
#define CE_SEMAPHORE_NONE		0
#define CE_SEMAPHORE_ONE_WORD		1
#define CE_SEMAPHORE_FOUR_WORD		2	/* payload, 0, timestamp ns */
#define CE_LAUNCH_INTERRUPT		GENMASK(6, 5)
#define CE_LAUNCH_SRC_PITCH		BIT(7)
#define CE_LAUNCH_DST_PITCH		BIT(8)
#define CE_LAUNCH_MULTI_LINE		BIT(9)
#define CE_LAUNCH_REMAP			BIT(10)
#define CE_LAUNCH_SRC_PHYSICAL		BIT(12)
#define CE_LAUNCH_DST_PHYSICAL		BIT(13)
#define CE_LAUNCH_REDUCTION		GENMASK(17, 14)
#define CE_REDUCTION_INC		6	/* 0 at the payload and above, else 1 more */
#define CE_LAUNCH_REDUCTION_UNSIGNED	BIT(18)
#define CE_LAUNCH_REDUCTION_ENABLE	BIT(19)	/* instead of writing the payload */
#define CE_LAUNCH_FLUSH_GL		BIT(25)	/* GPU membar, else system */

#define CE_REMAP_DST_X			GENMASK(2, 0)
#define CE_REMAP_DST_Y			GENMASK(6, 4)
#define CE_REMAP_CONST_A		4
#define CE_REMAP_CONST_B		5
#define CE_REMAP_COMPONENT_SIZE		GENMASK(17, 16)	/* bytes - 1 */
#define CE_REMAP_NUM_SRC		GENMASK(21, 20)	/* count - 1 */
#define CE_REMAP_NUM_DST		GENMASK(25, 24)	/* count - 1 */

#endif

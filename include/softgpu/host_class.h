/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Host channel class (GPFIFO and host methods), as published for Turing
 * (class C46F).  Definitions written from the published facts.
 */
#ifndef SOFTGPU_HOST_CLASS_H
#define SOFTGPU_HOST_CLASS_H

#include <linux/bits.h>

/*
 * A GPFIFO entry is two 32-bit words that point to a pushbuffer segment:
 * word 0 is address[31:2], word 1 is address[39:32] | length in words << 10.  One of
 * length 0 is a control entry: word 0 is its operand, word 1 has an opcode.
 */
#define HOST_GP_ENTRY_SIZE		8
#define HOST_GP0_CONDITIONAL		BIT(0)	/* fetch */
#define HOST_GP0_ADDR_LO		GENMASK(31, 2)
#define HOST_GP1_ADDR_HI		GENMASK(7, 0)
#define HOST_GP1_OPCODE			GENMASK(7, 0)	/* with length 0 */
#define HOST_GP_OPCODE_NOP		0
#define HOST_GP_OPCODE_ILLEGAL		1
#define HOST_GP_OPCODE_GP_CRC		2
#define HOST_GP_OPCODE_PB_CRC		3
#define HOST_GP1_SUBROUTINE		BIT(9)
#define HOST_GP1_LENGTH			GENMASK(30, 10)
#define HOST_GP1_SYNC			BIT(31)	/* fetch when all before has been executed */
#define HOST_GP_ADDR_BITS		40

/* Method header words in a pushbuffer segment. */
#define HOST_HDR_OP			GENMASK(31, 29)
#define HOST_HDR_OP_INC			1	/* address advances per word */
#define HOST_HDR_OP_NON_INC		3	/* all words to one address */
#define HOST_HDR_OP_IMMD		4	/* count field is the data */
#define HOST_HDR_OP_ONE_INC		5
#define HOST_HDR_COUNT			GENMASK(28, 16)
#define HOST_HDR_SUBCH			GENMASK(15, 13)
#define HOST_HDR_METHOD			GENMASK(11, 0)	/* byte offset / 4 */
#define HOST_HDR_MAX_COUNT		0x1fff

/*
 * Subchannels that nvidia-uvm uses.  It binds the copy class on the host's: copy engines
 * do not look at the number.
 */
#define HOST_SUBCH_HOST			0
#define HOST_SUBCH_CE			4
#define HOST_SUBCH_SW			5	/* sw_class.h */

/* Host methods (offsets below 0x100 are the host's on any subchannel). */
#define HOST_METHOD_LIMIT		0x100
#define HOST_SET_OBJECT			0x0000
#define HOST_NOP			0x0008
#define HOST_NON_STALL_INTERRUPT	0x0020
#define HOST_MEM_OP_A			0x0028
#define HOST_MEM_OP_B			0x002c
#define HOST_MEM_OP_C			0x0030
#define HOST_MEM_OP_D			0x0034	/* executes A..D */
#define HOST_SEM_ADDR_LO		0x005c
#define HOST_SEM_ADDR_HI		0x0060
#define HOST_SEM_PAYLOAD_LO		0x0064
#define HOST_SEM_PAYLOAD_HI		0x0068
#define HOST_SEM_EXECUTE		0x006c
#define HOST_WFI			0x0078
#define HOST_CLEAR_FAULTED		0x0084	/* a faulted channel goes on */

#define HOST_CLEAR_FAULTED_CHID		GENMASK(11, 0)
#define HOST_CLEAR_FAULTED_TYPE		BIT(31)	/* 0: PBDMA, 1: engine */

#define HOST_SEM_OPERATION		GENMASK(2, 0)
#define HOST_SEM_OP_ACQUIRE		0	/* wait for equality */
#define HOST_SEM_OP_RELEASE		1
#define HOST_SEM_OP_ACQ_STRICT_GEQ	2
#define HOST_SEM_OP_ACQ_CIRC_GEQ	3	/* (s32)(mem - payload) >= 0 */
#define HOST_SEM_ACQUIRE_SWITCH		BIT(12)
#define HOST_SEM_RELEASE_WFI		BIT(20)
#define HOST_SEM_PAYLOAD_64		BIT(24)
#define HOST_SEM_RELEASE_TIMESTAMP	BIT(25)	/* 16 bytes: payload, ns */

/* MEM_OP: membars, TLB invalidates, fault replay and cancel. */
#define HOST_MEM_OP_A_INVAL_SIZE	GENMASK(5, 0)	/* log2(span / 4K) */
#define HOST_MEM_OP_A_CANCEL_ENGINE	GENMASK(6, 0)
#define HOST_MEM_OP_A_SYSMEMBAR		BIT(11)
#define HOST_MEM_OP_A_ADDR_LO		GENMASK(31, 12)
/* MEM_OP_B is the target address [63:32]. */
#define HOST_MEM_OP_C_MEMBAR		GENMASK(2, 0)
#define HOST_MEMBAR_SYS			0
#define HOST_MEMBAR_GPU			1
#define HOST_MEM_OP_C_PDB_ALL		BIT(0)
#define HOST_MEM_OP_C_GPC_DISABLE	BIT(1)
#define HOST_MEM_OP_C_REPLAY		GENMASK(4, 2)
#define HOST_REPLAY_NONE		0
#define HOST_REPLAY_START		1
#define HOST_REPLAY_START_ACK_ALL	2
#define HOST_REPLAY_CANCEL_TARGETED	3	/* not used by the driver */
#define HOST_REPLAY_CANCEL_GLOBAL	4	/* not used by the driver */
#define HOST_REPLAY_CANCEL_VA_GLOBAL	5
#define HOST_MEM_OP_C_ACK		GENMASK(6, 5)
#define HOST_ACK_NONE			0
#define HOST_ACK_GLOBALLY		1
#define HOST_MEM_OP_C_ACCESS		GENMASK(9, 7)	/* with CANCEL_VA_GLOBAL */
#define HOST_CANCEL_READ		0
#define HOST_CANCEL_WRITE		1
#define HOST_CANCEL_ATOMIC_STRONG	2
#define HOST_CANCEL_ATOMIC_WEAK		4
#define HOST_CANCEL_ATOMIC_ALL		5
#define HOST_CANCEL_WRITE_AND_ATOMIC	6
#define HOST_CANCEL_ALL			7
#define HOST_MEM_OP_C_LEVEL		GENMASK(9, 7)	/* without */
#define HOST_LEVEL_ALL			0
#define HOST_LEVEL_PTE_ONLY		1
#define HOST_LEVEL_UP_TO_PDE0		2
#define HOST_LEVEL_UP_TO_PDE1		3
#define HOST_LEVEL_UP_TO_PDE2		4
#define HOST_LEVEL_UP_TO_PDE3		5
#define HOST_MEM_OP_C_PDB_APERTURE	GENMASK(11, 10)	/* HW_PDB_* below */
#define HOST_PDB_VID			0
#define HOST_PDB_SYS_COH		2
#define HOST_MEM_OP_C_PDB_LO		GENMASK(31, 12)
#define HOST_MEM_OP_D_PDB_HI		GENMASK(26, 0)
#define HOST_MEM_OP_D_OPERATION		GENMASK(31, 27)
#define HOST_MEM_OP_MEMBAR		0x05
#define HOST_MEM_OP_TLB_INVALIDATE	0x09
#define HOST_MEM_OP_TLB_INVALIDATE_TARGETED 0x0a
#define HOST_MEM_OP_ACCESS_COUNTER_CLR	0x16
#define HOST_MEM_OP_C_COUNTER_CLR_TAG	GENMASK(19, 0)	/* with TARGETED */
#define HOST_MEM_OP_D_COUNTER_CLR	GENMASK(1, 0)
#define HOST_COUNTER_CLR_MIMC		0
#define HOST_COUNTER_CLR_MOMC		1
#define HOST_COUNTER_CLR_ALL		2
#define HOST_COUNTER_CLR_TARGETED	3
#define HOST_MEM_OP_D_COUNTER_CLR_TYPE	BIT(2)		/* with TARGETED: MIMC, MOMC */
#define HOST_MEM_OP_D_COUNTER_CLR_BANK	GENMASK(6, 3)	/* with TARGETED */

#endif

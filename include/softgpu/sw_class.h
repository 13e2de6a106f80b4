/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Software class of a UVM driver, as published for Pascal and later (class C076).
 * Definitions written from the published facts.
 */
#ifndef SOFTGPU_SW_CLASS_H
#define SOFTGPU_SW_CLASS_H

#include <linux/bits.h>

#define SW_CLASS			0xc076

#define SW_NOP				0x0100
#define SW_FAULT_CANCEL_A		0x0104
#define SW_FAULT_CANCEL_B		0x0108	/* instance block [63:32] */
#define SW_FAULT_CANCEL_C		0x010c	/* executes A..C */
#define SW_CLEAR_FAULTED_A		0x0110
#define SW_CLEAR_FAULTED_B		0x0114	/* instance block [63:32]; executes A, B */

/* Both A. */
#define SW_INST_APERTURE		GENMASK(1, 0)
#define SW_INST_VID			0
#define SW_INST_SYS_COH			2
#define SW_INST_SYS_NCOH		3
#define SW_INST_LO			GENMASK(31, 12)

#define SW_CLEAR_FAULTED_A_TYPE		BIT(2)	/* 0: PBDMA, 1: engine */

#define SW_FAULT_CANCEL_C_CLIENT	GENMASK(5, 0)	/* with TARGETED */
#define SW_FAULT_CANCEL_C_GPC		GENMASK(10, 6)	/* with TARGETED */
#define SW_FAULT_CANCEL_C_MODE		GENMASK(31, 30)
#define SW_CANCEL_TARGETED		0
#define SW_CANCEL_GLOBAL		1

#endif

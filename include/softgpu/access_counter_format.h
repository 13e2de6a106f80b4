/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The access-counter notification buffer (class C365): 32-byte records in
 * memory that the GPU writes at PUT and the driver reads at GET.
 */
#ifndef SOFTGPU_ACCESS_COUNTER_FORMAT_H
#define SOFTGPU_ACCESS_COUNTER_FORMAT_H

#include <linux/bits.h>

#define ACCESS_RECORD_BYTES		32
#define ACCESS_RECORD_WORDS		8

/* word 0, 1: what it is about; instance pointer of the context */
#define ACCESS_W0_TYPE			BIT(0)
#define ACCESS_TYPE_CPU			0	/* of the GPU's memory by others: MOMC */
#define ACCESS_TYPE_GPU			1	/* by the GPU of other memory: MIMC */
#define ACCESS_W0_ADDR_TYPE		BIT(1)
#define ACCESS_ADDR_GVA			0
#define ACCESS_ADDR_GPA			1
#define ACCESS_W0_BANK			GENMASK(5, 2)
#define ACCESS_W0_APERTURE		GENMASK(9, 8)
#define ACCESS_APERTURE_VID		0
#define ACCESS_APERTURE_PEER		1
#define ACCESS_APERTURE_SYS_COHERENT	2
#define ACCESS_W0_INST_APERTURE		GENMASK(11, 10)
#define ACCESS_W0_INST_LO		GENMASK(31, 12)
/* word 2, 3: address of the page whose access reached the threshold */
/* word 4: sub-regions of the granule accessed since the counter was cleared */
#define ACCESS_W5_TAG			GENMASK(19, 0)	/* counter within its bank */
#define ACCESS_W6_COUNT			GENMASK(15, 0)	/* accesses since it was cleared */
#define ACCESS_W7_ENGINE_ID		GENMASK(28, 20)
#define ACCESS_ENGINE_GRAPHICS		64
#define ACCESS_W7_VALID			BIT(31)

/*
 * A granule has 32 sub-regions; one of 64K is its only one.  2M: 64K each,
 * 16M: 512K, 16G: 512M.
 */
#define ACCESS_SUB_REGIONS		32

#define ACCESS_BANKS			16

#endif

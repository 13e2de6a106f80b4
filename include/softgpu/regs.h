/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of a software GPU, reached with rm_reg_read()/rm_reg_write().
 *
 * The roles are those of the published Turing registers (fault buffer GET and
 * PUT, interrupt leaf and enable, doorbell, PTIMER, capability); the offsets
 * are ours.
 */
#ifndef SOFTGPU_REGS_H
#define SOFTGPU_REGS_H

#include <linux/bits.h>

/* Replayable fault buffer: indices of records, not bytes. */
#define REG_FAULT_GET			0x0000
#define REG_FAULT_GET_INDEX		GENMASK(19, 0)
#define REG_FAULT_GET_CLEAR_CORRUPTED	BIT(30)
#define REG_FAULT_GET_CLEAR_OVERFLOW	BIT(31)
#define REG_FAULT_PUT			0x0004
#define REG_FAULT_PUT_INDEX		GENMASK(19, 0)
#define REG_FAULT_PUT_OVERFLOW		BIT(31)
#define REG_FAULT_SIZE			0x0008	/* records, read only */
#define REG_FAULT_PREFETCH		0x000c	/* 1: prefetch faults reported */

/*
 * Interrupts.  PENDING is level: FAULT is set while GET != PUT.  An interrupt
 * is raised when (PENDING & ENABLE) becomes non-zero, and again ("pulse") on
 * a write of GET or of EN_SET while it is non-zero.
 */
#define REG_INTR_PENDING		0x0100	/* read only */
#define REG_INTR_EN			0x0104	/* read only */
#define REG_INTR_EN_SET			0x0108
#define REG_INTR_EN_CLEAR		0x010c
#define REG_INTR_REPLAYABLE_FAULT	BIT(0)
#define REG_INTR_ACCESS_COUNTER		BIT(1)
#define REG_INTR_NON_REPLAYABLE_FAULT	BIT(2)
#define REG_INTR_RECORDER		BIT(3)

#define REG_TIME_LO			0x0200	/* device ns */
#define REG_TIME_HI			0x0204

/*
 * Capabilities beyond published hardware, all off by default: a bit of REG_CAPS
 * says that there is one, the same bit of REG_EXT_ENABLE turns it on.  Other
 * bits of REG_EXT_ENABLE have no effect and read 0.
 */
#define REG_CAPS			0x0300	/* read only */
#define REG_EXT_ENABLE			0x0304
#define REG_CAP_FAULT_ORIGIN		BIT(0)	/* fault_format.h */
#define REG_CAP_ACCESSED		BIT(1)	/* REG_ACCESSED_* */
#define REG_CAP_OVERSUBSCRIBE		BIT(2)	/* REG_OVERSUB_* */
#define REG_CAP_SM_LIMIT		BIT(3)	/* REG_SM_LIMIT */
#define REG_CAP_FREE_EVICTION		BIT(4)	/* copies to system memory take no time */
#define REG_CAP_COMPRESSION		BIT(5)	/* GPU memory is compressed, and slower */
#define REG_CAP_RECORDER		BIT(6)	/* REG_RECORDER_* */
#define REG_CAP_ACCESS_STALL		BIT(7)	/* accesses wait for counters that have told */

/*
 * Access counters: indices of records.  PENDING has ACCESS_COUNTER while GET !=
 * PUT.  Turning them on, or another granularity, clears all counters.  A
 * threshold of 0 is as good as 1.  Not every GPU has REG_CAP_ACCESS_STALL.  With it in
 * REG_EXT_ENABLE, the access that makes a counter write its record waits until the counter is
 * cleared.  Accesses that come meanwhile wait, too.
 */
#define REG_ACCESS_COUNTER_CONFIG	0x0400
#define REG_ACCESS_COUNTER_THRESHOLD	GENMASK(15, 0)
#define REG_ACCESS_COUNTER_GRANULARITY	GENMASK(17, 16)
#define ACCESS_GRANULARITY_64K		0
#define ACCESS_GRANULARITY_2M		1
#define ACCESS_GRANULARITY_16M		2
#define ACCESS_GRANULARITY_16G		3
#define REG_ACCESS_COUNTER_ENABLE	BIT(31)
#define REG_ACCESS_COUNTER_GET		0x0404
#define REG_ACCESS_COUNTER_PUT		0x0408	/* read only */
#define REG_ACCESS_COUNTER_INDEX	GENMASK(19, 0)
#define REG_ACCESS_COUNTER_OVERFLOW	BIT(31)	/* PUT: happened; GET: clears it */
#define REG_ACCESS_COUNTER_SIZE		0x040c	/* records, read only */

/*
 * Extension: blocks per SM that may be runnable beyond what its resources hold.
 * Greater values become REG_OVERSUB_MAX.  Without REG_CAP_OVERSUBSCRIBE in
 * REG_EXT_ENABLE it is as good as 0.
 */
#define REG_OVERSUB_LIMIT		0x0500
#define REG_OVERSUB_MAX			0x0504	/* read only */

/*
 * Extension: SMs with this index and above issue nothing and take no blocks; 0: no
 * limit.  Without REG_CAP_SM_LIMIT in REG_EXT_ENABLE it is as good as 0.
 */
#define REG_SM_LIMIT			0x0508
#define REG_SM_COUNT			0x050c	/* read only */

/*
 * Extension: when SMs last accessed a frame of GPU memory, or 64 KB of it, in ticks of
 * 4096 ns, which wrap; 0 if not since the extension was turned on.  A write of
 * REG_ACCESSED_START, of any value, clears all and has tick 1 begin.
 */
#define REG_ACCESSED_START		0x0510	/* write only */
#define REG_ACCESSED_TICK_SHIFT		12

/*
 * Extension: the recorder.  Its ring has records (recorder_format.h) from GET to PUT.
 * HIR: page-walk hits of GPU memory, counted per page in recorder_entries entries of
 * recorder_pages pages; a write of TRANSFER, of any value, has those in use written, in the order
 * of their first hit, and begin anew; BUSY is 1 until that is done.  WALKS: each hit is written at
 * once; PENDING has RECORDER while the ring is half full; walks wait while it is full.  ACCESSES:
 * lines accessed of each 64 KB, or with REQUESTS what asked for them, by TRANSFER.  Another CONFIG,
 * or REG_EXT_ENABLE without REG_CAP_RECORDER, forgets all.
 */
#define REG_RECORDER_CONFIG		0x0520
#define REG_RECORDER_MODE		GENMASK(1, 0)
#define RECORDER_MODE_OFF		0
#define RECORDER_MODE_HIR		1
#define RECORDER_MODE_WALKS		2
#define RECORDER_MODE_ACCESSES		3
#define REG_RECORDER_REPLAYS		BIT(4)	/* the walk of an access that had faulted counts */
#define REG_RECORDER_EVERY_WALK		BIT(5)	/* also for a page that the L2 TLB has by then */
#define REG_RECORDER_REPLACE		BIT(6)	/* full: what began first goes; else the hit does */
#define REG_RECORDER_NO_FILL		BIT(7)	/* walks fill no TLB: each access is one */
#define REG_RECORDER_REQUESTS		BIT(8)	/* ACCESSES counts requests, not lines */
#define REG_RECORDER_TRANSFER		0x0524	/* write only */
#define REG_RECORDER_BUSY		0x0528	/* read only */
#define REG_RECORDER_GET		0x052c
#define REG_RECORDER_PUT		0x0530	/* read only */
#define REG_RECORDER_SIZE		0x0534	/* records, read only */
#define REG_RECORDER_COUNT		0x0538	/* hits since CONFIG changed; read only */
#define REG_RECORDER_LOST		0x053c	/* of these, those that were lost; read only */

#define REG_ACCESSED_2M(i)		(0x0800000 + 4 * (i))	/* read only */
#define REG_ACCESSED_64K(i)		(0x1000000 + 4 * (i))	/* read only */
#define REG_ACCESSED_LAST		0x1ffffff

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a profile is: one file, profile_NAME.c, with a value and a source for each key.  Sources
 * name rows of published figures; "assumed" means that nobody measured it, a plausible value was
 * taken.
 */
#ifndef SOFTGPU_PROFILE_TABLE_H
#define SOFTGPU_PROFILE_TABLE_H

#include <linux/types.h>
#include <softgpu/profile.h>
#include "mmu/far_fault_types.h"
#include "mmu/tlb_types.h"

/* Sources that several profiles have. */
#define SRC_PCIE	"PCIe 3.0 x16"
#define SRC_ASSUMED	"assumed"
#define SRC_HPE	"HPE, machine table"
#define SRC_BATCH	"batch-aware, Table 1"
#define SRC_HIR	"HPE, V-C: 1024 entries, 8 ways, 16 counters of 2 bits"
#define SRC_COMPARE	"HPE, V-C: 300 comparisons take 19.92 % of 20 us"
#define SRC_RECORD	"HPE, V-C: 150 records take 16.1 us"
#define SRC_CLASSIFY	"HPE, V-C: classification of its largest footprint"
#define SRC_DRIVER	"measured with the driver's defaults"
#define SRC_VOLTA	"measured, Volta: 56 faults per uTLB"
#define SRC_TAGS	"EMOGI (VLDB 2020): 8-bit tags of PCIe 3.0"
#define SRC_TLP		"PCIe packet: framing, sequence, 3 dwords, LCRC (Intel AN 690)"
#define SRC_NO_HEADER	"the paper has bytes and bandwidth only"
#define SRC_CLEAR	"assumed as cost_replay: a push of host methods"
#define SRC_PEER_CPU	"assumed: the link to the CPU, HtoD; PCIe is what joins peers"
#define SRC_PEER_REMOTE	"assumed as remote_latency_ns"
#define SRC_NO_VT	"no published GPU has virtual threads"
#define SRC_SWITCH	"assumed as mem_latency_cycles: saved to GPU memory (batch-aware, 4.1)"
#define SRC_SWITCH_LINE	"assumed as mem_line_cycles: saved to GPU memory (batch-aware, 4.1)"
#define SRC_STATE	"batch-aware, footnote 5: 5 KB of a block of 64 warps"
#define SRC_EXTRA_OFF	"off: the registers decide"
#define SRC_FIG5_OFF	"off: batch-aware, 4.1 switches on page faults; on: its Figure 5"
#define SRC_MISS_4K	"a fault record names a 4K page"
#define SRC_NO_COMPRESS	"off: none"
#define SRC_REPLAY	"nvidia-uvm: a replay has all faults try again"
#define SRC_COUNTERS	"nvidia-uvm: counters tell, and accesses go on"
#define SRC_TLB_MODULO	"assumed: Mosaic's simulator (MICRO 2017) has it so"
#define SRC_PORTS	"assumed: enough of them"
#define SRC_QUANTA	"virtual clock study: fixed quanta of 64 cycles"

/**
 * struct sgpu_profile - a machine, and what the driver's work costs on it
 * @name: of profile=
 * @values: by key: the value, and where it comes from
 */
struct sgpu_profile {
	const char *name;
	struct {
		u64 value;
		const char *source;
	} values[RM_PROFILE_COUNT];
};

/* Each is listed in profile.c. */
extern const struct sgpu_profile sgpu_profile_gtx1080ti;
extern const struct sgpu_profile sgpu_profile_titanv;
extern const struct sgpu_profile sgpu_profile_asplos20;
extern const struct sgpu_profile sgpu_profile_tcad20;
extern const struct sgpu_profile sgpu_profile_date21;

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * Eviction load of one GPU; see prefetch_load.h for what and why.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "policy/prefetch_load.h"
#include "base/types.h"

static unsigned int prefetch_percent(u64 part, u64 whole)
{
	if (!part)
		return 0;
	return part >= whole ? 100 : div64_u64(part * 100, whole);
}

static void prefetch_meter_stop(struct uvm_prefetch_meter *meter)
{
	meter->load.stopped = true;
	meter->turned = 0;
}

/* @in_vain: what was evicted meanwhile had been asked for, nearly all of it. */
static void prefetch_meter_go(struct uvm_prefetch_meter *meter, bool in_vain)
{
	meter->load.stopped = false;
	meter->load.refaulting = 0;
	meter->turned = 0;
	if (in_vain)
		meter->patience = clamp(meter->patience * 2, UVM_PREFETCH_PATIENCE_MIN,
					UVM_PREFETCH_PATIENCE_MAX);
}

/* Is what was evicted full of pages that somebody asked for? */
static bool prefetch_meter_dense(const struct uvm_prefetch_meter *meter,
				 const struct uvm_prefetch_memory *memory)
{
	return meter->turned >= memory->pages &&
	       meter->left * 100 > meter->room * memory->threshold;
}

static bool prefetch_meter_thrashes(const struct uvm_prefetch_meter *meter,
				    const struct uvm_prefetch_memory *memory)
{
	return meter->load.evicting >= UVM_PREFETCH_STOP_PERCENT &&
	       meter->load.refaulting >= UVM_PREFETCH_STOP_PERCENT &&
	       meter->turned >= meter->patience * memory->pages;
}

static void prefetch_meter_close(struct uvm_prefetch_meter *meter,
				 const struct uvm_prefetch_memory *memory)
{
	struct uvm_prefetch_load *load = &meter->load;

	load->evicting = (load->evicting + prefetch_percent(meter->left, meter->came)) / 2;
	if (meter->faulted)
		load->refaulting = (load->refaulting +
				    prefetch_percent(meter->refaulted, meter->faulted)) / 2;
	meter->turned += meter->room;
	if (!meter->room)
		meter->patience = 0;
	if (load->stopped) {
		/* a window without evictions: memory suffices again */
		if (!meter->room || prefetch_meter_dense(meter, memory))
			prefetch_meter_go(meter, meter->room);
	} else if (prefetch_meter_thrashes(meter, memory)) {
		prefetch_meter_stop(meter);
	}
	meter->came = 0;
	meter->faulted = 0;
	meter->refaulted = 0;
	meter->left = 0;
	meter->room = 0;
}

static void prefetch_meter_look(struct uvm_prefetch_meter *meter,
				const struct uvm_prefetch_memory *memory)
{
	u64 window = max_t(u64, memory->pages / UVM_PREFETCH_WINDOWS, UVM_PAGES_PER_BLOCK);

	if (meter->came >= window || meter->room >= window)
		prefetch_meter_close(meter, memory);
}

/**
 * uvm_prefetch_meter_came - pages became resident on the GPU
 * @meter: of the GPU
 * @memory: the GPU's
 * @pages: how many
 * @faulted: of these, the ones that a processor asked for
 * @refaulted: of these, the ones that had been evicted before
 */
void uvm_prefetch_meter_came(struct uvm_prefetch_meter *meter,
			     const struct uvm_prefetch_memory *memory, unsigned int pages,
			     unsigned int faulted, unsigned int refaulted)
{
	meter->came += pages;
	meter->faulted += faulted;
	meter->refaulted += refaulted;
	prefetch_meter_look(meter, memory);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_prefetch_meter_came);

/**
 * uvm_prefetch_meter_left - a unit of memory was evicted
 * @meter: of the GPU
 * @memory: the GPU's
 * @pages: resident pages that it held
 * @room: pages that fit
 */
void uvm_prefetch_meter_left(struct uvm_prefetch_meter *meter,
			     const struct uvm_prefetch_memory *memory, unsigned int pages,
			     unsigned int room)
{
	meter->left += pages;
	meter->room += room;
	prefetch_meter_look(meter, memory);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_prefetch_meter_left);

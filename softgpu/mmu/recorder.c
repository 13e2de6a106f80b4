// SPDX-License-Identifier: GPL-2.0
/* The recorder; see recorder.h. */
#include <linux/bitfield.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/vmalloc.h>
#include <kunit/visibility.h>
#include <softgpu/recorder_format.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "mmu/recorder.h"

#define RECORDER_CONFIG_BITS						\
	(REG_RECORDER_MODE | REG_RECORDER_REPLAYS | REG_RECORDER_EVERY_WALK |	\
	 REG_RECORDER_REPLACE | REG_RECORDER_NO_FILL | REG_RECORDER_REQUESTS)

/* Bits of an address in HPE's entries (TCAD 2020, V-C). */
#define RECORDER_VA_BITS	64

static void recorder_transfer_due(struct sgpu_event *ev);

/* ---- tables ---------------------------------------------------------------- */

static int recorder_table_init(struct sgpu_recorder_table *table, u32 entries, u32 ways)
{
	table->sets = entries / ways;
	table->ways = ways;
	table->entry = vzalloc(array_size(entries, sizeof(*table->entry)));
	table->order = vzalloc(array_size(entries, sizeof(*table->order)));
	return table->entry && table->order ? 0 : -ENOMEM;
}

static void recorder_table_exit(struct sgpu_recorder_table *table)
{
	vfree(table->entry);
	vfree(table->order);
	table->entry = NULL;
	table->order = NULL;
}

/* The first @n of the order vector have gone, or are to go. */
static void recorder_table_drop(struct sgpu_recorder_table *table, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		table->entry[table->order[i]].used = false;
	table->count -= n;
	memmove(table->order, table->order + n, table->count * sizeof(*table->order));
}

/* Number @i of the order vector goes. */
static void recorder_table_remove(struct sgpu_recorder_table *table, u32 i)
{
	table->entry[table->order[i]].used = false;
	table->count--;
	memmove(table->order + i, table->order + i + 1,
		(table->count - i) * sizeof(*table->order));
}

/* Its set is full: of these the one that began first goes. */
static void recorder_table_make_room(struct sgpu_recorder_table *table, u32 first)
{
	u32 i;

	for (i = 0; i < table->count; i++) {
		if (table->order[i] < first || table->order[i] >= first + table->ways)
			continue;
		recorder_table_remove(table, i);
		return;
	}
}

static struct sgpu_recorder_entry *recorder_table_find(struct sgpu_recorder_table *table,
						       u64 instance, u64 tag, bool replace)
{
	u32 first, i, free = U32_MAX, set;

	div_u64_rem(tag, table->sets, &set);
	first = set * table->ways;
	for (i = first; i < first + table->ways; i++) {
		struct sgpu_recorder_entry *e = &table->entry[i];

		if (e->used && e->tag == tag && e->instance == instance)
			return e;
		if (!e->used && free == U32_MAX)
			free = i;
	}
	if (free == U32_MAX && replace) {
		recorder_table_make_room(table, first);
		return recorder_table_find(table, instance, tag, false);
	}
	if (free == U32_MAX)
		return NULL;
	table->entry[free] = (struct sgpu_recorder_entry){
		.instance = instance, .tag = tag, .used = true,
	};
	table->order[table->count++] = free;
	return &table->entry[free];
}

static void recorder_table_forget(struct sgpu_recorder_table *table, u64 instance)
{
	u32 i = 0;

	while (i < table->count) {
		if (table->entry[table->order[i]].instance == instance)
			recorder_table_remove(table, i);
		else
			i++;
	}
}

/* Counter @i of an entry goes up by one, as far as its bits reach. */
static void recorder_count_up(u32 *word, unsigned int i, unsigned int bits)
{
	unsigned int bit = i * bits, at = bit / 32, shift = bit % 32;
	u64 both = word[at], most = GENMASK_ULL(bits - 1, 0);

	if (at + 1 < SGPU_RECORDER_WORDS)
		both |= (u64)word[at + 1] << 32;
	if ((both >> shift & most) == most)
		return;
	both += 1ULL << shift;
	word[at] = lower_32_bits(both);
	if (at + 1 < SGPU_RECORDER_WORDS)
		word[at + 1] = upper_32_bits(both);
}

/* ---- the ring -------------------------------------------------------------- */

static u32 recorder_ring_used(const struct sgpu_recorder *r)
{
	return (r->put + r->entries - r->get) % r->entries;
}

static bool recorder_ring_full(const struct sgpu_recorder *r)
{
	return recorder_ring_used(r) == r->entries - 1;
}

/* Write a record at PUT; the word with VALID comes last. */
static void recorder_ring_put(struct sgpu_recorder *r, unsigned int type, u64 instance, u64 va,
			      const u32 *word)
{
	u32 *rec = r->ring + r->put * RECORDER_RECORD_WORDS;
	unsigned int i;

	WRITE_ONCE(rec[0], FIELD_PREP(RECORDER_W0_TYPE, type) |
		   (lower_32_bits(instance) & RECORDER_W0_INST_LO));
	WRITE_ONCE(rec[1], upper_32_bits(instance));
	WRITE_ONCE(rec[2], lower_32_bits(va));
	WRITE_ONCE(rec[3], upper_32_bits(va));
	for (i = 0; i < SGPU_RECORDER_WORDS; i++)
		WRITE_ONCE(rec[4 + i], word[i]);
	/* The driver reads VALID first, then the rest. */
	smp_wmb();
	WRITE_ONCE(rec[7], RECORDER_W7_VALID);
	r->put = (r->put + 1) % r->entries;
}

static struct sgpu_recorder_table *recorder_table(struct sgpu_recorder *r)
{
	return r->mode == RECORDER_MODE_ACCESSES ? &r->accesses : &r->hits;
}

/* The table goes to the ring, in order, as far as there is room. */
static void recorder_transfer(struct sgpu_recorder *r)
{
	struct sgpu_recorder_table *table = recorder_table(r);
	unsigned int type = r->mode == RECORDER_MODE_ACCESSES ? RECORDER_TYPE_ACCESSES :
								RECORDER_TYPE_HITS;
	u32 n;

	for (n = 0; n < table->count && !recorder_ring_full(r); n++) {
		const struct sgpu_recorder_entry *e = &table->entry[table->order[n]];

		recorder_ring_put(r, type, e->instance, e->tag << table->shift, e->word);
	}
	recorder_table_drop(table, n);
}

static void recorder_transfer_due(struct sgpu_event *ev)
{
	struct rm_gpu *gpu = container_of(ev, struct rm_gpu, recorder.transfer);
	struct sgpu_recorder *r = &gpu->recorder;
	unsigned long flags;

	spin_lock_irqsave(&r->lock, flags);
	if (r->busy && r->mode != RECORDER_MODE_OFF)
		recorder_transfer(r);
	r->busy = false;
	spin_unlock_irqrestore(&r->lock, flags);
	sim_wake(&gpu->progress);
}

/* Latency of the link, and its bandwidth for what is in the table (TCAD 2020, V-B). */
static void recorder_begin_transfer(struct rm_gpu *gpu)
{
	struct sgpu_recorder *r = &gpu->recorder;
	const struct sgpu_recorder_table *table = recorder_table(r);
	u64 ps = sgpu_prof(gpu, copy_dtoh_latency_ns) * PS_PER_NS;

	if (r->busy)
		return;
	r->busy = true;
	ps += div64_u64((u64)table->count * table->bytes * 1000000,
			sgpu_prof(gpu, copy_dtoh_mbps));
	sgpu_event_at(&r->transfer, sgpu_now_ps() + ps);
}

/* ---- what is recorded ------------------------------------------------------- */

bool sgpu_recorder_full(struct rm_gpu *gpu)
{
	struct sgpu_recorder *r = &gpu->recorder;
	unsigned long flags;
	bool full;

	if (likely(sgpu_recorder_mode(r) != RECORDER_MODE_WALKS))
		return false;
	spin_lock_irqsave(&r->lock, flags);
	full = r->mode == RECORDER_MODE_WALKS && recorder_ring_full(r);
	spin_unlock_irqrestore(&r->lock, flags);
	return full;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_recorder_full);

/* The interrupt comes before the ring is full. */
static void recorder_look_at_ring(struct sgpu_recorder *r)
{
	WRITE_ONCE(r->pending, r->mode == RECORDER_MODE_WALKS &&
		   recorder_ring_used(r) >= r->entries / 2);
}

static void recorder_hit(struct sgpu_recorder *r, const struct sgpu_recorder_hit *hit)
{
	u32 word[SGPU_RECORDER_WORDS] = {
		hit->replayed ? RECORDER_W4_REPLAYED : 0,
		min_t(u32, hit->requests, FIELD_MAX(RECORDER_W5_REQUESTS)),
	};
	struct sgpu_recorder_entry *e;
	u64 page = hit->va >> 12;

	r->recorded++;
	if (r->mode == RECORDER_MODE_WALKS && WARN_ON_ONCE(recorder_ring_full(r)))
		return;
	if (r->mode == RECORDER_MODE_WALKS) {
		recorder_ring_put(r, RECORDER_TYPE_WALK, hit->instance, page << 12, word);
		recorder_look_at_ring(r);
		return;
	}
	e = recorder_table_find(&r->hits, hit->instance, hit->va >> r->hits.shift,
				r->config & REG_RECORDER_REPLACE);
	if (e)
		recorder_count_up(e->word, page & (BIT(r->hits.shift - 12) - 1),
				  r->counter_bits);
	else
		r->lost++;
}

void sgpu_recorder_walked(struct rm_gpu *gpu, const struct sgpu_recorder_hit *hit)
{
	struct sgpu_recorder *r = &gpu->recorder;
	unsigned long flags;

	spin_lock_irqsave(&r->lock, flags);
	if ((r->mode == RECORDER_MODE_HIR || r->mode == RECORDER_MODE_WALKS) &&
	    (!hit->replayed || r->config & REG_RECORDER_REPLAYS) &&
	    (!hit->known || r->config & REG_RECORDER_EVERY_WALK))
		recorder_hit(r, hit);
	spin_unlock_irqrestore(&r->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_recorder_walked);

void sgpu_recorder_count(struct rm_gpu *gpu, u64 instance, u64 va, u32 lines, bool local)
{
	struct sgpu_recorder *r = &gpu->recorder;
	struct sgpu_recorder_entry *e;
	unsigned long flags;
	u32 *word;

	spin_lock_irqsave(&r->lock, flags);
	if (r->config & REG_RECORDER_REQUESTS)
		lines = 1;
	if (r->mode == RECORDER_MODE_ACCESSES) {
		r->recorded += lines;
		e = recorder_table_find(&r->accesses, instance, va >> r->accesses.shift,
					r->config & REG_RECORDER_REPLACE);
		if (e) {
			word = &e->word[local ? 0 : 1];
			*word = min_t(u32, *word + lines, FIELD_MAX(RECORDER_W4_LOCAL));
		} else {
			r->lost += lines;
		}
	}
	spin_unlock_irqrestore(&r->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_recorder_count);

void sgpu_recorder_forget(struct rm_gpu *gpu, u64 instance)
{
	struct sgpu_recorder *r = &gpu->recorder;
	unsigned long flags;

	spin_lock_irqsave(&r->lock, flags);
	recorder_table_forget(&r->hits, instance);
	recorder_table_forget(&r->accesses, instance);
	spin_unlock_irqrestore(&r->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_recorder_forget);

/* ---- registers --------------------------------------------------------------- */

/* Nothing of what was recorded in another way is left. */
static void recorder_reset(struct sgpu_recorder *r)
{
	recorder_table_drop(&r->hits, r->hits.count);
	recorder_table_drop(&r->accesses, r->accesses.count);
	r->get = r->put;
	r->busy = false;
	r->recorded = 0;
	r->lost = 0;
	recorder_look_at_ring(r);
}

static void recorder_set_mode(struct sgpu_recorder *r, u32 config, bool enabled)
{
	u32 mode = enabled ? FIELD_GET(REG_RECORDER_MODE, config) : RECORDER_MODE_OFF;
	bool changed = mode != r->mode || config != r->config;

	r->config = config;
	r->enabled = enabled;
	WRITE_ONCE(r->mode, mode);
	WRITE_ONCE(r->no_fill, mode != RECORDER_MODE_OFF && config & REG_RECORDER_NO_FILL);
	if (changed)
		recorder_reset(r);
}

void sgpu_recorder_enable(struct rm_gpu *gpu, bool on)
{
	struct sgpu_recorder *r = &gpu->recorder;
	unsigned long flags;

	spin_lock_irqsave(&r->lock, flags);
	recorder_set_mode(r, r->config, on);
	spin_unlock_irqrestore(&r->lock, flags);
}

u32 sgpu_recorder_reg_read(struct rm_gpu *gpu, u32 reg)
{
	struct sgpu_recorder *r = &gpu->recorder;
	unsigned long flags;
	u32 value = 0;

	spin_lock_irqsave(&r->lock, flags);
	switch (reg) {
	case REG_RECORDER_CONFIG:
		value = r->config;
		break;
	case REG_RECORDER_BUSY:
		value = r->busy;
		break;
	case REG_RECORDER_GET:
		value = r->get;
		break;
	case REG_RECORDER_PUT:
		value = r->put;
		break;
	case REG_RECORDER_SIZE:
		value = r->entries;
		break;
	case REG_RECORDER_COUNT:
		value = min_t(u64, r->recorded, U32_MAX);
		break;
	case REG_RECORDER_LOST:
		value = min_t(u64, r->lost, U32_MAX);
		break;
	}
	spin_unlock_irqrestore(&r->lock, flags);
	return value;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_recorder_reg_read);

void sgpu_recorder_reg_write(struct rm_gpu *gpu, u32 reg, u32 value)
{
	struct sgpu_recorder *r = &gpu->recorder;
	unsigned long flags;

	spin_lock_irqsave(&r->lock, flags);
	if (reg == REG_RECORDER_CONFIG) {
		recorder_set_mode(r, value & RECORDER_CONFIG_BITS, r->enabled);
	} else if (reg == REG_RECORDER_TRANSFER) {
		if (r->mode == RECORDER_MODE_HIR || r->mode == RECORDER_MODE_ACCESSES)
			recorder_begin_transfer(gpu);
	} else if (reg == REG_RECORDER_GET && value < r->entries) {
		/* an index outside the ring is ignored */
		r->get = value;
		recorder_look_at_ring(r);
	}
	spin_unlock_irqrestore(&r->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_recorder_reg_write);

/* ---- life --------------------------------------------------------------------- */

int sgpu_recorder_init(struct rm_gpu *gpu)
{
	u32 pages = sgpu_prof(gpu, recorder_pages);
	struct sgpu_recorder *r = &gpu->recorder;

	memset(r, 0, sizeof(*r));
	spin_lock_init(&r->lock);
	sgpu_event_init(&r->transfer, gpu->index, SGPU_WORKER_MMU, recorder_transfer_due);
	r->counter_bits = sgpu_prof(gpu, recorder_counter_bits);
	r->hits.shift = 12 + ilog2(pages);
	r->hits.bytes = DIV_ROUND_UP(RECORDER_VA_BITS - r->hits.shift + pages * r->counter_bits,
				     BITS_PER_BYTE);
	r->accesses.shift = RECORDER_GRANULE_SHIFT;
	r->accesses.bytes = DIV_ROUND_UP(RECORDER_VA_BITS - RECORDER_GRANULE_SHIFT +
					 2 * hweight32(RECORDER_W4_LOCAL), BITS_PER_BYTE);
	r->entries = sgpu_prof(gpu, recorder_ring_entries);
	r->ring = vzalloc(array_size(r->entries, RECORDER_RECORD_BYTES));
	if (!r->ring ||
	    recorder_table_init(&r->hits, sgpu_prof(gpu, recorder_entries),
				sgpu_prof(gpu, recorder_ways)) ||
	    recorder_table_init(&r->accesses, sgpu_prof(gpu, recorder_granules),
				sgpu_prof(gpu, recorder_ways))) {
		sgpu_recorder_exit(gpu);
		return -ENOMEM;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_recorder_init);

void sgpu_recorder_exit(struct rm_gpu *gpu)
{
	struct sgpu_recorder *r = &gpu->recorder;

	sgpu_event_cancel(&r->transfer);
	recorder_table_exit(&r->hits);
	recorder_table_exit(&r->accesses);
	vfree(r->ring);
	r->ring = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_recorder_exit);

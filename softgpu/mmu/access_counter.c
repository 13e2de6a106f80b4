// SPDX-License-Identifier: GPL-2.0
/* Access counters; see access_counter.h. */
#include <linux/bitfield.h>
#include <linux/log2.h>
#include <linux/vmalloc.h>
#include <kunit/visibility.h>
#include <softgpu/access_counter_format.h>
#include <softgpu/host_class.h>
#include "base/gpu.h"
#include "base/trace.h"
#include "clock/clock.h"
#include "mmu/access_counter.h"
#include "mmu/fault_buffer.h"

/* log2 of what REG_ACCESS_COUNTER_CONFIG can say of the granularity. */
static const u8 sgpu_counter_shifts[] = {
	[ACCESS_GRANULARITY_64K] = 16,
	[ACCESS_GRANULARITY_2M] = 21,
	[ACCESS_GRANULARITY_16M] = 24,
	[ACCESS_GRANULARITY_16G] = 34,
};

static size_t sgpu_counters_total(const struct sgpu_access_counters *ac)
{
	return (size_t)ACCESS_BANKS * ac->sets * SGPU_COUNTER_WAYS;
}

static void sgpu_counters_reset(struct sgpu_access_counters *ac)
{
	memset(ac->table, 0, sgpu_counters_total(ac) * sizeof(*ac->table));
	ac->last = NULL;
}

static void sgpu_counters_set_config(struct sgpu_access_counters *ac, u32 value)
{
	unsigned int granularity = FIELD_GET(REG_ACCESS_COUNTER_GRANULARITY, value);
	bool enable = value & REG_ACCESS_COUNTER_ENABLE;

	/* Old counts mean nothing in other granules, or after a time of silence. */
	if ((enable && !ac->enabled) || ac->shift != sgpu_counter_shifts[granularity])
		sgpu_counters_reset(ac);
	ac->config = value & (REG_ACCESS_COUNTER_THRESHOLD | REG_ACCESS_COUNTER_GRANULARITY |
			      REG_ACCESS_COUNTER_ENABLE);
	ac->threshold = FIELD_GET(REG_ACCESS_COUNTER_THRESHOLD, value);
	ac->shift = sgpu_counter_shifts[granularity];
	ac->sub_shift = granularity == ACCESS_GRANULARITY_64K ?
			ac->shift : ac->shift - ilog2(ACCESS_SUB_REGIONS);
	WRITE_ONCE(ac->enabled, enable);
}

int sgpu_access_counters_init(struct rm_gpu *gpu)
{
	struct sgpu_access_counters *ac = &gpu->counters;

	BUILD_BUG_ON(ARRAY_SIZE(sgpu_counter_shifts) !=
		     FIELD_MAX(REG_ACCESS_COUNTER_GRANULARITY) + 1);
	memset(ac, 0, sizeof(*ac));
	spin_lock_init(&ac->lock);
	ac->sets = sgpu_prof(gpu, access_counters) / (ACCESS_BANKS * SGPU_COUNTER_WAYS);
	ac->entries = sgpu_prof(gpu, access_ring_entries);
	ac->ring = vzalloc(array_size(ac->entries, ACCESS_RECORD_BYTES));
	ac->table = vzalloc(array_size(sgpu_counters_total(ac), sizeof(*ac->table)));
	if (!ac->ring || !ac->table) {
		sgpu_access_counters_exit(gpu);
		return -ENOMEM;
	}
	sgpu_counters_set_config(ac, 0);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_access_counters_init);

void sgpu_access_counters_exit(struct rm_gpu *gpu)
{
	struct sgpu_access_counters *ac = &gpu->counters;

	vfree(ac->ring);
	vfree(ac->table);
	ac->ring = NULL;
	ac->table = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_access_counters_exit);

/* First of the ways that a granule can be in. */
static struct sgpu_counter *sgpu_counters_set(struct sgpu_access_counters *ac, u64 granule)
{
	u32 bank = granule % ACCESS_BANKS;
	u32 set = granule / ACCESS_BANKS % ac->sets;

	return &ac->table[((size_t)bank * ac->sets + set) * SGPU_COUNTER_WAYS];
}

/* The granule's counter; NULL if it has none. */
static struct sgpu_counter *sgpu_counters_lookup(struct sgpu_access_counters *ac, u64 instance,
						 u64 granule)
{
	struct sgpu_counter *c = ac->last, *set;
	unsigned int way;

	if (c && c->count && c->granule == granule && c->instance == instance)
		return c;
	set = sgpu_counters_set(ac, granule);
	for (way = 0; way < SGPU_COUNTER_WAYS; way++) {
		c = &set[way];
		if (c->count && c->granule == granule && c->instance == instance)
			return c;
	}
	return NULL;
}

/* Is a counter rather taken than another one?  One that is free, else the one used longer ago. */
static bool sgpu_counter_before(const struct sgpu_counter *c, const struct sgpu_counter *other)
{
	return other->count && (!c->count || c->stamp < other->stamp);
}

/* A granule that has no counter gets one of its set; NULL if accesses wait for all of them. */
static struct sgpu_counter *sgpu_counters_take(struct sgpu_access_counters *ac, u64 instance,
					       u64 granule)
{
	struct sgpu_counter *set = sgpu_counters_set(ac, granule), *victim = NULL, *c;

	for (c = set; c < set + SGPU_COUNTER_WAYS; c++) {
		if (ac->stall && c->notified)
			continue;
		if (!victim || sgpu_counter_before(c, victim))
			victim = c;
	}
	if (!victim)
		return NULL;
	ac->evicted += !!victim->count;
	*victim = (struct sgpu_counter){ .instance = instance, .granule = granule };
	return victim;
}

/* Write the record at PUT; the word with VALID comes last. */
static void sgpu_counters_write(struct sgpu_access_counters *ac, const struct sgpu_counter *c,
				u64 va, bool peer, unsigned int bank, u32 tag)
{
	u32 *rec = ac->ring + ac->put * ACCESS_RECORD_WORDS;

	WRITE_ONCE(rec[0], FIELD_PREP(ACCESS_W0_TYPE, ACCESS_TYPE_GPU) |
		   FIELD_PREP(ACCESS_W0_ADDR_TYPE, ACCESS_ADDR_GVA) |
		   FIELD_PREP(ACCESS_W0_BANK, bank) |
		   FIELD_PREP(ACCESS_W0_APERTURE, peer ? ACCESS_APERTURE_PEER :
						  ACCESS_APERTURE_SYS_COHERENT) |
		   (lower_32_bits(c->instance) & ACCESS_W0_INST_LO));
	WRITE_ONCE(rec[1], upper_32_bits(c->instance));
	WRITE_ONCE(rec[2], lower_32_bits(va) & ~0xfffU);
	WRITE_ONCE(rec[3], upper_32_bits(va));
	WRITE_ONCE(rec[4], c->sub);
	WRITE_ONCE(rec[5], FIELD_PREP(ACCESS_W5_TAG, tag));
	WRITE_ONCE(rec[6], FIELD_PREP(ACCESS_W6_COUNT, c->count));
	/* The driver reads VALID first, then the rest. */
	smp_wmb();
	WRITE_ONCE(rec[7], FIELD_PREP(ACCESS_W7_ENGINE_ID, ACCESS_ENGINE_GRAPHICS) |
		   ACCESS_W7_VALID);
}

/* The counter has reached the threshold: tell, if there is room to. */
static void sgpu_counters_notify(struct rm_gpu *gpu, struct sgpu_counter *c, u64 va, bool peer)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	u32 per_bank = ac->sets * SGPU_COUNTER_WAYS;
	u32 index = c - ac->table, next = (ac->put + 1) % ac->entries;
	bool was_empty = ac->get == ac->put;

	if (next == ac->get) {
		ac->overflow = true;
		ac->dropped++;
		return;
	}
	sgpu_counters_write(ac, c, va, peer, index / per_bank, index % per_bank);
	trace_softgpu_access_counter(gpu->index, c->instance, va, c->sub, c->count,
				     index / per_bank, index % per_bank, ac->put,
				     sgpu_now_ps() / PS_PER_NS);
	c->notified = true;
	ac->put = next;
	ac->written++;
	if (was_empty)
		sgpu_intr_set_level(gpu, REG_INTR_ACCESS_COUNTER, true);
}

static enum sgpu_counted sgpu_counters_add(struct rm_gpu *gpu, u64 instance, u64 va, bool peer,
					   u32 lines)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	u64 granule = va >> ac->shift;
	struct sgpu_counter *c = sgpu_counters_lookup(ac, instance, granule);

	if (!c)
		c = sgpu_counters_take(ac, instance, granule);
	if (!c) {
		ac->uncounted++;
		return SGPU_COUNTED_GO;
	}
	if (ac->stall && c->notified)
		return SGPU_COUNTED_NOT;
	ac->last = c;
	c->stamp = ++ac->clock;
	c->sub |= BIT((va >> ac->sub_shift) % (1U << (ac->shift - ac->sub_shift)));
	c->count = min_t(u32, c->count + lines, U16_MAX);
	ac->accesses += lines;
	if (c->count >= ac->threshold && !c->notified)
		sgpu_counters_notify(gpu, c, va, peer);
	return ac->stall && c->notified ? SGPU_COUNTED_WAIT : SGPU_COUNTED_GO;
}

enum sgpu_counted sgpu_access_counters_count(struct rm_gpu *gpu, u64 instance, u64 va, bool peer,
					     u32 lines)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	enum sgpu_counted counted = SGPU_COUNTED_GO;
	unsigned long flags;

	spin_lock_irqsave(&ac->lock, flags);
	if (ac->enabled)
		counted = sgpu_counters_add(gpu, instance, va, peer, lines);
	spin_unlock_irqrestore(&ac->lock, flags);
	return counted;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_access_counters_count);

bool sgpu_access_counters_stall(struct rm_gpu *gpu, u64 instance, u64 va)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	const struct sgpu_counter *c;
	unsigned long flags;
	bool stall = false;

	spin_lock_irqsave(&ac->lock, flags);
	if (ac->enabled && ac->stall) {
		c = sgpu_counters_lookup(ac, instance, va >> ac->shift);
		stall = c && c->notified;
	}
	spin_unlock_irqrestore(&ac->lock, flags);
	return stall;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_access_counters_stall);

void sgpu_access_counters_set_stall(struct rm_gpu *gpu, bool on)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	unsigned long flags;

	spin_lock_irqsave(&ac->lock, flags);
	ac->stall = on;
	spin_unlock_irqrestore(&ac->lock, flags);
}

void sgpu_access_counters_clear(struct rm_gpu *gpu, unsigned int type)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	unsigned long flags;

	/* There are no counters of accesses by others. */
	if (type == HOST_COUNTER_CLR_MOMC)
		return;
	spin_lock_irqsave(&ac->lock, flags);
	sgpu_counters_reset(ac);
	spin_unlock_irqrestore(&ac->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_access_counters_clear);

bool sgpu_access_counters_clear_one(struct rm_gpu *gpu, unsigned int bank, u32 tag,
				    struct sgpu_counter_span *span)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	u32 per_bank = ac->sets * SGPU_COUNTER_WAYS;
	struct sgpu_counter *c;
	unsigned long flags;
	bool told;

	if (bank >= ACCESS_BANKS || tag >= per_bank)
		return false;
	c = &ac->table[(size_t)bank * per_bank + tag];
	spin_lock_irqsave(&ac->lock, flags);
	told = c->notified;
	span->instance = c->instance;
	span->first = c->granule << ac->shift;
	span->last = span->first + (1ULL << ac->shift) - 1;
	*c = (struct sgpu_counter){};
	spin_unlock_irqrestore(&ac->lock, flags);
	return told;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_access_counters_clear_one);

void sgpu_access_counters_forget(struct rm_gpu *gpu, u64 instance)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	unsigned long flags;
	size_t i;

	spin_lock_irqsave(&ac->lock, flags);
	for (i = 0; i < sgpu_counters_total(ac); i++)
		if (ac->table[i].instance == instance)
			ac->table[i] = (struct sgpu_counter){};
	spin_unlock_irqrestore(&ac->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_access_counters_forget);

u32 sgpu_access_counters_reg_read(struct rm_gpu *gpu, u32 reg)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	unsigned long flags;
	u32 value = 0;

	spin_lock_irqsave(&ac->lock, flags);
	switch (reg) {
	case REG_ACCESS_COUNTER_CONFIG:
		value = ac->config;
		break;
	case REG_ACCESS_COUNTER_GET:
		value = ac->get;
		break;
	case REG_ACCESS_COUNTER_PUT:
		value = ac->put | (ac->overflow ? REG_ACCESS_COUNTER_OVERFLOW : 0);
		break;
	case REG_ACCESS_COUNTER_SIZE:
		value = ac->entries;
		break;
	}
	spin_unlock_irqrestore(&ac->lock, flags);
	return value;
}

/* An index outside the ring is ignored. */
static void sgpu_counters_set_get(struct rm_gpu *gpu, u32 value)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	u32 index = FIELD_GET(REG_ACCESS_COUNTER_INDEX, value);

	if (index < ac->entries)
		ac->get = index;
	if (value & REG_ACCESS_COUNTER_OVERFLOW)
		ac->overflow = false;
	sgpu_intr_set_level(gpu, REG_INTR_ACCESS_COUNTER, ac->get != ac->put);
}

void sgpu_access_counters_reg_write(struct rm_gpu *gpu, u32 reg, u32 value)
{
	struct sgpu_access_counters *ac = &gpu->counters;
	unsigned long flags;

	spin_lock_irqsave(&ac->lock, flags);
	if (reg == REG_ACCESS_COUNTER_CONFIG)
		sgpu_counters_set_config(ac, value);
	else if (reg == REG_ACCESS_COUNTER_GET)
		sgpu_counters_set_get(gpu, value);
	spin_unlock_irqrestore(&ac->lock, flags);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Physical chunks: random use against a model that knows only bytes and times.
 */
#include <kunit/test.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include "uvm/model/chunk.h"
#include "evictor_fixture.h"
#include "uvm_pure.h"

static unsigned int chunk_seed = 1;
module_param(chunk_seed, uint, 0444);
MODULE_PARM_DESC(chunk_seed, "seed of the random use of chunks");

#define ROOTS	6
#define M2	0x200000ULL

struct model_fixture {
	struct uvm_chunk_pool pool;
	struct uvm_chunk roots[ROOTS];
};

static int model_init(struct kunit *test)
{
	struct model_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	uvm_chunk_pool_init(&f->pool, f->roots, ROOTS, NULL, NULL);
	evictor_fixture_use(test, &f->pool, uvm_policy_find_eviction("lru"));
	test->priv = f;
	return 0;
}

#define MODEL_CHUNKS	200
#define MODEL_UNITS	(ROOTS * 512)

struct model_chunk {
	struct uvm_chunk *chunk;
	u64 pa;
	enum uvm_chunk_size size;
	bool pinned;
};

struct model {
	struct model_chunk c[MODEL_CHUNKS];
	unsigned int n;
	enum uvm_chunk_size unit;
	bool ours[ROOTS];
	u64 used_at[MODEL_UNITS];	/* of the last use; 0: on no list of used units */
	u64 unused_at[MODEL_UNITS];
	u64 now;
	u8 *page;		/* per 4K page: 0 free, 1 taken */
};

static int model_root(const struct model_chunk *c)
{
	return c->pa / M2;
}

/* Units are told by their first 4K page. */
static int model_key(const struct model *m, u64 pa, enum uvm_chunk_size size)
{
	return round_down(pa, uvm_chunk_bytes(max(size, m->unit))) >> 12;
}

static int model_unit(const struct model *m, const struct model_chunk *c)
{
	return model_key(m, c->pa, c->size);
}

static void model_fill(struct model *m, const struct model_chunk *c, u8 value)
{
	memset(&m->page[c->pa >> 12], value, uvm_chunk_bytes(c->size) >> 12);
}

static bool model_has_free(const struct model *m, enum uvm_chunk_size size)
{
	unsigned int pages = uvm_chunk_bytes(size) >> 12;

	for (unsigned int p = 0; p < ROOTS * 512; p += pages) {
		if (m->ours[p / 512] && !memchr_inv(&m->page[p], 0, pages))
			return true;
	}
	return false;
}

/* Is anything pinned in the part of @size around a page? */
static bool model_pinned(const struct model *m, int page, enum uvm_chunk_size size)
{
	int first = model_key(m, (u64)page << 12, size), pages = uvm_chunk_bytes(size) >> 12;

	for (unsigned int i = 0; i < m->n; i++) {
		int at = m->c[i].pa >> 12;

		if (m->c[i].pinned && at >= first && at < first + pages)
			return true;
	}
	return false;
}

/* First page of the unit to be evicted next, alone or with @size around it; or -1. */
static int model_victim(const struct model *m, enum uvm_chunk_size size)
{
	int best = -1;

	for (int list = 0; list < 2; list++) {
		const u64 *at = list ? m->used_at : m->unused_at;

		for (unsigned int i = 0; i < m->n; i++) {
			int u = model_unit(m, &m->c[i]);

			if (at[u] && (best < 0 || at[u] < at[best]) &&
			    !model_pinned(m, u, max(size, m->c[i].size)))
				best = u;
		}
		if (best >= 0)
			return best;
	}
	return -1;
}

static void model_use(struct model *m, int u)
{
	m->used_at[u] = ++m->now;
	m->unused_at[u] = 0;
}

static void model_forget(struct model *m, unsigned int i)
{
	int u = model_unit(m, &m->c[i]);

	model_fill(m, &m->c[i], 0);
	m->c[i] = m->c[--m->n];
	for (i = 0; i < m->n; i++) {
		if (model_unit(m, &m->c[i]) == u)
			return;
	}
	m->used_at[u] = 0;
	m->unused_at[u] = 0;
}

/* A chunk is given back: what is left of its unit, if that has a place, was used just now. */
static void model_free(struct model *m, unsigned int i)
{
	int u = model_unit(m, &m->c[i]);

	model_forget(m, i);
	if (m->used_at[u])
		model_use(m, u);
}

static void model_alloc(struct kunit *test, struct model *m, enum uvm_chunk_size size)
{
	struct model_fixture *f = test->priv;
	struct model_chunk *c = &m->c[m->n];
	int ret;

	if (m->n == MODEL_CHUNKS)
		return;
	ret = uvm_chunk_alloc(&f->pool, size, GFP_KERNEL, &c->chunk);
	KUNIT_ASSERT_EQ(test, ret, model_has_free(m, size) ? 0 : -ENOSPC);
	if (ret)
		return;
	c->pa = c->chunk->pa;
	c->size = size;
	c->pinned = true;
	KUNIT_ASSERT_EQ(test, c->pa % uvm_chunk_bytes(size), 0);
	KUNIT_ASSERT_TRUE(test, m->ours[model_root(c)]);
	KUNIT_ASSERT_NULL_MSG(test, memchr_inv(&m->page[c->pa >> 12], 0,
					       uvm_chunk_bytes(size) >> 12), "overlap");
	model_fill(m, c, 1);
	m->n++;
}

static bool model_any_free(struct model_fixture *f, enum uvm_chunk_size size)
{
	for (; size < UVM_CHUNK_SIZES; size++) {
		if (f->pool.count[size][UVM_CHUNK_FREE])
			return true;
	}
	return false;
}

/* Some leaves leave, or all. */
static struct uvm_chunk *model_empty(struct model *m, struct model_fixture *f,
				     struct uvm_chunk *victim, u32 fate)
{
	struct uvm_chunk *leaf;

	for (u32 n = 0; (leaf = uvm_chunk_pool_evict_next_leaf(&f->pool, victim)); n++) {
		if (!(fate & 3) && n >= fate >> 2)
			break;
		for (unsigned int i = 0; i < m->n; i++) {
			if (m->c[i].chunk == leaf) {
				model_forget(m, i);
				break;
			}
		}
		uvm_chunk_free(&f->pool, leaf, false);
	}
	return leaf;
}

static void model_evict(struct kunit *test, struct model *m, enum uvm_chunk_size size, u32 fate)
{
	struct model_fixture *f = test->priv;
	int want = model_victim(m, size), ret;
	struct uvm_chunk *victim;

	if (model_any_free(f, size))
		return;
	ret = uvm_chunk_pool_pick_victim(&f->pool, size, &victim);
	if (want < 0) {
		bool pinned = false;

		for (unsigned int i = 0; i < m->n; i++)
			pinned |= m->c[i].pinned;
		KUNIT_ASSERT_EQ(test, ret, pinned ? -EAGAIN : -ENOSPC);
		return;
	}
	KUNIT_ASSERT_EQ(test, ret, 0);
	KUNIT_ASSERT_GE(test, victim->size, size);
	KUNIT_ASSERT_EQ(test, victim->pa,
			round_down((u64)want << 12, uvm_chunk_bytes(victim->size)));
	if (model_empty(m, f, victim, fate)) {
		unsigned int first = victim->pa >> 12, pages = uvm_chunk_pages(victim);

		uvm_chunk_pool_evict_done(&f->pool, victim, false);
		for (unsigned int u = first; u < first + pages; u++) {
			if (m->used_at[u] || m->unused_at[u])
				model_use(m, u);
		}
		return;
	}
	uvm_chunk_pool_evict_done(&f->pool, victim, true);
	if (victim->parent || fate & 4) {
		uvm_chunk_free(&f->pool, victim, false);
		return;
	}
	m->ours[uvm_root_chunk_index(&f->pool, victim)] = false;
	uvm_chunk_pool_release_root(&f->pool, victim);
}

static void model_touch(struct model *m, struct model_fixture *f, u32 bits)
{
	unsigned int i = bits % m->n;
	struct model_chunk *c = &m->c[i];
	int r = model_unit(m, c);
	bool arrived;

	switch ((bits >> 16) % 4) {
	case 0:
		if (!c->pinned)
			break;
		uvm_chunk_unpin(&f->pool, c->chunk, m, 0);
		c->pinned = false;
		model_use(m, r);
		break;
	case 1:
		uvm_chunk_free(&f->pool, c->chunk, bits & BIT(20));
		model_free(m, i);
		break;
	case 2:
		arrived = bits & BIT(20);
		uvm_chunk_mark_used(&f->pool, c->chunk, arrived);
		if (m->used_at[r] && (!arrived || c->size < f->pool.refresh))
			break;
		if (!c->pinned || c->size < m->unit)
			model_use(m, r);
		break;
	case 3:
		uvm_chunk_mark_unused(&f->pool, c->chunk);
		if (!c->pinned && c->size >= m->unit) {
			m->unused_at[r] = ++m->now;
			m->used_at[r] = 0;
		}
		break;
	}
}

/* Every unit that is held and not pinned as a whole is on the right list, in order. */
static void model_check_lists(struct kunit *test, struct model *m)
{
	struct model_fixture *f = test->priv;
	unsigned int listed = 0, want = 0;

	for (int list = 0; list < UVM_CHUNK_LISTS; list++) {
		const u64 *at = list == UVM_CHUNK_LIST_USED ? m->used_at : m->unused_at;
		struct uvm_chunk *unit;
		u64 last = 0;

		list_for_each_entry(unit, &f->pool.lru[list], list) {
			KUNIT_ASSERT_GT(test, at[unit->pa >> 12], last);
			KUNIT_ASSERT_EQ(test, unit->lru, list);
			KUNIT_ASSERT_GE(test, unit->size, m->unit);
			last = at[unit->pa >> 12];
			listed++;
		}
	}
	for (int u = 0; u < MODEL_UNITS; u++)
		want += m->used_at[u] || m->unused_at[u];
	KUNIT_ASSERT_EQ(test, listed, want);
}

static void model_check(struct kunit *test, struct model *m)
{
	struct model_fixture *f = test->priv;
	u64 free_bytes = 0, held_bytes = 0, ours = 0;
	unsigned int room = 0;
	unsigned int pinned[ROOTS] = {}, held[ROOTS] = {};

	for (unsigned int i = 0; i < m->n; i++) {
		const struct model_chunk *c = &m->c[i];

		pinned[model_root(c)] += c->pinned;
		held[model_root(c)]++;
		held_bytes += uvm_chunk_bytes(c->size);
		KUNIT_ASSERT_EQ(test, c->chunk->pa, c->pa);
		KUNIT_ASSERT_EQ(test, c->chunk->size, c->size);
		KUNIT_ASSERT_EQ(test, c->chunk->state, c->pinned ? UVM_CHUNK_TEMP_PINNED :
				UVM_CHUNK_ALLOCATED);
	}
	for (int r = 0; r < ROOTS; r++) {
		const struct uvm_chunk *root = &f->roots[r];

		ours += m->ours[r] ? M2 : 0;
		KUNIT_ASSERT_EQ(test, root->pinned, pinned[r]);
		KUNIT_ASSERT_FALSE(test, root->in_eviction);
		if (!held[r])	/* merged, or gone */
			KUNIT_ASSERT_EQ(test, root->state, m->ours[r] ? UVM_CHUNK_FREE :
					UVM_CHUNK_PMA_OWNED);
	}
	for (int size = 0; size < UVM_CHUNK_SIZES; size++) {
		u64 bytes = f->pool.count[size][UVM_CHUNK_FREE] * uvm_chunk_bytes(size);

		free_bytes += bytes;
		if (size >= f->pool.unit)
			room += bytes / uvm_chunk_bytes(f->pool.unit);
	}
	/* what the top half may read is what there is */
	KUNIT_ASSERT_EQ(test, f->pool.room, room);
	KUNIT_ASSERT_EQ(test, free_bytes + held_bytes, ours);
	model_check_lists(test, m);
}

static void model_frame(struct kunit *test, struct model *m, u32 bits, bool add)
{
	struct model_fixture *f = test->priv;
	struct uvm_chunk *root = NULL;
	int r = bits % ROOTS;

	if (add) {
		KUNIT_ASSERT_NOT_NULL(test, uvm_chunk_pool_add_root(&f->pool, r * M2,
								    bits & BIT(10)));
		m->ours[r] = true;
	} else if (bits & 0x100) {
		root = uvm_chunk_pool_take_free_root(&f->pool);
	}
	if (root)
		m->ours[uvm_root_chunk_index(&f->pool, root)] = false;
}

/* For each unit: nvidia-uvm's, and the two finer granularities. */
static void model_random_use(struct kunit *test)
{
	struct model_fixture *f = test->priv;
	struct model *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, m);
	m->page = kunit_kzalloc(test, ROOTS * 512, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m->page);
	m->unit = *(const enum uvm_chunk_size *)test->param_value;
	KUNIT_ASSERT_EQ(test, uvm_chunk_pool_set_unit(&f->pool, m->unit), 0);
	kunit_info(test, "chunk_seed=%u\n", chunk_seed);
	prandom_seed_state(&rnd, chunk_seed);
	for (int i = 0; i < 3000; i++) {
		u32 bits = prandom_u32_state(&rnd);
		unsigned int what = prandom_u32_state(&rnd) % 16;
		bool add = what < 1 && !m->ours[bits % ROOTS];

		f->pool.refresh = i / 7 % UVM_CHUNK_SIZES;
		if (what < 2)
			model_frame(test, m, bits, add);
		else if (what < 8)
			model_alloc(test, m, (bits >> 8) % 8 ? (bits >> 8) % 2 : UVM_CHUNK_2M);
		else if (what < 9)
			model_evict(test, m, bits & 0x1000 ? m->unit : UVM_CHUNK_2M, bits >> 27);
		else if (m->n)
			model_touch(m, f, bits);
		model_check(test, m);
	}
	if (m->n)
		KUNIT_EXPECT_EQ(test, uvm_chunk_pool_set_unit(&f->pool, !m->unit), -EBUSY);
	while (m->n) {
		uvm_chunk_free(&f->pool, m->c[0].chunk, false);
		model_forget(m, 0);
	}
	while (uvm_chunk_pool_take_free_root(&f->pool))
		;
	KUNIT_EXPECT_TRUE(test, uvm_chunk_pool_idle(&f->pool));
	for (int state = 0; state < UVM_CHUNK_STATES; state++) {
		KUNIT_EXPECT_EQ(test, f->pool.count[UVM_CHUNK_4K][state], 0);
		KUNIT_EXPECT_EQ(test, f->pool.count[UVM_CHUNK_64K][state], 0);
	}
}

static const enum uvm_chunk_size model_units[] = { UVM_CHUNK_2M, UVM_CHUNK_64K, UVM_CHUNK_4K };

static void model_unit_desc(const enum uvm_chunk_size *unit, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "units of %llu KB", uvm_chunk_bytes(*unit) >> 10);
}

KUNIT_ARRAY_PARAM(model_unit, model_units, model_unit_desc);

static struct kunit_case model_kunit_cases[] = {
	KUNIT_CASE_PARAM_ATTR(model_random_use, model_unit_gen_params,
			      { .speed = KUNIT_SPEED_SLOW }),
	{}
};

struct kunit_suite uvm_chunk_model_suite = {
	.name = "uvm_chunk_model",
	.init = model_init,
	.test_cases = model_kunit_cases,
};

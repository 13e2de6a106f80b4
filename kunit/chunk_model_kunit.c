// SPDX-License-Identifier: GPL-2.0
/*
 * Physical chunks: random use against a model that knows only bytes and times.
 */
#include <kunit/test.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include "../uvm/chunk.h"
#include "uvm_pure.h"

static unsigned int chunk_seed = 1;
module_param(chunk_seed, uint, 0444);
MODULE_PARM_DESC(chunk_seed, "seed of the random use of chunks");

#define ROOTS	6
#define M2	0x200000ULL

struct model_fixture {
	struct uvm_chunk_pool pool;
	struct uvm_root_chunk roots[ROOTS];
};

static int model_init(struct kunit *test)
{
	struct model_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	uvm_chunk_pool_init(&f->pool, f->roots, ROOTS, 1, NULL, NULL);
	test->priv = f;
	return 0;
}

#define MODEL_CHUNKS	200

struct model_chunk {
	struct uvm_chunk *chunk;
	u64 pa;
	enum uvm_chunk_size size;
	bool pinned;
};

struct model {
	struct model_chunk c[MODEL_CHUNKS];
	unsigned int n;
	bool ours[ROOTS];
	u64 used_at[ROOTS];	/* of the last use; 0: on no list of used frames */
	u64 unused_at[ROOTS];
	u64 now;
	u8 *page;		/* per 4K page: 0 free, 1 taken */
};

static int model_root(const struct model_chunk *c)
{
	return c->pa / M2;
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

/* Root that is to be evicted next, or -1. */
static int model_victim(const struct model *m)
{
	bool pinned[ROOTS] = {}, held[ROOTS] = {};
	int best = -1;

	for (unsigned int i = 0; i < m->n; i++) {
		pinned[model_root(&m->c[i])] |= m->c[i].pinned;
		held[model_root(&m->c[i])] = true;
	}
	for (int list = 0; list < 2; list++) {
		const u64 *at = list ? m->used_at : m->unused_at;

		for (int r = 0; r < ROOTS; r++) {
			if (held[r] && !pinned[r] && at[r] && (best < 0 || at[r] < at[best]))
				best = r;
		}
		if (best >= 0)
			return best;
	}
	return -1;
}

static void model_forget(struct model *m, unsigned int i)
{
	int r = model_root(&m->c[i]);

	model_fill(m, &m->c[i], 0);
	m->c[i] = m->c[--m->n];
	for (i = 0; i < m->n; i++) {
		if (model_root(&m->c[i]) == r)
			return;
	}
	m->used_at[r] = 0;
	m->unused_at[r] = 0;
}

static void model_use(struct model *m, int r)
{
	m->used_at[r] = ++m->now;
	m->unused_at[r] = 0;
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

static void model_evict(struct kunit *test, struct model *m, u32 fate)
{
	struct model_fixture *f = test->priv;
	struct uvm_root_chunk *root;
	struct uvm_chunk *leaf;
	int want = model_victim(m), ret, r;

	if (f->pool.count[UVM_CHUNK_2M][UVM_CHUNK_FREE])
		return;
	ret = uvm_chunk_pool_pick_victim(&f->pool, uvm_policy_find_eviction("lru"), &root);
	if (want < 0) {
		KUNIT_ASSERT_EQ(test, ret, m->n ? -EAGAIN : -ENOSPC);
		return;
	}
	KUNIT_ASSERT_EQ(test, ret, 0);
	r = uvm_root_chunk_index(&f->pool, root);
	KUNIT_ASSERT_EQ(test, r, want);
	for (u32 n = 0; (leaf = uvm_chunk_pool_evict_next_leaf(&f->pool, root)); n++) {
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
	uvm_chunk_pool_evict_done(&f->pool, root, !leaf);
	if (leaf) {
		model_use(m, r);
	} else {
		uvm_chunk_pool_release_root(&f->pool, root);
		m->ours[r] = false;
	}
}

static void model_touch(struct model *m, struct model_fixture *f, u32 bits)
{
	unsigned int i = bits % m->n;
	struct model_chunk *c = &m->c[i];
	int r = model_root(c);

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
		model_forget(m, i);
		break;
	case 2:
		uvm_chunk_mark_used(&f->pool, c->chunk);
		if (!c->pinned || c->size != UVM_CHUNK_2M)
			model_use(m, r);
		break;
	case 3:
		uvm_chunk_mark_unused(&f->pool, c->chunk);
		if (!c->pinned && c->size == UVM_CHUNK_2M) {
			m->unused_at[r] = ++m->now;
			m->used_at[r] = 0;
		}
		break;
	}
}

static void model_check(struct kunit *test, struct model *m)
{
	struct model_fixture *f = test->priv;
	u64 free_bytes = 0, held_bytes = 0, ours = 0;
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
		const struct uvm_root_chunk *root = &f->roots[r];

		ours += m->ours[r] ? M2 : 0;
		KUNIT_ASSERT_EQ(test, root->pinned_leaves, pinned[r]);
		KUNIT_ASSERT_FALSE(test, root->in_eviction);
		if (!held[r])	/* merged, or gone */
			KUNIT_ASSERT_EQ(test, root->chunk.state, m->ours[r] ? UVM_CHUNK_FREE :
					UVM_CHUNK_PMA_OWNED);
		KUNIT_ASSERT_EQ(test, root->lru, m->used_at[r] ? UVM_CHUNK_LIST_USED :
				m->unused_at[r] ? UVM_CHUNK_LIST_UNUSED : UVM_CHUNK_LISTS);
	}
	for (int size = 0; size < UVM_CHUNK_SIZES; size++)
		free_bytes += f->pool.count[size][UVM_CHUNK_FREE] * uvm_chunk_bytes(size);
	KUNIT_ASSERT_EQ(test, free_bytes + held_bytes, ours);
}

static void model_random_use(struct kunit *test)
{
	struct model_fixture *f = test->priv;
	struct model *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, m);
	m->page = kunit_kzalloc(test, ROOTS * 512, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m->page);
	kunit_info(test, "chunk_seed=%u\n", chunk_seed);
	prandom_seed_state(&rnd, chunk_seed);
	for (int i = 0; i < 3000; i++) {
		u32 bits = prandom_u32_state(&rnd);
		unsigned int what = prandom_u32_state(&rnd) % 16;
		int r = bits % ROOTS;

		if (what < 1 && !m->ours[r]) {
			KUNIT_ASSERT_NOT_NULL(test, uvm_chunk_pool_add_root(&f->pool, r * M2,
									    bits & BIT(10)));
			m->ours[r] = true;
		} else if (what < 2) {
			struct uvm_root_chunk *root = bits & 0x100 ?
				uvm_chunk_pool_take_free_root(&f->pool) : NULL;

			if (root)
				m->ours[uvm_root_chunk_index(&f->pool, root)] = false;
		} else if (what < 8) {
			model_alloc(test, m, (bits >> 8) % 8 ? (bits >> 8) % 2 : UVM_CHUNK_2M);
		} else if (what < 9) {
			model_evict(test, m, bits >> 28);
		} else if (m->n) {
			model_touch(m, f, bits);
		}
		model_check(test, m);
	}
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

static struct kunit_case model_kunit_cases[] = {
	KUNIT_CASE_SLOW(model_random_use),
	{}
};

struct kunit_suite uvm_chunk_model_suite = {
	.name = "uvm_chunk_model",
	.init = model_init,
	.test_cases = model_kunit_cases,
};

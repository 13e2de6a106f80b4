/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What chunk.c, chunk_evict.c and chunk_limit.c share, and nobody else.  The pool's lock is held.
 */
#ifndef UVM_CHUNK_PRIV_H
#define UVM_CHUNK_PRIV_H

#include "model/chunk.h"

/**
 * uvm_chunk_assert_locked - the pool's lock is held, or lockdep says so
 * @pool: the allocator
 */
void uvm_chunk_assert_locked(const struct uvm_chunk_pool *pool);

/**
 * uvm_chunk_in_eviction - is a chunk being evicted, or anything that it is part of?
 * @chunk: the chunk; NULL: no
 *
 * Return: true if so.
 */
bool uvm_chunk_in_eviction(const struct uvm_chunk *chunk);

/**
 * uvm_chunk_pin - one more, or one less, is pinned at a chunk or below it
 * @chunk: the chunk; what it is part of counts it, too
 * @by: 1 or -1
 */
void uvm_chunk_pin(struct uvm_chunk *chunk, int by);

/**
 * uvm_chunk_set_state - a chunk has another state; the counts follow
 * @pool: the allocator
 * @chunk: the chunk; its lists are the caller's
 * @state: the state
 */
void uvm_chunk_set_state(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk,
			 enum uvm_chunk_state state);

/**
 * uvm_chunk_enter_unit - a unit is in use, and the last of those that are
 * @pool: the allocator
 * @unit: the unit; in use already it only moves
 * @why: for the policy
 */
void uvm_chunk_enter_unit(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
			  enum uvm_enter_why why);

/**
 * uvm_chunk_leave_unit - a unit is not in use any more
 * @pool: the allocator
 * @unit: the unit
 * @lru: list that it is put on, last; UVM_CHUNK_LISTS: on none
 * @why: for the policy, which is told only if the unit was in use
 */
void uvm_chunk_leave_unit(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
			  enum uvm_chunk_list lru, enum uvm_leave_why why);

/**
 * uvm_chunk_first_free - a free chunk of a size
 * @pool: the allocator
 * @size: the size
 * @zeroed: known to be zero, or not
 *
 * Return: the chunk, still FREE; NULL: there is none, but there may be of the other kind or larger.
 */
struct uvm_chunk *uvm_chunk_first_free(struct uvm_chunk_pool *pool, enum uvm_chunk_size size,
				       bool zeroed);

/**
 * uvm_chunk_leave_free - a chunk is not FREE any more, to become pinned or split
 * @pool: the allocator
 * @chunk: a FREE chunk
 * @state: what it becomes
 */
void uvm_chunk_leave_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk,
			  enum uvm_chunk_state state);

/**
 * uvm_chunk_release - a chunk becomes FREE
 * @pool: the allocator
 * @chunk: ALLOCATED, TEMP_PINNED or WITHHELD, on no list but that of units
 */
void uvm_chunk_release(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk);

/**
 * uvm_chunk_drop_children - what a chunk was split into is gone
 * @pool: the allocator
 * @chunk: a chunk with children, all on a list; its state is the caller's
 */
void uvm_chunk_drop_children(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk);

#endif

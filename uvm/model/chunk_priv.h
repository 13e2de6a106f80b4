/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What chunk.c, chunk_evict.c and chunk_limit.c share, and nobody else.  The pool's lock is held.
 */
#ifndef UVM_CHUNK_PRIV_H
#define UVM_CHUNK_PRIV_H

#include "model/chunk.h"

void uvm_chunk_assert_locked(const struct uvm_chunk_pool *pool);
bool uvm_chunk_in_eviction(const struct uvm_chunk *chunk);
void uvm_chunk_pin(struct uvm_chunk *chunk, int by);
void uvm_chunk_set_state(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk,
			 enum uvm_chunk_state state);
/* A unit is in use, and the last of those that are. */
void uvm_chunk_enter_unit(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
			  enum uvm_enter_why why);
/* Put a unit that is not in use on another list, last, or on none. */
void uvm_chunk_leave_unit(struct uvm_chunk_pool *pool, struct uvm_chunk *unit,
			  enum uvm_chunk_list lru, enum uvm_leave_why why);
struct uvm_chunk *uvm_chunk_first_free(struct uvm_chunk_pool *pool, enum uvm_chunk_size size,
				       bool zeroed);
/* Out of the FREE state, to become pinned or split. */
void uvm_chunk_leave_free(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk,
			  enum uvm_chunk_state state);
/* ALLOCATED, TEMP_PINNED or WITHHELD, on no list but that of units, becomes FREE. */
void uvm_chunk_release(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk);
void uvm_chunk_drop_children(struct uvm_chunk_pool *pool, struct uvm_chunk *chunk);

#endif

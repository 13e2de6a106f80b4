/* SPDX-License-Identifier: GPL-2.0 */
/*
 * So many keys, the oldest of which is forgotten for a new one; each is found, and taken out,
 * at once.  A key has a value.
 */
#ifndef UVM_KEY_FIFO_H
#define UVM_KEY_FIFO_H

#include "policy/lib/key_hash.h"

/**
 * struct uvm_key_fifo_slot - a place for a key
 * @slot: the key
 * @value: its value
 * @older: the one that came before it, and 1; 0: it is the oldest
 * @newer: likewise; of a free place the next free one
 */
struct uvm_key_fifo_slot {
	struct uvm_key_slot slot;
	u32 value;
	u32 older;
	u32 newer;
};

/**
 * struct uvm_key_fifo - keys by age
 * @slots: places
 * @nr: how many; no more keys are kept
 * @count: keys
 * @used: places that were ever in use
 * @free: the first of those that are free again, and 1
 * @oldest: and 1; 0: there is none
 * @newest: likewise
 */
struct uvm_key_fifo {
	struct uvm_key_fifo_slot *slots;
	u32 nr;
	u32 count;
	u32 used;
	u32 free;
	u32 oldest;
	u32 newest;
};

/**
 * uvm_key_fifo_init - no keys
 * @fifo: written
 * @slots: places, all bytes zero; they stay in use
 * @nr: how many, at least 1
 */
void uvm_key_fifo_init(struct uvm_key_fifo *fifo, struct uvm_key_fifo_slot *slots, u32 nr);

/**
 * uvm_key_fifo_push - a key is the newest from now on
 * @fifo: the keys; if all places are taken the oldest goes
 * @key: not there already
 * @value: its value
 */
void uvm_key_fifo_push(struct uvm_key_fifo *fifo, const struct uvm_key *key, u32 value);

/**
 * uvm_key_fifo_trim - the oldest keys go
 * @fifo: the keys
 * @count: how many are left at most
 */
void uvm_key_fifo_trim(struct uvm_key_fifo *fifo, u32 count);

/**
 * uvm_key_fifo_find - the value of a key
 * @fifo: the keys
 * @key: which
 *
 * Return: the value, valid until a key is pushed, trimmed or removed; NULL: the key is not there.
 */
const u32 *uvm_key_fifo_find(const struct uvm_key_fifo *fifo, const struct uvm_key *key);

/**
 * uvm_key_fifo_remove - a key goes, whatever its age
 * @fifo: the keys
 * @key: which
 *
 * Return: true if it was there.
 */
bool uvm_key_fifo_remove(struct uvm_key_fifo *fifo, const struct uvm_key *key);

#endif

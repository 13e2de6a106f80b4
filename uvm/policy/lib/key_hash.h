/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finding what is kept under a key, for policies: they have so many bytes per unit and get no
 * more.  So each record has a slot, which is a place for a key and the head of a bucket, too.
 * All bytes zero: empty.
 */
#ifndef UVM_KEY_HASH_H
#define UVM_KEY_HASH_H

#include <linux/limits.h>
#include <linux/types.h>

#define UVM_KEY_NONE	U32_MAX

/**
 * struct uvm_key - what is looked for
 * @space: number of a VA space
 * @number: of a page, or of pages, in it
 */
struct uvm_key {
	u64 space;
	u64 number;
};

/**
 * struct uvm_key_slot - a record's part
 * @key: the key, while the slot is in use
 * @head: a bucket: the first slot of those in it, and 1
 * @next: of the same bucket, and 1; 0 at the end
 */
struct uvm_key_slot {
	struct uvm_key key;
	u32 head;
	u32 next;
};

/**
 * struct uvm_key_hash - where the slots are: slot I is number I % @per of record I / @per
 * @slots: the first
 * @nr: how many there are
 * @record_bytes: from one record to the next
 * @per: slots of a record
 * @slot_bytes: from one of them to the next
 */
struct uvm_key_hash {
	void *slots;
	u32 nr;
	u32 record_bytes;
	u32 per;
	u32 slot_bytes;
};

/**
 * uvm_key_equal - are two keys the same?
 * @a: a key
 * @b: another one
 *
 * Return: true if space and number are.
 */
static inline bool uvm_key_equal(const struct uvm_key *a, const struct uvm_key *b)
{
	return a->space == b->space && a->number == b->number;
}

/**
 * uvm_key_slot - where is a slot?
 * @hash: where the slots are
 * @i: number of the slot, below @hash->nr
 *
 * Return: the struct uvm_key_slot.
 */
static inline void *uvm_key_slot(const struct uvm_key_hash *hash, u32 i)
{
	return hash->slots + (size_t)(i / hash->per) * hash->record_bytes +
	       (i % hash->per) * hash->slot_bytes;
}

/**
 * uvm_key_find - the slot that is in use for a key
 * @hash: the slots
 * @key: which
 *
 * Return: its number; UVM_KEY_NONE: there is none.
 */
u32 uvm_key_find(const struct uvm_key_hash *hash, const struct uvm_key *key);

/**
 * uvm_key_add - a slot is in use for a key from now on
 * @hash: the slots
 * @i: number of a slot that is not in use
 * @key: no other slot is in use for it
 */
void uvm_key_add(const struct uvm_key_hash *hash, u32 i, const struct uvm_key *key);

/**
 * uvm_key_remove - a slot is not in use any more
 * @hash: the slots
 * @i: its number; its key stays as it was
 */
void uvm_key_remove(const struct uvm_key_hash *hash, u32 i);

#endif

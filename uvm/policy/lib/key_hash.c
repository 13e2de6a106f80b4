// SPDX-License-Identifier: GPL-2.0
/* Finding what is kept under a key; see key_hash.h. */
#include "policy/lib/key_hash.h"

/* Knuth's multiplicative hash, with the golden ratio; the upper bits are the good ones. */
#define KEY_GOLDEN	0x9e3779b97f4a7c15ULL

static struct uvm_key_slot *key_bucket(const struct uvm_key_hash *hash, const struct uvm_key *key)
{
	u64 mixed = (key->number + key->space * KEY_GOLDEN) * KEY_GOLDEN;

	return uvm_key_slot(hash, (mixed >> 32) * hash->nr >> 32);
}

u32 uvm_key_find(const struct uvm_key_hash *hash, const struct uvm_key *key)
{
	u32 at = key_bucket(hash, key)->head;

	while (at) {
		struct uvm_key_slot *slot = uvm_key_slot(hash, at - 1);

		if (uvm_key_equal(&slot->key, key))
			return at - 1;
		at = slot->next;
	}
	return UVM_KEY_NONE;
}

void uvm_key_add(const struct uvm_key_hash *hash, u32 i, const struct uvm_key *key)
{
	struct uvm_key_slot *bucket = key_bucket(hash, key);
	struct uvm_key_slot *slot = uvm_key_slot(hash, i);

	slot->key = *key;
	slot->next = bucket->head;
	bucket->head = i + 1;
}

void uvm_key_remove(const struct uvm_key_hash *hash, u32 i)
{
	struct uvm_key_slot *slot = uvm_key_slot(hash, i);
	u32 *at = &key_bucket(hash, &slot->key)->head;

	while (*at && *at != i + 1) {
		struct uvm_key_slot *other = uvm_key_slot(hash, *at - 1);

		at = &other->next;
	}
	if (*at)
		*at = slot->next;
	slot->next = 0;
}

// SPDX-License-Identifier: GPL-2.0
/* Keys by age; see key_fifo.h. */
#include <linux/stddef.h>
#include "policy/lib/key_fifo.h"

static struct uvm_key_hash key_fifo_hash(const struct uvm_key_fifo *fifo)
{
	return (struct uvm_key_hash){
		.slots = fifo->slots, .nr = fifo->nr,
		.record_bytes = sizeof(*fifo->slots), .per = 1,
	};
}

void uvm_key_fifo_init(struct uvm_key_fifo *fifo, struct uvm_key_fifo_slot *slots, u32 nr)
{
	*fifo = (struct uvm_key_fifo){ .slots = slots, .nr = nr };
}

static void key_fifo_drop(struct uvm_key_fifo *fifo, u32 i)
{
	struct uvm_key_hash hash = key_fifo_hash(fifo);
	struct uvm_key_fifo_slot *slot = &fifo->slots[i];

	uvm_key_remove(&hash, i);
	*(slot->older ? &fifo->slots[slot->older - 1].newer : &fifo->oldest) = slot->newer;
	*(slot->newer ? &fifo->slots[slot->newer - 1].older : &fifo->newest) = slot->older;
	slot->newer = fifo->free;
	fifo->free = i + 1;
	fifo->count--;
}

static u32 key_fifo_take(struct uvm_key_fifo *fifo)
{
	u32 i = fifo->free;

	if (!i)
		return fifo->used++;
	fifo->free = fifo->slots[i - 1].newer;
	return i - 1;
}

void uvm_key_fifo_push(struct uvm_key_fifo *fifo, const struct uvm_key *key, u32 value)
{
	struct uvm_key_hash hash = key_fifo_hash(fifo);
	struct uvm_key_fifo_slot *slot;
	u32 i;

	uvm_key_fifo_trim(fifo, fifo->nr - 1);
	i = key_fifo_take(fifo);
	slot = &fifo->slots[i];
	uvm_key_add(&hash, i, key);
	slot->value = value;
	slot->older = fifo->newest;
	slot->newer = 0;
	*(slot->older ? &fifo->slots[slot->older - 1].newer : &fifo->oldest) = i + 1;
	fifo->newest = i + 1;
	fifo->count++;
}

void uvm_key_fifo_trim(struct uvm_key_fifo *fifo, u32 count)
{
	while (fifo->count > count)
		key_fifo_drop(fifo, fifo->oldest - 1);
}

const u32 *uvm_key_fifo_find(const struct uvm_key_fifo *fifo, const struct uvm_key *key)
{
	struct uvm_key_hash hash = key_fifo_hash(fifo);
	u32 i = uvm_key_find(&hash, key);

	return i == UVM_KEY_NONE ? NULL : &fifo->slots[i].value;
}

bool uvm_key_fifo_remove(struct uvm_key_fifo *fifo, const struct uvm_key *key)
{
	struct uvm_key_hash hash = key_fifo_hash(fifo);
	u32 i = uvm_key_find(&hash, key);

	if (i == UVM_KEY_NONE)
		return false;
	key_fifo_drop(fifo, i);
	return true;
}

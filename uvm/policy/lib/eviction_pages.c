// SPDX-License-Identifier: GPL-2.0
/* Which unit holds a page; see eviction_pages.h. */
#include <linux/log2.h>
#include "base/types.h"
#include "policy/lib/eviction_pages.h"

static struct uvm_key_hash pages_hash(struct uvm_eviction_ctx *ctx)
{
	struct uvm_eviction_held *first = ctx->units;

	return (struct uvm_key_hash){
		.slots = &first->slot, .nr = ctx->nr_units,
		.record_bytes = ctx->unit_bytes, .per = 1,
	};
}

struct uvm_key uvm_eviction_page_key(const struct uvm_eviction_ctx *ctx, u64 va_space, u64 va)
{
	return (struct uvm_key){
		.space = va_space, .number = va >> UVM_PAGE_SHIFT >> ilog2(ctx->unit_pages),
	};
}

u32 uvm_eviction_holder(struct uvm_eviction_ctx *ctx, u64 va_space, u64 va)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, va_space, va);
	struct uvm_key_hash hash = pages_hash(ctx);

	return uvm_key_find(&hash, &key);
}

void uvm_eviction_release(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	struct uvm_eviction_held *held = uvm_eviction_unit(ctx, unit);
	struct uvm_key_hash hash = pages_hash(ctx);

	if (held->known)
		uvm_key_remove(&hash, unit);
	held->known = false;
	if (!uvm_eviction_may_return(why))
		held->slot.key.space = 0;
}

bool uvm_eviction_hold(struct uvm_eviction_ctx *ctx, u32 unit,
		       const struct uvm_eviction_page *page)
{
	struct uvm_key key = uvm_eviction_page_key(ctx, page->va_space, page->va);
	struct uvm_eviction_held *held = uvm_eviction_unit(ctx, unit);
	struct uvm_key_hash hash = pages_hash(ctx);
	u32 other;

	if (held->known && uvm_key_equal(&held->slot.key, &key))
		return false;
	uvm_eviction_release(ctx, unit, UVM_LEAVE_FREED);
	other = uvm_key_find(&hash, &key);
	if (other != UVM_KEY_NONE)
		uvm_eviction_release(ctx, other, UVM_LEAVE_FREED);
	uvm_key_add(&hash, unit, &key);
	held->known = true;
	return true;
}

bool uvm_eviction_hold_again(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_enter_why why)
{
	struct uvm_eviction_held *held = uvm_eviction_unit(ctx, unit);
	struct uvm_key_hash hash = pages_hash(ctx);
	struct uvm_key key = held->slot.key;

	if (held->known)
		return false;
	if (why == UVM_ENTER_BLOCK)
		held->slot.key.space = 0;
	if (!uvm_eviction_returns(why) || !key.space ||
	    uvm_key_find(&hash, &key) != UVM_KEY_NONE)
		return false;
	uvm_key_add(&hash, unit, &key);
	held->known = true;
	return true;
}

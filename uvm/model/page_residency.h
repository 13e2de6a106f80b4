/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a block's state says of one page, in the words of the user ABI.
 *
 * Pure: the block lock is the caller's.
 */
#ifndef UVM_PAGE_RESIDENCY_H
#define UVM_PAGE_RESIDENCY_H

#include "model/block_state.h"

void uvm_page_residency(const struct uvm_block_state *bs, unsigned int page,
			struct uvm_page_residency *out);

#endif

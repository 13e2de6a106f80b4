// SPDX-License-Identifier: GPL-2.0
/*
 * HAL: page table entries.  Pure.
 */
#include <linux/bitfield.h>
#include <kunit/visibility.h>
#include "gpu/hal.h"

u64 uvm_pte_invalid(void)
{
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pte_invalid);

u64 uvm_pte_big_unmapped(void)
{
	return MMU_PTE_BIG_UNMAPPED;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pte_big_unmapped);

u64 uvm_pte_make(struct uvm_gpu_address address, enum uvm_prot prot, u64 page_size)
{
	u64 pte = MMU_PTE_VALID | FIELD_PREP(MMU_PTE_KIND, MMU_KIND_GENERIC);

	if (prot == UVM_PROT_NONE)
		return uvm_pte_invalid();
	/* What is beyond a link is not cached by the GPU. */
	if (address.aperture == RM_APERTURE_SYS)
		pte |= FIELD_PREP(MMU_PTE_APERTURE, MMU_PTE_APERTURE_SYS_COH) | MMU_PTE_VOL;
	else if (address.aperture == RM_APERTURE_PEER)
		pte |= FIELD_PREP(MMU_PTE_APERTURE, MMU_PTE_APERTURE_PEER) | MMU_PTE_VOL;
	else
		pte |= FIELD_PREP(MMU_PTE_APERTURE, MMU_PTE_APERTURE_VID);
	if (prot == UVM_PROT_READ_ONLY)
		pte |= MMU_PTE_READ_ONLY;
	if (prot != UVM_PROT_READ_WRITE_ATOMIC)
		pte |= MMU_PTE_ATOMIC_DISABLE;
	WARN_ON_ONCE(address.address & (page_size - 1));
	/* a peer's id is where MMU_PTE_PEER_ID wants it */
	return pte | FIELD_PREP(MMU_PTE_ADDR, address.address >> MMU_SMALL_SHIFT);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pte_make);

u64 uvm_pde_make(const struct uvm_gpu_address *table, enum uvm_pde_kind kind)
{
	u64 pde;

	if (!table)
		return 0;
	if (table->aperture == RM_APERTURE_SYS)
		pde = FIELD_PREP(MMU_PDE_APERTURE, MMU_PDE_APERTURE_SYS_COH) | MMU_PDE_VOL;
	else
		pde = FIELD_PREP(MMU_PDE_APERTURE, MMU_PDE_APERTURE_VID);
	if (kind == UVM_PDE_BIG_TABLE)
		return pde | FIELD_PREP(MMU_PDE0_BIG_ADDR, table->address >> 8);
	return pde | FIELD_PREP(MMU_PDE_ADDR, table->address >> MMU_SMALL_SHIFT);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_pde_make);

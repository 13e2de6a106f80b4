/* SPDX-License-Identifier: GPL-2.0 */
/* Page-table walk: reads the tables of mmu_format.h, no TLBs, no time. */
#ifndef SOFTGPU_WALKER_H
#define SOFTGPU_WALKER_H

#include "mmu/mmu_types.h"

/**
 * struct sgpu_page - what a walk found
 * @shift: log2 of the page size: 12, 16 or 21
 * @aperture: where the page is
 * @pa: its physical address
 * @write: writes allowed
 * @atomic: atomics allowed
 */
struct sgpu_page {
	unsigned int shift;
	enum rm_aperture aperture;
	u64 pa;
	bool write;
	bool atomic;
};

enum sgpu_walk_result {
	SGPU_WALK_OK,
	SGPU_WALK_INVALID_PDE,
	SGPU_WALK_INVALID_PTE,
	SGPU_WALK_RO,
	SGPU_WALK_ATOMIC,
	SGPU_WALK_BAD_ADDRESS,		/* table or page outside memory */
};

/**
 * sgpu_walk - walk the tables of an address space
 * @gpu: the GPU
 * @as: address space, bound
 * @va: virtual address
 * @kind: access class
 * @page: out: the page, also if it does not allow the access
 *
 * Return: %SGPU_WALK_OK, or why there is no translation for this access.
 */
enum sgpu_walk_result sgpu_walk(struct rm_gpu *gpu, const struct sgpu_address_space *as, u64 va,
				enum sgpu_access_kind kind, struct sgpu_page *page);

/**
 * sgpu_mmu_walk - walk the tables now, without TLBs or time; for copy engines and tests
 * @gpu: the GPU
 * @as: address space; one without page directory has no PDE
 * @va: virtual address
 * @kind: access class
 * @xlat: out: of the 4K page of @va
 *
 * Return: SGPU_WALK_OK, or why there is no translation for this access.
 */
enum sgpu_walk_result sgpu_mmu_walk(struct rm_gpu *gpu, const struct sgpu_address_space *as,
				    u64 va, enum sgpu_access_kind kind,
				    struct sgpu_translation *xlat);

/**
 * sgpu_allows - does a translation with these permissions allow an access?
 * @write: writes allowed
 * @atomic: atomics allowed
 * @kind: access class
 *
 * Return: true if so; reads always are.
 */
static inline bool sgpu_allows(bool write, bool atomic, enum sgpu_access_kind kind)
{
	return kind == SGPU_WRITE ? write : kind == SGPU_ATOMIC ? atomic : true;
}

#endif

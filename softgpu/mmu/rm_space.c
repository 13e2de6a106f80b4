// SPDX-License-Identifier: GPL-2.0
/* RM's address space; see rm_space.h, and mmu_format.h for the tables. */
#include <linux/bitfield.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "memory/vram.h"
#include "mmu/rm_space.h"

#define SLOT_SHIFT	MMU_PDE0_SHIFT
#define SLOT_BYTES	BIT_ULL(SLOT_SHIFT)

int sgpu_rm_space_init(struct rm_gpu *gpu)
{
	struct sgpu_rm_space *space = &gpu->rm_space;

	memset(space, 0, sizeof(*space));
	mutex_init(&space->lock);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_rm_space_init);

void sgpu_rm_space_exit(struct rm_gpu *gpu)
{
	WARN_ON_ONCE(gpu->rm_space.used);
	mutex_destroy(&gpu->rm_space.lock);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_rm_space_exit);

/* A word of a table.  Tables are in the reserve, at most 4K, aligned: never across a frame. */
static u64 *space_entry(struct rm_gpu *gpu, u64 table, unsigned int index, size_t bytes)
{
	return sgpu_vram_ptr(&gpu->vram, table + index * bytes);
}

static u64 space_pde(u64 table)
{
	return FIELD_PREP(MMU_PDE_APERTURE, MMU_PDE_APERTURE_VID) |
	       FIELD_PREP(MMU_PDE_ADDR, table >> MMU_SMALL_SHIFT);
}

/* One page of system memory, that any engine may read, write and increment. */
static u64 space_pte(u64 iova)
{
	return MMU_PTE_VALID | MMU_PTE_VOL | MMU_PTE_PRIVILEGE |
	       FIELD_PREP(MMU_PTE_APERTURE, MMU_PTE_APERTURE_SYS_COH) |
	       FIELD_PREP(MMU_PTE_KIND, MMU_KIND_GENERIC) |
	       FIELD_PREP(MMU_PTE_ADDR, iova >> MMU_SMALL_SHIFT);
}

static void space_free_directories(struct rm_gpu *gpu)
{
	struct sgpu_rm_space *space = &gpu->rm_space;
	unsigned int i;

	space->as.bound = false;
	for (i = 0; i < SGPU_RM_SPACE_LEVELS; i++) {
		if (space->directories[i])
			rm_reserve_free(gpu, PAGE_SIZE, space->directories[i]);
		space->directories[i] = 0;
	}
}

/* PDE3 to PDE0, each with the one entry that leads to the window. */
static int space_make_directories(struct rm_gpu *gpu)
{
	static const u8 shift[] = { MMU_PDE3_SHIFT, MMU_PDE2_SHIFT, MMU_PDE1_SHIFT };
	struct sgpu_rm_space *space = &gpu->rm_space;
	u64 *dir = space->directories;
	unsigned int i, index;

	for (i = 0; i < SGPU_RM_SPACE_LEVELS; i++) {
		if (rm_reserve_alloc(gpu, PAGE_SIZE, &dir[i])) {
			dir[i] = 0;
			space_free_directories(gpu);
			return -ENOMEM;
		}
	}
	for (i = 0; i < ARRAY_SIZE(shift); i++) {
		index = (SGPU_RM_SPACE_BASE >> shift[i]) % MMU_PDE2_ENTRIES;
		*space_entry(gpu, dir[i], index, MMU_PDE_BYTES) = space_pde(dir[i + 1]);
	}
	space->as.pdb_aperture = RM_APERTURE_VID;
	space->as.pdb = dir[0];
	space->as.bound = true;
	return 0;
}

static unsigned int space_free_slot(const struct sgpu_rm_space *space)
{
	unsigned int slot = 0;

	while (slot < SGPU_RM_SPACE_SLOTS && space->tables[slot])
		slot++;
	return slot;
}

/* The second word of a PDE0: its table of 4K pages. */
static u64 *space_slot_entry(struct rm_gpu *gpu, unsigned int slot)
{
	return space_entry(gpu, gpu->rm_space.directories[3], slot, MMU_PDE0_BYTES) + 1;
}

static int space_map_slot(struct rm_gpu *gpu, unsigned int slot, u64 iova, size_t bytes)
{
	u64 table;
	size_t at;

	if (slot == SGPU_RM_SPACE_SLOTS || rm_reserve_alloc(gpu, PAGE_SIZE, &table))
		return -ENOMEM;
	for (at = 0; at < bytes; at += PAGE_SIZE)
		*space_entry(gpu, table, at >> MMU_SMALL_SHIFT, MMU_PTE_BYTES) =
			space_pte(iova + at);
	gpu->rm_space.tables[slot] = table;
	WRITE_ONCE(*space_slot_entry(gpu, slot), space_pde(table));
	return 0;
}

int rm_va_map(struct rm_gpu *gpu, u64 iova, size_t bytes, u64 *va)
{
	struct sgpu_rm_space *space = &gpu->rm_space;
	unsigned int slot;
	int ret = 0;

	if (!bytes || bytes > SLOT_BYTES || !IS_ALIGNED(iova, PAGE_SIZE))
		return -EINVAL;
	mutex_lock(&space->lock);
	slot = space_free_slot(space);
	if (!space->used)
		ret = space_make_directories(gpu);
	if (!ret)
		ret = space_map_slot(gpu, slot, iova, bytes);
	if (!ret)
		space->used++;
	else if (!space->used)
		space_free_directories(gpu);
	mutex_unlock(&space->lock);
	*va = SGPU_RM_SPACE_BASE + slot * SLOT_BYTES;
	return ret;
}
EXPORT_SYMBOL_NS_GPL(rm_va_map, SOFTGPU);

void rm_va_unmap(struct rm_gpu *gpu, u64 va)
{
	struct sgpu_rm_space *space = &gpu->rm_space;
	u64 slot = (va - SGPU_RM_SPACE_BASE) >> SLOT_SHIFT;

	mutex_lock(&space->lock);
	if (!WARN_ON_ONCE(slot >= SGPU_RM_SPACE_SLOTS || !space->tables[slot])) {
		WRITE_ONCE(*space_slot_entry(gpu, slot), 0);
		rm_reserve_free(gpu, PAGE_SIZE, space->tables[slot]);
		space->tables[slot] = 0;
		if (!--space->used)
			space_free_directories(gpu);
	}
	mutex_unlock(&space->lock);
}
EXPORT_SYMBOL_NS_GPL(rm_va_unmap, SOFTGPU);

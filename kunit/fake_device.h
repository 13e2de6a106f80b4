/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A GPU without SMs for the tests of softgpu's units: small memory, accesses
 * issued by the test, time driven by the test on the module's own clock.
 */
#ifndef KUNIT_FAKE_DEVICE_H
#define KUNIT_FAKE_DEVICE_H

#include <kunit/test.h>
#include <softgpu/mmu_format.h>
#include "../softgpu/gpu.h"

extern struct kunit_suite softgpu_accessed_suite;
extern struct kunit_suite softgpu_tlb_suite;
extern struct kunit_suite softgpu_profile_suite;
extern struct kunit_suite softgpu_vram_suite;
extern struct kunit_suite softgpu_iommu_suite;
extern struct kunit_suite softgpu_pma_suite;
extern struct kunit_suite softgpu_rm_space_suite;
extern struct kunit_suite softgpu_walker_suite;
extern struct kunit_suite softgpu_mmu_suite;
extern struct kunit_suite softgpu_mmu_piece_suite;
extern struct kunit_suite softgpu_fault_buffer_suite;
extern struct kunit_suite softgpu_access_counter_suite;
extern struct kunit_suite softgpu_gpfifo_suite;
extern struct kunit_suite softgpu_host_suite;
extern struct kunit_suite softgpu_sw_method_suite;
extern struct kunit_suite softgpu_copy_engine_suite;
extern struct kunit_suite softgpu_copy_virtual_suite;
extern struct kunit_suite softgpu_peer_suite;

#define FAKE_VRAM_BYTES		(8UL << 20)
#define FAKE_RESERVE_BYTES	(2UL << 20)
#define FAKE_ACCESSES		512
/* Instance block: at the reserve's end, where no test's tables get. */
#define FAKE_INSTANCE		(FAKE_VRAM_BYTES + FAKE_RESERVE_BYTES - 4096)

/* A valid PTE in GPU memory, usable in initialisers. */
#define FAKE_PTE(pa)		(MMU_PTE_VALID | (((u64)(pa) >> 12) << 8))

/* An access and what became of it. */
struct fake_access {
	struct sgpu_access access;
	bool translated;
	bool cancelled;
	int error;
	u64 when_ps;			/* of the call-back */
	unsigned int order;		/* of the call-back */
	struct sgpu_translation xlat;
};

struct fake_device {
	struct rm_gpu gpu;
	struct sgpu_address_space as;
	struct fake_access accesses[FAKE_ACCESSES];
	unsigned int called;
	unsigned long told;		/* SMs that heard of accesses that wait */
	/* system memory: one page per fake_page() */
	struct page *pages[64];
	unsigned int page_count;
};

/*
 * @set: profile overrides.  Skips the test on the real clock: it checks times.
 * The device goes away with the test.
 */
struct fake_device *fake_device_create(struct kunit *test, const char *set);

/*
 * Pointer to GPU memory, good to the end of its 2 MB frame: frames are not beside
 * each other, every second one is vmalloc'ed.
 */
void *fake_vram(struct fake_device *dev, u64 pa);
/* Let simulated time pass. */
void fake_run(u64 ns);
/* A zeroed page at a DMA address; its CPU pointer. */
void *fake_page(struct kunit *test, struct fake_device *dev, u64 iova);
/* Make page tables so that @va leads to a PTE, of which the value is set. */
void fake_map(struct kunit *test, struct fake_device *dev, u64 va, unsigned int shift, u64 pte);
/* Pointer to the entry of @va: level 0 (PDE3) ... 3 (PDE0, low word), 4 (4K), 5 (64K). */
u64 *fake_entry(struct fake_device *dev, u64 va, unsigned int level);
/* Start access @i now. */
struct fake_access *fake_issue(struct fake_device *dev, unsigned int i, unsigned int sm, u64 va,
			       enum sgpu_access_kind kind);
/* Fault record @i of the ring; NULL if it is not valid. */
const u32 *fake_record(struct fake_device *dev, unsigned int i);

/*
 * A channel with one page of pushbuffer, which fake_word() and fake_method()
 * fill and fake_submit() hands over.
 */
struct fake_channel {
	struct fake_device *dev;
	struct rm_channel *rm;
	const struct rm_channel_info *info;
	u32 *words;
	u64 iova;
	unsigned int first;
	unsigned int next;
};

void fake_channel_open(struct kunit *test, struct fake_device *dev, struct fake_channel *ch,
		       enum rm_engine engine);
/* The same with virtual operands in an address space. */
void fake_channel_open_as(struct kunit *test, struct fake_device *dev, struct fake_channel *ch,
			  enum rm_engine engine, struct sgpu_address_space *as);
void fake_word(struct fake_channel *ch, u32 word);
/* One method with its data, on the copy engine's subchannel if @method says so. */
void fake_method(struct fake_channel *ch, u32 method, u32 data);
/* The words since the last one become a GPFIFO entry; rings the doorbell. */
void fake_submit(struct fake_channel *ch);
/* Launch a copy (or memset, with CE_LAUNCH_REMAP in @launch). */
void fake_copy(struct fake_channel *ch, enum rm_aperture src_ap, u64 src, enum rm_aperture dst_ap,
	       u64 dst, u32 bytes, u32 launch);

#endif

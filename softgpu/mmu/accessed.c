// SPDX-License-Identifier: GPL-2.0
/* Stamps of accesses; see accessed.h. */
#include <linux/slab.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include "base/gpu.h"
#include "clock/clock.h"
#include "mmu/accessed.h"

int sgpu_accessed_init(struct rm_gpu *gpu)
{
	struct sgpu_accessed *accessed = &gpu->accessed;

	memset(accessed, 0, sizeof(*accessed));
	accessed->frame = kvcalloc(gpu->vram_bytes >> RM_FRAME_SHIFT, sizeof(u32), GFP_KERNEL);
	accessed->big = kvcalloc(gpu->vram_bytes >> SGPU_ACCESSED_BIG_SHIFT, sizeof(u32),
				 GFP_KERNEL);
	if (!accessed->frame || !accessed->big) {
		sgpu_accessed_exit(gpu);
		return -ENOMEM;
	}
	accessed->bytes = gpu->vram_bytes;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_accessed_init);

void sgpu_accessed_exit(struct rm_gpu *gpu)
{
	struct sgpu_accessed *accessed = &gpu->accessed;

	accessed->bytes = 0;
	kvfree(accessed->frame);
	kvfree(accessed->big);
	accessed->frame = NULL;
	accessed->big = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_accessed_exit);

static void accessed_clear(struct sgpu_accessed *accessed)
{
	memset(accessed->frame, 0, (accessed->bytes >> RM_FRAME_SHIFT) * sizeof(u32));
	memset(accessed->big, 0, (accessed->bytes >> SGPU_ACCESSED_BIG_SHIFT) * sizeof(u32));
}

void sgpu_accessed_enable(struct sgpu_accessed *accessed, bool on)
{
	if (on && !accessed->enabled)
		accessed_clear(accessed);
	WRITE_ONCE(accessed->enabled, on);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_accessed_enable);

void sgpu_accessed_start(struct sgpu_accessed *accessed)
{
	WRITE_ONCE(accessed->start_ps, sgpu_now_ps());
	accessed_clear(accessed);
}

u32 sgpu_accessed_reg_read(struct sgpu_accessed *accessed, u32 reg)
{
	u64 index = (reg - REG_ACCESSED_2M(0)) / 4;

	WRITE_ONCE(accessed->reads, accessed->reads + 1);
	if (reg < REG_ACCESSED_64K(0))
		return index < accessed->bytes >> RM_FRAME_SHIFT ?
		       READ_ONCE(accessed->frame[index]) : 0;
	index = (reg - REG_ACCESSED_64K(0)) / 4;
	return index < accessed->bytes >> SGPU_ACCESSED_BIG_SHIFT ?
	       READ_ONCE(accessed->big[index]) : 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_accessed_reg_read);

// SPDX-License-Identifier: GPL-2.0
/* Memory of a GPU; see vram.h. */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <kunit/visibility.h>
#include "memory/vram.h"

/* Not worth more than a try: neither warnings nor the OOM killer. */
static void *sgpu_vram_direct(unsigned int index)
{
	BUILD_BUG_ON(SGPU_VRAM_ORDER > MAX_PAGE_ORDER);
	return (void *)__get_free_pages(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY, SGPU_VRAM_ORDER);
}

static void *sgpu_vram_mapped(unsigned int index)
{
	return __vmalloc(RM_FRAME_SIZE, GFP_KERNEL | __GFP_NOWARN);
}

const struct sgpu_vram_source sgpu_vram_host = {
	.direct = sgpu_vram_direct,
	.mapped = sgpu_vram_mapped,
};
EXPORT_SYMBOL_IF_KUNIT(sgpu_vram_host);

int sgpu_vram_alloc(struct sgpu_vram *vram, u64 bytes, const struct sgpu_vram_source *source)
{
	unsigned int count = bytes >> RM_FRAME_SHIFT;

	vram->frames = 0;
	vram->frame = kvcalloc(count, sizeof(*vram->frame), GFP_KERNEL);
	if (!vram->frame)
		return -ENOMEM;
	while (vram->frames < count) {
		void *frame = source->direct(vram->frames) ?: source->mapped(vram->frames);

		if (!frame) {
			sgpu_vram_free(vram);
			return -ENOMEM;
		}
		vram->frame[vram->frames++] = frame;
		cond_resched();
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_vram_alloc);

static void sgpu_vram_free_frame(void *frame)
{
	if (is_vmalloc_addr(frame))
		vfree(frame);
	else
		free_pages((unsigned long)frame, SGPU_VRAM_ORDER);
}

void sgpu_vram_free(struct sgpu_vram *vram)
{
	while (vram->frames)
		sgpu_vram_free_frame(vram->frame[--vram->frames]);
	kvfree(vram->frame);
	vram->frame = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_vram_free);

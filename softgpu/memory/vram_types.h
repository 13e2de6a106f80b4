/* SPDX-License-Identifier: GPL-2.0 */
/* Memory of a GPU; see vram.h. */
#ifndef SOFTGPU_VRAM_TYPES_H
#define SOFTGPU_VRAM_TYPES_H

#include <linux/types.h>

/**
 * struct sgpu_vram - memory of one GPU
 * @frame: the frames, by physical address >> RM_FRAME_SHIFT
 * @frames: how many
 */
struct sgpu_vram {
	void **frame;
	unsigned int frames;
};

#endif

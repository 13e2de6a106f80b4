/* SPDX-License-Identifier: GPL-2.0 */
/* Texture and surface objects of the program: views of texels in GPU memory (texture.c, surface.c). */
#ifndef LIBUVMCUDA_VIEW_H
#define LIBUVMCUDA_VIEW_H

#include "runtime.h"

/*
 * The largest 2D texture of rows, in texels, rows and bytes (CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability"; maxTexture2DLinear of compute capability 6.x).
 */
#define VIEW_ROWS_WIDTH_MAX	131072
#define VIEW_ROWS_MAX		65000
#define VIEW_ROWS_PITCH_MAX	2097120

/**
 * struct view - an object of the program
 * @next: list
 * @object: its value, where a struct softuvm_texture is in GPU memory
 * @surface: it is no texture
 * @resource: what it is of, as the program said
 * @desc: how it is read, likewise
 */
struct view {
	struct view *next;
	unsigned long long object;
	bool surface;
	struct cudaResourceDesc resource;
	struct cudaTextureDesc desc;
};

struct cudaArray;

/* All with the lock. */
cudaError_t rt_view_add(const struct view *view, const struct softuvm_texture *t,
			unsigned long long *object);
const struct view *rt_view(unsigned long long object, bool surface);
cudaError_t rt_view_remove(unsigned long long object, bool surface);
void rt_views_forget(void);
/* Without the lock: what an object is of, as the API tells it. */
cudaError_t rt_view_resource(struct cudaResourceDesc *desc, unsigned long long object, bool surface);
/* The texels of an array. */
void rt_view_of_array(struct softuvm_texture *t, const struct cudaArray *array);
/* Say what is not there. */
cudaError_t rt_view_refuse(const char *what);

#endif

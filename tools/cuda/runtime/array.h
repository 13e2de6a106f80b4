/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays of texels (array.c), for what copies, reads and writes them. */
#ifndef LIBUVMCUDA_ARRAY_H
#define LIBUVMCUDA_ARRAY_H

#include "runtime.h"

/*
 * The largest arrays of compute capability 6.x (CUDA C++ Programming Guide, "Technical Specifications
 * per Compute Capability"), in texels and layers.
 */
#define ARRAY_1D_MAX		131072
#define ARRAY_2D_ROWS_MAX	65536
#define ARRAY_3D_MAX		16384
#define ARRAY_LAYERED_MAX	32768
#define ARRAY_LAYERS_MAX	2048
#define ARRAY_GATHER_MAX	32768

/**
 * struct cudaArray - texels in plain rows of GPU memory
 * @next: list
 * @data: where
 * @flags: of cudaMalloc3DArray()
 * @desc: of a texel
 * @extent: as asked for, in texels: 0 where it has no such dimension
 * @texel: bytes of a texel
 * @row: bytes of a row
 * @pitch: from row to row
 * @rows: of a slice
 * @slices: of the array: its depth, or its layers
 */
struct cudaArray {
	struct cudaArray *next;
	char *data;
	unsigned int flags;
	struct cudaChannelFormatDesc desc;
	struct cudaExtent extent;
	size_t texel, row, pitch, rows, slices;
};

/* Is it one of the program's? */
bool rt_array(const struct cudaArray *array);
/* Bytes of a texel, 0: no array or texture has such. */
size_t rt_texel_bytes(const struct cudaChannelFormatDesc *desc);
/* A box of bytes, rows and slices lies in it; none may be too large to be added. */
bool rt_array_holds(const struct cudaArray *array, const size_t at[3], const size_t box[3]);
/* Where such a place is. */
char *rt_array_at(const struct cudaArray *array, const size_t at[3]);
/* Their memory is gone. */
void rt_arrays_forget(void);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* A copy as the API's functions ask for it (copy.c); those of arrays are in array.c. */
#ifndef LIBUVMCUDA_COPY_H
#define LIBUVMCUDA_COPY_H

#include "runtime.h"

/**
 * struct copy_job - a box of bytes: rows of one length, one or many
 * @dst: where to
 * @src: where from
 * @width: bytes of a row
 * @height: rows of a slice
 * @depth: slices
 * @dst_pitch: from row to row
 * @src_pitch: likewise
 * @dst_slice: from slice to slice
 * @src_slice: likewise
 * @kind: of the API
 */
struct copy_job {
	char *dst;
	const char *src;
	size_t width, height, depth;
	size_t dst_pitch, src_pitch;
	size_t dst_slice, src_slice;
	enum cudaMemcpyKind kind;
};

/* Ask a stream for it (rt_submit()); with the lock. */
cudaError_t rt_copy(const struct copy_job *job, cudaStream_t stream, bool async);
/* What a box of the API means, and bytes of a variable of the device. */
cudaError_t rt_copy_box(const struct cudaMemcpy3DParms *p, struct copy_job *job);
cudaError_t rt_copy_symbol(const void *symbol, char *other, size_t bytes, size_t offset,
			   enum cudaMemcpyKind kind, bool to, struct copy_job *job);
struct copy_job rt_copy_flat(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind);

#endif

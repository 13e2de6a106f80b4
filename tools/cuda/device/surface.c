// SPDX-License-Identifier: GPL-2.0
/* Where a surface's bytes are: inside of its array, or nowhere, or the launch fails. */
#include <stdint.h>

#include "../include/surface_types.h"
#include "../include/texture_types.h"

void *__softuvm_surface(const struct softuvm_texture *s, int x, int y, int z, uint32_t bytes, int mode);

static int64_t clamped(int64_t at, int64_t last)
{
	return at < 0 ? 0 : at > last ? last : at;
}

/* The last place of a row is a multiple of what is read there. */
void *__softuvm_surface(const struct softuvm_texture *s, int x, int y, int z, uint32_t bytes, int mode)
{
	int64_t row = s ? (int64_t)s->size[0] * s->texel : 0;
	int64_t column = x, line = y, slice = z;

	if (row < bytes || column < 0 || column > row - bytes || line < 0 || line >= s->size[1] ||
	    slice < 0 || slice >= s->size[2]) {
		if (mode == cudaBoundaryModeZero)
			return 0;
		if (mode != cudaBoundaryModeClamp || row < bytes)
			__builtin_trap();
		column = clamped(column, (row - bytes) / bytes * bytes);
		line = clamped(line, (int64_t)s->size[1] - 1);
		slice = clamped(slice, (int64_t)s->size[2] - 1);
	}
	return (char *)s->data + slice * s->slice + line * s->pitch + column;
}

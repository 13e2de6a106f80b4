// SPDX-License-Identifier: GPL-2.0
/* The device's side: a thread runs the program on what is its own; a warp multiplies a tile. */
#include <softgpu_kernel.h>
#include "../isa.h"

SGPU_STACK_BYTES(2048);

extern void (*const programs[])(struct isa_thread *own, uint64_t *woven, const uint64_t *table,
				uint64_t index);
extern const uint64_t program_count;

SGPU_SHARED uint32_t tile[ISA_TILE_WORDS];

struct isa_args {
	struct isa_memory *memory;
	struct isa_tile *tiles;
	uint64_t program;
};

void isa_run(const struct isa_args *args)
{
	uint64_t index = global_idx_x();
	struct isa_memory *memory = args->memory;

	if (args->program < program_count && index < ISA_THREADS)
		programs[args->program](&memory->thread[index], &memory->woven[0][index],
					memory->table, index);
}

void isa_multiply(const struct isa_args *args)
{
	struct isa_tile *t = &args->tiles[block_idx_x()];
	float *base = (float *)tile;

	for (uint32_t n = lane_id(); n < ISA_TILE_WORDS; n += 32)
		tile[n] = t->words[n];
	barrier();
	sgpu_mma_16x16x16(base + t->d, t->ldd, base + t->a, t->lda, base + t->b, t->ldb);
	barrier();
	for (uint32_t n = lane_id(); n < ISA_TILE_WORDS; n += 32)
		t->words[n] = tile[n];
}

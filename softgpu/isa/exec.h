/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lane loops of the interpreter.  These files are built with SSE2: call them
 * between sgpu_fpu_begin() and sgpu_fpu_end() only.
 *
 * Every function writes the active lanes only.
 */
#ifndef SOFTGPU_EXEC_H
#define SOFTGPU_EXEC_H

#include <asm/fpu/api.h>
#include "isa/warp.h"

/* MXCSR: exceptions masked, round to nearest, and "inexact" was seen before. */
#define SGPU_MXCSR	0x1fa0

/*
 * No result depends on the sticky flag; but with it set QEMU's TCG, which need
 * not find out about it any more, computes with the host's FPU instead of in
 * software.
 */
static inline void sgpu_fpu_begin(void)
{
	const u32 mxcsr = SGPU_MXCSR;

	kernel_fpu_begin();
	asm volatile("ldmxcsr %0" : : "m" (mxcsr));
}

static inline void sgpu_fpu_end(void)
{
	kernel_fpu_end();
}

/*
 * Functions of the hottest loops exist twice: for any x86-64, and SGPU_WIDE for
 * one with AVX2 and FMA3, which is called if sgpu_wide says so.
 */
#define SGPU_WIDE	__attribute__((target("avx2,fma")))
extern bool sgpu_wide;
/* Choose, if @wanted and the CPU can.  Both give the same bits. */
void sgpu_exec_use_wide(bool wanted);

/* Before a loop over lanes: rows are the same or apart, they never overlap in part. */
#define SGPU_IVDEP	_Pragma("GCC ivdep")

/* Lanes of a mask, in order: those that are not in it take no time. */
#define sgpu_for_each_lane(lane, mask)					\
	for (u32 left_ = (mask); left_ && ((lane) = __builtin_ctz(left_), true);	\
	     left_ &= left_ - 1)

/*
 * Integer registers are lines (struct sgpu_affine) as long as they can be, which is computed
 * as one number, and rows of 32 lanes otherwise.  Whoever looks at rows calls these before.
 */
void sgpu_exec_expand(struct sgpu_warp *warp, u32 regs);
/* @row of 32 lanes is @base and @step more from each to the next. */
void sgpu_exec_line(u64 *row, u64 base, u64 step);

/* Rows of @regs, a bit each, can be read. */
static inline void sgpu_rows_read(struct sgpu_warp *warp, u32 regs)
{
	regs &= warp->stale;
	if (unlikely(regs))
		sgpu_exec_expand(warp, regs);
}

/* @lanes of the rows of @regs will be written; the others keep what they have. */
static inline void sgpu_rows_write(struct sgpu_warp *warp, u32 regs, u32 lanes)
{
	if (unlikely(lanes != warp->live))
		sgpu_rows_read(warp, regs);
	warp->affine &= ~regs;
	warp->stale &= ~regs;
}

/* x[@reg] is a line from now on, in all lanes: these are converged. */
static inline void sgpu_affine_set(struct sgpu_warp *warp, unsigned int reg, u64 base, u64 step)
{
	warp->ax[reg].base = base;
	warp->ax[reg].step = step;
	warp->affine |= 1U << reg;
	warp->stale |= 1U << reg;
}

/* All registers that @insn reads are lines. */
static inline bool sgpu_affine_reads(const struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	return !(insn->reads & ~warp->affine);
}

/*
 * x[rd] becomes the line that @insn computes from lines, @base being its result in lane 0; false,
 * and nothing has changed, if the results are no line.
 */
bool sgpu_affine_result(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 base);
/* Does the condition of a branch hold in all lanes (1), in none (0), or is that not known (-1)? */
int sgpu_affine_condition(const struct sgpu_warp *warp, const struct sgpu_insn *insn);

/* warp->lane_mask for the active lanes, of which there are fewer than 32. */
void sgpu_exec_masks(struct sgpu_warp *warp);

static inline void sgpu_exec_lane_mask(struct sgpu_warp *warp)
{
	if (warp->masked != warp->active)
		sgpu_exec_masks(warp);
}

/* SGPU_CLASS_INT and SGPU_CLASS_FLOAT operations. */
void sgpu_exec_int(struct sgpu_warp *warp, const struct sgpu_insn *insn);
void sgpu_exec_float(struct sgpu_warp *warp, const struct sgpu_insn *insn);
/* Mask of the lanes for which the condition holds; of idle ones it says nothing. */
u32 sgpu_exec_condition(struct sgpu_warp *warp, const struct sgpu_insn *insn);
/* x[@rd] = @value in the active lanes; @rd is not 0. */
void sgpu_exec_set(struct sgpu_warp *warp, unsigned int rd, u64 value);
/* x[@rd][lane] = @base + lane * @step in the active lanes. */
void sgpu_exec_iota(struct sgpu_warp *warp, unsigned int rd, u64 base, u64 step);
/* Integer registers are 0 in all lanes, active or not, and float registers in @used are. */
void sgpu_exec_clear(struct sgpu_warp *warp, u32 used);
/* x[@reg] has one value in all active lanes: that of the first in @value. */
bool sgpu_exec_uniform(struct sgpu_warp *warp, unsigned int reg, u64 *value);

/**
 * struct sgpu_lanes - the addresses of one memory instruction
 * @va: address per lane; that of the first active lane where inactive
 * @off: byte offset of each lane from the memory found for it
 * @low: OR of all addresses, with more bits where @contiguous: never less than any address, and
 *	a multiple of the size if all are
 * @diff: OR of each address XOR the first, in the highest bit and where that is
 * @step: with @ends: from lane to lane
 * @contiguous: all lanes active, consecutive addresses in lane order: @off of lane 0 is enough
 * @uniform: all lanes at one place: @off of lane 0 is enough
 * @ends: a line; only the first and the last @va are there, until sgpu_lanes_fill()
 */
struct sgpu_lanes {
	u64 va[SGPU_LANES];
	u64 off[SGPU_LANES];
	u64 low;
	u64 diff;
	u64 step;
	bool contiguous;
	bool uniform;
	bool ends;
};

/* Fill in all but @off, for addresses x[@reg] + @imm. */
void sgpu_lanes_address(struct sgpu_warp *warp, unsigned int reg, s64 imm, unsigned int size,
			struct sgpu_lanes *lanes);
/* Fill in @va of all lanes, if that has been put off. */
void sgpu_lanes_fill(struct sgpu_lanes *lanes);
/*
 * off = va & 0xfff for lanes in @mask, or of lane 0 if that is enough; returns the bitmap of
 * their 128-byte lines of the page.
 */
u32 sgpu_lanes_page_offsets(struct sgpu_lanes *lanes, u32 mask);

#define SGPU_PAGE_LINES		32
/* Which 32-byte sectors of a page of 4 KB are touched, a bit each. */
struct sgpu_sectors {
	u64 map[2];
};

/* Those of the lanes in @mask; they lie in one page, none over the end of a sector. */
void sgpu_sectors_of(struct sgpu_sectors *sectors, const u64 *va, u32 mask);

/* The four of one line of 128 bytes. */
static inline u8 sgpu_sectors_line(const struct sgpu_sectors *sectors, unsigned int line)
{
	return sectors->map[line / 16] >> (line % 16 * 4) & 0xf;
}

/* Lanes in @mask by page of 4 KB into @groups, at most one per lane, in order of first lanes. */
unsigned int sgpu_lanes_split(const struct sgpu_lanes *lanes, u32 mask, u32 *groups);
/* off = va & @mask for all lanes */
void sgpu_lanes_offsets(struct sgpu_lanes *lanes, u64 mask);
/* The largest off. */
u64 sgpu_lanes_most(const struct sgpu_lanes *lanes);
/* off += lane * @stride */
void sgpu_lanes_spread_offsets(struct sgpu_lanes *lanes, u64 stride);
/* Perform LOAD, FLOAD: registers = memory at @mem + off, lanes in @mask. */
void sgpu_lanes_load(struct sgpu_warp *warp, const struct sgpu_insn *insn, const void *mem,
		     const struct sgpu_lanes *lanes, u32 mask);
/* Perform STORE, FSTORE from registers. */
void sgpu_lanes_store(struct sgpu_warp *warp, const struct sgpu_insn *insn, void *mem,
		      const struct sgpu_lanes *lanes, u32 mask);
/*
 * Lanes will be performed one by one, maybe later: low bits of @data are what a store, AMO or SC
 * writes, and the row of the results can take them.
 */
void sgpu_lanes_capture(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 *data);

/* Scratch of sgpu_exec_mma(), too large for a stack: B, two columns in one number. */
struct sgpu_mma_scratch {
	s64 pairs[16][8];
};

/* D += A * B, 16x16x16, leading dimensions in elements; they may overlap. */
void sgpu_exec_mma(struct sgpu_mma_scratch *scratch, float *d, unsigned int ldd, const float *a,
		   unsigned int lda, const float *b, unsigned int ldb);
void sgpu_exec_mma_float(float *d, unsigned int ldd, const float *a, unsigned int lda,
			 const float *b, unsigned int ldb);

#endif

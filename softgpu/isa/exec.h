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

/**
 * sgpu_fpu_begin - make the FPU compute as the SMs do
 *
 * No result depends on the sticky flag; but with it set QEMU's TCG, which need not find out about
 * it any more, computes with the host's FPU instead of in software.
 * Context: as kernel_fpu_begin(): no sleep until sgpu_fpu_end(), not nested.
 */
static inline void sgpu_fpu_begin(void)
{
	const u32 mxcsr = SGPU_MXCSR;

	kernel_fpu_begin();
	asm volatile("ldmxcsr %0" : : "m" (mxcsr));
}

/**
 * sgpu_fpu_end - the reverse of sgpu_fpu_begin()
 */
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

/**
 * sgpu_exec_use_wide - choose which of two functions runs, see SGPU_WIDE
 * @wanted: the one for AVX2 and FMA3, if the CPU has them
 *
 * Both give the same bits.
 * Context: before any SM runs; tests change it between runs.
 */
void sgpu_exec_use_wide(bool wanted);

/* Before a loop over lanes: rows are the same or apart, they never overlap in part. */
#define SGPU_IVDEP	_Pragma("GCC ivdep")

/* Lanes of a mask, in order: those that are not in it take no time. */
#define sgpu_for_each_lane(lane, mask)					\
	for (u32 left_ = (mask); left_ && ((lane) = __builtin_ctz(left_), true);	\
	     left_ &= left_ - 1)

/*
 * Integer registers are lines (struct sgpu_affine) as long as they can be, which is computed
 * as one number, and rows of 32 lanes otherwise.  Whoever looks at rows calls sgpu_rows_read() or
 * sgpu_rows_write() before.
 */

/**
 * sgpu_exec_expand - write out the rows of registers that are lines
 * @warp: the warp
 * @regs: a bit each, all of them in @warp->stale
 */
void sgpu_exec_expand(struct sgpu_warp *warp, u32 regs);

/**
 * sgpu_exec_line - write out a line
 * @row: of 32 lanes
 * @base: value in lane 0
 * @step: from each lane to the next, modulo 2^64
 */
void sgpu_exec_line(u64 *row, u64 base, u64 step);

/**
 * sgpu_rows_read - make rows readable
 * @warp: the warp
 * @regs: of these registers, a bit each
 */
static inline void sgpu_rows_read(struct sgpu_warp *warp, u32 regs)
{
	regs &= warp->stale;
	if (unlikely(regs))
		sgpu_exec_expand(warp, regs);
}

/**
 * sgpu_rows_write - rows will be written
 * @warp: the warp
 * @regs: of these registers, a bit each
 * @lanes: in these lanes; the others keep what they have
 */
static inline void sgpu_rows_write(struct sgpu_warp *warp, u32 regs, u32 lanes)
{
	if (unlikely(lanes != warp->live))
		sgpu_rows_read(warp, regs);
	warp->affine &= ~regs;
	warp->stale &= ~regs;
}

/**
 * sgpu_affine_set - a register is a line from now on, in all lanes
 * @warp: a converged warp
 * @reg: the register
 * @base: value in lane 0
 * @step: from each lane to the next, modulo 2^64
 */
static inline void sgpu_affine_set(struct sgpu_warp *warp, unsigned int reg, u64 base, u64 step)
{
	warp->ax[reg].base = base;
	warp->ax[reg].step = step;
	warp->affine |= 1U << reg;
	warp->stale |= 1U << reg;
}

/**
 * sgpu_affine_reads - are all registers that an instruction reads lines?
 * @warp: the warp
 * @insn: the instruction
 *
 * Return: true if so.
 */
static inline bool sgpu_affine_reads(const struct sgpu_warp *warp, const struct sgpu_insn *insn)
{
	return !(insn->reads & ~warp->affine);
}

/**
 * sgpu_affine_result - x[rd] becomes the line that an instruction computes from lines
 * @warp: a converged warp
 * @insn: the instruction, for which sgpu_affine_reads() is true
 * @base: its result in lane 0
 *
 * Return: true; false: the results are no line, and nothing has changed.
 */
bool sgpu_affine_result(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 base);

/**
 * sgpu_affine_condition - does the condition of a branch hold, if its operands are lines?
 * @warp: the warp
 * @insn: the branch
 *
 * Return: 1: in all lanes; 0: in none; -1: that is not known.
 */
int sgpu_affine_condition(const struct sgpu_warp *warp, const struct sgpu_insn *insn);

/**
 * sgpu_exec_masks - fill in @lane_mask for the active lanes
 * @warp: a warp of which fewer than 32 lanes are active
 */
void sgpu_exec_masks(struct sgpu_warp *warp);

/**
 * sgpu_exec_lane_mask - make @lane_mask stand for the active lanes
 * @warp: a warp of which fewer than 32 lanes are active
 */
static inline void sgpu_exec_lane_mask(struct sgpu_warp *warp)
{
	if (warp->masked != warp->active)
		sgpu_exec_masks(warp);
}

/**
 * sgpu_exec_int - perform an operation of SGPU_CLASS_INT
 * @warp: the warp
 * @insn: the instruction
 */
void sgpu_exec_int(struct sgpu_warp *warp, const struct sgpu_insn *insn);

/**
 * sgpu_exec_float - perform an operation of SGPU_CLASS_FLOAT
 * @warp: the warp
 * @insn: the instruction
 */
void sgpu_exec_float(struct sgpu_warp *warp, const struct sgpu_insn *insn);

/**
 * sgpu_exec_condition - in which lanes does the condition of a branch hold?
 * @warp: the warp
 * @insn: the branch
 *
 * Return: a mask; of idle lanes it says nothing.
 */
u32 sgpu_exec_condition(struct sgpu_warp *warp, const struct sgpu_insn *insn);

/**
 * sgpu_exec_set - x[@rd] = @value in the active lanes
 * @warp: the warp
 * @rd: the register, not 0
 * @value: the same for all
 */
void sgpu_exec_set(struct sgpu_warp *warp, unsigned int rd, u64 value);

/**
 * sgpu_exec_iota - x[@rd] = @base + lane * @step in the active lanes
 * @warp: the warp
 * @rd: the register, not 0
 * @base: value of lane 0
 * @step: from each lane to the next, modulo 2^64
 */
void sgpu_exec_iota(struct sgpu_warp *warp, unsigned int rd, u64 base, u64 step);

/**
 * sgpu_exec_clear - a warp begins: its registers are 0, in all lanes, active or not
 * @warp: the warp
 * @used: float registers that are cleared, a bit each; of integer registers all are
 */
void sgpu_exec_clear(struct sgpu_warp *warp, u32 used);

/**
 * sgpu_exec_uniform - has a register one value in all active lanes?
 * @warp: the warp
 * @reg: the register
 * @value: out: that of the first active lane
 *
 * Return: true if so.
 */
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

/**
 * sgpu_lanes_address - the addresses x[@reg] + @imm of a memory instruction
 * @warp: the warp
 * @reg: the register
 * @imm: the offset
 * @size: log2 of the bytes of one access
 * @lanes: filled in but for @off
 */
void sgpu_lanes_address(struct sgpu_warp *warp, unsigned int reg, s64 imm, unsigned int size,
			struct sgpu_lanes *lanes);

/**
 * sgpu_lanes_fill - fill in @va of all lanes, if that has been put off
 * @lanes: the addresses
 */
void sgpu_lanes_fill(struct sgpu_lanes *lanes);

/**
 * sgpu_lanes_page_offsets - off = va & 0xfff for lanes of one page, or of lane 0 if that is enough
 * @lanes: the addresses
 * @mask: lanes, in one page
 *
 * Return: bitmap of their 128-byte lines of the page.
 */
u32 sgpu_lanes_page_offsets(struct sgpu_lanes *lanes, u32 mask);

#define SGPU_PAGE_LINES		32
/* Which 32-byte sectors of a page of 4 KB are touched, a bit each. */
struct sgpu_sectors {
	u64 map[2];
};

/**
 * sgpu_sectors_of - which sectors do lanes touch?
 * @sectors: filled
 * @va: address per lane; none over the end of a sector
 * @mask: lanes, in one page
 */
void sgpu_sectors_of(struct sgpu_sectors *sectors, const u64 *va, u32 mask);

/**
 * sgpu_sectors_line - the four sectors of one line of 128 bytes
 * @sectors: of a page
 * @line: 0 ...  SGPU_PAGE_LINES - 1
 *
 * Return: a bit each.
 */
static inline u8 sgpu_sectors_line(const struct sgpu_sectors *sectors, unsigned int line)
{
	return sectors->map[line / 16] >> (line % 16 * 4) & 0xf;
}

/**
 * sgpu_lanes_split - sort lanes by page of 4 KB
 * @lanes: the addresses
 * @mask: which lanes
 * @groups: out: masks of the lanes of one page each, in order of first lanes; room for 32
 *
 * Return: how many groups.
 */
unsigned int sgpu_lanes_split(const struct sgpu_lanes *lanes, u32 mask, u32 *groups);

/**
 * sgpu_lanes_offsets - off = va & @mask for all lanes
 * @lanes: the addresses
 * @mask: bits that stay
 */
void sgpu_lanes_offsets(struct sgpu_lanes *lanes, u64 mask);

/**
 * sgpu_lanes_most - the largest off of all lanes
 * @lanes: the addresses
 *
 * Return: bytes.
 */
u64 sgpu_lanes_most(const struct sgpu_lanes *lanes);

/**
 * sgpu_lanes_spread_offsets - off += lane * @stride for all lanes
 * @lanes: the addresses
 * @stride: bytes
 */
void sgpu_lanes_spread_offsets(struct sgpu_lanes *lanes, u64 stride);

/**
 * sgpu_lanes_load - perform LOAD or FLOAD: registers = memory at @mem + off
 * @warp: the warp
 * @insn: the instruction
 * @mem: good for every lane's access
 * @lanes: the addresses
 * @mask: which lanes
 */
void sgpu_lanes_load(struct sgpu_warp *warp, const struct sgpu_insn *insn, const void *mem,
		     const struct sgpu_lanes *lanes, u32 mask);

/**
 * sgpu_lanes_store - perform STORE or FSTORE: memory at @mem + off = registers
 * @warp: the warp
 * @insn: the instruction
 * @mem: good for every lane's access
 * @lanes: the addresses
 * @mask: which lanes
 */
void sgpu_lanes_store(struct sgpu_warp *warp, const struct sgpu_insn *insn, void *mem,
		      const struct sgpu_lanes *lanes, u32 mask);

/**
 * sgpu_lanes_capture - lanes will be performed one by one, maybe later
 * @warp: the warp; the row of the results can take them afterwards
 * @insn: a memory instruction
 * @data: out, 32 of them: low bits are what a store, AMO or SC writes
 */
void sgpu_lanes_capture(struct sgpu_warp *warp, const struct sgpu_insn *insn, u64 *data);

/* Scratch of sgpu_exec_mma(), too large for a stack: B, two columns in one number. */
struct sgpu_mma_scratch {
	s64 pairs[16][8];
};

/**
 * sgpu_exec_mma - D += A * B, 16x16x16, in integers where that gives the same bits
 * @scratch: contents do not matter
 * @d: D, rows of 16
 * @ldd: elements from row to row
 * @a: A, likewise; matrices may overlap
 * @lda: elements from row to row
 * @b: B, likewise
 * @ldb: elements from row to row
 */
void sgpu_exec_mma(struct sgpu_mma_scratch *scratch, float *d, unsigned int ldd, const float *a,
		   unsigned int lda, const float *b, unsigned int ldb);

/**
 * sgpu_exec_mma_float - the same, always in floating point, for tests to compare with
 * @d: D
 * @ldd: elements from row to row
 * @a: A
 * @lda: elements from row to row
 * @b: B
 * @ldb: elements from row to row
 */
void sgpu_exec_mma_float(float *d, unsigned int ldd, const float *a, unsigned int lda,
			 const float *b, unsigned int ldb);

#endif

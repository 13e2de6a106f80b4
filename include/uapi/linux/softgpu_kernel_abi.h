/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What a GPU kernel (RISC-V code run by the SMs) and the device agree on.
 * Shared with tools/include/softgpu_kernel.h; plain C and preprocessor only.
 *
 * Build a kernel image with
 *
 *   clang --target=riscv64 -march=rv64imaf -mabi=lp64f -mcmodel=medany -O2
 *         -ffreestanding -ffp-contract=off -fno-pic -mno-relax
 *         -msmall-data-limit=0 -fno-asynchronous-unwind-tables
 *         -Xclang -fconvergent-functions -c k.c -o k.o
 *   ld.lld -static -nostdlib --entry=0 -T softgpu.ld k.o -o k.elf
 *
 * With -march=rv64imafd and any instruction of double precision float registers have 64 bits;
 * -mabi=lp64d will do, too.
 *
 * softgpu.ld is in tools/include.  Without -msmall-data-limit=0 float constants
 * become writable data, which is refused; -fconvergent-functions keeps the
 * compiler from copying a barrier into both sides of a branch.
 *
 * All windows lie within 2 GB of each other, so medany code reaches them.
 */
#ifndef SOFTGPU_KERNEL_ABI_H
#define SOFTGPU_KERNEL_ABI_H

/*
 * Windows, outside the 49-bit virtual addresses of the MMU.  They are bounds
 * checked and never page fault.
 */
#define SGPU_WINDOW_IMAGE	0x4000000000000000	/* code, constants: read only */
#define SGPU_WINDOW_SHARED	0x4000000010000000	/* one per block */
#define SGPU_WINDOW_ARGS	0x4000000020000000	/* argument block: read only */
#define SGPU_WINDOW_STACK	0x4000000030000000	/* one per thread; sp starts at its end */
#define SGPU_WINDOW_EXIT	0x4000000040000000	/* initial ra: ends the thread */

#define SGPU_IMAGE_MAX		0x1000000		/* 16 MB */

/*
 * Absolute symbols an image may define:
 *   __softgpu_stack_bytes	stack per thread, default 1024, a multiple of 16, at most 64 KB
 *   __softgpu_registers	32-bit registers per thread for occupancy, default 32, 1 ... 255
 * Variables in section .shared are the block's static shared memory; they start
 * zeroed and must have no initial value.
 */
#define SGPU_STACK_DEFAULT	1024
#define SGPU_STACK_MAX		65536
#define SGPU_REGISTERS_DEFAULT	32
#define SGPU_REGISTERS_MAX	255

/*
 * A thread starts at the launched function with a0 = address of the argument
 * block, sp = top of its stack, ra = SGPU_WINDOW_EXIT, all else 0.
 *
 * ecall: a7 = number (the same in all active lanes), arguments a0 ..., result a0.
 * No other register changes.
 */
#define SGPU_ECALL_EXIT			0	/* end this thread */
#define SGPU_ECALL_BARRIER		1	/* all threads of the block */
#define SGPU_ECALL_THREAD_X		2	/* threadIdx */
#define SGPU_ECALL_THREAD_Y		3
#define SGPU_ECALL_THREAD_Z		4
#define SGPU_ECALL_BLOCK_X		5	/* blockIdx */
#define SGPU_ECALL_BLOCK_Y		6
#define SGPU_ECALL_BLOCK_Z		7
#define SGPU_ECALL_BLOCK_DIM_X		8	/* blockDim */
#define SGPU_ECALL_BLOCK_DIM_Y		9
#define SGPU_ECALL_BLOCK_DIM_Z		10
#define SGPU_ECALL_GRID_DIM_X		11	/* gridDim */
#define SGPU_ECALL_GRID_DIM_Y		12
#define SGPU_ECALL_GRID_DIM_Z		13
#define SGPU_ECALL_GLOBAL_X		14	/* blockIdx.x * blockDim.x + threadIdx.x */
#define SGPU_ECALL_LANE			15	/* 0 ... 31 */
#define SGPU_ECALL_WARP			16	/* warp in its block */
#define SGPU_ECALL_SM			17	/* SM this block runs on */
#define SGPU_ECALL_CLOCK		18	/* SM cycles */
#define SGPU_ECALL_GLOBALTIMER		19	/* device ns */
#define SGPU_ECALL_SHARED_BYTES		20	/* static and dynamic */
#define SGPU_ECALL_SHARED_DYNAMIC	21	/* address of the dynamic part */
#define SGPU_ECALL_PRINTF		22	/* a0 format, a1 u64 array of arguments */
/*
 * D += A * B on 16x16 row-major float tiles in shared memory, the whole warp
 * together: a0 = D, a1 = A, a2 = B, a3, a4, a5 = their leading dimensions in
 * elements; the same in all lanes.  Each element: for k = 0 ... 15,
 * d = d + a * b, every operation rounded to nearest even.
 */
#define SGPU_ECALL_MMA			23
#define SGPU_ECALL_PREFETCH		24	/* a0 address: fetch the page, never fails */
#define SGPU_ECALL_ACTIVE		25	/* mask of lanes that execute this together */
/*
 * A barrier that also reduces: a0 is a predicate of each thread, and becomes the number of
 * threads for which it is not 0; or whether it is so for all (AND), or any (OR), of those at
 * the barrier.
 */
#define SGPU_ECALL_BARRIER_COUNT	26
#define SGPU_ECALL_BARRIER_AND		27
#define SGPU_ECALL_BARRIER_OR		28
/*
 * Lanes of a warp among themselves.  a1 = mask of the members, the lane itself among them
 * (else the launch fails); who comes waits for all members that have not exited to come to the
 * same intrinsic with the same mask.  If they cannot, since all wait elsewhere, the launch fails
 * as at a barrier.  Lanes that have exited have no value and no vote.
 */
#define SGPU_ECALL_WARP_SYNC		29	/* a0 = members that are here */
/*
 * a0 = the 64 bits in a0 of another lane: a2 modulo 32 says which, within the lane's segment of
 * a3 lanes (1, 2, 4, 8, 16, 32).  One outside of it, or that is no member, leaves a0 as it is;
 * of XOR, one before it is none outside.
 */
#define SGPU_ECALL_SHUFFLE_IDX		30	/* number a2 of the segment, modulo a3 */
#define SGPU_ECALL_SHUFFLE_UP		31	/* a2 lanes below */
#define SGPU_ECALL_SHUFFLE_DOWN		32	/* a2 lanes above */
#define SGPU_ECALL_SHUFFLE_XOR		33	/* number of the lane, exclusive or a2 */
#define SGPU_ECALL_VOTE_ANY		34	/* a0 is not 0 in any member */
#define SGPU_ECALL_VOTE_ALL		35	/* ... in all */
#define SGPU_ECALL_VOTE_UNI		36	/* ... in all or in none */
#define SGPU_ECALL_VOTE_BALLOT		37	/* mask of members where a0 is not 0 */
#define SGPU_ECALL_MATCH_ANY		38	/* mask of members with this lane's a0, 64 bits */
#define SGPU_ECALL_MATCH_ALL		39	/* mask of members if all have one a0, else 0 */

#endif

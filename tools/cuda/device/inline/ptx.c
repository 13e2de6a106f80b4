// SPDX-License-Identifier: GPL-2.0
/*
 * PTX in asm(): the instruction "NAME" is __ptx_NAME() here, with "_" for what is no letter and no
 * digit, and its operands behind the result in their order (NVIDIA, "Parallel Thread Execution ISA").
 * uvm-retarget takes what is here, and refuses others.
 */
#include <stdint.h>
#include <softgpu_kernel.h>

#define PTX __attribute__((always_inline))

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

void __softuvm_nanosleep(uint32_t ns);
int __nv_popcll(long long x);
int __nv_clzll(long long x);
unsigned long long __nv_brevll(unsigned long long x);
unsigned int __nv_byte_perm(unsigned int a, unsigned int b, unsigned int selector);

/* ---- control ---------------------------------------------------------- */

PTX void __ptx_trap(void) { __asm__ volatile("ebreak"); }
PTX void __ptx_exit(void) { thread_exit(); }
/* No debugger listens. */
PTX void __ptx_brkpt(void) { }
PTX void __ptx_pmevent(u32 event) { (void)event; }
PTX void __ptx_nanosleep_u32(u32 ns) { __softuvm_nanosleep(ns); }
PTX u32 __ptx_activemask_b32(void) { return active_mask(); }
PTX void __ptx_membar_cta(void) { memory_fence(); }
PTX void __ptx_membar_gl(void) { memory_fence(); }
PTX void __ptx_membar_sys(void) { memory_fence(); }
PTX void __ptx_fence_acq_rel_cta(void) { memory_fence(); }
PTX void __ptx_fence_acq_rel_gpu(void) { memory_fence(); }
PTX void __ptx_fence_acq_rel_sys(void) { memory_fence(); }
PTX void __ptx_fence_sc_cta(void) { memory_fence(); }
PTX void __ptx_fence_sc_gpu(void) { memory_fence(); }
PTX void __ptx_fence_sc_sys(void) { memory_fence(); }
PTX void __ptx_bar_sync(u32 number) { (void)number; barrier(); }
PTX void __ptx_barrier_sync(u32 number) { (void)number; barrier(); }
PTX void __ptx_barrier_sync_aligned(u32 number) { (void)number; barrier(); }
PTX void __ptx_bar_warp_sync(u32 members) { warp_sync(members); }
PTX void __ptx_prefetch_global_L1(u64 at) { prefetch_page((const void *)at); }
PTX void __ptx_prefetch_global_L2(u64 at) { prefetch_page((const void *)at); }

PTX void __ptx_prefetchu_L1(u64 at) { (void)at; }
PTX void __ptx_discard_global_L2(u64 at, u32 bytes) { (void)at, (void)bytes; }

/* ---- bits ------------------------------------------------------------- */

/* The upper half of @high:@low, shifted; "clamp" takes more than 31 as 32. */
PTX u32 __ptx_shf_l_wrap_b32(u32 low, u32 high, u32 by)
{
	return ((u64)high << 32 | low) << (by & 31) >> 32;
}

PTX u32 __ptx_shf_l_clamp_b32(u32 low, u32 high, u32 by)
{
	return by > 31 ? low : __ptx_shf_l_wrap_b32(low, high, by);
}

PTX u32 __ptx_shf_r_wrap_b32(u32 low, u32 high, u32 by) { return ((u64)high << 32 | low) >> (by & 31); }

PTX u32 __ptx_shf_r_clamp_b32(u32 low, u32 high, u32 by)
{
	return by > 31 ? high : __ptx_shf_r_wrap_b32(low, high, by);
}

/* @length bits of @a from the bit @at on; the lowest 8 bits of these two count. */
#define EXTRACT(bits)							\
	PTX u##bits __ptx_bfe_u##bits(u##bits a, u32 at, u32 length)		\
	{									\
		at &= 255;							\
		length &= 255;							\
		a = at < bits ? a >> at : 0;					\
		return length < bits ? a & (((u##bits)1 << length) - 1) : a;	\
	}									\
	/* The sign is that of the last bit there is. */			\
	PTX s##bits __ptx_bfe_s##bits(s##bits a, u32 at, u32 length)		\
	{									\
		at &= 255;							\
		length &= 255;							\
		a = at < bits ? a >> at : a >> (bits - 1);			\
		if (!length)							\
			return 0;						\
		return length < bits ? (s##bits)((u##bits)a << (bits - length)) >> (bits - length) : a; \
	}									\
	PTX u##bits __ptx_bfi_b##bits(u##bits a, u##bits b, u32 at, u32 length)	\
	{									\
		u##bits mask;							\
										\
		at &= 255;							\
		length &= 255;							\
		mask = length < bits ? ((u##bits)1 << length) - 1 : ~(u##bits)0;	\
		return at < bits ? (b & ~(mask << at)) | (a & mask) << at : b;	\
	}

EXTRACT(32)
EXTRACT(64)

PTX u32 __ptx_prmt_b32(u32 a, u32 b, u32 selector) { return __nv_byte_perm(a, b, selector); }
PTX u32 __ptx_popc_b32(u32 a) { return __nv_popcll(a); }
PTX u32 __ptx_popc_b64(u64 a) { return __nv_popcll(a); }
PTX u32 __ptx_clz_b32(u32 a) { return __nv_clzll(a) - 32; }
PTX u32 __ptx_clz_b64(u64 a) { return __nv_clzll(a); }
PTX u32 __ptx_brev_b32(u32 a) { return __nv_brevll(a) >> 32; }
PTX u64 __ptx_brev_b64(u64 a) { return __nv_brevll(a); }
/* The highest bit that is set, or that differs from the sign; all ones if there is none. */
PTX u32 __ptx_bfind_u32(u32 a) { return 63 - __nv_clzll(a); }
PTX u32 __ptx_bfind_s32(s32 a) { return 63 - __nv_clzll((u32)(a < 0 ? ~a : a)); }
PTX u32 __ptx_bfind_u64(u64 a) { return 63 - __nv_clzll(a); }

/* @table has the result for each of the eight sets of three bits. */
PTX u32 __ptx_lop3_b32(u32 a, u32 b, u32 c, u32 table)
{
	u32 result = 0;

	for (int i = 0; i < 8; i++)
		if (table >> i & 1)
			result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
	return result;
}

/* ---- arithmetic ------------------------------------------------------- */

#define OF_TWO(name, result, type, value) PTX result __ptx_##name(type a, type b) { return value; }
#define OF_THREE(name, result, type, third, value)				\
	PTX result __ptx_##name(type a, type b, third c) { return value; }

OF_TWO(mul_wide_u32, u64, u32, (u64)a * b)
OF_TWO(mul_wide_s32, s64, s32, (s64)a * b)
OF_TWO(mul_hi_u32, u32, u32, (u64)a * b >> 32)
OF_TWO(mul_hi_s32, s32, s32, (s64)a * b >> 32)
OF_TWO(mul_hi_u64, u64, u64, (unsigned __int128)a * b >> 64)
OF_TWO(mul_hi_s64, s64, s64, (__int128)a * b >> 64)
OF_TWO(mul_lo_u32, u32, u32, a * b)
OF_TWO(mul_lo_s32, u32, u32, a * b)
OF_TWO(mul_lo_u64, u64, u64, a * b)
OF_TWO(mul_lo_s64, u64, u64, a * b)
OF_THREE(mad_lo_u32, u32, u32, u32, a * b + c)
OF_THREE(mad_lo_s32, u32, u32, u32, a * b + c)
OF_THREE(mad_hi_u32, u32, u32, u32, ((u64)a * b >> 32) + c)
OF_THREE(mad_wide_u32, u64, u32, u64, (u64)a * b + c)
OF_THREE(mad_wide_s32, u64, s32, u64, (u64)((s64)a * b) + c)
OF_THREE(mad_lo_u64, u64, u64, u64, a * b + c)
OF_THREE(sad_u32, u32, u32, u32, c + (a > b ? a - b : b - a))
OF_THREE(sad_s32, u32, s32, u32, c + (a > b ? (u32)a - (u32)b : (u32)b - (u32)a))

OF_TWO(div_u32, u32, u32, a / b)
OF_TWO(div_s32, s32, s32, a / b)
OF_TWO(div_u64, u64, u64, a / b)
OF_TWO(div_s64, s64, s64, a / b)
OF_TWO(rem_u32, u32, u32, a % b)
OF_TWO(rem_s32, s32, s32, a % b)
OF_TWO(rem_u64, u64, u64, a % b)
OF_TWO(rem_s64, s64, s64, a % b)
OF_THREE(mad_hi_s32, u32, s32, u32, (u32)((s64)a * b >> 32) + c)
OF_THREE(mad_hi_u64, u64, u64, u64, (u64)((unsigned __int128)a * b >> 64) + c)
OF_THREE(mad_lo_s64, u64, u64, u64, a * b + c)

/* ---- memory ----------------------------------------------------------- */

/* An address of shared memory, of which 32 bits may be left, is that with the upper half. */
PTX u64 __ptx_cvta_shared_u64(u64 at) { return at | SGPU_WINDOW_SHARED >> 32 << 32; }
PTX u64 __ptx_cvta_to_shared_u64(u64 at) { return at; }
PTX u64 __ptx_cvta_global_u64(u64 at) { return at; }
PTX u64 __ptx_cvta_to_global_u64(u64 at) { return at; }

#define LOAD(name, type) PTX type __ptx_ld_##name(u64 at) { return *(volatile type *)at; }
#define STORE(name, type) PTX void __ptx_st_##name(u64 at, type value) { *(volatile type *)at = value; }

/* Caches take no wishes, and each access is seen by all in its order: uvm-retarget drops what says so. */
#define MEMORY(letters, type) LOAD(letters, type) STORE(letters, type)

MEMORY(u8, uint8_t)
MEMORY(s8, int8_t)
MEMORY(b8, uint8_t)
MEMORY(u16, uint16_t)
MEMORY(s16, int16_t)
MEMORY(b16, uint16_t)
MEMORY(u32, u32)
MEMORY(s32, u32)
MEMORY(b32, u32)
MEMORY(u64, u64)
MEMORY(s64, u64)
MEMORY(b64, u64)
MEMORY(f32, float)
MEMORY(f64, double)

/* ---- copies ----------------------------------------------------------- */

/* To shared memory, at once: there is nothing to wait for. */
PTX void __ptx_cp_async(u64 to, u64 from, u32 bytes)
{
	for (u32 i = 0; i < bytes; i += sizeof(u32))
		*(volatile u32 *)(to + i) = *(volatile u32 *)(from + i);
}

/* Of which only @there bytes are read, and zeros come behind them. */
PTX void __ptx_cp_async_zero(u64 to, u64 from, u32 bytes, u32 there)
{
	for (u32 i = 0; i < bytes; i++)
		*(volatile uint8_t *)(to + i) = i < there ? *(volatile uint8_t *)(from + i) : 0;
}

PTX void __ptx_cp_async_commit_group(void) { }
PTX void __ptx_cp_async_wait_group(u32 left) { (void)left; }
PTX void __ptx_cp_async_wait_all(void) { }

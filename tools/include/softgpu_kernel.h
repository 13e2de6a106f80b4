/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For authors of GPU kernels.  A kernel is a function
 *
 *	void k(const struct k_args *args);
 *
 * run by every thread of the grid; args points to a copy of the argument block
 * given at launch.  32 threads make a warp and execute together; a load does
 * not wait for its data before that is used.  No writable globals: use GPU
 * memory through pointers in the arguments, the stack (1 KB per thread unless
 * SGPU_STACK_BYTES says otherwise) or shared memory.  Arithmetic is RV64IMAF:
 * float is exact IEEE single precision; `uvm cc` has no double, though the device has.  <string.h> and
 * <math.h> (single precision) come with `uvm cc`.
 *
 * How to build: linux/softgpu_kernel_abi.h, or simply `uvm cc`.
 */
#ifndef SOFTGPU_KERNEL_H
#define SOFTGPU_KERNEL_H

#include <stdint.h>
#include <linux/softgpu_kernel_abi.h>

#define __SGPU_INLINE	static inline __attribute__((always_inline, unused))

/* Whole-image declarations; use each at most once, at file scope. */
#define __SGPU_ABSOLUTE(name, value) \
	__asm__(".globl " #name "\n.set " #name ", " #value)
/* Bytes of stack per thread: a multiple of 16, 0 to 65536. */
#define SGPU_STACK_BYTES(value)	__SGPU_ABSOLUTE(__softgpu_stack_bytes, value)
/* 32-bit registers per thread, 1 to 255; fewer let more blocks run at once. */
#define SGPU_REGISTERS(value)	__SGPU_ABSOLUTE(__softgpu_registers, value)
/* A static variable in shared memory; starts as zero in every block. */
#define SGPU_SHARED		static __attribute__((section(".shared")))

/* An ecall whose result depends on the thread only. */
#define __SGPU_VALUE(number) ({						\
	register uint64_t __a7 __asm__("a7") = (number);		\
	register uint64_t __a0 __asm__("a0");				\
	__asm__("ecall" : "=r"(__a0) : "r"(__a7));			\
	__a0;								\
})

/* Where this thread is. */
__SGPU_INLINE uint32_t thread_idx_x(void) { return __SGPU_VALUE(SGPU_ECALL_THREAD_X); }
__SGPU_INLINE uint32_t thread_idx_y(void) { return __SGPU_VALUE(SGPU_ECALL_THREAD_Y); }
__SGPU_INLINE uint32_t thread_idx_z(void) { return __SGPU_VALUE(SGPU_ECALL_THREAD_Z); }
__SGPU_INLINE uint32_t block_idx_x(void) { return __SGPU_VALUE(SGPU_ECALL_BLOCK_X); }
__SGPU_INLINE uint32_t block_idx_y(void) { return __SGPU_VALUE(SGPU_ECALL_BLOCK_Y); }
__SGPU_INLINE uint32_t block_idx_z(void) { return __SGPU_VALUE(SGPU_ECALL_BLOCK_Z); }
__SGPU_INLINE uint32_t block_dim_x(void) { return __SGPU_VALUE(SGPU_ECALL_BLOCK_DIM_X); }
__SGPU_INLINE uint32_t block_dim_y(void) { return __SGPU_VALUE(SGPU_ECALL_BLOCK_DIM_Y); }
__SGPU_INLINE uint32_t block_dim_z(void) { return __SGPU_VALUE(SGPU_ECALL_BLOCK_DIM_Z); }
__SGPU_INLINE uint32_t grid_dim_x(void) { return __SGPU_VALUE(SGPU_ECALL_GRID_DIM_X); }
__SGPU_INLINE uint32_t grid_dim_y(void) { return __SGPU_VALUE(SGPU_ECALL_GRID_DIM_Y); }
__SGPU_INLINE uint32_t grid_dim_z(void) { return __SGPU_VALUE(SGPU_ECALL_GRID_DIM_Z); }
/* block_idx_x() * block_dim_x() + thread_idx_x(), in one instruction. */
__SGPU_INLINE uint64_t global_idx_x(void) { return __SGPU_VALUE(SGPU_ECALL_GLOBAL_X); }
__SGPU_INLINE uint32_t lane_id(void) { return __SGPU_VALUE(SGPU_ECALL_LANE); }
__SGPU_INLINE uint32_t warp_id(void) { return __SGPU_VALUE(SGPU_ECALL_WARP); }
__SGPU_INLINE uint32_t sm_id(void) { return __SGPU_VALUE(SGPU_ECALL_SM); }

/* Shared memory: static variables first, then what the launch asked for. */
__SGPU_INLINE uint32_t shared_bytes(void) { return __SGPU_VALUE(SGPU_ECALL_SHARED_BYTES); }
__SGPU_INLINE void *shared_base(void)
{
	return (void *)__SGPU_VALUE(SGPU_ECALL_SHARED_DYNAMIC);
}

/* Wait for all threads of the block, and for their memory accesses. */
__SGPU_INLINE void barrier(void)
{
	register uint64_t a7 __asm__("a7") = SGPU_ECALL_BARRIER;

	__asm__ volatile("ecall" : : "r"(a7) : "memory");
}

#define __SGPU_BARRIER_REDUCE(number, predicate) ({			\
	register uint64_t __a7 __asm__("a7") = (number);		\
	register uint64_t __a0 __asm__("a0") = (predicate);		\
	__asm__ volatile("ecall" : "+r"(__a0) : "r"(__a7) : "memory");	\
	__a0;								\
})

/* A barrier that also tells for how many threads of the block, all or any of them, it holds. */
__SGPU_INLINE uint32_t barrier_count(int predicate)
{
	return __SGPU_BARRIER_REDUCE(SGPU_ECALL_BARRIER_COUNT, predicate != 0);
}

__SGPU_INLINE int barrier_and(int predicate)
{
	return __SGPU_BARRIER_REDUCE(SGPU_ECALL_BARRIER_AND, predicate != 0);
}

__SGPU_INLINE int barrier_or(int predicate)
{
	return __SGPU_BARRIER_REDUCE(SGPU_ECALL_BARRIER_OR, predicate != 0);
}

/* Wait for this warp's memory accesses. */
__SGPU_INLINE void memory_fence(void)
{
	__asm__ volatile("fence rw, rw" : : : "memory");
}

/* End this thread. */
__SGPU_INLINE void thread_exit(void)
{
	register uint64_t a7 __asm__("a7") = SGPU_ECALL_EXIT;

	__asm__ volatile("ecall" : : "r"(a7) : "memory");
	__builtin_unreachable();
}

#define __SGPU_VOLATILE_VALUE(number) ({				\
	register uint64_t __a7 __asm__("a7") = (number);		\
	register uint64_t __a0 __asm__("a0");				\
	__asm__ volatile("ecall" : "=r"(__a0) : "r"(__a7) : "memory");	\
	__a0;								\
})

/* Time: SM cycles, and nanoseconds of the device. */
__SGPU_INLINE uint64_t clock_cycles(void)
{
	return __SGPU_VOLATILE_VALUE(SGPU_ECALL_CLOCK);
}

__SGPU_INLINE uint64_t global_timer_ns(void)
{
	return __SGPU_VOLATILE_VALUE(SGPU_ECALL_GLOBALTIMER);
}

/* Lanes of the warp that execute this together. */
__SGPU_INLINE uint32_t active_mask(void)
{
	return __SGPU_VOLATILE_VALUE(SGPU_ECALL_ACTIVE);
}

/*
 * Lanes of a warp among themselves.  Each names the members it means, itself among them, and
 * waits for those that have not exited; softgpu_kernel_abi.h says more.
 */
__SGPU_INLINE uint64_t __sgpu_warp_op(uint64_t number, uint64_t value, uint32_t members,
				      uint64_t by, uint64_t width)
{
	register uint64_t a7 __asm__("a7") = number;
	register uint64_t a0 __asm__("a0") = value;
	register uint64_t a1 __asm__("a1") = members;
	register uint64_t a2 __asm__("a2") = by;
	register uint64_t a3 __asm__("a3") = width;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3) : "memory");
	return a0;
}

/* Returns the members that are here. */
__SGPU_INLINE uint32_t warp_sync(uint32_t members)
{
	return __sgpu_warp_op(SGPU_ECALL_WARP_SYNC, 0, members, 0, 0);
}

__SGPU_INLINE int vote_any(uint32_t members, int predicate)
{
	return __sgpu_warp_op(SGPU_ECALL_VOTE_ANY, predicate != 0, members, 0, 0);
}

__SGPU_INLINE int vote_all(uint32_t members, int predicate)
{
	return __sgpu_warp_op(SGPU_ECALL_VOTE_ALL, predicate != 0, members, 0, 0);
}

__SGPU_INLINE int vote_uni(uint32_t members, int predicate)
{
	return __sgpu_warp_op(SGPU_ECALL_VOTE_UNI, predicate != 0, members, 0, 0);
}

__SGPU_INLINE uint32_t vote_ballot(uint32_t members, int predicate)
{
	return __sgpu_warp_op(SGPU_ECALL_VOTE_BALLOT, predicate != 0, members, 0, 0);
}

/* Which members have the same value; with _all those that are here if all have, else 0. */
__SGPU_INLINE uint32_t match_any(uint32_t members, uint64_t value)
{
	return __sgpu_warp_op(SGPU_ECALL_MATCH_ANY, value, members, 0, 0);
}

__SGPU_INLINE uint32_t match_all(uint32_t members, uint64_t value)
{
	return __sgpu_warp_op(SGPU_ECALL_MATCH_ALL, value, members, 0, 0);
}

/* Another lane's value, within segments of so many lanes (a power of two, 1 to 32). */
__SGPU_INLINE uint64_t shuffle_idx(uint32_t members, uint64_t value, uint32_t lane, uint32_t width)
{
	return __sgpu_warp_op(SGPU_ECALL_SHUFFLE_IDX, value, members, lane, width);
}

__SGPU_INLINE uint64_t shuffle_up(uint32_t members, uint64_t value, uint32_t by, uint32_t width)
{
	return __sgpu_warp_op(SGPU_ECALL_SHUFFLE_UP, value, members, by, width);
}

__SGPU_INLINE uint64_t shuffle_down(uint32_t members, uint64_t value, uint32_t by, uint32_t width)
{
	return __sgpu_warp_op(SGPU_ECALL_SHUFFLE_DOWN, value, members, by, width);
}

__SGPU_INLINE uint64_t shuffle_xor(uint32_t members, uint64_t value, uint32_t by, uint32_t width)
{
	return __sgpu_warp_op(SGPU_ECALL_SHUFFLE_XOR, value, members, by, width);
}

/* Ask for a page without waiting for it; never fails. */
__SGPU_INLINE void prefetch_page(const volatile void *at)
{
	register uint64_t a7 __asm__("a7") = SGPU_ECALL_PREFETCH;
	register uint64_t a0 __asm__("a0") = (uint64_t)at;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
}

/*
 * The whole warp together: D += A * B, 16x16 row-major tiles in shared memory;
 * the arguments are the same in all lanes.  The warp's own stores are seen; put
 * a barrier between other warps' stores and this.
 */
__SGPU_INLINE void sgpu_mma_16x16x16(float *d, uint32_t ldd, const float *a, uint32_t lda,
				     const float *b, uint32_t ldb)
{
	register uint64_t a7 __asm__("a7") = SGPU_ECALL_MMA;
	register uint64_t a0 __asm__("a0") = (uint64_t)d;
	register uint64_t a1 __asm__("a1") = (uint64_t)a;
	register uint64_t a2 __asm__("a2") = (uint64_t)b;
	register uint64_t a3 __asm__("a3") = ldd;
	register uint64_t a4 __asm__("a4") = lda;
	register uint64_t a5 __asm__("a5") = ldb;

	__asm__ volatile("ecall" : "+r"(a0)
			 : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5) : "memory");
}

/* Atomics on GPU or shared memory; each returns the old value. */
#define __SGPU_ATOMIC(name, type, builtin)				\
__SGPU_INLINE type atomic_##name(volatile type *at, type value)		\
{									\
	return builtin(at, value, __ATOMIC_RELAXED);			\
}

/* The compiler makes loops of min and max; the instructions are better. */
#define __SGPU_AMO(name, type, insn)					\
__SGPU_INLINE type atomic_##name(volatile type *at, type value)		\
{									\
	type old;							\
									\
	__asm__ volatile(insn " %0, %1, (%2)" : "=r"(old)		\
			 : "r"(value), "r"(at) : "memory");		\
	return old;							\
}

#define __SGPU_ATOMICS(suffix, type, width, sign)			\
	__SGPU_ATOMIC(add_##suffix, type, __atomic_fetch_add)		\
	__SGPU_ATOMIC(and_##suffix, type, __atomic_fetch_and)		\
	__SGPU_ATOMIC(or_##suffix, type, __atomic_fetch_or)		\
	__SGPU_ATOMIC(xor_##suffix, type, __atomic_fetch_xor)		\
	__SGPU_ATOMIC(exchange_##suffix, type, __atomic_exchange_n)	\
	__SGPU_AMO(min_##suffix, type, "amomin" sign "." width)		\
	__SGPU_AMO(max_##suffix, type, "amomax" sign "." width)		\
__SGPU_INLINE type atomic_cas_##suffix(volatile type *at, type expected, type value) \
{									\
	__atomic_compare_exchange_n(at, &expected, value, 0,		\
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
	return expected;						\
}

__SGPU_ATOMICS(i32, int32_t, "w", "")
__SGPU_ATOMICS(u32, uint32_t, "w", "u")
__SGPU_ATOMICS(i64, int64_t, "d", "")
__SGPU_ATOMICS(u64, uint64_t, "d", "u")

__SGPU_INLINE uint32_t float_bits(float value)
{
	uint32_t bits;

	__asm__("fmv.x.w %0, %1" : "=r"(bits) : "f"(value));
	return bits;
}

__SGPU_INLINE float bits_float(uint32_t bits)
{
	float value;

	__asm__("fmv.w.x %0, %1" : "=f"(value) : "r"(bits));
	return value;
}

/* What CUDA has and RISC-V has not (hardware.rst): "w" or "d", number, operands and result. */
#define __SGPU_CUDA_AMO(size, number, old, at, value)				\
	__asm__ volatile(".insn r 0x2b, " size ", " number " << 2, %0, %1, %2"	\
			 : "=r"(old) : "r"(at), "r"(value) : "memory")

/* In the order in which the lanes get to it, which rounding can tell. */
__SGPU_INLINE float atomic_add_f32(volatile float *at, float value)
{
	uint32_t old;

	__SGPU_CUDA_AMO("2", "0", old, at, float_bits(value));
	return bits_float(old);
}

/* One more, but 0 behind @last; one less, but @last behind 0 and from above it. */
__SGPU_INLINE uint32_t atomic_inc_u32(volatile uint32_t *at, uint32_t last)
{
	uint32_t old;

	__SGPU_CUDA_AMO("2", "1", old, at, last);
	return old;
}

__SGPU_INLINE uint32_t atomic_dec_u32(volatile uint32_t *at, uint32_t last)
{
	uint32_t old;

	__SGPU_CUDA_AMO("2", "2", old, at, last);
	return old;
}

__SGPU_INLINE float sqrt_f32(float value)
{
	float root;

	__asm__("fsqrt.s %0, %1" : "=f"(root) : "f"(value));
	return root;
}

/*
 * sgpu_printf("format", up to 12 arguments).  %d %i %u %x %X %c are for 32 bits,
 * %ld %lu %lx for 64, %f %e %g %a for float, %s for strings in the image, %p for
 * pointers; with flags, width and precision.  The format is a literal.
 * Threads of a warp print in lane order.
 */
__SGPU_INLINE uint64_t __sgpu_arg_int(int64_t value) { return value; }
__SGPU_INLINE uint64_t __sgpu_arg_uint(uint64_t value) { return value; }
__SGPU_INLINE uint64_t __sgpu_arg_float(float value) { return float_bits(value); }
__SGPU_INLINE uint64_t __sgpu_arg_pointer(const volatile void *value) { return (uint64_t)value; }

#define __SGPU_ARG(x) _Generic((x),					\
	float: __sgpu_arg_float,					\
	_Bool: __sgpu_arg_uint, char: __sgpu_arg_int,			\
	signed char: __sgpu_arg_int, unsigned char: __sgpu_arg_uint,	\
	short: __sgpu_arg_int, unsigned short: __sgpu_arg_uint,		\
	int: __sgpu_arg_int, unsigned int: __sgpu_arg_uint,		\
	long: __sgpu_arg_int, unsigned long: __sgpu_arg_uint,		\
	long long: __sgpu_arg_int, unsigned long long: __sgpu_arg_uint,	\
	default: __sgpu_arg_pointer)(x)

__SGPU_INLINE void __sgpu_print(const char *format, const uint64_t *args)
{
	register uint64_t a7 __asm__("a7") = SGPU_ECALL_PRINTF;
	register uint64_t a0 __asm__("a0") = (uint64_t)format;
	register uint64_t a1 __asm__("a1") = (uint64_t)args;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1) : "memory");
}

#define __SGPU_ARGS_0()			0
#define __SGPU_ARGS_1(a)		__SGPU_ARG(a)
#define __SGPU_ARGS_2(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_1(__VA_ARGS__)
#define __SGPU_ARGS_3(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_2(__VA_ARGS__)
#define __SGPU_ARGS_4(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_3(__VA_ARGS__)
#define __SGPU_ARGS_5(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_4(__VA_ARGS__)
#define __SGPU_ARGS_6(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_5(__VA_ARGS__)
#define __SGPU_ARGS_7(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_6(__VA_ARGS__)
#define __SGPU_ARGS_8(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_7(__VA_ARGS__)
#define __SGPU_ARGS_9(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_8(__VA_ARGS__)
#define __SGPU_ARGS_10(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_9(__VA_ARGS__)
#define __SGPU_ARGS_11(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_10(__VA_ARGS__)
#define __SGPU_ARGS_12(a, ...)		__SGPU_ARG(a), __SGPU_ARGS_11(__VA_ARGS__)
#define __SGPU_PICK(_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, n, ...) \
	__SGPU_ARGS_##n
#define __SGPU_ARGS(...) \
	__SGPU_PICK(0, ##__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)(__VA_ARGS__)

#define sgpu_printf(format, ...) do {					\
	const uint64_t __args[] = { __SGPU_ARGS(__VA_ARGS__) };		\
	__sgpu_print(format, __args);					\
} while (0)

#endif

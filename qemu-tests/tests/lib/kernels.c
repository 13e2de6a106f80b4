// SPDX-License-Identifier: GPL-2.0
/*
 * Kernels of the tests, in the kernel ABI alone: no header for kernel authors,
 * so that a test of the device cannot be right or wrong with it.
 */
#include <linux/softgpu_kernel_abi.h>
#include "kernels.h"

static inline __attribute__((always_inline)) uint64_t ecall(uint64_t nr)
{
	register uint64_t a7 __asm__("a7") = nr;
	register uint64_t a0 __asm__("a0") = 0;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
	return a0;
}

static inline uint64_t total_threads(void)
{
	return ecall(SGPU_ECALL_GRID_DIM_X) * ecall(SGPU_ECALL_BLOCK_DIM_X);
}

void t_nop(const struct test_args *args)
{
	(void)args;
}

void t_store(const struct test_args *args)
{
	*(volatile uint64_t *)args->address = args->value;
}

void t_load(const struct test_args *args)
{
	uint64_t value = *(volatile uint64_t *)args->address;

	__asm__ volatile("" : "+r"(value));
	if (args->out)
		*(volatile uint64_t *)args->out = value;
}

void t_atomic(const struct test_args *args)
{
	uint64_t old;

	__asm__ volatile("amoadd.d %0, %1, (%2)"
			 : "=r"(old) : "r"(args->value), "r"(args->address) : "memory");
	if (args->out)
		*(volatile uint64_t *)args->out = old;
}

/* Adds @value, @count times. */
void t_atomics(const struct test_args *args)
{
	for (uint64_t i = 0; i < args->count; i++)
		t_atomic(args);
}

/* Each thread reads, @stride from the next one's place, @count times: each where zero led. */
void t_hops(const struct test_args *args)
{
	uint64_t at = args->address + ecall(SGPU_ECALL_GLOBAL_X) * args->stride;

	for (uint64_t i = 0; i < args->count; i++)
		at += *(volatile uint32_t *)at;
}

/* Each thread writes there as often; nothing waits for that. */
void t_writes(const struct test_args *args)
{
	uint64_t at = args->address + ecall(SGPU_ECALL_GLOBAL_X) * args->stride;

	for (uint64_t i = 0; i < args->count; i++)
		*(volatile uint32_t *)at = 0;
}

/* Prefetches @count places @stride apart, then stores to @out. */
void t_prefetch(const struct test_args *args)
{
	for (uint64_t i = 0; i < args->count; i++) {
		register uint64_t a7 __asm__("a7") = SGPU_ECALL_PREFETCH;
		register uint64_t a0 __asm__("a0") = args->address + i * args->stride;

		__asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
	}
	*(volatile uint64_t *)args->out = args->value;
}

/* Waits until the 32-bit word at @address is @value, then makes that at @out @count. */
void t_await(const struct test_args *args)
{
	while (*(volatile uint32_t *)args->address != (uint32_t)args->value)
		;
	*(volatile uint32_t *)args->out = args->count;
}

void t_spin(const struct test_args *args)
{
	(void)args;
	for (;;)
		__asm__ volatile("" ::: "memory");
}

/* The second warp computes for a while and traps, the first does not end. */
void t_spin_trap(const struct test_args *args)
{
	uint64_t left = args->count;

	if (ecall(SGPU_ECALL_THREAD_X) < 32)
		t_spin(args);
	while (left--)
		__asm__ volatile("" ::: "memory");
	__asm__ volatile("ebreak");
}

/* Every second warp adds floats that a test makes doubles, the others do not; none ends. */
void t_spin_float(const struct test_args *args)
{
	if (ecall(SGPU_ECALL_THREAD_X) & 32)
		t_spin(args);
	__asm__ volatile("1:\n\t"
			 ".rept 6\n\t"
			 "fadd.s ft8, ft9, ft10\n\t"
			 "fadd.s ft9, ft8, ft10\n\t"
			 ".endr\n\t"
			 "nop\n\t"
			 "j 1b");
}

static __attribute__((noinline)) uint64_t deep(uint64_t depth)
{
	volatile uint64_t here = depth;
	uint64_t below = 0;

	if (depth)
		below = deep(depth - 1);
	return here + below;
}

void t_stack(const struct test_args *args)
{
	uint64_t sum = deep(args->value);

	if (args->out)
		*(volatile uint64_t *)args->out = sum;
}

void t_barrier_uneven(const struct test_args *args)
{
	register uint64_t a7 __asm__("a7") = SGPU_ECALL_BARRIER;

	(void)args;
	if (ecall(SGPU_ECALL_THREAD_X) & 1)
		ecall(SGPU_ECALL_BARRIER);
	else
		/* other text, so that the two are not made one */
		__asm__ volatile("ecall\n\tnop" : : "r"(a7) : "a0", "memory");
}

/* An intrinsic of a warp or a reduction, with these arguments; odd lanes come from elsewhere. */
void t_warp(const struct test_args *args)
{
	register uint64_t a7 __asm__("a7") = SGPU_ECALL_BARRIER_COUNT +
		args->value % (SGPU_ECALL_MATCH_ALL - SGPU_ECALL_BARRIER_COUNT + 1);
	register uint64_t a0 __asm__("a0") = ecall(SGPU_ECALL_LANE);
	register uint64_t a1 __asm__("a1") = args->address;
	register uint64_t a2 __asm__("a2") = args->count;
	register uint64_t a3 __asm__("a3") = args->stride;

	if (a0 & 1)
		__asm__ volatile("ecall\n\tnop" : "+r"(a0)
				 : "r"(a7), "r"(a1), "r"(a2), "r"(a3) : "memory");
	else
		__asm__ volatile("ecall" : "+r"(a0)
				 : "r"(a7), "r"(a1), "r"(a2), "r"(a3) : "memory");
	if (args->out)
		*(volatile uint64_t *)args->out = a0;
}

/* Threads of one warp wait, the other warp is gone: not an error of divergence. */
void t_barrier_even(const struct test_args *args)
{
	for (uint64_t i = 0; i < args->count; i++)
		ecall(SGPU_ECALL_BARRIER);
}

void t_jump(const struct test_args *args)
{
	((void (*)(void))args->address)();
}

void t_trap(const struct test_args *args)
{
	if (args->value)
		ecall(args->value);
	else
		__asm__ volatile("ebreak");
}

/* Beyond the end of the shared memory of the block. */
void t_shared(const struct test_args *args)
{
	*(volatile uint64_t *)(SGPU_WINDOW_SHARED + args->value) = 1;
}

/*
 * Shared memory, a word per thread, the next warp's a barrier later: counts at @out what
 * is not zero at first, or not what was written.  Warps come one after the other.
 */
void t_ring(const struct test_args *args)
{
	uint64_t threads = ecall(SGPU_ECALL_BLOCK_DIM_X), thread = ecall(SGPU_ECALL_THREAD_X);
	volatile uint64_t *ring = (volatile uint64_t *)SGPU_WINDOW_SHARED;
	uint64_t next = (thread + 32) % threads, bad = ring[thread] != 0;

	for (uint64_t i = 0; i < thread / 32 * 64; i++)
		__asm__ volatile("nop");
	ring[thread] = thread + 1;
	ecall(SGPU_ECALL_BARRIER);
	bad += ring[next] != next + 1;
	__asm__ volatile("amoadd.d zero, %0, (%1)" : : "r"(bad), "r"(args->out) : "memory");
}

/* One thread, one access after the other. */
void t_walk(const struct test_args *args)
{
	uint64_t zero = 0;

	for (uint64_t i = 0; i < args->count; i++) {
		volatile uint8_t *at = (volatile uint8_t *)args->address +
				       ((uint64_t)args->offset[i] << 12) + zero;
		uint64_t value;

		if (args->value) {
			*at = (uint8_t)args->value;
			__asm__ volatile("fence rw, rw" ::: "memory");
			continue;
		}
		value = *at;
		__asm__ volatile("and %0, %1, zero" : "=r"(zero) : "r"(value) : "memory");
	}
}

/* word i = value + i */
void t_fill(const struct test_args *args)
{
	uint64_t total = total_threads();

	for (uint64_t i = ecall(SGPU_ECALL_GLOBAL_X); i < args->count; i += total)
		*(volatile uint64_t *)(args->address + i * args->stride) = args->value + i;
}

/* word i += value, by plain load and store */
void t_add(const struct test_args *args)
{
	uint64_t total = total_threads();

	for (uint64_t i = ecall(SGPU_ECALL_GLOBAL_X); i < args->count; i += total)
		*(volatile uint64_t *)(args->address + i * args->stride) += args->value;
}

/* counts the words that are not value + i */
void t_check(const struct test_args *args)
{
	uint64_t total = total_threads(), bad = 0;

	for (uint64_t i = ecall(SGPU_ECALL_GLOBAL_X); i < args->count; i += total)
		bad += *(volatile uint64_t *)(args->address + i * args->stride) !=
		       args->value + i;
	__asm__ volatile("amoadd.d zero, %0, (%1)" :: "r"(bad), "r"(args->out) : "memory");
}

/* The same constant in every word: what a fresh page must read. */
void t_check_all(const struct test_args *args)
{
	uint64_t total = total_threads(), bad = 0;

	for (uint64_t i = ecall(SGPU_ECALL_GLOBAL_X); i < args->count; i += total)
		bad += *(volatile uint64_t *)(args->address + i * args->stride) != args->value;
	__asm__ volatile("amoadd.d zero, %0, (%1)" :: "r"(bad), "r"(args->out) : "memory");
}

/*
 * Counts the words that are not offset[i], but for those where that is @value; names
 * one of them, from 1, in the word behind the count.
 */
void t_compare(const struct test_args *args)
{
	uint64_t total = total_threads(), bad = 0;

	for (uint64_t i = ecall(SGPU_ECALL_GLOBAL_X); i < args->count; i += total) {
		if (args->offset[i] == args->value ||
		    *(volatile uint64_t *)(args->address + i * args->stride) == args->offset[i])
			continue;
		bad++;
		*(volatile uint64_t *)(args->out + 8) = i + 1;
	}
	__asm__ volatile("amoadd.d zero, %0, (%1)" :: "r"(bad), "r"(args->out) : "memory");
}

/* Every thread adds one to the word, @count times. */
void t_tally(const struct test_args *args)
{
	for (uint64_t i = 0; i < args->count; i++)
		__asm__ volatile("amoadd.d zero, %0, (%1)"
				 :: "r"(1UL), "r"(args->address) : "memory");
}

/* out: counts up for ever, so that somebody can see it run */
void t_count(const struct test_args *args)
{
	for (uint64_t i = 0; i < args->count; i++)
		*(volatile uint64_t *)args->address = i + 1;
}

/*
 * One thread of each block, under the lock at @out: stores to a page of its own, and adds
 * one to the word behind the lock.  @count blocks must have come before the first goes on.
 */
void t_locked(const struct test_args *args)
{
	volatile uint64_t *lock = (volatile uint64_t *)args->out;
	uint64_t block = ecall(SGPU_ECALL_BLOCK_X), old;

	__asm__ volatile("amoadd.d zero, %0, (%1)" :: "r"(1UL), "r"(lock + 2) : "memory");
	while (lock[2] < args->count)
		;
	do {
		__asm__ volatile("amoswap.d.aq %0, %1, (%2)"
				 : "=r"(old) : "r"(1UL), "r"(lock) : "memory");
	} while (old);
	*(volatile uint64_t *)(args->address + block * args->stride) = block + 1;
	__asm__ volatile("fence rw, rw" ::: "memory");
	lock[1]++;
	__asm__ volatile("fence rw, rw" ::: "memory");
	__asm__ volatile("amoswap.d.rl zero, zero, (%0)" :: "r"(lock) : "memory");
}

/* Every block says where it is; block @value, if there is one, reads from @out. */
void t_place(const struct test_args *args)
{
	uint64_t block = ecall(SGPU_ECALL_BLOCK_X);

	*(volatile uint64_t *)(args->address + block * args->stride) = ecall(SGPU_ECALL_SM) + 1;
	__asm__ volatile("fence rw, rw" ::: "memory");
	if (block == args->value && args->out)
		(void)*(volatile uint64_t *)args->out;
}

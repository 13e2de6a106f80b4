/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel header, for kernels compiled into a host test.  Threads of a block
 * are fibers; a barrier is a turn of the scheduler.
 */
#ifndef FAKE_SOFTGPU_KERNEL_H
#define FAKE_SOFTGPU_KERNEL_H

#include <stdint.h>

struct fake_ids {
	uint32_t thread, block_x, block_y, block_dim, grid_x;
};

/* There is no occupancy here. */
#define SGPU_REGISTERS(value)	extern int fake_registers

extern struct fake_ids fake;
extern float fake_shared[];
void fake_yield(void);

static inline uint32_t thread_idx_x(void)
{
	return fake.thread;
}

static inline uint32_t block_idx_x(void)
{
	return fake.block_x;
}

static inline uint32_t block_idx_y(void)
{
	return fake.block_y;
}

static inline uint32_t block_dim_x(void)
{
	return fake.block_dim;
}

static inline uint32_t grid_dim_x(void)
{
	return fake.grid_x;
}

static inline uint64_t global_idx_x(void)
{
	return (uint64_t)fake.block_x * fake.block_dim + fake.thread;
}

static inline void barrier(void)
{
	fake_yield();
}

static inline void *shared_base(void)
{
	return fake_shared;
}

static inline uint32_t atomic_add_u32(uint32_t *at, uint32_t value)
{
	uint32_t old = *at;

	*at += value;
	return old;
}

static inline uint64_t atomic_add_u64(uint64_t *at, uint64_t value)
{
	uint64_t old = *at;

	*at += value;
	return old;
}

static inline uint32_t atomic_exchange_u32(uint32_t *at, uint32_t value)
{
	uint32_t old = *at;

	*at = value;
	return old;
}

static inline uint32_t atomic_min_u32(volatile uint32_t *at, uint32_t value)
{
	uint32_t old = *at;

	if (value < old)
		*at = value;
	return old;
}

static inline int32_t atomic_min_i32(int32_t *at, int32_t value)
{
	int32_t old = *at;

	if (value < old)
		*at = value;
	return old;
}

static inline void sgpu_mma_16x16x16(float *d, uint32_t ldd, const float *a, uint32_t lda,
				     const float *b, uint32_t ldb)
{
	uint32_t i, j, k;

	fake_yield();
	for (i = 0; i < 16 && !(fake.thread % 32); i++)
		for (j = 0; j < 16; j++)
			for (k = 0; k < 16; k++)
				d[i * ldd + j] += a[i * lda + k] * b[k * ldb + j];
	fake_yield();
}

#endif

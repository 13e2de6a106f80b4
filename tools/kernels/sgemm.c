// SPDX-License-Identifier: GPL-2.0
/*
 * sgemm: C = A * B, row-major single precision, tiled through shared memory.
 *
 * "sgemm": a block of 16x16 threads makes a 64x64 tile of C, 4x4 per thread.
 * "sgemm_tensor": a block of 4 warps makes the same tile; each warp owns 16 rows
 * of it as four 16x16 tiles and lets the matrix unit multiply.
 */
#ifndef KERNEL_SGEMM_C
#define KERNEL_SGEMM_C

#include <stdint.h>

#define SGEMM_TILE	64	/* rows and columns of C per block: m and n are multiples */
#define SGEMM_STEP	16	/* of k: a multiple as well */
#define SGEMM_EACH	4	/* rows and columns per thread */
#define SGEMM_SIDE	(SGEMM_TILE / SGEMM_EACH)

#define SGEMM_THREADS		(SGEMM_SIDE * SGEMM_SIDE)
#define SGEMM_SHARED_BYTES	(2 * SGEMM_TILE * SGEMM_STEP * 4)
#define SGEMM_TENSOR_THREADS	128
#define SGEMM_TENSOR_SHARED	(SGEMM_SHARED_BYTES + SGEMM_TILE * SGEMM_TILE * 4)

struct sgemm_args {
	const float *a;		/* m x k */
	const float *b;		/* k x n */
	float *c;		/* m x n */
	uint64_t m, n, k;
};

#ifdef __riscv
#include <softgpu_kernel.h>

/*
 * Four elements of A and four of B per thread.  All loads come before the first
 * store, so that their latencies overlap; A is stored transposed, so that a
 * thread's four rows are neighbours.
 */
static inline void sgemm_load(const float *from_a, uint64_t skip_a, float *a,
			      const float *from_b, uint64_t skip_b, float *b)
{
	float va[SGEMM_EACH], vb[SGEMM_EACH];

#pragma unroll
	for (int i = 0; i < SGEMM_EACH; i++, from_a += skip_a)
		va[i] = *from_a;
#pragma unroll
	for (int i = 0; i < SGEMM_EACH; i++, from_b += skip_b)
		vb[i] = *from_b;
#pragma unroll
	for (int i = 0; i < SGEMM_EACH; i++)
		a[i * SGEMM_SIDE] = va[i];
#pragma unroll
	for (int i = 0; i < SGEMM_EACH; i++)
		b[i * SGEMM_THREADS] = vb[i];
}

/*
 * One step of k.  The compiler must not hoist the addresses of all 16 rows out of
 * the loop, which would spill them: it does not know that @pa and @pb advance.
 */
static inline void sgemm_multiply(float sum[SGEMM_EACH][SGEMM_EACH], const float *pa,
				  const float *pb)
{
#pragma unroll
	for (int k = 0; k < SGEMM_STEP; k++) {
#pragma unroll
		for (int i = 0; i < SGEMM_EACH; i++)
#pragma unroll
			for (int j = 0; j < SGEMM_EACH; j++)
				sum[i][j] = __builtin_fmaf(pa[i], pb[j], sum[i][j]);
		pa += SGEMM_TILE;
		pb += SGEMM_TILE;
		if (k % 4 == 3)
			__asm__("" : "+r"(pa), "+r"(pb));
	}
}

void sgemm(const struct sgemm_args *args)
{
	uint32_t thread = thread_idx_x();
	uint32_t tx = thread % SGEMM_SIDE, ty = thread / SGEMM_SIDE;
	uint64_t row = (uint64_t)block_idx_y() * SGEMM_TILE;
	uint64_t column = (uint64_t)block_idx_x() * SGEMM_TILE;
	uint64_t k = args->k, n = args->n;
	const float *from_a = args->a + (row + ty) * k + tx;
	const float *from_b = args->b + thread / SGEMM_TILE * n + column + thread % SGEMM_TILE;
	float *a = shared_base();
	float *b = a + SGEMM_TILE * SGEMM_STEP;
	float sum[SGEMM_EACH][SGEMM_EACH] = { 0 };
	float *to;

	for (uint64_t k0 = 0; k0 < k; k0 += SGEMM_STEP) {
		sgemm_load(from_a, SGEMM_SIDE * k, a + tx * SGEMM_TILE + ty,
			   from_b, 4 * n, b + thread);
		from_a += SGEMM_STEP;
		from_b += SGEMM_STEP * n;
		barrier();
		sgemm_multiply(sum, a + ty * SGEMM_EACH, b + tx * SGEMM_EACH);
		barrier();
	}

	to = args->c + (row + ty * SGEMM_EACH) * n + column + tx * SGEMM_EACH;
#pragma unroll
	for (int i = 0; i < SGEMM_EACH; i++, to += n)
#pragma unroll
		for (int j = 0; j < SGEMM_EACH; j++)
			to[j] = sum[i][j];
}

/* Eight elements each of A and B per thread, both stored as they are. */
static inline void sgemm_tensor_load(const float *from, uint64_t skip, float *to)
{
	float v[8];

#pragma unroll
	for (int i = 0; i < 8; i++, from += skip)
		v[i] = *from;
#pragma unroll
	for (int i = 0; i < 8; i++)
		to[i * SGEMM_TENSOR_THREADS] = v[i];
}

static inline void sgemm_tensor_store(float *to, uint64_t skip, const float *c)
{
#pragma unroll 4
	for (int i = 0; i < SGEMM_TILE / 2; i++, to += skip)
		*to = c[i * SGEMM_TENSOR_THREADS];
}

void sgemm_tensor(const struct sgemm_args *args)
{
	uint32_t thread = thread_idx_x(), warp = thread / 32;
	uint64_t row = (uint64_t)block_idx_y() * SGEMM_TILE;
	uint64_t column = (uint64_t)block_idx_x() * SGEMM_TILE + thread % SGEMM_TILE;
	uint64_t k = args->k, n = args->n;
	const float *from_a = args->a + (row + thread / SGEMM_STEP) * k + thread % SGEMM_STEP;
	const float *from_b = args->b + thread / SGEMM_TILE * n + column;
	float *a = shared_base();
	float *b = a + SGEMM_TILE * SGEMM_STEP;
	float *c = b + SGEMM_TILE * SGEMM_STEP;		/* zeroed by the machine */

	for (uint64_t k0 = 0; k0 < k; k0 += SGEMM_STEP) {
		sgemm_tensor_load(from_a, 8 * k, a + thread);
		sgemm_tensor_load(from_b, 2 * n, b + thread);
		from_a += SGEMM_STEP;
		from_b += SGEMM_STEP * n;
		barrier();
		for (int j = 0; j < SGEMM_TILE; j += 16)
			sgpu_mma_16x16x16(c + warp * 16 * SGEMM_TILE + j, SGEMM_TILE,
					  a + warp * 16 * SGEMM_STEP, SGEMM_STEP,
					  b + j, SGEMM_TILE);
		barrier();
	}
	sgemm_tensor_store(args->c + (row + thread / SGEMM_TILE) * n + column, 2 * n, c + thread);
}
#endif

#endif

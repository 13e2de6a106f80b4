// SPDX-License-Identifier: GPL-2.0
/*
 * cufft: one pass of a Stockham fast Fourier transform, radix 4 or radix 2, of
 * many transforms of the same length.  A thread makes one butterfly: it reads
 * elements a quarter (or a half) of the transform apart and writes them sorted, so
 * that no pass has to reverse bits.
 */
#ifndef KERNEL_CUFFT_C
#define KERNEL_CUFFT_C

#include <stdint.h>

struct cufft_complex {
	float re, im;
};

/*
 * A pass joins transforms of length @done to transforms of radix * @done.  Table:
 * exp(-2 pi i k / points), k = 0 ... points - 1.
 */
struct cufft_args {
	const struct cufft_complex *from;
	struct cufft_complex *to;
	const struct cufft_complex *table;
	uint64_t butterflies;	/* of all transforms: elements / radix */
	uint32_t log_points;
	uint32_t log_done;
	float sign;		/* 1 forward, -1 inverse */
	float scale;		/* of what is written */
};

static inline struct cufft_complex cufft_add(struct cufft_complex a, struct cufft_complex b)
{
	return (struct cufft_complex){ a.re + b.re, a.im + b.im };
}

static inline struct cufft_complex cufft_sub(struct cufft_complex a, struct cufft_complex b)
{
	return (struct cufft_complex){ a.re - b.re, a.im - b.im };
}

static inline struct cufft_complex cufft_mul(struct cufft_complex a, struct cufft_complex b)
{
	return (struct cufft_complex){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

static inline struct cufft_complex cufft_scale(struct cufft_complex a, float by)
{
	return (struct cufft_complex){ a.re * by, a.im * by };
}

/* Element @i of the table, conjugated for the inverse. */
static inline struct cufft_complex cufft_twiddle(const struct cufft_args *args, uint64_t i)
{
	return (struct cufft_complex){ args->table[i].re, args->sign * args->table[i].im };
}

/*
 * Where butterfly @i of a pass of radix 2^@log_radix reads and writes, in elements:
 * leg r reads from + r * points / radix and writes to + r * done, with the factor
 * at r * twiddle of the table.
 */
struct cufft_place {
	uint64_t from, to, twiddle;
};

static inline struct cufft_place cufft_place(const struct cufft_args *args, uint64_t i,
					     uint32_t log_radix)
{
	uint32_t log_legs = args->log_points - log_radix;
	uint64_t in = i & ((1ULL << log_legs) - 1), transform = i >> log_legs;
	uint64_t in_done = in & ((1ULL << args->log_done) - 1);

	return (struct cufft_place){
		.from = (transform << args->log_points) + in,
		.to = (transform << args->log_points) + ((in - in_done) << log_radix) + in_done,
		.twiddle = in_done << (log_legs - args->log_done),
	};
}

/* The same order of operations on both sides: results are equal to the bit. */
static inline void cufft_butterfly4(const struct cufft_args *args, uint64_t i)
{
	struct cufft_place at = cufft_place(args, i, 2);
	uint64_t leg = 1ULL << (args->log_points - 2), done = 1ULL << args->log_done;
	const struct cufft_complex *from = args->from + at.from;
	struct cufft_complex *to = args->to + at.to;
	struct cufft_complex v0 = from[0], v1 = from[leg], v2 = from[2 * leg], v3 = from[3 * leg];
	struct cufft_complex sum02, sum13, difference02, turned13;

	v1 = cufft_mul(v1, cufft_twiddle(args, at.twiddle));
	v2 = cufft_mul(v2, cufft_twiddle(args, 2 * at.twiddle));
	v3 = cufft_mul(v3, cufft_twiddle(args, 3 * at.twiddle));

	sum02 = cufft_add(v0, v2);
	difference02 = cufft_sub(v0, v2);
	sum13 = cufft_add(v1, v3);
	/* (v1 - v3) * -i, or * i for the inverse */
	turned13.re = args->sign * (v1.im - v3.im);
	turned13.im = args->sign * (v3.re - v1.re);

	to[0] = cufft_scale(cufft_add(sum02, sum13), args->scale);
	to[done] = cufft_scale(cufft_add(difference02, turned13), args->scale);
	to[2 * done] = cufft_scale(cufft_sub(sum02, sum13), args->scale);
	to[3 * done] = cufft_scale(cufft_sub(difference02, turned13), args->scale);
}

static inline void cufft_butterfly2(const struct cufft_args *args, uint64_t i)
{
	struct cufft_place at = cufft_place(args, i, 1);
	const struct cufft_complex *from = args->from + at.from;
	struct cufft_complex *to = args->to + at.to;
	struct cufft_complex v0 = from[0], v1 = from[1ULL << (args->log_points - 1)];

	v1 = cufft_mul(v1, cufft_twiddle(args, at.twiddle));
	to[0] = cufft_scale(cufft_add(v0, v1), args->scale);
	to[1ULL << args->log_done] = cufft_scale(cufft_sub(v0, v1), args->scale);
}

#ifdef __riscv
#include <softgpu_kernel.h>

void cufft_radix4(const struct cufft_args *args)
{
	uint64_t i = global_idx_x();

	if (i < args->butterflies)
		cufft_butterfly4(args, i);
}

void cufft_radix2(const struct cufft_args *args)
{
	uint64_t i = global_idx_x();

	if (i < args->butterflies)
		cufft_butterfly2(args, i);
}
#endif

#endif

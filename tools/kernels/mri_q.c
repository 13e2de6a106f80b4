// SPDX-License-Identifier: GPL-2.0
/*
 * mri-q: a matrix of magnetic resonance images, after Parboil's mri-q (Stone et al.,
 * "Accelerating advanced MRI reconstructions on GPUs", JPDC 2008).
 *
 * One launch squares the magnitudes of the samples.  Then each launch has a window of samples
 * in its arguments, and a thread per voxel adds them to it.  So each launch sweeps the five
 * arrays of voxels once: three of coordinates, read, and two of sums, read and written.
 */
#ifndef KERNEL_MRI_Q_C
#define KERNEL_MRI_Q_C

#include <stdint.h>

#define MRI_Q_MAGNITUDE_BLOCK	512
#define MRI_Q_BLOCK		256
#define MRI_Q_WINDOW		64	/* samples of a launch, at most */

/* A place in k-space, and the square of the magnitude there. */
struct mri_q_sample {
	float x, y, z;
	float magnitude;
};

struct mri_q_magnitude_args {
	const float *real, *imaginary;
	float *magnitude;
	uint64_t samples;
};

/**
 * struct mri_q_turn - polynomials for angles of -0.5 ... 0.5 turns
 * @sine: odd powers, the highest first; off by 2e-5 at most
 * @cosine: even powers; off by 5e-5
 * @shift: adding it and taking it away again rounds to the nearest whole number
 */
struct mri_q_turn {
	float sine[5], cosine[5];
	float shift;
};

#define MRI_Q_TURN ((struct mri_q_turn){						\
	.sine = { 33.5357056f, -74.9030838f, 81.4467163f, -41.3367805f, 6.28316069f },	\
	.cosine = { 45.5955467f, -82.3780365f, 64.6694412f, -19.7308426f, 0.999958217f },\
	.shift = 12582912.0f,								\
})

/**
 * struct mri_q_args - arguments of the launches that follow
 * @x: of each voxel
 * @y: and
 * @z: so on
 * @real: sums
 * @imaginary: and their other half
 * @voxels: how many
 * @samples: in this launch
 * @turn: in the arguments, since a number in the code takes three instructions
 * @sample: samples of this launch
 */
struct mri_q_args {
	const float *x, *y, *z;
	float *real, *imaginary;
	uint64_t voxels;
	uint64_t samples;
	struct mri_q_turn turn;
	struct mri_q_sample sample[MRI_Q_WINDOW];
};

/* Sums are fused, as compilers for GPUs make them; the same order on both sides. */
static inline float mri_q_polynomial(const float factor[5], float x)
{
	float sum = __builtin_fmaf(factor[0], x, factor[1]);

	sum = __builtin_fmaf(sum, x, factor[2]);
	sum = __builtin_fmaf(sum, x, factor[3]);
	return __builtin_fmaf(sum, x, factor[4]);
}

static inline void mri_q_add(const struct mri_q_turn *turn, const struct mri_q_sample *sample,
			     float x, float y, float z, float *real, float *imaginary)
{
	float turns = __builtin_fmaf(sample->z, z, __builtin_fmaf(sample->y, y, sample->x * x));
	float part = turns - ((turns + turn->shift) - turn->shift), square = part * part;
	float sine = part * mri_q_polynomial(turn->sine, square);

	*real = __builtin_fmaf(sample->magnitude, mri_q_polynomial(turn->cosine, square), *real);
	*imaginary = __builtin_fmaf(sample->magnitude, sine, *imaginary);
}

#ifdef __riscv
#include <softgpu_kernel.h>

SGPU_REGISTERS(40);

void mri_q_magnitude(const struct mri_q_magnitude_args *args)
{
	uint64_t i = global_idx_x();
	float real, imaginary;

	if (i >= args->samples)
		return;
	real = args->real[i];
	imaginary = args->imaginary[i];
	args->magnitude[i] = real * real + imaginary * imaginary;
}

void mri_q(const struct mri_q_args *args)
{
	const struct mri_q_turn turn = args->turn;
	uint64_t i = global_idx_x();
	float x, y, z, real, imaginary;

	if (i >= args->voxels)
		return;
	x = args->x[i];
	y = args->y[i];
	z = args->z[i];
	real = args->real[i];
	imaginary = args->imaginary[i];
	for (uint64_t k = 0; k < args->samples; k++)
		mri_q_add(&turn, &args->sample[k], x, y, z, &real, &imaginary);
	args->real[i] = real;
	args->imaginary[i] = imaginary;
}
#endif

#endif

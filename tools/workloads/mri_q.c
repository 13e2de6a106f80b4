// SPDX-License-Identifier: GPL-2.0
/*
 * mri-q: sums over samples of k-space, for each voxel.
 *
 * The CPU repeats the operations, so sums must be equal to the bit.  Some are summed again with
 * the C library's functions in double precision, which shows that the polynomials are right.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/mri_q.c"
#include "../uvm/run/workload.h"

#define MRI_Q_SIDE	64		/* voxels of a side of the image */
#define MRI_Q_SAMPLES	(1 << 20)	/* at most */
#define MRI_Q_CHECKED	1000		/* voxels that are summed in double precision */

/* Of a sample; they come from the seed. */
enum mri_q_value { MRI_Q_X, MRI_Q_Y, MRI_Q_Z, MRI_Q_REAL, MRI_Q_IMAGINARY, MRI_Q_VALUES };

struct mri_q {
	float *x, *y, *z;
	float *sum[2];		/* real, imaginary */
	float *field[2];	/* of each sample */
	float *magnitude;
	uint64_t voxels, launches, window;
};

static int mri_q_sizes_ok(struct wl_run *run, struct mri_q *m)
{
	m->launches = wl_number(run, "launches");
	m->window = wl_number(run, "samples");
	m->voxels = wl_number(run, "size") / 5 / sizeof(float);
	if (!m->voxels || m->voxels > 1ULL << 31)
		return wl_fail(run, EINVAL, "the size must be 20 bytes ... 40G");
	if (!m->window || m->window > MRI_Q_WINDOW)
		return wl_fail(run, EINVAL, "samples of a launch must be 1 ... %d", MRI_Q_WINDOW);
	if (!m->launches || m->launches > MRI_Q_SAMPLES / m->window)
		return wl_fail(run, EINVAL, "launches must be 1 ... %llu",
			       (unsigned long long)(MRI_Q_SAMPLES / m->window));
	return 0;
}

static int mri_q_setup(struct wl_run *run)
{
	struct mri_q *m = run->data;
	uint64_t bytes, bytes_samples;
	int err = mri_q_sizes_ok(run, m);

	if (err)
		return err;
	bytes = m->voxels * sizeof(float);
	bytes_samples = m->launches * m->window * sizeof(float);
	m->x = wl_alloc(run, bytes, "x");
	m->y = wl_alloc(run, bytes, "y");
	m->z = wl_alloc(run, bytes, "z");
	m->sum[0] = wl_alloc(run, bytes, "real");
	m->sum[1] = wl_alloc(run, bytes, "imaginary");
	m->field[0] = wl_alloc(run, bytes_samples, "field real");
	m->field[1] = wl_alloc(run, bytes_samples, "field imaginary");
	m->magnitude = wl_alloc(run, bytes_samples, "magnitude");
	if (!m->x || !m->y || !m->z || !m->sum[0] || !m->sum[1] || !m->field[0] || !m->field[1] ||
	    !m->magnitude)
		return -ENOMEM;
	wl_input(run, m->x);
	wl_input(run, m->y);
	wl_input(run, m->z);
	wl_input(run, m->field[0]);
	wl_input(run, m->field[1]);
	wl_output(run, m->magnitude);
	return 0;
}

/* Places are up to half the image's side away from the centre of k-space. */
static float mri_q_value(const struct wl_run *run, uint64_t sample, enum mri_q_value value)
{
	float random = wl_small_float(run->seed + sample * MRI_Q_VALUES + value);

	return value <= MRI_Q_Z ? random * (MRI_Q_SIDE / 2) : random;
}

/* -0.5 ... 0.5, by the number of the voxel along an axis. */
static float mri_q_place(uint64_t i)
{
	return (float)(i % MRI_Q_SIDE) / MRI_Q_SIDE - 0.5f;
}

static int mri_q_init(struct wl_run *run)
{
	struct mri_q *m = run->data;
	uint64_t i;

	for (i = 0; i < m->voxels; i++) {
		m->x[i] = mri_q_place(i);
		m->y[i] = mri_q_place(i / MRI_Q_SIDE);
		m->z[i] = mri_q_place(i / MRI_Q_SIDE / MRI_Q_SIDE);
		m->sum[0][i] = 0;
		m->sum[1][i] = 0;
	}
	for (i = 0; i < m->launches * m->window; i++) {
		m->field[0][i] = mri_q_value(run, i, MRI_Q_REAL);
		m->field[1][i] = mri_q_value(run, i, MRI_Q_IMAGINARY);
	}
	return 0;
}

static int mri_q_magnitudes(struct wl_run *run)
{
	struct mri_q *m = run->data;
	uint64_t samples = m->launches * m->window;
	struct mri_q_magnitude_args args = {
		.real = m->field[0], .imaginary = m->field[1], .magnitude = m->magnitude,
		.samples = samples,
	};
	uint64_t blocks = (samples + MRI_Q_MAGNITUDE_BLOCK - 1) / MRI_Q_MAGNITUDE_BLOCK;
	int err;

	err = wl_launch(run, "mri_q_magnitude", UVM_DIM((uint32_t)blocks),
			UVM_DIM(MRI_Q_MAGNITUDE_BLOCK), 0, &args, sizeof(args));
	return err ? err : wl_to_cpu(run, m->magnitude, samples * sizeof(float));
}

static void mri_q_window(const struct wl_run *run, struct mri_q_args *args, uint64_t launch,
			 const float *magnitude)
{
	uint64_t i;

	for (i = 0; i < args->samples; i++) {
		uint64_t sample = launch * args->samples + i;

		args->sample[i] = (struct mri_q_sample){
			.x = mri_q_value(run, sample, MRI_Q_X),
			.y = mri_q_value(run, sample, MRI_Q_Y),
			.z = mri_q_value(run, sample, MRI_Q_Z),
			.magnitude = magnitude[sample],
		};
	}
}

static int mri_q_execute(struct wl_run *run)
{
	struct mri_q *m = run->data;
	struct mri_q_args args = {
		.x = m->x, .y = m->y, .z = m->z, .real = m->sum[0], .imaginary = m->sum[1],
		.voxels = m->voxels, .samples = m->window, .turn = MRI_Q_TURN,
	};
	uint64_t blocks = (m->voxels + MRI_Q_BLOCK - 1) / MRI_Q_BLOCK, launch;
	int err = mri_q_magnitudes(run);

	for (launch = 0; launch < m->launches && !err; launch++) {
		mri_q_window(run, &args, launch, m->magnitude);
		err = wl_launch(run, "mri_q", UVM_DIM((uint32_t)blocks), UVM_DIM(MRI_Q_BLOCK), 0,
				&args, sizeof(args));
	}
	return err;
}

static void mri_q_sum_double(const struct mri_q_sample *sample, float x, float y, float z,
			     double sum[2])
{
	double angle = 2 * M_PI * ((double)sample->x * x + (double)sample->y * y +
				   (double)sample->z * z);

	sum[0] += sample->magnitude * cos(angle);
	sum[1] += sample->magnitude * sin(angle);
}

/*
 * One voxel.  The polynomials are off by 5e-5 at most; an argument of up to 48 turns is so by
 * 2e-6 turns for each of its three roundings.
 */
static int mri_q_check(struct wl_run *run, uint64_t i, const struct mri_q_sample *sample)
{
	const struct mri_q_turn turn = MRI_Q_TURN;
	struct mri_q *m = run->data;
	float x = mri_q_place(i), y = mri_q_place(i / MRI_Q_SIDE);
	float z = mri_q_place(i / MRI_Q_SIDE / MRI_Q_SIDE), want[2] = { 0, 0 };
	int checked = i % (m->voxels / MRI_Q_CHECKED + 1) == 0, half;
	double exact[2] = { 0, 0 }, all = 0;
	uint64_t k;

	for (k = 0; k < m->launches * m->window; k++) {
		mri_q_add(&turn, &sample[k], x, y, z, &want[0], &want[1]);
		all += sample[k].magnitude;
		if (checked)
			mri_q_sum_double(&sample[k], x, y, z, exact);
	}
	for (half = 0; half < 2; half++) {
		if (m->sum[half][i] != want[half])
			return wl_wrong(run, "%s part of voxel %llu is %.9g, not %.9g",
					half ? "imaginary" : "real", (unsigned long long)i,
					m->sum[half][i], want[half]);
		if (checked && !(fabs(want[half] - exact[half]) <= 1e-4 * all))
			return wl_wrong(run, "%s part of voxel %llu is %.9g, should be %.9g",
					half ? "imaginary" : "real", (unsigned long long)i,
					want[half], exact[half]);
	}
	return 0;
}

static int mri_q_verify(struct wl_run *run)
{
	struct mri_q *m = run->data;
	uint64_t samples = m->launches * m->window, i;
	struct mri_q_sample *sample = malloc(samples * sizeof(*sample));
	int wrong = 0;

	if (!sample)
		return wl_fail(run, ENOMEM, "out of memory");
	for (i = 0; i < samples; i++) {
		float real = mri_q_value(run, i, MRI_Q_REAL);
		float imaginary = mri_q_value(run, i, MRI_Q_IMAGINARY);

		sample[i] = (struct mri_q_sample){
			mri_q_value(run, i, MRI_Q_X), mri_q_value(run, i, MRI_Q_Y),
			mri_q_value(run, i, MRI_Q_Z), real * real + imaginary * imaginary,
		};
	}
	for (i = 0; i < m->voxels && !wrong; i++)
		wrong = mri_q_check(run, i, sample);
	free(sample);
	return wrong;
}

static const struct wl_option mri_q_options[] = {
	{ "size", WL_BYTES, "10M", "footprint of the five arrays of voxels" },
	{ "launches", WL_COUNT, "3", "launches that add samples" },
	{ "samples", WL_COUNT, "2", "of each such launch" },
	{ 0 },
};

static const struct wl_case mri_q_cases[] = {
	{ "--size 100K --launches 5 --samples 7", "real", 4 * 3000 + 3 },
	{ "--size 40K --launches 2", "imaginary", 4 * 2047 },
	{ "--size 20 --launches 1 --samples 64", "real", 1 },
	{ 0 },
};

static const struct wl_size mri_q_sizes[] = {
	{ .small = "--size 3M --launches 2 --samples 1" },
	{ 0 },
};

UVM_WORKLOAD_NAMED(mri_q, "mri-q",
		   .what = "sums of samples of k-space for voxels of an image, several sweeps",
		   .group = "hpe",
		   .image = "mri_q",
		   .options = mri_q_options,
		   .cases = mri_q_cases,
		   .sizes = mri_q_sizes,
		   .data_bytes = sizeof(struct mri_q),
		   .setup = mri_q_setup,
		   .init = mri_q_init,
		   .execute = mri_q_execute,
		   .verify = mri_q_verify,
);

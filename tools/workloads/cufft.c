// SPDX-License-Identifier: GPL-2.0
/*
 * cufft: forward and inverse Fourier transforms of a signal, out of place.
 *
 * The kernels' order of operations is repeated on the CPU, so the result must be
 * equal to the bit; that the operations make a Fourier transform is shown by some
 * frequencies that are summed directly in double precision.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/cufft.c"
#include "../uvm/run/workload.h"

#define CUFFT_BLOCK		128
#define CUFFT_LOG_MAX		24	/* of the points of one transform */
#define CUFFT_PROBES		3	/* frequencies that are summed directly */

/**
 * struct cufft - state of a run
 * @signal: managed, and where the result ends: passes go to and fro, and forward
 *	and inverse have as many
 * @work: managed
 * @table: managed, factors
 * @elements: of @signal
 * @log_points: of one transform
 */
struct cufft {
	struct cufft_complex *signal, *work, *table;
	uint64_t elements;
	uint32_t log_points;
};

static int cufft_setup(struct wl_run *run)
{
	uint64_t points = wl_number(run, "points"), transforms;
	struct cufft *f = run->data;

	while (f->log_points <= CUFFT_LOG_MAX && 1ULL << f->log_points < points)
		f->log_points++;
	if (points < 2 || points != 1ULL << f->log_points || f->log_points > CUFFT_LOG_MAX)
		return wl_fail(run, EINVAL, "points must be a power of two, 2 ... 16M");
	transforms = wl_number(run, "size") / 2 / sizeof(*f->signal) / points;
	if (!transforms || transforms > 1ULL << 31 >> f->log_points)
		return wl_fail(run, EINVAL,
			       "the size makes %llu transforms of %llu points, not 1 ... %llu",
			       (unsigned long long)transforms, (unsigned long long)points,
			       1ULL << 31 >> f->log_points);

	f->elements = transforms * points;
	f->signal = wl_alloc(run, f->elements * sizeof(*f->signal), "signal");
	f->work = wl_alloc(run, f->elements * sizeof(*f->work), "work");
	f->table = wl_alloc(run, points * sizeof(*f->table), "table");
	if (!f->signal || !f->work || !f->table)
		return -ENOMEM;
	wl_output(run, f->work);
	wl_input(run, f->table);
	return 0;
}

static struct cufft_complex cufft_sample(const struct wl_run *run, uint64_t i)
{
	return (struct cufft_complex){ wl_small_float(run->seed + 2 * i),
				       wl_small_float(run->seed + 2 * i + 1) };
}

static struct cufft_complex cufft_factor(uint64_t k, uint64_t points)
{
	double angle = -2.0 * M_PI * (double)k / (double)points;

	return (struct cufft_complex){ (float)cos(angle), (float)sin(angle) };
}

static int cufft_init(struct wl_run *run)
{
	struct cufft *f = run->data;
	uint64_t i, points = 1ULL << f->log_points;

	for (i = 0; i < f->elements; i++)
		f->signal[i] = cufft_sample(run, i);
	for (i = 0; i < points; i++)
		f->table[i] = cufft_factor(i, points);
	return 0;
}

typedef int (*cufft_pass_fn)(struct wl_run *run, const struct cufft_args *args, bool radix4);

/*
 * One transform in one direction, pass by pass; @buffer holds the data, and the
 * pair is swapped with each pass.  Radix 2 comes first if the length asks for it.
 */
static int cufft_transform(struct wl_run *run, cufft_pass_fn pass, struct cufft_complex *buffer[2],
			   const struct cufft_complex *table, bool inverse)
{
	const struct cufft *f = run->data;
	struct cufft_args args = {
		.table = table, .log_points = f->log_points, .sign = inverse ? -1.0f : 1.0f,
	};
	int err = 0;

	while (args.log_done < f->log_points && !err) {
		struct cufft_complex *from = buffer[0];
		uint32_t log_radix = (f->log_points - args.log_done) % 2 ? 1 : 2;
		bool last = args.log_done + log_radix == f->log_points;

		args.from = from;
		args.to = buffer[1];
		args.butterflies = f->elements >> log_radix;
		/* A power of two, so exact. */
		args.scale = inverse && last ? 1.0f / (float)(1ULL << f->log_points) : 1.0f;
		err = pass(run, &args, log_radix == 2);
		buffer[0] = buffer[1];
		buffer[1] = from;
		args.log_done += log_radix;
	}
	return err;
}

static int cufft_pass_gpu(struct wl_run *run, const struct cufft_args *args, bool radix4)
{
	uint64_t blocks = (args->butterflies + CUFFT_BLOCK - 1) / CUFFT_BLOCK;

	return wl_launch(run, radix4 ? "cufft_radix4" : "cufft_radix2", UVM_DIM((uint32_t)blocks),
			 UVM_DIM(CUFFT_BLOCK), 0, args, sizeof(*args));
}

static int cufft_pass_cpu(struct wl_run *run, const struct cufft_args *args, bool radix4)
{
	uint64_t i;

	(void)run;
	for (i = 0; i < args->butterflies; i++) {
		if (radix4)
			cufft_butterfly4(args, i);
		else
			cufft_butterfly2(args, i);
	}
	return 0;
}

static int cufft_execute(struct wl_run *run)
{
	struct cufft *f = run->data;
	struct cufft_complex *buffer[2] = { f->signal, f->work };
	int err;

	err = cufft_transform(run, cufft_pass_gpu, buffer, f->table, false);
	return err ? err : cufft_transform(run, cufft_pass_gpu, buffer, f->table, true);
}

/*
 * The spectrum against sums in double precision.  The error of a single-precision
 * transform grows like epsilon * log2(points) times the norm of the signal, at
 * most sqrt(2 points) here; twice that leaves room for the factors' rounding.
 */
static int cufft_check_spectrum(struct wl_run *run, const struct cufft *f,
				const struct cufft_complex *spectrum)
{
	uint64_t points = 1ULL << f->log_points, transforms = f->elements / points, probe, i;
	double limit = 2.0 * 6e-8 * (f->log_points + 1) * sqrt(2.0 * (double)points);

	for (probe = 0; probe < CUFFT_PROBES; probe++) {
		uint64_t k = wl_mix(run->seed ^ probe) % points;
		uint64_t base = wl_mix(~run->seed ^ probe) % transforms * points;
		double re = 0, im = 0;

		for (i = 0; i < points; i++) {
			double angle = -2.0 * M_PI * (double)(i * k % points) / (double)points;
			struct cufft_complex x = cufft_sample(run, base + i);

			re += x.re * cos(angle) - x.im * sin(angle);
			im += x.re * sin(angle) + x.im * cos(angle);
		}
		if (!(hypot(spectrum[base + k].re - re, spectrum[base + k].im - im) <= limit))
			return wl_wrong(run, "frequency %llu is (%.9g, %.9g), not (%.9g, %.9g)",
					(unsigned long long)k, spectrum[base + k].re,
					spectrum[base + k].im, re, im);
	}
	return 0;
}

static int cufft_compare(struct wl_run *run, const char *name, const struct cufft_complex *got,
			 const struct cufft_complex *want, uint64_t elements)
{
	uint64_t i;

	for (i = 0; i < elements; i++)
		if (got[i].re != want[i].re || got[i].im != want[i].im)
			return wl_wrong(run, "%s[%llu] is (%.9g, %.9g), not (%.9g, %.9g)", name,
					(unsigned long long)i, got[i].re, got[i].im, want[i].re,
					want[i].im);
	return 0;
}

static int cufft_check(struct wl_run *run, struct cufft_complex *buffer[2],
		       struct cufft_complex *table)
{
	struct cufft *f = run->data;
	uint64_t i, points = 1ULL << f->log_points;
	int wrong;

	for (i = 0; i < f->elements; i++)
		buffer[0][i] = cufft_sample(run, i);
	for (i = 0; i < points; i++)
		table[i] = cufft_factor(i, points);
	cufft_transform(run, cufft_pass_cpu, buffer, table, false);
	wrong = cufft_check_spectrum(run, f, buffer[0]);
	cufft_transform(run, cufft_pass_cpu, buffer, table, true);

	/* The signal is back where it was, but for rounding: the last pass but one is not. */
	if (!wrong)
		wrong = cufft_compare(run, "signal", f->signal, buffer[0], f->elements);
	if (!wrong)
		wrong = cufft_compare(run, "work", f->work, buffer[1], f->elements);
	return wrong;
}

static int cufft_verify(struct wl_run *run)
{
	struct cufft *f = run->data;
	struct cufft_complex *signal = malloc(f->elements * sizeof(*signal));
	struct cufft_complex *work = malloc(f->elements * sizeof(*work));
	struct cufft_complex *table = malloc(sizeof(*table) << f->log_points);
	struct cufft_complex *buffer[2] = { signal, work };
	int wrong;

	if (signal && work && table)
		wrong = cufft_check(run, buffer, table);
	else
		wrong = wl_fail(run, ENOMEM, "out of memory");
	free(signal);
	free(work);
	free(table);
	return wrong;
}

static const struct wl_option cufft_options[] = {
	{ "size", WL_BYTES, "4M", "footprint of both buffers" },
	{ "points", WL_COUNT, "4K", "points of one transform, a power of two" },
	{ 0 },
};

static const struct wl_case cufft_cases[] = {
	/* Radix 4 alone; an odd power of two, with a pass of radix 2; the shortest. */
	{ "--size 64K --points 256", "signal", 8 * 4095 + 5 },
	{ "--size 64K --points 2048", "signal", 0 },
	{ "--size 800 --points 2", "signal", 4 },
	{ 0 },
};

static const struct wl_size cufft_sizes[] = {
	{ .small = "--size 3M --points 8" },
	{ 0 },
};

UVM_WORKLOAD(cufft,
	     .what = "forward and inverse Fourier transforms, radix-4 passes",
	     .image = "cufft",
	     .options = cufft_options,
	     .cases = cufft_cases,
	     .sizes = cufft_sizes,
	     .data_bytes = sizeof(struct cufft),
	     .setup = cufft_setup,
	     .init = cufft_init,
	     .execute = cufft_execute,
	     .verify = cufft_verify,
);

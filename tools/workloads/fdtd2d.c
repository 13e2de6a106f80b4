// SPDX-License-Identifier: GPL-2.0
/* fdtd2d: a wave in two dimensions, three sweeps a step. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "../kernels/fdtd2d.c"
#include "../uvm/run/workload.h"

#define FDTD2D_SIDE_MAX		32768
#define FDTD2D_STEPS_MAX	10000

/* Which numbers of the seed an array has. */
enum fdtd2d_array { FDTD2D_EX, FDTD2D_EY, FDTD2D_HZ, FDTD2D_PULSE };

/**
 * struct fdtd2d - state of a run
 * @args: managed memory; @args.pulse is that of the first step
 * @steps: how many
 */
struct fdtd2d {
	struct fdtd2d_args args;
	uint64_t steps;
};

/* Elements of an array. */
static uint64_t fdtd2d_count(const struct fdtd2d *f, enum fdtd2d_array array)
{
	uint64_t side = (uint64_t)f->args.side;

	switch (array) {
	case FDTD2D_HZ:
		return side * side;
	case FDTD2D_PULSE:
		return f->steps;
	default:
		return side * (side + 1);
	}
}

static uint64_t fdtd2d_bytes(const struct fdtd2d *f)
{
	enum fdtd2d_array array;
	uint64_t count = 0;

	for (array = FDTD2D_EX; array <= FDTD2D_PULSE; array++)
		count += fdtd2d_count(f, array);
	return count * sizeof(float);
}

static int fdtd2d_setup(struct wl_run *run)
{
	struct fdtd2d *f = run->data;
	struct fdtd2d_args *a = &f->args;
	uint64_t size = wl_number(run, "size");

	a->of_e = FDTD2D_OF_E;
	a->of_h = FDTD2D_OF_H;
	f->steps = wl_number(run, "steps");
	if (!f->steps || f->steps > FDTD2D_STEPS_MAX)
		return wl_fail(run, EINVAL, "there must be 1 ... %d steps", FDTD2D_STEPS_MAX);
	a->side = (int32_t)fmin(sqrt((double)size / 3 / sizeof(float)), FDTD2D_SIDE_MAX + 1);
	while (a->side && fdtd2d_bytes(f) > size)
		a->side--;
	if (a->side < 2 || a->side > FDTD2D_SIDE_MAX)
		return wl_fail(run, EINVAL, "the size must be 64 bytes and 4 a step ... 12G");

	a->ex = wl_alloc(run, fdtd2d_count(f, FDTD2D_EX) * sizeof(float), "ex");
	a->ey = wl_alloc(run, fdtd2d_count(f, FDTD2D_EY) * sizeof(float), "ey");
	a->hz = wl_alloc(run, fdtd2d_count(f, FDTD2D_HZ) * sizeof(float), "hz");
	a->pulse = wl_alloc(run, f->steps * sizeof(float), "pulse");
	if (!a->ex || !a->ey || !a->hz || !a->pulse)
		return -ENOMEM;
	wl_input(run, a->pulse);
	return 0;
}

static void fdtd2d_fill(const struct wl_run *run, const float *to, enum fdtd2d_array array)
{
	uint64_t i, count = fdtd2d_count(run->data, array);

	for (i = 0; i < count; i++)
		((float *)to)[i] = wl_small_float(run->seed + ((uint64_t)array << 40) + i);
}

static void fdtd2d_fill_all(const struct wl_run *run, const struct fdtd2d_args *to)
{
	fdtd2d_fill(run, to->ex, FDTD2D_EX);
	fdtd2d_fill(run, to->ey, FDTD2D_EY);
	fdtd2d_fill(run, to->hz, FDTD2D_HZ);
	fdtd2d_fill(run, to->pulse, FDTD2D_PULSE);
}

static int fdtd2d_init(struct wl_run *run)
{
	struct fdtd2d *f = run->data;

	fdtd2d_fill_all(run, &f->args);
	return 0;
}

static int fdtd2d_execute(struct wl_run *run)
{
	static const char * const entries[] = { "fdtd2d_ey", "fdtd2d_ex", "fdtd2d_hz" };
	struct fdtd2d *f = run->data;
	struct fdtd2d_args args = f->args;
	uint32_t side = (uint32_t)args.side;
	struct uvm_dim3 grid = {
		(side + FDTD2D_WIDTH - 1) / FDTD2D_WIDTH,
		(side + FDTD2D_HEIGHT - 1) / FDTD2D_HEIGHT, 1,
	};
	uint64_t i;
	int err = 0;

	for (i = 0; i < 3 * f->steps && !err; i++) {
		args.pulse = f->args.pulse + i / 3;
		err = wl_launch(run, entries[i % 3], grid, UVM_DIM(FDTD2D_THREADS), 0, &args,
				sizeof(args));
	}
	return err;
}

static void fdtd2d_step(const struct fdtd2d_args *a, float pulse)
{
	uint64_t x, y, side = (uint64_t)a->side;
	float *ex, *ey, *hz;

	for (y = 0; y < side; y++) {
		ex = a->ex + y * (side + 1);
		ey = a->ey + y * side;
		hz = a->hz + y * side;
		for (x = 0; x < side; x++) {
			ey[x] = y ? fdtd2d_e(FDTD2D_OF_E, ey[x], hz[x], *(hz + x - side)) : pulse;
			if (x)
				ex[x] = fdtd2d_e(FDTD2D_OF_E, ex[x], hz[x], hz[x - 1]);
		}
	}
	for (y = 0; y < side; y++) {
		ex = a->ex + y * (side + 1);
		ey = a->ey + y * side;
		hz = a->hz + y * side;
		for (x = 0; x < side; x++)
			hz[x] = fdtd2d_h(FDTD2D_OF_H, hz[x], ex + x, ey[x], ey[x + side]);
	}
}

static int fdtd2d_compare(struct wl_run *run, const char *name, const float *got,
			  const float *want, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		if (got[i] != want[i])
			return wl_wrong(run, "%s[%llu] is %.9g, not %.9g", name,
					(unsigned long long)i, got[i], want[i]);
	return 0;
}

/* @own: all arrays once more, in private memory. */
static int fdtd2d_check(struct wl_run *run, const struct fdtd2d_args *own)
{
	const struct fdtd2d *f = run->data;
	uint64_t step;
	int wrong;

	fdtd2d_fill_all(run, own);
	for (step = 0; step < f->steps; step++)
		fdtd2d_step(own, own->pulse[step]);
	wrong = fdtd2d_compare(run, "hz", f->args.hz, own->hz, fdtd2d_count(f, FDTD2D_HZ));
	if (!wrong)
		wrong = fdtd2d_compare(run, "ey", f->args.ey, own->ey, fdtd2d_count(f, FDTD2D_EY));
	if (!wrong)
		wrong = fdtd2d_compare(run, "ex", f->args.ex, own->ex, fdtd2d_count(f, FDTD2D_EX));
	return wrong;
}

static int fdtd2d_verify(struct wl_run *run)
{
	struct fdtd2d *f = run->data;
	struct fdtd2d_args own = { .side = f->args.side };
	float *memory = malloc(fdtd2d_bytes(f));
	int wrong;

	if (!memory)
		return wl_fail(run, ENOMEM, "out of memory");
	own.ex = memory;
	own.ey = own.ex + fdtd2d_count(f, FDTD2D_EX);
	own.hz = own.ey + fdtd2d_count(f, FDTD2D_EY);
	own.pulse = own.hz + fdtd2d_count(f, FDTD2D_HZ);
	wrong = fdtd2d_check(run, &own);
	free(memory);
	return wrong;
}

static const struct wl_option fdtd2d_options[] = {
	{ "size", WL_BYTES, "7507K", "footprint of the three fields, 12 bytes a cell and a little" },
	{ "steps", WL_COUNT, "2", "in time, of three launches" },
	{ 0 },
};

static const struct wl_case fdtd2d_cases[] = {
	{ "--size 128K --steps 2", "ex", 4 * 106 },
	{ "--size 128K --steps 1", "ey", 4 * 50 },
	{ "--size 20000 --steps 4", "hz", 4 * 39 },
	{ "--size 68 --steps 1", "hz", 4 * 3 },
	{ 0 },
};

static const struct wl_size fdtd2d_sizes[] = {
	{ "--size 5M --steps 1", "--size 3M --steps 1" },
	{ 0 },
};

UVM_WORKLOAD(fdtd2d,
	     .what = "a wave in two dimensions, three sweeps a step",
	     .group = "adaptive",
	     .image = "fdtd2d",
	     .options = fdtd2d_options,
	     .cases = fdtd2d_cases,
	     .sizes = fdtd2d_sizes,
	     .data_bytes = sizeof(struct fdtd2d),
	     .setup = fdtd2d_setup,
	     .init = fdtd2d_init,
	     .execute = fdtd2d_execute,
	     .verify = fdtd2d_verify,
);

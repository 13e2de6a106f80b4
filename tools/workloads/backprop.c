// SPDX-License-Identifier: GPL-2.0
/* backprop: a neural network learns, after Rodinia. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/backprop.c"
#include "../uvm/run/workload.h"

#define BACKPROP_TARGET		0.1f	/* what the network is to say */
#define BACKPROP_INPUT_BYTES	((2 * BACKPROP_ROW + 2) * 4)
#define BACKPROP_COPY_BYTES	(BACKPROP_ROW * 4)
#define BACKPROP_SCALE		0.00390625f /* of weights: hidden units are not to saturate */

/**
 * struct backprop_host - the CPU's part: the bias of hidden units, and the layer above
 * @bias: row 0 of the weights
 * @bias_change: of the last time
 * @weight: of each hidden unit, from 1, to the only output; 0 is of a bias
 * @change: of the last time
 * @error: of each hidden unit, from 1
 */
struct backprop_host {
	float bias[BACKPROP_ROW], bias_change[BACKPROP_ROW];
	float weight[BACKPROP_ROW], change[BACKPROP_ROW];
	float error[BACKPROP_ROW];
};

/**
 * struct backprop - state of a run
 * @args: managed memory
 * @count: inputs, a multiple of BACKPROP_SIDE
 * @epochs: steps of learning
 * @copy: what is learned is a copy of the weights
 */
struct backprop {
	struct backprop_args args;
	uint64_t count, epochs;
	bool copy;
};

static int backprop_setup(struct wl_run *run)
{
	struct backprop *b = run->data;
	struct backprop_args *a = &b->args;
	uint64_t row = BACKPROP_ROW * sizeof(float), bytes = BACKPROP_INPUT_BYTES;

	b->epochs = wl_number(run, "epochs");
	b->copy = wl_flag(run, "copy");
	if (b->copy)
		bytes += BACKPROP_COPY_BYTES;
	b->count = wl_number(run, "size") / bytes / BACKPROP_SIDE * BACKPROP_SIDE;
	if (!b->count || b->count > 1ULL << 34)
		return wl_fail(run, EINVAL, "the size must be %llu bytes (%d inputs) ... 2T",
			       (unsigned long long)bytes * BACKPROP_SIDE, BACKPROP_SIDE);
	if (!b->epochs || b->epochs > 1000)
		return wl_fail(run, EINVAL, "epochs must be 1 ... 1000");
	if (b->copy && b->epochs > 1)
		return wl_fail(run, EINVAL, "with --copy epochs must be 1: what was learned is not read");

	a->inputs = wl_alloc(run, (b->count + 1) * sizeof(float), "inputs");
	a->weights = wl_alloc(run, (b->count + 1) * row, "weights");
	a->learned = b->copy ? wl_alloc(run, (b->count + 1) * row, "learned") : (float *)a->weights;
	a->changes = wl_alloc(run, (b->count + 1) * row, "changes");
	a->sums = wl_alloc(run, b->count * sizeof(float), "sums");
	a->error = wl_alloc(run, row, "error");
	if (!a->inputs || !a->weights || !a->learned || !a->changes || !a->sums || !a->error)
		return -ENOMEM;
	wl_input(run, a->inputs);
	wl_input(run, a->error);
	wl_output(run, a->sums);
	return 0;
}

static float backprop_input(const struct wl_run *run, uint64_t input)
{
	return input ? wl_small_float(run->seed + input) : 1.0f;
}

static float backprop_weight(const struct wl_run *run, uint64_t i)
{
	return BACKPROP_SCALE * wl_small_float(~run->seed - i);
}

static void backprop_fill(const struct wl_run *run, uint64_t count, float *weights)
{
	uint64_t i;

	for (i = 0; i < (count + 1) * BACKPROP_ROW; i++)
		weights[i] = backprop_weight(run, i);
}

static int backprop_init(struct wl_run *run)
{
	struct backprop *b = run->data;
	float *inputs = (float *)b->args.inputs;
	uint64_t i;

	for (i = 0; i <= b->count; i++)
		inputs[i] = backprop_input(run, i);
	backprop_fill(run, b->count, (float *)b->args.weights);
	if (b->copy)
		backprop_fill(run, b->count, b->args.learned);
	memset(b->args.changes, 0, (b->count + 1) * BACKPROP_ROW * sizeof(float));
	return 0;
}

/* The bias of hidden units is in row 0 of the weights; the CPU keeps its own. */
static void backprop_host_begin(const struct wl_run *run, struct backprop_host *h)
{
	int i;

	*h = (struct backprop_host){ 0 };
	for (i = 0; i < BACKPROP_ROW; i++) {
		h->bias[i] = backprop_weight(run, i);
		h->weight[i] = wl_small_float(run->seed - 1 - i);
	}
}

static float backprop_squash(float x)
{
	return 1.0f / (1.0f + expf(-x));
}

static void backprop_learn(float *weight, float *last, float error, float input)
{
	*last = backprop_change(error, input, *last);
	*weight += *last;
}

/* Hidden units from the sums of @blocks, the output from them, and the errors backwards. */
static void backprop_host_step(struct backprop_host *h, const float *sums, uint64_t blocks)
{
	float hidden[BACKPROP_ROW] = { 1.0f }, output = 0, error;
	uint64_t block;
	int i;

	for (i = 1; i < BACKPROP_ROW; i++) {
		for (block = 0; block < blocks; block++)
			hidden[i] += sums[block * BACKPROP_SIDE + i - 1];
		hidden[i] = backprop_squash(hidden[i] + h->bias[i]);
	}
	for (i = 0; i < BACKPROP_ROW; i++)
		output += hidden[i] * h->weight[i];
	output = backprop_squash(output);
	error = output * (1.0f - output) * (BACKPROP_TARGET - output);
	for (i = 0; i < BACKPROP_ROW; i++) {
		h->error[i] = hidden[i] * (1.0f - hidden[i]) * error * h->weight[i];
		backprop_learn(&h->weight[i], &h->change[i], error, hidden[i]);
		backprop_learn(&h->bias[i], &h->bias_change[i], h->error[i], 1.0f);
	}
}

static int backprop_launch(struct wl_run *run, const char *entry, uint32_t shared)
{
	struct backprop *b = run->data;

	return wl_launch(run, entry, UVM_DIM((uint32_t)(b->count / BACKPROP_SIDE)),
			 UVM_DIM(BACKPROP_BLOCK), shared, &b->args, sizeof(b->args));
}

static int backprop_execute(struct wl_run *run)
{
	struct backprop *b = run->data;
	float *error = (float *)b->args.error;
	struct backprop_host host;
	uint64_t epoch;
	int err = 0, i;

	backprop_host_begin(run, &host);
	for (epoch = 0; epoch < b->epochs && !err; epoch++) {
		err = backprop_launch(run, "backprop_forward", BACKPROP_SHARED);
		if (!err)
			err = wl_to_cpu(run, b->args.sums, b->count * sizeof(float));
		if (err)
			break;
		backprop_host_step(&host, b->args.sums, b->count / BACKPROP_SIDE);
		for (i = 0; i < BACKPROP_ROW; i++)
			error[i] = host.error[i];
		err = wl_to_gpu(run, error, sizeof(host.error));
		if (!err)
			err = backprop_launch(run, "backprop_adjust", 0);
	}
	return err;
}

/* The sums of a block, of rows from @weights, in the order of the tree. */
static void backprop_sums(const struct wl_run *run, const float *weights, uint64_t block,
			  float *sums)
{
	uint64_t first = block * BACKPROP_SIDE + 1;
	float part[BACKPROP_SIDE];
	int x, y, apart;

	for (x = 0; x < BACKPROP_SIDE; x++) {
		for (y = 0; y < BACKPROP_SIDE; y++)
			part[y] = weights[(first + y) * BACKPROP_ROW + x + 1] *
				  backprop_input(run, first + y);
		for (apart = 1; apart < BACKPROP_SIDE; apart *= 2)
			for (y = 0; y < BACKPROP_SIDE; y += 2 * apart)
				part[y] += part[y + apart];
		sums[block * BACKPROP_SIDE + x] = part[0];
	}
}

static void backprop_want(const struct wl_run *run, float *weights, float *changes, float *sums)
{
	const struct backprop *b = run->data;
	struct backprop_host host;
	uint64_t epoch, i, x;

	backprop_fill(run, b->count, weights);
	memset(changes, 0, (b->count + 1) * BACKPROP_ROW * sizeof(float));
	backprop_host_begin(run, &host);
	for (epoch = 0; epoch < b->epochs; epoch++) {
		for (i = 0; i < b->count / BACKPROP_SIDE; i++)
			backprop_sums(run, weights, i, sums);
		backprop_host_step(&host, sums, b->count / BACKPROP_SIDE);
		for (i = 0; i <= b->count; i++)
			for (x = 1; x < BACKPROP_ROW; x++)
				backprop_learn(&weights[i * BACKPROP_ROW + x],
					       &changes[i * BACKPROP_ROW + x], host.error[x],
					       backprop_input(run, i));
	}
}

static int backprop_compare(struct wl_run *run, const char *what, const float *got,
			    const float *want, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		if (got[i] != want[i])
			return wl_wrong(run, "%s[%llu] is %.9g, not %.9g", what,
					(unsigned long long)i, got[i], want[i]);
	return 0;
}

static int backprop_verify(struct wl_run *run)
{
	struct backprop *b = run->data;
	uint64_t count = (b->count + 1) * BACKPROP_ROW;
	float *want = malloc((2 * count + b->count) * sizeof(*want));
	int wrong;

	if (!want)
		return wl_fail(run, ENOMEM, "out of memory");
	backprop_want(run, want, want + count, want + 2 * count);
	wrong = backprop_compare(run, "weights", b->args.learned, want, count);
	if (!wrong)
		wrong = backprop_compare(run, "changes", b->args.changes, want + count, count);
	if (!wrong)
		wrong = backprop_compare(run, "sums", b->args.sums, want + 2 * count, b->count);
	free(want);
	return wrong;
}

static const struct wl_option backprop_options[] = {
	{ "size", WL_BYTES, "9M", "footprint: 144 bytes for each input, with --copy 212" },
	{ "epochs", WL_COUNT, "1", "steps of learning" },
	{ "copy", WL_FLAG, "", "learn a copy of the weights, as the adaptive framework's program does" },
	{ 0 },
};

static const struct wl_case backprop_cases[] = {
	{ "--size 100K", "weights", 4 * 17 * 600 },
	{ "--size 30K --epochs 3", "changes", 4 * 20 },
	{ "--size 2304", "sums", 4 * 15 },
	{ "--size 60K --copy", "learned", 4 * 20 },
	{ 0 },
};

static const struct wl_size backprop_sizes[] = {
	{ .small = "--size 3M" },
	{ 0 },
};

UVM_WORKLOAD(backprop,
	     .what = "a step of learning of a neural network with 16 hidden units",
	     .group = "hpe",
	     .image = "backprop",
	     .options = backprop_options,
	     .cases = backprop_cases,
	     .sizes = backprop_sizes,
	     .data_bytes = sizeof(struct backprop),
	     .setup = backprop_setup,
	     .init = backprop_init,
	     .execute = backprop_execute,
	     .verify = backprop_verify,
);

// SPDX-License-Identifier: GPL-2.0
/*
 * Kernels whose threads work together, as the textbooks write them, against the same
 * in one loop: the compiler knows that what needs all lanes is not copied into the
 * two sides of a branch.
 *
 *	textbook [NAME]
 */
#include <unistd.h>

#include "pages_test.h"

#include "../../../tools/kernels/test_textbook.c"

typedef void (*expect_fn)(const uint32_t *in, uint32_t *out);

static void expect_sum(const uint32_t *in, uint32_t *out)
{
	for (unsigned int i = 0; i < TEXTBOOK_BLOCK; i++)
		out[0] += in[i];
}

static void expect_sorted(const uint32_t *in, uint32_t *out)
{
	for (unsigned int i = 0, at; i < TEXTBOOK_BLOCK; i++) {
		for (at = i; at && out[at - 1] > in[i]; at--)
			out[at] = out[at - 1];
		out[at] = in[i];
	}
}

static void expect_scan(const uint32_t *in, uint32_t *out)
{
	uint32_t sum = 0;

	for (unsigned int i = 0; i < TEXTBOOK_BLOCK; i++)
		out[i] = sum += in[i];
}

static void expect_sweep(const uint32_t *in, uint32_t *out)
{
	for (unsigned int i = 1; i < TEXTBOOK_BLOCK; i++)
		out[i] = out[i - 1] + in[i - 1];
}

static void expect_stencil(const uint32_t *in, uint32_t *out)
{
	uint32_t last[TEXTBOOK_BLOCK];

	memcpy(out, in, sizeof(last));
	for (unsigned int step = 0; step < TEXTBOOK_STEPS; step++) {
		memcpy(last, out, sizeof(last));
		for (unsigned int i = 1; i < TEXTBOOK_BLOCK - 1; i++)
			out[i] = last[i - 1] + 2 * last[i] + last[i + 1];
	}
}

static void expect_mask(const uint32_t *in, uint32_t *out)
{
	(void)in;
	memset(out, 0xff, TEXTBOOK_BLOCK * sizeof(*out));
}

/* Row r is filled in while 16, 8, 4, 2, 1 exceed it, and is added five times. */
static void expect_tiles(const uint32_t *in, uint32_t *out)
{
	for (unsigned int i = 0; i < TEXTBOOK_BLOCK; i++) {
		uint32_t element = 0;

		if (i % 32 >= 16)
			continue;
		for (unsigned int s = 16; s; s >>= 1) {
			element += i % 32 < s ? in[i] : 0;
			out[i] += element;
		}
	}
}

static const struct {
	const char *name;
	expect_fn expect;
} rows[] = {
	{ "reduce", expect_sum }, { "register", expect_sum }, { "unrolled", expect_sum },
	{ "by_hand", expect_sum }, { "continue", expect_sum }, { "tree", expect_sum },
	{ "while", expect_sorted }, { "scan", expect_scan }, { "sweep", expect_sweep },
	{ "stencil", expect_stencil }, { "mask", expect_mask }, { "tiles", expect_tiles },
};

/* One block runs @name; says what is wrong with it, if anything is. */
static bool textbook_run(struct uvm *u, const char *name, expect_fn expect,
			 const struct test_textbook_args *args)
{
	struct uvm_launch_params launch = {
		.grid = UVM_DIM(1), .block = UVM_DIM(TEXTBOOK_BLOCK), .args = args,
		.args_bytes = sizeof(*args), .instruction_limit = 1000000,
	};
	uint32_t want[TEXTBOOK_BLOCK] = { 0 };
	char entry[64];

	snprintf(entry, sizeof(entry), "test_textbook_%s", name);
	launch.entry = entry;
	for (unsigned int i = 0; i < TEXTBOOK_BLOCK; i++) {
		((uint32_t *)args->in)[i] = i * 2654435761u % 997;
		args->out[i] = 0;
	}
	expect(args->in, want);
	if (uvm_load_builtin(u, 0, "test_textbook", &launch.image) || uvm_launch(u, &launch) ||
	    uvm_synchronize(u)) {
		fprintf(stderr, "%s: %s\n", name, uvm_last_error(u));
		return false;
	}
	for (unsigned int i = 0; i < TEXTBOOK_BLOCK; i++) {
		if (args->out[i] == want[i])
			continue;
		fprintf(stderr, "%s: out[%u] is %u, not %u\n", name, i, args->out[i], want[i]);
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct test_textbook_args args;
	struct uvm *u = NULL;
	int gpu = 0, bad = 0;
	uint32_t *words;

	if (uvm_open(&u, &gpu, 1))
		fail("%s", uvm_last_error(u));
	words = uvm_malloc_managed(u, 2 * TEXTBOOK_BLOCK * sizeof(*words), "words");
	if (!words)
		fail("%s", uvm_last_error(u));
	args.in = words;
	args.out = words + TEXTBOOK_BLOCK;
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (argc < 2 || !strcmp(argv[1], rows[i].name))
			bad += !textbook_run(u, rows[i].name, rows[i].expect, &args);
	uvm_close(u);
	return bad ? 1 : 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * The device's instruction set against a reference: runs the programs of
 * qemu-tests/tests/isa/programs/generate.py and compares all registers and all memory of all threads, bit
 * by bit, with what the reference left.
 *
 *	isa SEED...			SEED.elf agrees with SEED.want
 *	isa control SEED MISTAKES	control.elf, each of whose programs has one operation
 *					wrong, but for the first, does not agree
 */
#include "common.h"
#include "isa.h"

/* As in isa/kernel.c. */
struct isa_args {
	struct isa_memory *memory;
	struct isa_tile *tiles;
	uint64_t program;
};

static struct isa_memory *memory;
static struct isa_tile *tiles;
static uint64_t cases;

static void *file_read(const char *name, const char *suffix, size_t *bytes)
{
	char path[64];
	struct stat info;
	FILE *file;
	void *data;

	snprintf(path, sizeof(path), "%s.%s", name, suffix);
	file = fopen(path, "r");
	must(file);
	must(!fstat(fileno(file), &info));
	data = malloc(info.st_size + 1);
	must(fread(data, 1, info.st_size, file) == (size_t)info.st_size);
	((char *)data)[info.st_size] = 0;
	fclose(file);
	*bytes = info.st_size;
	return data;
}

static long run(const char *entry, unsigned int grid, unsigned int block, uint64_t program)
{
	struct isa_args args = { .memory = memory, .tiles = tiles, .program = program };
	struct softgpu_launch launch = {
		.size = sizeof(launch), .image_id = pair.image, .grid = { grid, 1, 1 },
		.block = { block, 1, 1 }, .args = (uintptr_t)&args, .args_bytes = sizeof(args),
	};
	struct softgpu_wait w;

	snprintf(launch.entry, sizeof(launch.entry), "%s", entry);
	must(!try_ioctl(pair.gpu, SOFTGPU_IOC_LAUNCH, &launch));
	must(!launch_wait(pair.gpu, launch.launch_id, 0, &w));
	if (w.reason)
		note("program %llu ends with reason %u at pc %#llx",
		     (unsigned long long)program, w.reason, (unsigned long long)w.pc);
	return w.reason;
}

/* Say which words of a thread are not as they should be; how many are. */
static unsigned int differences(const char *what, const uint64_t *got, const uint64_t *want,
				unsigned int count, bool say)
{
	unsigned int wrong = 0;

	for (unsigned int n = 0; n < count; n++) {
		if (got[n] == want[n])
			continue;
		if (say && wrong < 4)
			note("%s: word %u is %#llx, reference %#llx", what, n,
			     (unsigned long long)got[n], (unsigned long long)want[n]);
		wrong++;
	}
	return wrong;
}

/* Threads that differ; the first of them with their words, x first, then f, memory. */
static unsigned int compare(const struct isa_result *want, bool say)
{
	static struct isa_result got;
	unsigned int wrong = 0;
	char name[32];

	isa_take(&got, memory);
	for (unsigned int i = 0; i < ISA_THREADS; i++) {
		snprintf(name, sizeof(name), "thread %u", i);
		wrong += differences(name, (const uint64_t *)&got.thread[i],
				     (const uint64_t *)&want->thread[i],
				     sizeof(got.thread[i]) / 8, say && wrong < 3) != 0;
	}
	return wrong + differences("tally", got.tally, want->tally, ARRAY_SIZE(got.tally), say);
}

/* One program in blocks of so many threads: how many threads differ, or -1. */
static long one(const struct isa_result *want, uint64_t seed, uint64_t program,
		unsigned int block, bool say)
{
	isa_fill(memory, seed, program);
	if (run("isa_run", (ISA_THREADS + block - 1) / block, block, program))
		return -1;
	cases += ISA_THREADS;
	return compare(want, say);
}

/* How many tiles differ; @spoil: one bit of one factor is changed before. */
static unsigned int multiply(uint64_t seed, const struct isa_tile *want, bool spoil)
{
	unsigned int wrong = 0;
	char name[32];

	for (unsigned int i = 0; i < ISA_TILES; i++)
		isa_fill_tile(&tiles[i], seed, i);
	if (spoil)
		tiles->words[tiles->a] ^= 0x400000;
	if (run("isa_multiply", ISA_TILES, 32, 0))
		return ISA_TILES;
	for (unsigned int i = 0; i < ISA_TILES; i++) {
		snprintf(name, sizeof(name), "tile %u", i);
		wrong += differences(name, (const uint64_t *)&tiles[i], (const uint64_t *)&want[i],
				     sizeof(*tiles) / 8, !spoil && wrong < 3) != 0;
	}
	return wrong;
}

/* Whole warps, a lane alone, few, most: other code each. */
static const unsigned int shapes[] = { 1, 5, 20, 31, 33 };

static void compare_seed(const char *name)
{
	uint64_t seed = strtoull(name, NULL, 0);
	const struct isa_result *want;
	unsigned int wrong = 0;
	size_t bytes, programs;

	want = file_read(name, "want", &bytes);
	programs = (bytes - ISA_TILES * sizeof(struct isa_tile)) / sizeof(*want);
	for (size_t p = 0; p < programs; p++) {
		unsigned int other = shapes[(seed + p) % ARRAY_SIZE(shapes)];

		for (int whole = 1; whole >= 0; whole--) {
			unsigned int block = whole ? 64 : other;
			long differ = one(&want[p], seed, p, block, wrong < 3);

			if (differ)
				note("seed %s, program %zu, blocks of %u: %ld threads differ",
				     name, p, block, differ);
			wrong += differ != 0;
		}
	}
	ok(!wrong && programs, "seed %s: %zu programs agree with the reference", name, programs);

	ok(!multiply(seed, (const struct isa_tile *)&want[programs], false),
	   "seed %s: %u products of matrices are the plain model's", name, ISA_TILES);
	free((void *)want);
}

/* What the comparison does not see, nobody would. */
static void control(const char *seed_name, const char *mistakes_name)
{
	uint64_t seed = strtoull(seed_name, NULL, 0);
	const struct isa_result *want;
	size_t bytes, unused;
	char *mistakes, *line;

	want = file_read("control", "want", &bytes);
	mistakes = file_read(mistakes_name, "txt", &unused);
	is(one(&want[0], seed, 0, 64, true), 0, "control, seed %s: without a mistake", seed_name);
	line = strtok(mistakes, "\n");
	for (uint64_t p = 1; line; p++, line = strtok(NULL, "\n")) {
		isa_fill(memory, seed, 0);
		ok(!run("isa_run", ISA_THREADS / 64, 64, p) && compare(&want[0], false),
		   "control: %s is found", line);
	}
	/* and of the matrices a single bit */
	bytes -= ISA_TILES * sizeof(*tiles);
	is(multiply(seed, (const void *)((const char *)want + bytes), true), 1,
	   "control: a factor with one bit changed is found");
}

static void load(const char *name)
{
	size_t bytes;
	void *image = file_read(name, "elf", &bytes);
	long ret = image_load(pair.gpu, image, bytes, &pair.image);

	is(ret, 0, "%s.elf loads", name);
	must(!ret);
	free(image);
}

int main(int argc, char **argv)
{
	bool is_control = argc == 4 && !strcmp(argv[1], "control");

	pair = pair_open();
	memory = managed(pair.uvm, sizeof(*memory));
	tiles = managed(pair.uvm, ISA_TILES * sizeof(*tiles));
	if (is_control) {
		load("control");
		control(argv[2], argv[3]);
	}
	for (int i = 1; i < argc && !is_control; i++) {
		load(argv[i]);
		compare_seed(argv[i]);
	}
	note("%llu programs' threads compared", (unsigned long long)cases);
	pair_close(&pair);
	return tap_finish();
}

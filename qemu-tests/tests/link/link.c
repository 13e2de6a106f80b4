// SPDX-License-Identifier: GPL-2.0
/*
 * The link to system memory (hardware.rst): what warps reach that read and write over it, alone
 * and beside copies.  The numbers are those of profile gtx1080ti.
 */
#include "common.h"
#include "explicit.h"

#define LATENCY_NS	1200.0
#define REQUESTS	256
#define HEADER		20.0
#define IN_MBPS		12200.0
#define OUT_MBPS	12900.0
#define LINE		128
#define SECTOR		32
#define HOPS		200
#define MEMORY		(8 * MB)
#define PERCENT		3

static struct object memory;

/* A line with so many sectors takes so long; 1 MB/s is a byte per us. */
static double request_ns(double mbps, int sectors)
{
	return 1000 * LINE / mbps * (HEADER + SECTOR * sectors) / (HEADER + LINE);
}

static bool near(double got, double want)
{
	return got > want * (100 - PERCENT) / 100 && got < want * (100 + PERCENT) / 100;
}

/* Warps one to a block, neighbouring threads @stride bytes apart: ns of the launch. */
static double launch_ns(const char *kernel, int warps, int stride, int count)
{
	struct test_args args = { .address = memory.gpu, .stride = stride, .count = count };
	struct softgpu_wait w;
	uint64_t id;

	must(!launch_shape(&pair, kernel, warps, 32, 0, &args, &id));
	must(!launch_wait(pair.gpu, id, 0, &w) && w.state == SOFTGPU_LAUNCH_DONE);
	return w.end_ns - w.start_ns;
}

/* ns for each access of a warp, without what comes before the first. */
static double access_ns(const char *kernel, int warps, int stride)
{
	double few = launch_ns(kernel, warps, stride, HOPS / 4);

	return (launch_ns(kernel, warps, stride, HOPS) - few) / (HOPS - HOPS / 4);
}

/*
 * A warp reads again when it has what it read.  All its lines are there after the latency, when
 * the link has carried them; so many warps have all of the link, or all of its tags.
 */
static void test_warps(int stride, int lines, int sectors)
{
	double one = request_ns(IN_MBPS, sectors);

	for (int warps = 1; warps <= 64; warps *= 2) {
		double alone = LATENCY_NS + lines * one, link = warps * lines * one;
		double tags = (LATENCY_NS + one) * warps * lines / REQUESTS;
		double want = link > alone ? link : alone, got = access_ns("t_hops", warps, stride);

		want = tags > want ? tags : want;
		ok(near(got, want), "%d warps, %d lines of %d sectors: a read takes %.0f ns",
		   warps, lines, sectors, want);
		note("%.0f ns, %.0f MB/s", got, 1000.0 * warps * lines * sectors * SECTOR / got);
	}
}

/* As many warps as the GPU holds: the link's bandwidth, and not more. */
static void test_streams(void)
{
	static const struct {
		const char *kernel;
		int stride, sectors, lines;
		double mbps;
	} rows[] = {
		{ "t_hops", 4, 4, 1, IN_MBPS },
		{ "t_hops", 8, 4, 2, IN_MBPS },
		/* tags: so many sectors in a latency */
		{ "t_hops", 128, 1, 32, 6805 },
		{ "t_hops", 64, 2, 16, 12200 * 64.0 / 84 * 148 / 128 },
		{ "t_writes", 4, 4, 1, OUT_MBPS },
		{ "t_writes", 128, 1, 32, 12900 * 32.0 / 52 * 148 / 128 },
	};
	const int warps = 28 * 32;

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double bytes = (double)warps * rows[i].lines * rows[i].sectors * SECTOR;
		double got = 1000 * bytes / access_ns(rows[i].kernel, warps, rows[i].stride);

		ok(near(got, rows[i].mbps) && got < rows[i].mbps * 1.001,
		   "%s, %d bytes apart: %.0f MB/s", rows[i].kernel, rows[i].stride, rows[i].mbps);
		note("%.1f MB/s", got);
	}
}

/*
 * Reads for a time, and a copy of 4 MB meanwhile.  One in the same direction makes them last longer
 * by what it takes alone, and has half of the link itself; one in the other does neither.
 */
static void test_copy(uint32_t direction, bool same)
{
	const double mbps = same ? IN_MBPS : OUT_MBPS, alone = 1000 * 4.0 * MB / mbps;
	const int warps = 28 * 32, count = 400;
	struct object local = object_make(&pair, DEVICE, 4 * MB);
	struct test_args args = { .address = memory.gpu, .stride = 4, .count = count };
	double undisturbed = launch_ns("t_hops", warps, 4, count), took, reads;
	struct softgpu_copy_wait c;
	struct softgpu_wait w;
	uint64_t id, copy_id;

	must(!launch_shape(&pair, "t_hops", warps, 32, 0, &args, &id));
	must(!copy_start(pair.gpu, same ? local.gpu : memory.gpu + 4 * MB,
			 same ? memory.gpu + 4 * MB : local.gpu, 4 * MB, direction, &copy_id));
	must(!copy_wait(pair.gpu, copy_id, 0, &c) && !c.error);
	must(!launch_wait(pair.gpu, id, 0, &w) && w.state == SOFTGPU_LAUNCH_DONE);
	must(c.end_ns < w.end_ns);
	took = c.end_ns - c.start_ns;
	reads = w.end_ns - w.start_ns;
	ok(near(took, same ? 2 * alone : alone), "a copy %s takes %.0f us", same ? "in" : "out",
	   (same ? 2 * alone : alone) / 1000);
	note("%.0f us", took / 1000);
	ok(near(reads - undisturbed + alone, same ? 2 * alone : alone),
	   "the reads take %.0f us more", same ? alone / 1000 : 0);
	note("%.0f us more than %.0f", (reads - undisturbed) / 1000, undisturbed / 1000);
	object_end(&pair, &local);
}

/*
 * What the GPU counts is what warps asked for: a request for each line, of it the sectors that are
 * touched; beside them nothing, neither what launches take nor a copy.
 */
static void test_counts(const char *kernel, int stride, int lines, int sectors)
{
	const uint64_t requests = 3ULL * lines * HOPS, bytes = requests * sectors * SECTOR;
	const bool write = !strcmp(kernel, "t_writes");
	struct object local = object_make(&pair, DEVICE, 1 * MB);
	struct softgpu_info before = gpu_info(pair.gpu), after;

	launch_ns(kernel, 3, stride, HOPS);
	must(!copy(pair.gpu, local.gpu, memory.gpu, MB, SOFTGPU_COPY_HTOD, NULL));
	after = gpu_info(pair.gpu);
	ok(after.link_reads - before.link_reads == (write ? 0 : requests) &&
	   after.link_writes - before.link_writes == (write ? requests : 0) &&
	   after.link_read_bytes - before.link_read_bytes == (write ? 0 : bytes) &&
	   after.link_write_bytes - before.link_write_bytes == (write ? bytes : 0),
	   "%s, %d bytes apart: %llu requests and %llu bytes are counted, and no other", kernel,
	   stride, (unsigned long long)requests, (unsigned long long)bytes);
	object_end(&pair, &local);
}

int main(void)
{
	pair = pair_open();
	memory = object_make(&pair, PINNED, MEMORY);
	memset(memory.cpu, 0, MEMORY);
	test_warps(4, 1, 4);
	test_warps(16, 4, 4);
	test_warps(128, 32, 1);
	test_streams();
	test_counts("t_hops", 4, 1, 4);
	test_counts("t_hops", 128, 32, 1);
	test_counts("t_writes", 8, 2, 4);
	test_copy(SOFTGPU_COPY_HTOD, true);
	test_copy(SOFTGPU_COPY_DTOH, false);
	object_end(&pair, &memory);
	return tap_finish();
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Part of bench.c: how many instructions of warps a second of real time takes. */
#include "../../../tools/kernels/bfs.c"
#include "../../../tools/kernels/sgemm.c"
#include "../../../tools/kernels/stencil.c"
#include "../../../tools/kernels/triad.c"

#define BFS_VERTICES	(1U << 16)
#define BFS_DEGREE	16
#define BFS_DEPTH	16	/* of a search; a graph like this one has 6 levels */
#define BFS_BLOCK	128

/**
 * struct work - what is measured
 * @name: of the result
 * @launch: launches, each of which is waited for
 * @launches: so many
 * @reset: bring the data into the state before, and to the GPU; or NULL
 * @data: for @reset
 */
struct work {
	const char *name;
	struct uvm_launch_params *launch;
	unsigned int launches;
	void (*reset)(void *data);
	void *data;
};

static uint64_t work_timed(const struct work *work)
{
	uint64_t ns = 0;

	if (work->reset)
		work->reset(work->data);
	stats(true);
	uvm_reset_totals(uvm);
	for (unsigned int i = 0; i < work->launches; i++)
		ns += timed(&work->launch[i]);
	return ns;
}

/* The first round brings the data; the others must find all of it there. */
static void resident(const struct work *work)
{
	uint64_t ns[ROUNDS], instructions;

	work_timed(work);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		ns[i] = work_timed(work);
		if (stats(false).faults_fetched)
			fail("%s: faults although all is resident", work->name);
	}
	instructions = uvm_launch_totals(uvm).instructions;
	result(instructions, "interpreter.%s.instructions", work->name);
	result(instructions * 1000000000ULL / median(ns, ROUNDS), "interpreter.%s.per_second",
	       work->name);
}

static void resident_launch(struct uvm_launch_params *launch)
{
	const struct work work = { .name = launch->entry, .launch = launch, .launches = 1 };

	resident(&work);
}

static void bench_triad(void)
{
	const uint64_t elements = MB;
	struct triad_args args = {
		.a = allocate(elements * 4), .b = allocate(elements * 4),
		.c = allocate(elements * 4), .elements = elements, .s = 3,
	};
	struct uvm_launch_params launch = {
		.image = image, .entry = "triad", .grid = UVM_DIM(elements / 256),
		.block = UVM_DIM(256), .args = &args, .args_bytes = sizeof(args),
	};

	for (uint64_t i = 0; i < elements; i++) {
		((float *)args.b)[i] = i % 100;
		((float *)args.c)[i] = i % 7;
	}
	resident_launch(&launch);
	for (uint64_t i = 0; i < elements; i++)
		if (args.a[i] != (float)(i % 100) + 3.0f * (float)(i % 7))
			fail("triad: a[%" PRIu64 "] is wrong", i);
}

static void bench_sgemm(void)
{
	const uint64_t m = 512, n = 512, k = 64;
	struct sgemm_args args = {
		.a = allocate(m * k * 4), .b = allocate(k * n * 4), .c = allocate(m * n * 4),
		.m = m, .n = n, .k = k,
	};
	struct uvm_launch_params launch = {
		.image = image, .entry = "sgemm",
		.grid = { n / SGEMM_TILE, m / SGEMM_TILE, 1 }, .block = UVM_DIM(SGEMM_THREADS),
		.shared_bytes = SGEMM_SHARED_BYTES, .args = &args, .args_bytes = sizeof(args),
	};

	for (uint64_t i = 0; i < m * k; i++)
		((float *)args.a)[i] = i / k % 5;
	for (uint64_t i = 0; i < k * n; i++)
		((float *)args.b)[i] = i % n % 3;
	resident_launch(&launch);
	for (uint64_t i = 0; i < m * n; i++)
		if (args.c[i] != (float)(k * (i / n % 5) * (i % n % 3)))
			fail("sgemm: element %" PRIu64 " is wrong", i);
}

static void bench_stencil(void)
{
	const uint64_t width = 1026, height = 1026;
	struct stencil_args args = {
		.from = allocate(width * height * 4), .to = allocate(width * height * 4),
		.width = width, .height = height,
	};
	struct uvm_launch_params launch = {
		.image = image, .entry = "stencil",
		.grid = { (width - 2) / 128, (height - 2) / STENCIL_ROWS, 1 },
		.block = UVM_DIM(128), .args = &args, .args_bytes = sizeof(args),
	};
	float *from = (float *)args.from;

	for (uint64_t i = 0; i < width * height; i++)
		from[i] = i % 11;
	resident_launch(&launch);
	for (uint64_t y = 1; y < height - 1; y++) {
		for (uint64_t x = 1; x < width - 1; x++) {
			const float *at = from + y * width + x;

			if (args.to[y * width + x] !=
			    stencil_point(at[-width], at[-1], at[0], at[1], at[width]))
				fail("stencil: row %" PRIu64 " column %" PRIu64 " is wrong", y, x);
		}
	}
}

/**
 * struct search - a whole search, whose levels are launched without a look at the data
 * @args: by level; how long the frontiers are is known from the first search
 * @launch: by level
 * @count: length of the next frontier, by level
 * @levels: so many
 */
struct search {
	struct bfs_args args[BFS_DEPTH];
	struct uvm_launch_params launch[BFS_DEPTH];
	uint32_t *count;
	unsigned int levels;
};

/* Every vertex leads to the next one and to others anywhere: all are reached. */
static void search_graph(struct bfs_args *graph)
{
	uint64_t *row = allocate((BFS_VERTICES + 1) * sizeof(*row)), seed = 1;
	uint32_t *column = allocate((uint64_t)BFS_VERTICES * BFS_DEGREE * 2 * sizeof(*column));
	uint64_t edges = 0;

	for (uint32_t vertex = 0; vertex < BFS_VERTICES; vertex++) {
		uint32_t degree = 1 + next_random(&seed) % (2 * BFS_DEGREE - 1);

		row[vertex] = edges;
		column[edges++] = (vertex + 1) % BFS_VERTICES;
		for (uint32_t i = 1; i < degree; i++)
			column[edges++] = next_random(&seed) % BFS_VERTICES;
	}
	row[BFS_VERTICES] = edges;
	graph->row = row;
	graph->column = column;
	graph->level = allocate(BFS_VERTICES * sizeof(*graph->level));
}

static void search_level(struct search *s, unsigned int depth, uint32_t length, uint32_t **lists)
{
	s->args[depth].frontier = lists[depth % 2];
	s->args[depth].next = lists[(depth + 1) % 2];
	s->args[depth].next_count = &s->count[depth];
	s->args[depth].frontier_count = length;
	s->args[depth].depth = depth;
	s->launch[depth] = (struct uvm_launch_params){
		.image = image, .entry = "bfs", .args = &s->args[depth],
		.grid = UVM_DIM((length * BFS_LANES + BFS_BLOCK - 1) / BFS_BLOCK),
		.block = UVM_DIM(BFS_BLOCK), .args_bytes = sizeof(s->args[depth]),
	};
}

/* No vertex is seen but the first, which is the first frontier. */
static void search_begin(void *data)
{
	struct search *s = data;
	int32_t *level = s->args[0].level;
	uint32_t *first = (uint32_t *)s->args[0].frontier;

	for (uint32_t i = 0; i < BFS_VERTICES; i++)
		level[i] = i ? BFS_UNSEEN : 0;
	memset(s->count, 0, BFS_DEPTH * sizeof(*s->count));
	*first = 0;
	must(uvm_prefetch(uvm, level, BFS_VERTICES * sizeof(*level), 0), "level");
	must(uvm_prefetch(uvm, s->count, UVM_PAGE_SIZE, 0), "count");
	/* all of it: the CPU's fault may have brought more than its page */
	must(uvm_prefetch(uvm, first, BFS_VERTICES * sizeof(*first), 0), "frontier");
}

/* The first search, level by level. */
static void search_explore(struct search *s, uint32_t **lists)
{
	uint32_t length = 1;

	search_level(s, 0, length, lists);
	search_begin(s);
	for (s->levels = 0; length; s->levels++) {
		if (s->levels == BFS_DEPTH)
			fail("bfs: more than %d levels", BFS_DEPTH);
		search_level(s, s->levels, length, lists);
		timed(&s->launch[s->levels]);
		length = s->count[s->levels];
	}
}

static void bench_bfs(void)
{
	struct search s = { 0 };
	uint32_t *lists[] = {
		allocate(BFS_VERTICES * sizeof(uint32_t)), allocate(BFS_VERTICES * sizeof(uint32_t)),
	};
	struct work work = { .name = "bfs", .launch = s.launch, .reset = search_begin, .data = &s };

	s.count = allocate(UVM_PAGE_SIZE);
	search_graph(&s.args[0]);
	for (unsigned int depth = 1; depth < BFS_DEPTH; depth++)
		s.args[depth] = s.args[0];
	search_explore(&s, lists);
	work.launches = s.levels;
	resident(&work);
	for (uint32_t i = 0; i < BFS_VERTICES; i++)
		if (s.args[0].level[i] == BFS_UNSEEN)
			fail("bfs: vertex %" PRIu32 " was not reached", i);
}

static const struct {
	const char *name;
	void (*run)(void);
} kernels[] = {
	{ "triad", bench_triad },
	{ "sgemm", bench_sgemm },
	{ "bfs", bench_bfs },
	{ "stencil", bench_stencil },
};

static bool listed(const char *name, int count, char **list)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(list[i], name))
			return true;
	return !count;
}

static void bench_interpreter(int count, char **list)
{
	for (unsigned int i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		if (!listed(kernels[i].name, count, list))
			continue;
		begin(kernels[i].name);
		kernels[i].run();
		uvm_close(uvm);
	}
}

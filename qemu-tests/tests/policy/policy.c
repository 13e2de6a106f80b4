// SPDX-License-Identifier: GPL-2.0
/*
 * Advice, range groups, discard and populate never change what is in memory
 * (nvidia-uvm 1.5, 1.6, 6.2): random ones over memory that is written and read
 * by the CPU and every GPU, against a model of what each page holds.
 *
 *	policy [random SEEDS STEPS]
 */
#include "common.h"

#define PAGES	(BLOCK / PAGE)
#define GPUS	4

/* The VA space of pair, on each GPU; gpus[0] is pair itself. */
static struct pair gpus[GPUS];
static int gpu_count;

static void gpus_open(void)
{
	char path[32];

	gpus[0] = pair;
	for (gpu_count = 1; gpu_count < GPUS; gpu_count++) {
		struct pair *p = &gpus[gpu_count];

		snprintf(path, sizeof(path), "/dev/softgpu%d", gpu_count);
		p->uvm = pair.uvm;
		p->gpu = open(path, O_RDWR | O_CLOEXEC);
		if (p->gpu < 0)
			return;
		must(!gpu_register(p->uvm, p->gpu));
		must(!image_load(p->gpu, test_image, test_image_bytes(), &p->image));
	}
}

static void gpus_close(void)
{
	for (int i = 1; i < gpu_count; i++)
		close(gpus[i].gpu);
}

/* Five blocks and a bit, of which two fit into GPU memory. */
#define MODEL_PAGES	(5 * PAGES + 37)
#define MODEL_USABLE	(2 * BLOCK)

/**
 * struct model - what each page of the memory holds
 * @at: the memory
 * @value: word 0 of each page
 * @known: false after a discard
 * @group: range groups
 */
struct model {
	char *at;
	uint64_t value[MODEL_PAGES];
	bool known[MODEL_PAGES];
	uint64_t group[3];
};

static uint64_t random_state;

static uint64_t random_below(uint64_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % n;
}

/* ---- writing and reading ----------------------------------------------- */

static void model_set(struct model *m, uint64_t first, uint64_t n, uint64_t value)
{
	for (uint64_t i = 0; i < n; i++) {
		m->value[first + i] = value + i;
		m->known[first + i] = true;
	}
}

/* @by: a processor, as the user ABI numbers them */
static void model_write(struct model *m, uint64_t first, uint64_t n, int by)
{
	uint64_t value = random_below(1ULL << 40);
	char *at = m->at + first * PAGE;

	if (by != UVM_PROCESSOR_CPU)
		must(!gpu_fill(&gpus[by], at, n, PAGE, value));
	else
		cpu_fill(at, n, PAGE, value);
	model_set(m, first, n, value);
}

/* Pages from @first on that hold consecutive known values. */
static uint64_t model_run(const struct model *m, uint64_t first, uint64_t outer)
{
	uint64_t i = first + 1;

	while (i < outer && m->known[i] && m->value[i] == m->value[i - 1] + 1)
		i++;
	return i - first;
}

static long model_wrong(struct model *m, uint64_t first, uint64_t n, int by)
{
	uint64_t i, run, outer = first + n;
	long wrong = 0, got;

	for (i = first; i < outer; i += run) {
		run = 1;
		if (!m->known[i])
			continue;
		run = model_run(m, i, outer);
		got = by != UVM_PROCESSOR_CPU ?
		      gpu_wrong(&gpus[by], m->at + i * PAGE, run, PAGE, m->value[i], false) :
		      cpu_wrong(m->at + i * PAGE, run, PAGE, m->value[i], false);
		if (got)
			note("page %llu and %llu more, by processor %d: %ld wrong",
			     (unsigned long long)i, (unsigned long long)run - 1, by, got);
		wrong += got ? 1 : 0;
	}
	return wrong;
}

/* ---- what must not matter ----------------------------------------------- */

static int model_processor(void)
{
	return (int)random_below(1 + gpu_count) - 1;
}

static void model_advise(char *at, size_t bytes)
{
	uint32_t unset = random_below(3) ? 0 : UVM_ADVISE_UNSET;

	switch (random_below(3)) {
	case 0:
		must(!advise(pair.uvm, at, bytes, UVM_ADVICE_PREFERRED_LOCATION,
			     unset ? UVM_PROCESSOR_NONE : model_processor(), 0));
		break;
	case 1:
		must(!advise(pair.uvm, at, bytes, UVM_ADVICE_ACCESSED_BY, model_processor(),
			     unset));
		break;
	default:
		must(!advise(pair.uvm, at, bytes, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE,
			     unset));
	}
}

static long group_set(char *at, size_t bytes, uint64_t id)
{
	struct uvm_group_set arg = { .size = sizeof(arg), .base = (uintptr_t)at,
				     .length = bytes, .id = id };

	return try_ioctl(pair.uvm, UVM_IOC_GROUP_SET, &arg);
}

static long group_allow(uint64_t id, bool allow)
{
	struct uvm_group_migration arg = {
		.size = sizeof(arg), .flags = allow ? 0 : UVM_GROUP_PREVENT, .count = 1,
		.ids = { id },
	};

	return try_ioctl(pair.uvm, UVM_IOC_GROUP_MIGRATION, &arg);
}

static uint64_t group_create(void)
{
	struct uvm_group arg = { .size = sizeof(arg) };

	must(!try_ioctl(pair.uvm, UVM_IOC_GROUP_CREATE, &arg));
	return arg.id;
}

static long discard(char *at, size_t bytes, bool unmap)
{
	struct uvm_discard arg = { .size = sizeof(arg), .flags = unmap ? UVM_DISCARD_UNMAP : 0,
				   .base = (uintptr_t)at, .length = bytes };

	return try_ioctl(pair.uvm, UVM_IOC_DISCARD, &arg);
}

static long populate(char *at, size_t bytes, int dst)
{
	struct uvm_populate arg = { .size = sizeof(arg), .base = (uintptr_t)at,
				    .length = bytes, .dst = dst };

	return try_ioctl(pair.uvm, UVM_IOC_POPULATE, &arg);
}

static void model_groups(struct model *m, char *at, size_t bytes)
{
	uint64_t id = m->group[random_below(3)];
	long ret;

	switch (random_below(3)) {
	case 0:
		must(!group_set(at, bytes, random_below(4) ? id : 0));
		break;
	case 1:
		must(!group_allow(id, true));
		break;
	default:
		/* EINVAL, ENODEV: some of it is not preferred on the CPU */
		ret = group_allow(id, false);
		must(!ret || ret == -EINVAL || ret == -ENODEV);
	}
}

static void model_discard(struct model *m, uint64_t first, uint64_t n)
{
	must(!discard(m->at + first * PAGE, n * PAGE, true));
	for (uint64_t i = first; i < first + n; i++)
		m->known[i] = false;
	/* what it holds is anything, until it is written */
	if (random_below(2))
		(void)gpu_wrong(&gpus[random_below(gpu_count)], m->at + first * PAGE, n, PAGE, 0, true);
}

/* Two GPUs become peers, or are none any more. */
static void model_peers(void)
{
	struct uvm_peer_access arg = { .size = sizeof(arg) };
	long ret;

	if (gpu_count < 2)
		return;
	arg.gpu_a = random_below(gpu_count);
	arg.gpu_b = (arg.gpu_a + 1 + random_below(gpu_count - 1)) % gpu_count;
	ret = try_ioctl(pair.uvm, random_below(3) ? UVM_IOC_ENABLE_PEER_ACCESS :
						    UVM_IOC_DISABLE_PEER_ACCESS, &arg);
	must(!ret || ret == -EEXIST || ret == -ENOENT);
}

static void model_step(struct model *m)
{
	uint64_t first = random_below(MODEL_PAGES);
	uint64_t n = 1 + random_below(random_below(2) ? 20 : PAGES);
	char *at = m->at + first * PAGE;

	if (n > MODEL_PAGES - first)
		n = MODEL_PAGES - first;
	switch (random_below(13)) {
	case 0 ... 3:
		model_write(m, first, n, model_processor());
		break;
	case 4 ... 7:
		model_advise(at, n * PAGE);
		break;
	case 8:
		must(!migrate(pair.uvm, at, n * PAGE, model_processor()));
		break;
	case 9:
		must(!populate(at, n * PAGE, model_processor()));
		break;
	case 10:
		model_groups(m, at, n * PAGE);
		break;
	case 11:
		model_peers();
		break;
	default:
		model_discard(m, first, n);
	}
}

static void model_run_seed(struct model *m, uint64_t seed, unsigned int steps)
{
	long wrong = 0;

	random_state = seed * 0x9e3779b97f4a7c15 + 1;
	*m = (struct model){ .at = managed(pair.uvm, MODEL_PAGES * PAGE) };
	for (unsigned int i = 0; i < ARRAY_SIZE(m->group); i++)
		m->group[i] = group_create();
	model_write(m, 0, MODEL_PAGES, model_processor());
	for (unsigned int i = 0; i < steps && !wrong; i++) {
		uint64_t first;

		model_step(m);
		first = random_below(MODEL_PAGES - 64);
		wrong = model_wrong(m, first, 64, model_processor());
		if (wrong)
			note("seed %llu, step %u", (unsigned long long)seed, i);
	}
	for (int by = UVM_PROCESSOR_CPU; by < gpu_count; by++)
		wrong += model_wrong(m, 0, MODEL_PAGES, by);
	is(wrong, 0, "random advice, seed %llu: every page holds what was written",
	   (unsigned long long)seed);
	munmap(m->at, MODEL_PAGES * PAGE);
}

static unsigned int random_seeds = 2, random_steps = 50;

static void test_random(void)
{
	struct model *m = malloc(sizeof(*m));

	must(m);
	gpus_open();
	for (int i = 0; i < gpu_count; i++)
		must(!vram_limit(gpus[i].gpu, MODEL_USABLE));
	for (unsigned int seed = 1; seed <= random_seeds; seed++)
		model_run_seed(m, seed, random_steps);
	must(!vram_limit(pair.gpu, 0));
	/* the others leave with what they hold */
	gpus_close();
	free(m);
}

/* ---- each rule alone ------------------------------------------------------ */

/* A write by either side reaches the other, however often they take turns. */
static void test_duplicates(void)
{
	char *at = managed(pair.uvm, BLOCK);
	struct uvm_stats before, after;

	must(!advise(pair.uvm, at, BLOCK, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE, 0));
	for (uint64_t turn = 0; turn < 6; turn++) {
		if (turn & 1)
			must(!gpu_fill(&pair, at, PAGES, PAGE, turn * 1000));
		else
			cpu_fill(at, PAGES, PAGE, turn * 1000);
		is(gpu_wrong(&pair, at, PAGES, PAGE, turn * 1000, false), 0,
		   "duplicates: turn %d, as the GPU sees it", (int)turn);
		is(cpu_wrong(at, PAGES, PAGE, turn * 1000, false), 0,
		   "duplicates: turn %d, as the CPU sees it", (int)turn);
	}
	before = stats_read(pair.uvm, false);
	is(gpu_wrong(&pair, at, PAGES, PAGE, 5000, false) + cpu_wrong(at, PAGES, PAGE, 5000, false),
	   0, "duplicates: both read at once");
	after = stats_read(pair.uvm, false);
	is(after.bytes_htod + after.bytes_dtoh - before.bytes_htod - before.bytes_dtoh,
	   2 * PAGE, "duplicates: and nothing moves but the counter, there and back");
	munmap(at, BLOCK);
}

static uint64_t moved_to_gpu(char *at)
{
	uint64_t before = stats_read(pair.uvm, false).bytes_htod;

	cpu_fill(at, 1, PAGE, 1);
	must(!gpu_load(&pair, at, NULL));
	return stats_read(pair.uvm, false).bytes_htod - before;
}

/* Advice that names a GPU goes with it: registered again, it begins anew. */
static void test_forgotten(void)
{
	char *at = managed(pair.uvm, 2 * BLOCK);

	must(!set_param(pair.uvm, "perf_prefetch_enable", "0"));
	must(!advise(pair.uvm, at, PAGE, UVM_ADVICE_ACCESSED_BY, 0, 0));
	must(!advise(pair.uvm, at + BLOCK, PAGE, UVM_ADVICE_PREFERRED_LOCATION,
		     UVM_PROCESSOR_CPU, 0));
	must(!advise(pair.uvm, at + BLOCK, PAGE, UVM_ADVICE_ACCESSED_BY, 0, 0));
	is(moved_to_gpu(at), 0, "forgotten: a page accessed by the GPU is mapped where it is");
	must(!gpu_unregister(pair.uvm, 0));
	close(pair.gpu);
	pair.gpu = open("/dev/softgpu0", O_RDWR | O_CLOEXEC);
	must(!gpu_register(pair.uvm, pair.gpu));
	must(!image_load(pair.gpu, test_image, test_image_bytes(), &pair.image));
	is(moved_to_gpu(at), PAGE, "forgotten: a GPU that registers again gets it");
	is(moved_to_gpu(at + BLOCK), 0, "forgotten: what names the CPU is still known");
	munmap(at, 2 * BLOCK);
}

/* One writes, all read, by whatever way the copies take: @peers of all GPUs. */
static void gpus_take_turns(bool peers)
{
	char *at = managed(pair.uvm, BLOCK);
	long wrong = 0;

	gpus_open();
	for (int a = 0; peers && a < gpu_count; a++)
		for (int b = a + 1; b < gpu_count; b++) {
			struct uvm_peer_access arg = { .size = sizeof(arg), .gpu_a = a,
						       .gpu_b = b };

			must(!try_ioctl(pair.uvm, UVM_IOC_ENABLE_PEER_ACCESS, &arg) ||
			     errno == EEXIST);
		}
	must(!advise(pair.uvm, at, BLOCK, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE, 0));
	for (int writer = UVM_PROCESSOR_CPU; writer < gpu_count; writer++) {
		if (writer == UVM_PROCESSOR_CPU)
			cpu_fill(at, PAGES, PAGE, writer * 1000);
		else
			must(!gpu_fill(&gpus[writer], at, PAGES, PAGE, writer * 1000));
		for (int reader = 0; reader < gpu_count; reader++)
			wrong += gpu_wrong(&gpus[reader], at, PAGES, PAGE, writer * 1000, false);
		wrong += cpu_wrong(at, PAGES, PAGE, writer * 1000, false);
	}
	is(wrong, 0, "%d GPUs%s: each writes, all read copies of their own", gpu_count,
	   peers ? ", peers" : "");
	for (int i = gpu_count - 1; i > 0; i--) {
		must(!gpu_unregister(pair.uvm, i));
		wrong += cpu_wrong(at, PAGES, PAGE, (gpu_count - 1) * 1000, false);
	}
	is(wrong, 0, "%d GPUs: the writer leaves, and others with copies: nothing is lost",
	   gpu_count);
	gpus_close();
	munmap(at, BLOCK);
}

static void test_gpus(void)
{
	gpus_take_turns(false);
}

static void test_peers(void)
{
	gpus_take_turns(true);
}

/* A discarded block is evicted without a copy; what was written since, with one. */
static void test_discard(void)
{
	char *at = managed(pair.uvm, 4 * BLOCK);
	int gpu = open("/dev/softgpu0", O_RDWR);
	struct uvm_stats before, after;

	must(gpu >= 0 && !vram_limit(gpu, MODEL_USABLE));
	must(!gpu_fill(&pair, at, 2 * PAGES, PAGE, 7));
	is(discard(at, 2 * BLOCK, true), 0, "discard: two blocks");
	must(!gpu_fill(&pair, at, 1, PAGE, 70));
	before = stats_read(pair.uvm, false);
	must(!gpu_fill(&pair, at + 2 * BLOCK, 2 * PAGES, PAGE, 8));
	after = stats_read(pair.uvm, false);
	ok(after.evicted_chunks > before.evicted_chunks, "discard: both are evicted");
	is(after.bytes_dtoh_eviction - before.bytes_dtoh_eviction, PAGE,
	   "discard: only what was written again is copied out");
	must(!gpu_fill(&pair, at, 1, PAGE, 70));
	is(stats_read(pair.uvm, false).premature_pages - after.premature_pages, 1,
	   "discard: that was too early, it comes back");
	is(cpu_wrong(at, 1, PAGE, 70, false), 0, "discard: and is there");
	is(cpu_wrong(at + 2 * BLOCK, 2 * PAGES, PAGE, 8, false), 0, "discard: so is the rest");
	close(gpu);
	munmap(at, 4 * BLOCK);
}

/*
 * Readers of a discarded page have no copies: after a migration, which makes it
 * wanted again, they would see different bytes.
 */
static void test_discard_copies(void)
{
	char *at = managed(pair.uvm, BLOCK);
	uint64_t seen;

	must(!advise(pair.uvm, at, BLOCK, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE, 0));
	must(!gpu_fill(&pair, at, PAGES, PAGE, 7));
	must(!discard(at, BLOCK, true));
	(void)gpu_wrong(&pair, at, PAGES, PAGE, 0, true);
	(void)cpu_wrong(at, PAGES, PAGE, 0, true);
	must(!migrate(pair.uvm, at, BLOCK, 0));
	for (uint64_t i = 0; i < PAGES; i += PAGES - 1) {
		seen = *(volatile uint64_t *)(at + i * PAGE);
		ok(!seen || seen == 7 + i, "discard, copies: page %d holds what it held, or zero",
		   (int)i);
		is(gpu_wrong(&pair, at + i * PAGE, 1, PAGE, seen, false), 0,
		   "discard, copies: and the GPU sees the same");
	}
	munmap(at, BLOCK);
}

/*
 * Memory that came for the neighbours of a page, to be copied over when the page
 * follows, holds what somebody else left there.  Discarded before it follows, the
 * page is not copied, and must not show it.
 */
static void test_discard_secrets(void)
{
	char *at = managed(pair.uvm, BLOCK), *others = managed(pair.uvm, 2 * BLOCK);

	must(!vram_limit(pair.gpu, MODEL_USABLE));
	must(!set_param(pair.uvm, "perf_prefetch_enable", "0"));
	must(!gpu_fill(&pair, others, 2 * BLOCK / 8, 8, 0x5ec4e7000000));
	memset(at + PAGE, 0, BLOCK - PAGE);
	must(!gpu_fill(&pair, at, 1, PAGE, 1));
	must(!discard(at + PAGE, BLOCK - PAGE, true));
	is(gpu_wrong(&pair, at + PAGE, (BLOCK - PAGE) / 8, 8, 0, true), 0,
	   "discard, secrets: GPU memory shows nothing of others");
	must(!vram_limit(pair.gpu, 0));
	munmap(at, BLOCK);
	munmap(others, 2 * BLOCK);
}

/* The same in system memory: 64 KB of it come for one page, the others are elsewhere. */
static void test_discard_system_secrets(void)
{
	char *at = managed(pair.uvm, BLOCK), *other;
	long wrong = 0;

	must(!set_param(pair.uvm, "perf_prefetch_enable", "0"));
	must(!set_param(pair.uvm, "cpu_chunk_allocation_sizes", "69632"));
	must(!gpu_fill(&pair, at, BLOCK / 8, 8, 0));
	other = mmap(NULL, 64 * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(other != MAP_FAILED);
	memset(other, 0x5e, 64 * MB);
	munmap(other, 64 * MB);
	for (uint64_t i = 0; i < PAGES; i += 16)
		wrong += *(volatile uint64_t *)(at + i * PAGE) != i * PAGE / 8;
	is(wrong, 0, "discard, secrets: what the CPU takes is there");
	must(!discard(at, BLOCK, true));
	for (uint64_t i = 0; i < BLOCK / 8; i++) {
		uint64_t seen = *(volatile uint64_t *)(at + i * 8);

		wrong += seen && seen != i;
	}
	is(wrong, 0, "discard, secrets: system memory shows nothing of others");
	munmap(at, BLOCK);
}

/* New memory is zero, on either side, and what is there stays where it is. */
static void test_populate(void)
{
	char *at = managed(pair.uvm, 2 * BLOCK);
	struct uvm_stats before, after;

	is(populate(at, 2 * BLOCK, 0), 0, "populate: two blocks at once");
	before = stats_read(pair.uvm, false);
	must(!gpu_fill(&pair, at, 2 * PAGES, PAGE, 4));
	after = stats_read(pair.uvm, false);
	is(after.faults_serviced - before.faults_serviced, 0, "populate: both are mapped");
	munmap(at, 2 * BLOCK);

	at = managed(pair.uvm, 2 * BLOCK);
	cpu_fill(at, 16, PAGE, 9);
	is(populate(at, BLOCK, 0), 0, "populate: on the GPU");
	is(populate(at + BLOCK, BLOCK, UVM_PROCESSOR_CPU), 0, "populate: on the CPU");
	before = stats_read(pair.uvm, false);
	is(gpu_wrong(&pair, at + 16 * PAGE, PAGES - 16, PAGE, 0, true), 0,
	   "populate: the GPU reads zeros");
	is(cpu_wrong(at + BLOCK, PAGES, PAGE, 0, true), 0, "populate: so does the CPU");
	after = stats_read(pair.uvm, false);
	/* each of the four warps may find the counter's page missing */
	ok(after.faults_serviced - before.faults_serviced <= 4,
	   "populate: without a fault but those of the counter");
	is(cpu_wrong(at, 16, PAGE, 9, false), 0, "populate: what was there is there");
	munmap(at, 2 * BLOCK);
}

/* What a group keeps at home is not migrated, but faults may take it. */
static void test_groups(void)
{
	char *at = managed(pair.uvm, 2 * BLOCK);
	uint64_t id = group_create();
	struct uvm_stats before, after;

	must(!group_set(at, BLOCK, id));
	is(group_allow(id, false), -EINVAL, "group: without a preferred location it cannot stay");
	must(!advise(pair.uvm, at, BLOCK, UVM_ADVICE_PREFERRED_LOCATION, 0, 0));
	is(group_allow(id, false), -ENODEV, "group: nor on a GPU");
	must(!gpu_fill(&pair, at, 2 * PAGES, PAGE, 3));
	must(!advise(pair.uvm, at, BLOCK, UVM_ADVICE_PREFERRED_LOCATION, UVM_PROCESSOR_CPU, 0));
	before = stats_read(pair.uvm, false);
	is(group_allow(id, false), 0, "group: on the CPU it can");
	after = stats_read(pair.uvm, false);
	is(after.bytes_dtoh - before.bytes_dtoh, BLOCK, "group: and goes there");
	is(migrate(pair.uvm, at, 2 * BLOCK, 0), 0, "group: migration of it and more");
	before = stats_read(pair.uvm, false);
	is(before.bytes_htod - after.bytes_htod, 0, "group: leaves it alone");
	is(group_allow(id, true), 0, "group: allowed again");
	is(migrate(pair.uvm, at, BLOCK, 0), 0, "group: it migrates");
	after = stats_read(pair.uvm, false);
	is(after.bytes_htod - before.bytes_htod, BLOCK, "group: all of it");
	is(group_allow(id + 100, true), -ENOENT, "group: an unknown one");
	is(cpu_wrong(at, 2 * PAGES, PAGE, 3, false), 0, "group: data right");
	munmap(at, 2 * BLOCK);
}

/* All GPUs of a VA space get a granularity, or none: memory in use on the last keeps it. */
static void test_granularity(void)
{
	char *at = managed(pair.uvm, 2 * BLOCK);

	gpus_open();
	if (gpu_count > 1) {
		must(!gpu_fill(&gpus[gpu_count - 1], at, PAGES, PAGE, 5));
		is(set_param(pair.uvm, "root_chunk_granularity", "4k"), -EBUSY,
		   "granularity: memory of the last GPU is in use");
		must(!gpu_fill(&pair, at + BLOCK, PAGES, PAGE, 6));
		is(set_param(pair.uvm, "root_chunk_granularity", "2m"), 0,
		   "granularity: the first has what it had");
		is(gpu_wrong(&pair, at, PAGES, PAGE, 5, false) +
		   cpu_wrong(at + BLOCK, PAGES, PAGE, 6, false), 0, "granularity: data right");
	}
	gpus_close();
	munmap(at, 2 * BLOCK);
}

static const struct test_case cases[] = {
	{ "granularity", test_granularity },
	{ "duplicates", test_duplicates }, { "gpus", test_gpus }, { "peers", test_peers },
	{ "discard", test_discard },
	{ "discard_copies", test_discard_copies }, { "discard_secrets", test_discard_secrets },
	{ "discard_system_secrets", test_discard_system_secrets },
	{ "populate", test_populate }, { "groups", test_groups }, { "forgotten", test_forgotten },
	{ "random", test_random },
};

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "random")) {
		random_seeds = atoi(argv[2]);
		random_steps = atoi(argv[3]);
		argc = 2;
	}
	return run_cases(argc, argv, "policy", cases, ARRAY_SIZE(cases));
}

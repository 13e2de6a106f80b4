// SPDX-License-Identifier: GPL-2.0
/*
 * Peers: GPUs that map each other's memory and copy to each other directly
 * (nvidia-uvm 1.2, 3.1, 3.5; UVM_IOC_ENABLE_PEER_ACCESS).
 *
 *	peers [few] [CASE...]
 *
 * Every GPU there is takes part; two at least.
 */
#include "peers.h"

#define PAGES	(BLOCK / PAGE)

/* Counters when all is done: on the real clock faults are served that nobody waits for. */
static struct uvm_stats settled(void)
{
	must(!quiesce(pair.uvm));
	return stats_read(pair.uvm, false);
}

static uint64_t moved(const struct uvm_stats *s)
{
	return s->bytes_htod + s->bytes_dtoh + s->bytes_peer;
}

/* Memory that lives on @home, with known contents: word 0 of page i is @value + i. */
static char *memory_on(int home, size_t bytes, uint64_t value)
{
	char *at = managed(pair.uvm, bytes);

	must(!advise(pair.uvm, at, bytes, UVM_ADVICE_PREFERRED_LOCATION, home, 0));
	must(!gpu_fill(&gpus[home], at, bytes / PAGE, PAGE, value));
	return at;
}

static void drop(void *at, size_t bytes)
{
	munmap(at, bytes);
	gpus_close();
	is((long)peer_faults(), 0, "no access went astray");
}

/* ---- who are peers ------------------------------------------------------- */

static void test_errnos(void)
{
	uint64_t link = link_kind();

	gpus_open();
	if (!link) {
		is(peers(true, 0, 1), -EOPNOTSUPP, "nothing joins them: EOPNOTSUPP");
		is(peers(false, 0, 1), -ENOENT, "and they are no peers");
		gpus_close();
		return;
	}
	is(peers(true, 0, 1), nvlink() ? -EEXIST : 0, "enable");
	is(peers(true, 0, 1), -EEXIST, "enable again: EEXIST");
	is(peers(true, 1, 0), -EEXIST, "the other way round: EEXIST");
	is(peers(false, 1, 0), 0, "disable, the other way round");
	is(peers(false, 0, 1), -ENOENT, "disable again: ENOENT");
	is(peers(true, 1, 0), 0, "enable again");
	is(peers(true, 1, 1), -EINVAL, "a GPU and itself: EINVAL");
	must(!gpu_unregister(pair.uvm, 1));
	is(peers(false, 0, 1), -ENODEV, "a GPU that left: ENODEV");
	close(gpus[1].gpu);
	gpu_join(1);
	is(peers(false, 0, 1), nvlink() ? 0 : -ENOENT, "who comes back is %s peer",
	   nvlink() ? "a" : "nobody's");
	gpus_close();
}

/* What one VA space does is nothing to another. */
static void test_spaces(void)
{
	struct pair other = pair_open();
	struct uvm_stats before, after;
	char *at;

	gpus_open();
	peers_all();
	at = memory_on(1, BLOCK, 5);
	must(!gpu_fill(&gpus[0], at, PAGES, PAGE, 6));
	{
		struct uvm_peer_access arg = { .size = sizeof(arg), .gpu_b = 1 };
		int fd = open("/dev/softgpu1", O_RDWR | O_CLOEXEC);

		must(fd >= 0);
		is(try_ioctl(other.uvm, UVM_IOC_DISABLE_PEER_ACCESS, &arg), -ENODEV,
		   "spaces: another one does not know the GPU");
		must(!gpu_register(other.uvm, fd));
		must(!try_ioctl(other.uvm, UVM_IOC_ENABLE_PEER_ACCESS, &arg) || errno == EEXIST);
		is(try_ioctl(other.uvm, UVM_IOC_DISABLE_PEER_ACCESS, &arg), 0,
		   "spaces: it has peers of its own");
		close(fd);
	}
	pair_close(&other);
	before = settled();
	must(!gpu_fill(&gpus[0], at, PAGES, PAGE, 7));
	after = settled();
	is(moved(&after) - moved(&before), 0, "spaces: ours reach each other as before");
	is(after.faults_serviced - before.faults_serviced, 0, "spaces: without a fault");
	is(cpu_wrong(at, PAGES, PAGE, 7, false), 0, "spaces: data right");
	drop(at, BLOCK);
}

/* ---- mappings ------------------------------------------------------------- */

/* Both ways, between all: what a GPU writes into a peer's memory the peer reads. */
static void test_map(void)
{
	struct uvm_stats before, after;
	long wrong = 0, bytes = 0;
	char *at = NULL;

	gpus_open();
	peers_all();
	for (int home = 0; home < gpu_count; home++) {
		at = memory_on(home, BLOCK, 1000 * home);
		for (int user = 0; user < gpu_count; user++) {
			before = settled();
			must(!gpu_fill(&gpus[user], at, PAGES, PAGE, 77 * user));
			after = settled();
			bytes += moved(&after) - moved(&before);
			for (int reader = 0; reader < gpu_count; reader++)
				wrong += gpu_wrong(&gpus[reader], at, PAGES, PAGE, 77 * user, false);
		}
		wrong += cpu_wrong(at, PAGES, PAGE, 77 * (gpu_count - 1), false);
		if (home < gpu_count - 1)
			munmap(at, BLOCK);
	}
	is(bytes, 0, "map: %d GPUs write into each other's memory, and nothing moves", gpu_count);
	is(wrong, 0, "map: all read what was written, the CPU too");
	drop(at, BLOCK);
}

/* Who a range is accessed by has it mapped as soon as they are peers. */
static void test_accessed_by(void)
{
	struct uvm_stats before, after;
	char *at;

	gpus_open();
	if (nvlink())
		must(!peers(false, 0, 1));
	at = managed(pair.uvm, BLOCK);
	must(!gpu_fill(&gpus[1], at, PAGES, PAGE, 3));
	must(!advise(pair.uvm, at, BLOCK, UVM_ADVICE_ACCESSED_BY, 0, 0));
	is(peers(true, 0, 1), 0, "accessed by: enable");
	before = settled();
	must(!gpu_fill(&gpus[0], at, PAGES, PAGE, 4));
	after = settled();
	is(after.faults_serviced - before.faults_serviced, 0, "accessed by: no fault is left");
	is(moved(&after) - moved(&before), 0, "accessed by: nothing moves");
	is(gpu_wrong(&gpus[1], at, PAGES, PAGE, 4, false), 0, "accessed by: data right");
	drop(at, BLOCK);
}

/* Over PCIe the page comes for an atomic, over NVLink it does not. */
static void test_atomics(void)
{
	struct test_args args = { .value = 1 };
	struct uvm_stats before, after;
	struct softgpu_wait w;
	uint64_t id[2], *at;

	gpus_open();
	peers_all();
	at = (uint64_t *)memory_on(1, BLOCK, 100);
	args.address = (uintptr_t)at;
	must(!gpu_fill(&gpus[0], at, 1, PAGE, 100));
	before = settled();
	is(run_one(&gpus[0], "t_atomic", args, NULL), 0, "atomics: one over the link");
	after = settled();
	is(moved(&after) - moved(&before), 0, nvlink() ?
	   "atomics: NVLink has them, nothing moves" :
	   "atomics: over PCIe, while the owner only reads, nothing moves");
	for (int i = 0; i < 2; i++)
		must(!launch_shape(&gpus[i], "t_atomic", 8, 64, 0, &args, &id[i]));
	for (int i = 0; i < 2; i++)
		must(!launch_wait(gpus[i].gpu, id[i], 0, &w) && !w.reason);
	is((long)at[0], 100 + 1 + 2 * 8 * 64, "atomics: two GPUs at once lose none");
	drop(at, BLOCK);
}

/* A page of a peer that nobody asked for to be anywhere, and one atomic over the link. */
static uint64_t atomic_moves(bool read_too)
{
	char *at = memory_on(1, BLOCK, 100);
	struct test_args args = { .address = (uintptr_t)at, .value = 1, .count = 1 };
	struct uvm_stats before, after;

	must(!gpu_fill(&gpus[1], at, 1, PAGE, 100));
	must(!advise(pair.uvm, at, BLOCK, UVM_ADVICE_PREFERRED_LOCATION, UVM_PROCESSOR_NONE, 0));
	before = settled();
	is(run_one(&gpus[0], read_too ? "t_store" : "t_atomic", args, NULL), 0, "stay: it ends");
	after = settled();
	is(*(volatile long *)at, read_too ? 1 : 101, "stay: it is right");
	munmap(at, BLOCK);
	return moved(&after) - moved(&before);
}

/* Step 8 of 3.1: only for atomics, only where they work over the link, only if wanted. */
static void test_stay(void)
{
	gpus_open();
	peers_all();
	must(!set_param(pair.uvm, "perf_prefetch_enable", "0"));
	is(atomic_moves(false), PAGE, "stay: by default it comes");
	must(!set_param(pair.uvm, "perf_map_remote_on_native_atomics_fault", "1"));
	is(atomic_moves(false), nvlink() ? 0 : PAGE, "stay: not over NVLink, if it is not to");
	is(atomic_moves(true), PAGE, "stay: for a write it comes");
	gpus_close();
}

/* ---- copies --------------------------------------------------------------- */

static void test_copy(void)
{
	struct uvm_stats before, after;
	char *at;

	gpus_open();
	if (nvlink())
		must(!peers(false, 0, 1));
	at = managed(pair.uvm, 2 * BLOCK);
	must(!gpu_fill(&gpus[1], at, 2 * PAGES, PAGE, 11));
	before = settled();
	must(!migrate(pair.uvm, at, 2 * BLOCK, 0));
	after = settled();
	is(after.bytes_htod - before.bytes_htod, 2 * BLOCK, "copy: strangers go by way of the CPU");
	is(after.bytes_dtoh - before.bytes_dtoh, 2 * BLOCK, "copy: there and back");
	must(!peers(true, 0, 1));
	before = settled();
	must(!migrate(pair.uvm, at, 2 * BLOCK, 1));
	after = settled();
	is(after.bytes_peer - before.bytes_peer, 2 * BLOCK, "copy: peers copy directly");
	is(after.bytes_htod + after.bytes_dtoh - before.bytes_htod - before.bytes_dtoh, 0,
	   "copy: nothing over the link to the CPU");
	is(gpu_wrong(&gpus[1], at, 2 * PAGES, PAGE, 11, false), 0, "copy: data right");
	must(!gpu_fill(&gpus[0], at, 2 * PAGES, PAGE, 12));
	is(cpu_wrong(at, 2 * PAGES, PAGE, 12, false), 0, "copy: faults take the same way");
	drop(at, 2 * BLOCK);
}

/* Readers that are peers have copies of their own, and the CPU has none. */
static void test_duplicate(void)
{
	struct uvm_stats before, after;
	long wrong = 0;
	char *at;

	gpus_open();
	peers_all();
	at = managed(pair.uvm, BLOCK);
	must(!advise(pair.uvm, at, BLOCK, UVM_ADVICE_READ_DUPLICATE, UVM_PROCESSOR_NONE, 0));
	for (int writer = 0; writer < gpu_count; writer++) {
		must(!gpu_fill(&gpus[writer], at, PAGES, PAGE, writer));
		before = settled();
		for (int reader = 0; reader < gpu_count; reader++)
			wrong += gpu_wrong(&gpus[reader], at, PAGES, PAGE, writer, false);
		after = settled();
		is(after.bytes_peer - before.bytes_peer, (gpu_count - 1) * BLOCK,
		   "duplicate: GPU %d wrote, %d peers have copies", writer, gpu_count - 1);
		/* each reader's count, there and back */
		is(after.bytes_htod - before.bytes_htod, gpu_count * PAGE,
		   "duplicate: from each other, not from the CPU");
	}
	is(wrong, 0, "duplicate: data right");
	is(cpu_wrong(at, PAGES, PAGE, gpu_count - 1, false), 0, "duplicate: for the CPU too");
	drop(at, BLOCK);
}

/* ---- under load ------------------------------------------------------------- */

/* Adds 1 to a word of each page by GPU 0 again and again, while @disturb happens. */
static void while_running(const char *what, int home, void (*disturb)(char *at))
{
	uint64_t rounds = few ? 4 : 12, id[12];
	struct test_args args = { .value = 1, .count = PAGES, .stride = PAGE };
	struct softgpu_wait w;
	long bad = 0;
	char *at;

	at = memory_on(home, BLOCK, 0);
	args.address = (uintptr_t)at;
	for (uint64_t i = 0; i < rounds; i++)
		must(!launch_shape(&gpus[0], "t_add", 1, 64, 0, &args, &id[i]));
	disturb(at);
	for (uint64_t i = 0; i < rounds; i++)
		bad += launch_wait(gpus[0].gpu, id[i], 0, &w) || w.reason;
	is(bad, 0, "%s: every launch ends well", what);
	is(cpu_wrong(at, PAGES, PAGE, rounds, false), 0, "%s: no addition is lost", what);
	munmap(at, BLOCK);
}

static void disturb_disable(char *at)
{
	(void)at;
	must(!peers(false, 0, 1));
}

static void disturb_toggle(char *at)
{
	(void)at;
	for (int i = 0; i < (few ? 2 : 6); i++) {
		must(!peers(false, 0, 1));
		must(!peers(true, 0, 1));
	}
}

static void disturb_unregister(char *at)
{
	(void)at;
	must(!gpu_unregister(pair.uvm, 1));
}

/*
 * Two GPUs take the same pages from each other, each with words of its own, until they
 * are kept in one memory that both reach.
 */
static void test_fight(void)
{
	uint64_t rounds = few ? 3 : 8, id[2][8];
	struct softgpu_wait w;
	long bad = 0, wrong = 0;
	char *at;

	gpus_open();
	peers_all();
	at = managed(pair.uvm, BLOCK);
	memset(at, 0, BLOCK);
	for (uint64_t i = 0; i < rounds; i++)
		for (int g = 0; g < 2; g++) {
			struct test_args args = {
				.address = (uintptr_t)at + 8 * g, .value = 1 + g, .count = 64,
				.stride = PAGE,
			};

			must(!launch_shape(&gpus[g], "t_add", 1, 64, 0, &args, &id[g][i]));
		}
	for (uint64_t i = 0; i < rounds; i++)
		for (int g = 0; g < 2; g++)
			bad += launch_wait(gpus[g].gpu, id[g][i], 0, &w) || w.reason;
	is(bad, 0, "fight: every launch ends well");
	for (uint64_t i = 0; i < 64; i++)
		for (uint64_t g = 0; g < 2; g++)
			wrong += *(volatile uint64_t *)(at + i * PAGE + 8 * g) != rounds * (1 + g);
	is(wrong, 0, "fight: nobody's words are lost");
	drop(at, BLOCK);
}

/* The home of the pages needs its memory for something else. */
static void disturb_evict(char *at)
{
	char *other = managed(pair.uvm, 4 * BLOCK);
	struct uvm_stats before = stats_read(pair.uvm, false), after;

	(void)at;
	must(!gpu_fill(&gpus[1], other, 4 * PAGES, PAGE, 9));
	after = stats_read(pair.uvm, false);
	ok(after.evicted_chunks > before.evicted_chunks, "evict: chunks go");
	is(cpu_wrong(other, 4 * PAGES, PAGE, 9, false), 0, "evict: who came in has his data");
	munmap(other, 4 * BLOCK);
}

static void test_disable(void)
{
	gpus_open();
	peers_all();
	while_running("disable", 1, disturb_disable);
	is(peers(true, 0, 1), 0, "disable: and enable");
	while_running("toggle", 1, disturb_toggle);
	gpus_close();
	is((long)peer_faults(), 0, "disable: no access went astray");
}

static void test_unregister(void)
{
	gpus_open();
	peers_all();
	while_running("unregister", 1, disturb_unregister);
	is(peers(true, 0, 1), -ENODEV, "unregister: gone");
	close(gpus[1].gpu);
	gpu_join(1);
	peers_all();
	while_running("come back", 1, disturb_disable);
	gpus_close();
	is((long)peer_faults(), 0, "unregister: no access went astray");
}

static void test_evict(void)
{
	struct uvm_stats before, after;
	char *at, *other;

	gpus_open();
	peers_all();
	must(!vram_limit(gpus[1].gpu, 2 * BLOCK));
	at = memory_on(1, BLOCK, 21);
	must(!gpu_fill(&gpus[0], at, PAGES, PAGE, 22));
	other = managed(pair.uvm, 4 * BLOCK);
	before = settled();
	must(!gpu_fill(&gpus[1], other, 4 * PAGES, PAGE, 23));
	after = settled();
	ok(after.evicted_chunks > before.evicted_chunks, "evict: memory that a peer has mapped");
	is(gpu_wrong(&gpus[0], at, PAGES, PAGE, 22, false), 0,
	   "evict: the peer sees its pages, not who came instead");
	is(gpu_wrong(&gpus[1], other, 4 * PAGES, PAGE, 23, false), 0, "evict: who came has his");
	munmap(other, 4 * BLOCK);
	munmap(at, BLOCK);
	while_running("evict", 1, disturb_evict);
	gpus_close();
	is((long)peer_faults(), 0, "evict: no access went astray");
}

/* The owner's process maps, unmaps and maps again under a peer that has it mapped. */
static void test_munmap(void)
{
	long wrong = 0;

	gpus_open();
	peers_all();
	for (uint64_t i = 0; i < 8; i++) {
		char *at = memory_on(1, BLOCK, i);

		wrong += gpu_wrong(&gpus[0], at, PAGES, PAGE, i, false);
		munmap(at, BLOCK);
	}
	is(wrong, 0, "munmap: nobody sees what was there before");
	gpus_close();
	is((long)peer_faults(), 0, "munmap: no access went astray");
}

/* ---- munmap while two GPUs cease to be peers ------------------------------ */

/* What another thread is to do, and what came of it. */
struct aside {
	pthread_t thread;
	long (*fn)(void *arg);
	void *arg;
	long ret;
};

static void *aside_run(void *data)
{
	struct aside *a = data;

	a->ret = a->fn(a->arg);
	return NULL;
}

static long aside_disable(void *unused)
{
	(void)unused;
	return peers(false, 0, 1);
}

static long aside_migrate(void *arg)
{
	return try_ioctl(pair.uvm, UVM_IOC_MIGRATE, arg);
}

static uint64_t events_queued(int tools)
{
	struct uvm_tools_status status = { .size = sizeof(status) };

	must(!try_ioctl(tools, UVM_TOOLS_IOC_STATUS, &status));
	return status.queued;
}

static void queue_listen(int tools, bool on)
{
	struct uvm_tools_events events = { .size = sizeof(events),
					   .event_mask = 1ULL << UVM_EVENT_PHASE };

	must(!try_ioctl(tools, on ? UVM_TOOLS_IOC_ENABLE : UVM_TOOLS_IOC_DISABLE, &events));
}

/*
 * A queue that has room for a few more phases of the driver, and does not listen now.  Waits
 * for nothing: what is under way stays so.
 */
static int nearly_full_queue(void)
{
	struct uvm_tools_attach attach = { .size = sizeof(attach), .uvm_fd = pair.uvm,
					   .entries = 64, .event_mask = 1ULL << UVM_EVENT_PHASE };
	int tools = open("/dev/uvm-tools", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	char *small = managed(pair.uvm, 64 * PAGE);
	struct uvm_migrate m = { .size = sizeof(m), .length = PAGE, .flags = UVM_MIGRATE_ASYNC };

	must(tools >= 0 && !try_ioctl(tools, UVM_TOOLS_IOC_ATTACH, &attach));
	for (int i = 0; i < 64 && events_queued(tools) < 56; i++) {
		m.base = (uintptr_t)small + i * PAGE;
		must(!try_ioctl(pair.uvm, UVM_IOC_MIGRATE, &m));
	}
	munmap(small, 64 * PAGE);
	queue_listen(tools, false);
	return tools;
}

/* Until the driver waits for the reader; never on the real clock, which loses events. */
static bool driver_stopped(int tools)
{
	for (int i = 0; i < 2000; i++) {
		if (events_queued(tools) >= 64)
			return true;
		usleep(1000);
	}
	return false;
}

static void queue_drain(int tools)
{
	struct uvm_event events[64];

	while (read(tools, events, sizeof(events)) > 0)
		;
	close(tools);
}

/* munmap [@from, @from + @bytes) while @fn is stopped somewhere in the middle. */
static long munmap_amid(long (*fn)(void *arg), void *arg, char *from, size_t bytes)
{
	struct aside aside = { .fn = fn, .arg = arg };
	int tools = nearly_full_queue();

	queue_listen(tools, true);
	must(!pthread_create(&aside.thread, NULL, aside_run, &aside));
	note("stopped in the middle: %d", driver_stopped(tools));
	munmap(from, bytes);
	queue_drain(tools);
	pthread_join(aside.thread, NULL);
	return aside.ret;
}

/*
 * DISABLE_PEER_ACCESS goes through the blocks and waits for the copies between the two.
 * munmap takes away those that it has not come to: they are to be waited for, or the link is
 * cut under their copies, and the GPU's channels die for everybody.  The migration fails
 * before it maps anything, for then nothing else waits for the copies.
 */
static void test_detached(void)
{
	struct uvm_migrate across = { .size = sizeof(across), .length = 12 * BLOCK, .dst = 1,
				      .flags = UVM_MIGRATE_ASYNC };
	char *first, *at, *other;

	gpus_open();
	peers_all();
	first = managed(pair.uvm, 16 * BLOCK);	/* where the visit is stopped */
	at = managed(pair.uvm, across.length);
	other = managed(pair.uvm, PAGE);
	must(first < at);
	cpu_fill(first, 16, BLOCK, 1);
	cpu_fill(at, across.length / PAGE, PAGE, 1);
	for (int i = 0; i < 16; i++)
		must(!migrate(pair.uvm, first + i * BLOCK, PAGE, 0));
	must(!migrate(pair.uvm, at, across.length, 0));
	across.base = (uintptr_t)at;
	note("migration: %ld", munmap_amid(aside_migrate, &across, at + 11 * BLOCK, BLOCK));
	is(munmap_amid(aside_disable, NULL, at, 11 * BLOCK), 0,
	   "munmap under DISABLE_PEER_ACCESS: they are peers no more");
	is(quiesce(pair.uvm), 0, "munmap under DISABLE_PEER_ACCESS: all copies are done");
	is(migrate(pair.uvm, other, PAGE, 0) ?: migrate(pair.uvm, other, PAGE, 1), 0,
	   "munmap under DISABLE_PEER_ACCESS: both GPUs work");
	munmap(other, PAGE);
	drop(first, 16 * BLOCK);
}

/*
 * One GPU's channels are dead while it owes the block work.  Another one that has mapped
 * pages of the block loses them all the same when munmap takes them: they are somebody
 * else's next (found by chaos).
 */
static void test_dead_neighbour(void)
{
	char *at;

	gpus_open();
	at = managed(pair.uvm, BLOCK);
	must(!gpu_fill(&gpus[1], at, BLOCK / PAGE, PAGE, 1));
	knob("break_channel", "1");
	is(migrate(pair.uvm, at, PAGE, 0), -EIO, "dead neighbour: GPU 0 is dead");
	knob("break_channel", "0");
	munmap(at + 32 * PAGE, 40 * PAGE);
	is(gpu_wrong(&gpus[1], at + 40 * PAGE, 1, PAGE, 41, false), -1,
	   "dead neighbour: GPU 1 has lost what was unmapped");
	munmap(at + 128 * PAGE, 8 * PAGE);
	is(gpu_wrong(&gpus[1], at + 130 * PAGE, 1, PAGE, 131, false), -1,
	   "dead neighbour: and what is in other units");
	munmap(at, BLOCK);
	must(!gpu_unregister(pair.uvm, 0));
	must(!gpu_register(pair.uvm, pair.gpu));	/* revives it */
	gpus_close();
}

static const struct test_case cases[] = {
	{ "detached", test_detached }, { "dead_neighbour", test_dead_neighbour },
	{ "errnos", test_errnos }, { "spaces", test_spaces }, { "map", test_map },
	{ "accessed_by", test_accessed_by }, { "atomics", test_atomics },
	{ "stay", test_stay }, { "copy", test_copy },
	{ "duplicate", test_duplicate }, { "fight", test_fight },
	{ "disable", test_disable },
	{ "unregister", test_unregister }, { "evict", test_evict }, { "munmap", test_munmap },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "peers", cases, ARRAY_SIZE(cases));
}

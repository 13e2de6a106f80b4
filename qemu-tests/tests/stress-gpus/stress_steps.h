/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the processes of stress-gpus do, one step after the other at random.  The work of
 * a step is bounded, so that the time is what ends a run, not a count.
 */
#ifndef STRESS_STEPS_H
#define STRESS_STEPS_H

#include "stress_model.h"

#define GUEST_STEPS	25

static void step_launch(void)
{
	struct region *r = pick_region();
	unsigned int first, n = pick_span(r, &first);
	int g = pick_gpu();

	if (g < 0)
		return;
	flight_start(g, r, first, n);
	for (unsigned int i = pick(6); i; i--)
		cpu_write(r, pick(r->pages));
	if (!pick(3))
		flight_land(g, 0, NULL, 0);
}

static void step_look(void)
{
	struct region *r = pick_region();
	unsigned int first, n = pick_span(r, &first), word = pick(WORDS);
	int g = pick_processor();

	if (word >= WORD_GPU)
		flight_land(word - WORD_GPU, 0, NULL, 0);
	if (n > TEST_OFFSETS)
		n = TEST_OFFSETS;
	log_step("processor %d looks at word %u, pages %u+%u at %p", g, word, first, n, r->at);
	/* its writer is held back: others go on */
	if (word == WORD_TOUCH)
		pthread_mutex_lock(&w.lock);
	if (g >= 0)
		gpu_look(g, r, first, n, word);
	else
		for (unsigned int i = first; i < first + n; i++)
			cpu_look(r, i, word);
	if (word == WORD_TOUCH)
		pthread_mutex_unlock(&w.lock);
}

/* All GPUs and the CPU count in one word at once. */
static void step_tally(void)
{
	struct test_args args = { .address = (uintptr_t)(w.out + 2), .count = 2 };
	struct softgpu_wait wait;
	uint64_t id[STRESS_GPUS];
	unsigned int threads = 32;

	for (int g = 0; g < w.gpu_count; g++) {
		if (!has_gpu(g))
			continue;
		expect(launch_shape(&w.p[g], "t_tally", 1, threads, 0, &args, &id[g]), 0, "launch");
		w.tally += args.count * threads;
	}
	for (int i = 0; i < 3; i++, w.tally++)
		__atomic_fetch_add(w.out + 2, 1, __ATOMIC_RELAXED);
	for (int g = 0; g < w.gpu_count; g++) {
		if (!has_gpu(g))
			continue;
		expect(launch_wait(w.p[g].gpu, id[g], 0, &wait), 0, "wait for a launch");
		expect(wait.reason, 0, "t_tally");
	}
	if (w.out[2] != w.tally)
		wrong("the counter is %llu, not %llu", (unsigned long long)w.out[2],
		      (unsigned long long)w.tally);
}

/* ---- what must not matter ---------------------------------------------- */

/* @gone: of somebody whose memory and GPUs another one may take away meanwhile */
static void forgive(long ret, bool gone, const char *what)
{
	if (gone && (ret == -EINVAL || ret == -ENODEV || ret == -ENOENT))
		return;
	expect(ret, 0, what);
}

static void do_migrate(char *at, size_t bytes, bool gone)
{
	struct uvm_migrate arg = { .size = sizeof(arg), .flags = pick(2) ? UVM_MIGRATE_ASYNC : 0,
				   .base = (uintptr_t)at, .length = bytes,
				   .dst = pick_processor() };
	struct uvm_wait wait = { .size = sizeof(wait) };

	log_step("migrate %p, %zu pages, to %d", at, bytes / PAGE, arg.dst);
	forgive(try_ioctl(w.uvm, UVM_IOC_MIGRATE, &arg), gone, "migrate");
	if (arg.flags & UVM_MIGRATE_ASYNC && !pick(3)) {
		wait.fence = pick(2) ? arg.fence : 0;
		forgive(try_ioctl(w.uvm, UVM_IOC_WAIT, &wait), gone, "wait");
	}
}

static void do_populate(char *at, size_t bytes, bool gone)
{
	struct uvm_populate arg = { .size = sizeof(arg), .base = (uintptr_t)at, .length = bytes,
				    .dst = pick_processor() };

	log_step("populate %p, %zu pages, on %d", at, bytes / PAGE, arg.dst);
	forgive(try_ioctl(w.uvm, UVM_IOC_POPULATE, &arg), gone, "populate");
}

static void do_evict(char *at, size_t bytes, bool gone)
{
	struct uvm_evict arg = { .size = sizeof(arg), .base = (uintptr_t)at, .length = bytes,
				 .gpu = pick_gpu() };

	if (arg.gpu < 0)
		return;		/* none is registered */
	log_step("evict %p, %zu pages, from %d", at, bytes / PAGE, arg.gpu);
	forgive(try_ioctl(w.uvm, UVM_IOC_EVICT, &arg), gone, "evict");
}

/* Whatever others are doing: one writer or copies, and memory for what is there. */
static void check_residency(const struct uvm_page_residency *p, unsigned int page)
{
	bool copies = p->resident & (p->resident - 1);

	if ((p->resident & ~p->populated) || (p->writable & ~p->readable) ||
	    (p->atomic & ~p->writable) || (p->pte_64k & p->pte_2m) ||
	    ((p->pte_64k | p->pte_2m) & ~p->readable) || (p->readable && !p->resident) ||
	    (copies && (p->writable || (p->readable & ~p->resident))))
		wrong("page %u: resident %x populated %x read %x write %x atomic %x pte %x %x",
		      page, p->resident, p->populated, p->readable, p->writable, p->atomic,
		      p->pte_64k, p->pte_2m);
}

static void do_look(char *at, size_t bytes, bool gone)
{
	struct uvm_residency arg = { .size = sizeof(arg), .base = (uintptr_t)at,
				     .length = bytes };

	if (bytes > UVM_RESIDENCY_PAGES * PAGE)
		arg.length = UVM_RESIDENCY_PAGES * PAGE;
	log_step("look at %p, %zu pages", at, (size_t)arg.length / PAGE);
	forgive(try_ioctl(w.uvm, UVM_IOC_RESIDENCY, &arg), gone, "residency");
	for (unsigned int i = 0; i < arg.length / PAGE; i++)
		check_residency(&arg.pages[i], i);
}

static void do_advise(char *at, size_t bytes, bool gone)
{
	static const char *const names[] = { "", "preferred", "accessed by", "read duplicate" };
	uint32_t advice = 1 + pick(3), flags = pick(3) ? 0 : UVM_ADVISE_UNSET;
	int processor = pick_processor();

	if (advice == UVM_ADVICE_READ_DUPLICATE) {
		processor = UVM_PROCESSOR_NONE;
	} else if (advice == UVM_ADVICE_PREFERRED_LOCATION && flags) {
		processor = UVM_PROCESSOR_NONE;
		flags = 0;
	}
	log_step("%s%s %d, %p, %zu pages", flags ? "not " : "", names[advice], processor, at,
		 bytes / PAGE);
	forgive(advise(w.uvm, at, bytes, advice, processor, flags), gone, "advise");
}

static void do_group(char *at, size_t bytes, bool gone)
{
	uint64_t id = w.groups[pick(GROUPS)];
	struct uvm_group_set set = { .size = sizeof(set), .base = (uintptr_t)at, .length = bytes,
				     .id = pick(4) ? id : 0 };
	struct uvm_group_migration may = { .size = sizeof(may), .count = 1, .ids = { id },
					   .flags = pick(2) ? UVM_GROUP_PREVENT : 0 };
	struct uvm_group_migrate move = { .size = sizeof(move), .id = id,
					  .dst = pick_processor() };
	long ret;

	switch (pick(4)) {
	case 0:
	case 1:
		log_step("group %llu: %p, %zu pages", (unsigned long long)set.id, at, bytes / PAGE);
		forgive(try_ioctl(w.uvm, UVM_IOC_GROUP_SET, &set), gone, "group set");
		break;
	case 2:
		ret = try_ioctl(w.uvm, UVM_IOC_GROUP_MIGRATION, &may);
		log_step("group %llu: %s: %ld", (unsigned long long)id,
			 may.flags ? "prevent" : "allow", ret);
		/* some of it is not preferred on the CPU */
		if (may.flags)
			forgive(ret, true, "prevent");
		else
			expect(ret, 0, "allow");
		break;
	default:
		log_step("group %llu moves to %d", (unsigned long long)id, move.dst);
		forgive(try_ioctl(w.uvm, UVM_IOC_GROUP_MIGRATE, &move), gone, "group migrate");
	}
}

/* Some parameter that has choices by name gets another one of them. */
static void do_param(void)
{
	struct uvm_get_param get = { .size = sizeof(get) };
	struct uvm_get_choice choice = { .size = sizeof(choice) };
	struct uvm_set_param set = { .size = sizeof(set) };
	unsigned int first = pick(40);

	for (unsigned int i = 0; i < 80; i++) {
		get.index = (first + i) % 80;
		if (!try_ioctl(w.uvm, UVM_IOC_GET_PARAM, &get) && get.choices)
			break;
	}
	choice.param = get.index;
	choice.choice = pick(get.choices);
	expect(try_ioctl(w.uvm, UVM_IOC_GET_CHOICE, &choice), 0, "get choice");
	snprintf(set.name, sizeof(set.name), "%s", get.name);
	snprintf(set.value, sizeof(set.value), "%s", choice.name);
	log_step("%s = %s", set.name, set.value);
	expect(try_ioctl(w.uvm, UVM_IOC_SET_PARAM, &set),
	       /* memory is in use; fixed at load */
	       strcmp(set.name, "root_chunk_granularity") ? -ENOENT : -EBUSY, "set param");
}

static void do_one(char *at, size_t bytes, bool gone)
{
	switch (pick(12)) {
	case 10:
		do_evict(at, bytes, gone);
		break;
	case 11:
		do_look(at, bytes, gone);
		break;
	case 0 ... 3:
		do_migrate(at, bytes, gone);
		break;
	case 4 ... 6:
		do_advise(at, bytes, gone);
		break;
	case 7:
		do_group(at, bytes, gone);
		break;
	case 8:
		do_populate(at, bytes, gone);
		break;
	default:
		do_param();
	}
}

static void step_advise(void)
{
	struct region *r = pick_region();
	unsigned int first, n = pick_span(r, &first);

	do_one(r->at + first * PAGE, n * PAGE, false);
}

/* ---- memory goes and comes --------------------------------------------- */

/*
 * What it holds is anything from now on.  In the end it is unmapped, so that the next
 * write is noticed: a migration would do, but not of memory that must not migrate.
 */
static void step_discard(void)
{
	struct region *r = pick_region();
	unsigned int first, n = pick_span(r, &first);
	struct uvm_discard arg = { .size = sizeof(arg), .flags = pick(2) ? UVM_DISCARD_UNMAP : 0,
				   .base = (uintptr_t)r->at + first * PAGE, .length = n * PAGE };

	flights_land(r);
	pthread_mutex_lock(&w.lock);
	log_step("discard%s pages %u+%u at %p", arg.flags ? ", unmap" : "", first, n, r->at);
	expect(try_ioctl(w.uvm, UVM_IOC_DISCARD, &arg), 0, "discard");
	if (!arg.flags) {
		do_one(r->at + first * PAGE, n * PAGE, false);
		arg.flags = UVM_DISCARD_UNMAP;
		expect(try_ioctl(w.uvm, UVM_IOC_DISCARD, &arg), 0, "discard again");
	}
	for (unsigned int i = first; i < first + n; i++)
		for (unsigned int word = 0; word < WORDS; word++)
			r->value[word][i] = UNKNOWN;
	pthread_mutex_unlock(&w.lock);
}

/* The end of a region goes, one way or the other. */
static void region_cut(struct region *r, unsigned int keep)
{
	char *end = r->at + keep * PAGE, *to;
	size_t bytes = (r->pages - keep) * PAGE;

	switch (keep ? pick(3) : 0) {
	case 0:
		log_step("munmap pages %u+%zu at %p", keep, bytes / PAGE, r->at);
		if (munmap(end, bytes))
			wrong("munmap: %s", strerror(errno));
		break;
	case 1:
		log_step("mremap from %u to %u pages at %p", r->pages, keep, r->at);
		if (mremap(r->at, r->pages * PAGE, keep * PAGE, 0) != r->at)
			wrong("mremap: %s", strerror(errno));
		break;
	default:
		to = (char *)fresh_address(bytes);
		log_step("pages %u+%zu at %p move to %p", keep, bytes / PAGE, r->at, to);
		if (mremap(end, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to) {
			if (touch(to, pick(2)) != SIGBUS)
				wrong("what has moved can be touched");
			munmap(to, bytes);
			break;
		}
		/* EFAULT: the kernel moves one mapping at a time, and these are two */
		if (errno != EFAULT || munmap(end, bytes))
			wrong("mremap: %s", strerror(errno));
	}
	r->pages = keep;
}

/*
 * What a launch that was under way may have left in new memory: it stores what it makes
 * of that or, having read before, of the old.
 */
static bool flight_may_leave(const struct flight *f, unsigned int page, uint64_t got)
{
	uint32_t old;

	if (page < f->first || page >= f->first + f->n)
		return false;
	old = f->old[page - f->first];
	return got == flight_makes(f, page, 0) || got == flight_makes(f, page, old) ||
	       (f->add && old == UNKNOWN);
}

/* New memory at old addresses: zero, but for what launches wrote. */
static void look_new(struct region *r, unsigned int from, const bool *flew)
{
	for (unsigned int i = from; i < r->pages; i++) {
		for (int g = 0; g < w.gpu_count; g++) {
			uint64_t got = *word_at(r, i, WORD_GPU + g);

			if (flew[g] && flight_may_leave(&w.flights[g], i, got))
				r->value[WORD_GPU + g][i] = got;
		}
		cpu_look_page(r, i);
	}
}

/* Under launches, which may be done, or meet the hole. */
static void step_unmap(void)
{
	struct region *r = pick_region();
	unsigned int pages = r->pages, keep = pick(3) ? pick(pages) : 0;
	bool flew[STRESS_GPUS] = {}, again = pick(2) && keep;
	char *end = r->at + keep * PAGE;
	int g = pick_gpu();

	if (g >= 0 && pick(2))
		flight_start(g, r, 0, pages);
	if (pick(2))
		do_migrate(r->at, pages * PAGE, false);
	pthread_mutex_lock(&w.lock);
	region_cut(r, keep);
	if (again)
		region_map(r, keep, pages);
	for (g = 0; g < w.gpu_count; g++) {
		struct flight *f = &w.flights[g];
		unsigned int outer = f->first + f->n;

		flew[g] = f->r == r;
		if (!flew[g])
			continue;
		/* what lies in the hole is not what the model remembers */
		if (outer > keep)
			f->n = keep > f->first ? keep - f->first : 0;
		flight_land(g, SOFTGPU_FAIL_FAULT, end, (pages - keep) * PAGE);
		f->n = outer - f->first;
	}
	if (again)
		look_new(r, keep, flew);
	if (!keep)
		region_new(r);
	pthread_mutex_unlock(&w.lock);
	cpu_look_page(r, pick(r->pages));
}

static void step_mprotect(void)
{
	struct region *r = pick_region();
	unsigned int first, n = pick_span(r, &first);
	char *at = r->at + first * PAGE;

	pthread_mutex_lock(&w.lock);
	if (mprotect(at, n * PAGE, PROT_NONE) || mprotect(at, n * PAGE, PROT_READ))
		wrong("mprotect: %s", strerror(errno));
	cpu_look(r, first, WORD_TOUCH);
	if (mprotect(at, n * PAGE, PROT_READ | PROT_WRITE) || madvise(at, n * PAGE, MADV_DONTNEED))
		wrong("mprotect, madvise: %s", strerror(errno));
	pthread_mutex_unlock(&w.lock);
	cpu_look_page(r, first);
}

/* ---- processes --------------------------------------------------------- */

/* A child does not have the mapping, and leaves nothing behind. */
static void step_fork(void)
{
	struct region *r = pick_region();
	int status;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		return;		/* no memory is no failure */
	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		_exit(*word_at(r, 0, WORD_MAIN) ? 100 : 101);
	}
	if (waitpid(pid, &status, 0) != pid)
		wrong("waitpid: %s", strerror(errno));
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV)
		wrong("a child has the mapping: status %#x", status);
	cpu_look_page(r, pick(r->pages));
}

/*
 * With others on the same GPUs they may never be idle, so it is a child that waits, and
 * does not wait for long.
 */
static void step_quiesce(void)
{
	int status, waited = 0;
	long ret;
	pid_t pid;

	stats_read(w.uvm, pick(2));
	pid = fork();
	if (pid < 0)
		return;
	if (!pid) {
		ret = quiesce(w.uvm);
		_exit(ret && ret != -ETIMEDOUT);
	}
	while (!waitpid(pid, &status, WNOHANG)) {
		usleep(10000);
		if (++waited == 100)
			kill(pid, SIGKILL);
	}
	if (status && !(waited >= 100 && WIFSIGNALED(status)))
		wrong("quiesce: status %#x", status);
}

/* The guest has the files only, and a memory of its own of where things are. */
static void __attribute__((noreturn)) guest_work(void)
{
	for (unsigned int i = 0; i < GUEST_STEPS; i++) {
		struct region *r = pick_region();
		unsigned int first, n = pick_span(r, &first);

		do_one(r->at + first * PAGE, n * PAGE, true);
		if (!pick(4))
			quiesce(w.uvm);
	}
	_exit(0);
}

static void guest_leave(bool now)
{
	int status, killed = 0;
	pid_t pid;

	if (!w.guest)
		return;
	if (now)
		killed = !kill(w.guest, SIGKILL);
	pid = waitpid(w.guest, &status, now ? 0 : WNOHANG);
	if (!pid)
		return;
	w.guest = 0;
	if (status && !(killed && WIFSIGNALED(status)))
		wrong("another process in the same VA space: status %#x", status);
}

/* Another process in our VA space: it moves and advises what we use. */
static void step_guest(void)
{
	struct desk nobody = {};
	pid_t pid;

	guest_leave(pick(2));
	if (w.guest)
		return;
	w.random++;
	pid = fork();
	if (pid < 0)
		return;
	if (!pid) {
		nobody.doing = "guest";
		w.desk = &nobody;
		w.random += 12345;
		guest_work();
	}
	log_step("guest %d", pid);
	w.guest = pid;
}

/* ---- GPUs -------------------------------------------------------------- */

/* A GPU goes with what it has, and what it does, and comes back some time. */
static void step_gpu(void)
{
	struct region *r = pick_region();
	int g = pick(w.gpu_count);
	struct flight f;
	bool closed = pick(2);

	if (!has_gpu(g)) {
		log_step("GPU %d registers", g);
		gpu_join(g);
		return;
	}
	if (pick(2))
		flight_start(g, r, 0, r->pages);
	if (!closed) {
		log_step("GPU %d unregisters", g);
		expect(gpu_unregister(w.uvm, g), 0, "unregister");
		flight_land(g, SOFTGPU_FAIL_CANCELLED, NULL, 0);
		close(w.p[g].gpu);
		w.p[g].gpu = -1;
		return;
	}
	log_step("GPU %d closes and unregisters", g);
	close(w.p[g].gpu);
	w.p[g].gpu = -1;
	expect(gpu_unregister(w.uvm, g), 0, "unregister after close");
	f = w.flights[g];
	w.flights[g].r = NULL;
	if (f.r)
		flight_reconcile(g, &f);
}

/*
 * Somebody else wants memory of a GPU.  Enough is left for all processes at once, of
 * frames that are not their neighbours'.
 */
static void step_limit(void)
{
	struct softgpu_vram_limit limit = { .size = sizeof(limit), .bytes = (12 + 2 * pick(2)) * MB,
					    .flags = pick(2) ? SOFTGPU_VRAM_LIMIT_TOP : 0 };
	struct softgpu_alloc memory = { .size = sizeof(memory), .kind = SOFTGPU_MEMORY_DEVICE,
					.bytes = 2 * MB };
	struct softgpu_free unwanted = { .size = sizeof(unwanted) };
	int g = pick_gpu();

	if (g < 0)
		return;
	log_step("GPU %d: limit of %llu", g, (unsigned long long)limit.bytes);
	/* the top may be explicit memory of others */
	expect(try_ioctl(w.p[g].gpu, SOFTGPU_IOC_VRAM_LIMIT, &limit),
	       limit.flags ? -EBUSY : 0, "limit");
	if (pick(2)) {
		expect(try_ioctl(w.p[g].gpu, SOFTGPU_IOC_ALLOC, &memory), 0, "alloc");
		unwanted.handle = memory.handle;
	}
	cpu_write(&w.regions[0], pick(w.regions[0].pages));
	limit.bytes = 0;
	limit.flags = 0;
	expect(try_ioctl(w.p[g].gpu, SOFTGPU_IOC_VRAM_LIMIT, &limit), 0, "no limit");
	if (unwanted.handle)
		expect(try_ioctl(w.p[g].gpu, SOFTGPU_IOC_FREE, &unwanted), 0, "free");
}

static const struct {
	void (*step)(void);
	const char *name;
	unsigned int weight;
} steps[] = {
	{ step_launch, "launch", 20 },
	{ step_look, "look", 12 },
	{ step_tally, "tally", 4 },
	{ step_advise, "advise", 25 },
	{ step_quiesce, "quiesce", 2 },
	{ step_discard, "discard", 3 },
	{ step_unmap, "unmap", 5 },
	{ step_mprotect, "mprotect", 2 },
	{ step_fork, "fork", 2 },
	{ step_guest, "guest", 2 },
	{ step_gpu, "gpu", 4 },
	{ step_limit, "limit", 2 },
};

#endif

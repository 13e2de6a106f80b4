/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that uses managed memory on all GPUs, and what each page must hold.
 *
 * Of each page some words are used, each by one writer, so that all of them may be
 * at work in the same pages at once: the main thread, a thread that only touches, and
 * each GPU.  What a word holds is known at any time, but while a launch is under way.
 */
#ifndef STRESS_MODEL_H
#define STRESS_MODEL_H

#include "common.h"

#include <pthread.h>

#define STRESS_GPUS	2
#define REGIONS		3
#define REGION_PAGES	640U	/* a block and a remainder, wherever it begins */
#define GROUPS		2

enum { WORD_MAIN, WORD_TOUCH, WORD_GPU, WORDS = WORD_GPU + STRESS_GPUS };

/* What a word holds after a discard.  No value gets so large. */
#define UNKNOWN		UINT32_MAX

/**
 * struct region - a managed mapping
 * @at: where it begins, at no particular place of a block
 * @pages: so many are mapped, from the beginning
 * @value: what the words hold
 */
struct region {
	char *at;
	unsigned int pages;
	uint32_t value[WORDS][REGION_PAGES];
};

/**
 * struct flight - a launch that nobody has waited for yet
 * @r: the region that it works on, or NULL: there is none
 * @id: launch
 * @first: page
 * @n: pages
 * @add: adds @operand to the words, else writes it, one more for each page
 * @operand: see there
 * @old: what the pages held before; the model has what comes after
 */
struct flight {
	struct region *r;
	uint64_t id;
	unsigned int first, n;
	bool add;
	uint32_t operand;
	uint32_t old[REGION_PAGES];
};

/**
 * struct desk - what the others see of a process
 * @doing: a step
 * @since: when it began, ms
 * @steps: done
 */
struct desk {
	const char *volatile doing;
	volatile unsigned long since;
	volatile unsigned long steps;
};

#define NOTES	40

/**
 * struct worker - this process
 * @uvm: VA space
 * @p: by GPU; .gpu is -1 while it is not registered
 * @gpu_count: GPUs that there are
 * @lock: held to touch memory, and to take mappings away: who touches memory that is
 *	not there has a signal, and that is no finding
 * @out: a page for results, and the counter
 * @tally: what the counter must be
 * @guest: a child that uses our VA space too, or 0
 * @notes: what was done lately
 */
struct worker {
	int uvm;
	struct pair p[STRESS_GPUS];
	int gpu_count;
	struct region regions[REGIONS];
	struct flight flights[STRESS_GPUS];
	pthread_mutex_t lock;
	pthread_t toucher;
	volatile uint64_t *out;
	uint64_t tally;
	uint64_t groups[GROUPS];
	pid_t guest;
	uint64_t random, touch_random, seed;
	struct desk *desk;
	char notes[NOTES][96];
	unsigned long noted;
};

static struct worker w;

static unsigned long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000UL + now.tv_nsec / 1000000;
}

/* For the one who reads the failure: what led to it. */
static __attribute__((format(printf, 1, 2))) void log_step(const char *format, ...)
{
	char *text = w.notes[w.noted++ % NOTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(w.notes[0]), format, args);
	va_end(args);
}

/* Ends the process, and so the test. */
static __attribute__((format(printf, 1, 2), noreturn)) void wrong(const char *format, ...)
{
	char text[512], all[NOTES * 120];
	size_t at = 0;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (unsigned long i = w.noted > NOTES ? w.noted - NOTES : 0; i < w.noted; i++)
		at += snprintf(all + at, sizeof(all) - at, "  %s\n", w.notes[i % NOTES]);
	all[at] = 0;
	printf("%sprocess %d, seed %llu, step %lu, %s: %s\n", all, getpid(),
	       (unsigned long long)w.seed, w.desk->steps, w.desk->doing, text);
	fflush(stdout);
	_exit(1);
}

/* What must work; ALLOWED: a negative errno that may come too, or 0. */
static void expect(long ret, long allowed, const char *what)
{
	if (ret && ret != allowed)
		wrong("%s: %s", what, ret < 0 ? strerror(-ret) : "reason of a launch");
}

static uint32_t random_of(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(*state >> 33);
}

static unsigned int pick(unsigned int n)
{
	return random_of(&w.random) % n;
}

static volatile uint64_t *word_at(const struct region *r, unsigned int page, unsigned int word)
{
	return (volatile uint64_t *)(r->at + page * PAGE) + word;
}

/* ---- GPUs -------------------------------------------------------------- */

static bool has_gpu(int g)
{
	return w.p[g].gpu >= 0;
}

static void gpu_join(int g)
{
	struct pair *p = &w.p[g];
	char path[32];

	snprintf(path, sizeof(path), "/dev/softgpu%d", g);
	p->uvm = w.uvm;
	p->gpu = open(path, O_RDWR | O_CLOEXEC);
	if (p->gpu < 0)
		wrong("%s: %s", path, strerror(errno));
	expect(gpu_register(p->uvm, p->gpu), 0, "register");
	expect(image_load(p->gpu, test_image, test_image_bytes(), &p->image), 0, "load");
}

/* One that is registered, or -1. */
static int pick_gpu(void)
{
	int g = pick(w.gpu_count);

	for (int i = 0; i < w.gpu_count; i++, g = (g + 1) % w.gpu_count)
		if (has_gpu(g))
			return g;
	return -1;
}

static int pick_processor(void)
{
	return pick(3) ? pick_gpu() : UVM_PROCESSOR_CPU;
}

/* ---- launches under way ------------------------------------------------ */

static uint32_t flight_makes(const struct flight *f, unsigned int page, uint32_t old)
{
	if (!f->add)
		return f->operand + page - f->first;
	return old == UNKNOWN ? UNKNOWN : old + f->operand;
}

/* It has ended before its end: of each page the word is as before, or as after. */
static void flight_reconcile(int g, const struct flight *f)
{
	unsigned int outer = f->first + f->n;

	for (unsigned int i = f->first; i < outer && i < f->r->pages; i++) {
		uint64_t got = *word_at(f->r, i, WORD_GPU + g);
		uint32_t *value = &f->r->value[WORD_GPU + g][i], old = f->old[i - f->first];

		if (old == UNKNOWN)
			*value = UNKNOWN;
		else if (got != old && got != *value)
			wrong("page %u at %p: GPU %d's word is %#llx, neither %#x nor %#x", i,
			      word_at(f->r, i, 0), g, (unsigned long long)got, old, *value);
		else
			*value = got;
	}
}

/**
 * flight_land - wait for the launch of a GPU, if there is one
 * @g: the GPU
 * @allowed: SOFTGPU_FAIL_* that may have ended it, or 0
 * @hole: of FAULT: where
 * @bytes: of the hole
 */
static void flight_land(int g, unsigned int allowed, const char *hole, size_t bytes)
{
	struct flight *f = &w.flights[g];
	struct softgpu_wait wait;

	if (!f->r)
		return;
	expect(launch_wait(w.p[g].gpu, f->id, 0, &wait), 0, "wait for a launch");
	if (wait.reason && wait.reason != allowed)
		wrong("launch on GPU %d over %u pages at %p: reason %u, %s, address %#llx", g, f->n,
		      word_at(f->r, f->first, 0), wait.reason, strerror(wait.error),
		      (unsigned long long)wait.address);
	if (wait.reason == SOFTGPU_FAIL_FAULT && wait.address - (uintptr_t)hole >= bytes)
		wrong("launch on GPU %d: fault at %#llx, the hole is at %p, %zu bytes", g,
		      (unsigned long long)wait.address, hole, bytes);
	if (wait.reason)
		flight_reconcile(g, f);
	f->r = NULL;
}

static void flights_land(const struct region *r)
{
	for (int g = 0; g < w.gpu_count; g++)
		if (w.flights[g].r && (!r || w.flights[g].r == r))
			flight_land(g, 0, NULL, 0);
}

/* A GPU changes its words of some pages.  The launch before has to be over. */
static void flight_start(int g, struct region *r, unsigned int first, unsigned int n)
{
	struct flight *f = &w.flights[g];
	uint32_t *value = &r->value[WORD_GPU + g][first];
	struct test_args args = {
		.address = (uintptr_t)word_at(r, first, WORD_GPU + g), .count = n, .stride = PAGE,
	};

	flight_land(g, 0, NULL, 0);
	*f = (struct flight){ .r = r, .first = first, .n = n, .add = pick(2) };
	args.value = f->operand = f->add ? 1 + pick(1000) : pick(1U << 30);
	log_step("GPU %d %ss %#x, pages %u+%u at %p", g, f->add ? "add" : "fill", f->operand, first,
		 n, r->at);
	for (unsigned int i = 0; i < n; i++) {
		f->old[i] = value[i];
		value[i] = flight_makes(f, first + i, value[i]);
	}
	expect(launch_shape(&w.p[g], f->add ? "t_add" : "t_fill", 1 + pick(4), 32 * (1 + pick(2)),
			    0, &args, &f->id), 0, "launch");
}

/* ---- looking ----------------------------------------------------------- */

/* Nobody may be writing this word just now. */
static void cpu_look(const struct region *r, unsigned int page, unsigned int word)
{
	uint32_t want = r->value[word][page];
	uint64_t got = *word_at(r, page, word);

	if (want != UNKNOWN && got != want)
		wrong("page %u of %u at %p: word %u is %#llx, not %#x", page, r->pages,
		      word_at(r, page, 0), word, (unsigned long long)got, want);
}

/* All words of a page whose writers are at rest. */
static void cpu_look_page(const struct region *r, unsigned int page)
{
	cpu_look(r, page, WORD_MAIN);
	for (int g = 0; g < w.gpu_count; g++)
		if (w.flights[g].r != r)
			cpu_look(r, page, WORD_GPU + g);
}

static void cpu_write(struct region *r, unsigned int page)
{
	cpu_look(r, page, WORD_MAIN);
	r->value[WORD_MAIN][page] = pick(1U << 30);
	*word_at(r, page, WORD_MAIN) = r->value[WORD_MAIN][page];
}

/* One word of some pages, as a GPU sees it. */
static void gpu_look(int g, const struct region *r, unsigned int first, unsigned int n,
		     unsigned int word)
{
	struct test_args args = {
		.address = (uintptr_t)word_at(r, first, word), .count = n, .stride = PAGE,
		.value = UNKNOWN, .out = (uintptr_t)w.out,
	};

	memcpy(args.offset, &r->value[word][first], n * sizeof(args.offset[0]));
	w.out[0] = 0;
	expect(run_shape(&w.p[g], "t_compare", 1 + pick(3), 32, &args, NULL), 0, "t_compare");
	if (w.out[0])
		wrong("page %u of %u at %p: GPU %d finds word %u wrong, and %llu more; the CPU "
		      "finds %#llx, must be %#x", first + (unsigned int)w.out[1] - 1, r->pages,
		      word_at(r, first + w.out[1] - 1, 0), g, word, (unsigned long long)w.out[0] - 1,
		      (unsigned long long)*word_at(r, first + w.out[1] - 1, word),
		      r->value[word][first + w.out[1] - 1]);
}

/* ---- regions ----------------------------------------------------------- */

static struct region *pick_region(void)
{
	return &w.regions[pick(REGIONS)];
}

/* Some pages of a region: mostly few. */
static unsigned int pick_span(const struct region *r, unsigned int *first)
{
	unsigned int most = pick(3) ? 40 : REGION_PAGES;

	*first = pick(r->pages);
	if (most > r->pages - *first)
		most = r->pages - *first;
	return 1 + pick(most);
}

/* What is new is zero: some of it is looked at. */
static void region_map(struct region *r, unsigned int from, unsigned int pages)
{
	if (!map_managed(w.uvm, (uintptr_t)r->at + from * PAGE, (pages - from) * PAGE))
		wrong("mmap at %p: %s", r->at + from * PAGE, strerror(errno));
	for (unsigned int i = from; i < pages; i++)
		for (unsigned int word = 0; word < WORDS; word++)
			r->value[word][i] = 0;
	r->pages = pages;
}

static void region_new(struct region *r)
{
	r->at = (char *)fresh_address((REGION_PAGES + 512) * PAGE) + pick(512) * PAGE;
	region_map(r, 0, 1 + pick(REGION_PAGES));
	log_step("new region of %u pages at %p", r->pages, r->at);
}

/* Reads and writes words of its own, whatever the others do to the pages. */
static void *touch_pages(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&w.lock);
		for (unsigned int i = 0; i < 4; i++) {
			struct region *r = &w.regions[random_of(&w.touch_random) % REGIONS];
			unsigned int page = random_of(&w.touch_random) % r->pages;

			cpu_look(r, page, WORD_TOUCH);
			r->value[WORD_TOUCH][page] = random_of(&w.touch_random) >> 1;
			*word_at(r, page, WORD_TOUCH) = r->value[WORD_TOUCH][page];
		}
		pthread_mutex_unlock(&w.lock);
		usleep(500 + random_of(&w.touch_random) % 4000);
	}
	return unused;
}

#endif

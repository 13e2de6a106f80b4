// SPDX-License-Identifier: GPL-2.0
/* regular and random: one thread touches one page. */
#include <errno.h>
#include <string.h>

#include "../kernels/pages.c"
#include "../uvm/run/workload.h"

struct pages {
	char *buffer;
	uint32_t *seen;
	uint64_t pages;
	uint64_t passes;
	uint32_t access;
};

static int pages_setup(struct wl_run *run)
{
	const char *access = wl_text(run, "access");
	struct pages *p = run->data;

	if (!strcmp(access, "read"))
		p->access = PAGES_READ;
	else if (!strcmp(access, "write"))
		p->access = PAGES_WRITE;
	else if (!strcmp(access, "both"))
		p->access = PAGES_READ | PAGES_WRITE;
	else
		return wl_fail(run, EINVAL, "access must be read, write or both");
	if (!wl_number(run, "block") || wl_number(run, "block") > 1024)
		return wl_fail(run, EINVAL, "a block has 1 ... 1024 threads");

	p->passes = wl_number(run, "passes");
	if (!p->passes)
		return wl_fail(run, EINVAL, "there must be one pass at least");
	p->pages = wl_number(run, "size") / UVM_PAGE_SIZE;
	if (!p->pages || p->pages > 1ULL << 31)
		return wl_fail(run, EINVAL, "the size must be 4K ... 8T");
	p->buffer = wl_alloc(run, p->pages * UVM_PAGE_SIZE, "buffer");
	if (!p->buffer)
		return -ENOMEM;
	if (p->access == PAGES_READ) {
		p->seen = wl_alloc(run, p->pages * sizeof(uint32_t), "seen");
		if (!p->seen)
			return -ENOMEM;
		wl_output(run, p->seen);
	}
	if (!(p->access & PAGES_WRITE))
		wl_input(run, p->buffer);
	return 0;
}

static uint32_t *pages_word(const struct pages *p, uint64_t page)
{
	return (uint32_t *)(p->buffer + page * UVM_PAGE_SIZE);
}

static int pages_init(struct wl_run *run)
{
	struct pages *p = run->data;
	uint64_t i;

	for (i = 0; i < p->pages; i++)
		*pages_word(p, i) = pages_before(i);
	return 0;
}

static int pages_execute(struct wl_run *run)
{
	struct pages *p = run->data;
	struct pages_args args = {
		.buffer = p->buffer, .seen = p->seen, .pages = p->pages,
		.page_bytes = UVM_PAGE_SIZE, .seed = run->seed, .access = p->access,
		.random = !strcmp(run->workload->name, "random"),
	};
	uint32_t block = (uint32_t)wl_number(run, "block");
	uint64_t pass;
	int err = 0;

	for (pass = 0; pass < p->passes && !err; pass++)
		err = wl_launch(run, "pages", UVM_DIM((uint32_t)((p->pages + block - 1) / block)),
				UVM_DIM(block), 0, &args, sizeof(args));
	return err;
}

/* Reading and writing undoes what the pass before has done. */
static uint32_t pages_want(const struct pages *p, uint64_t page)
{
	bool before = !(p->access & PAGES_WRITE) ||
		      (p->access & PAGES_READ && p->passes % 2 == 0);

	return before ? pages_before(page) : pages_after(page);
}

static int pages_verify(struct wl_run *run)
{
	struct pages *p = run->data;
	uint64_t i;

	for (i = 0; i < p->pages; i++) {
		uint32_t want = pages_want(p, i), got = *pages_word(p, i);

		if (got != want)
			return wl_wrong(run, "page %llu holds %#x, not %#x",
					(unsigned long long)i, got, want);
		if (p->seen && p->seen[i] != want)
			return wl_wrong(run, "page %llu was read as %#x, not %#x",
					(unsigned long long)i, p->seen[i], want);
	}
	return 0;
}

static const struct wl_option pages_options[] = {
	{ "size", WL_BYTES, "32M", "buffer" },
	{ "access", WL_TEXT, "write", "read, write or both" },
	{ "block", WL_COUNT, "256", "threads per block" },
	{ "passes", WL_COUNT, "1", "times that each page is touched" },
	{ 0 },
};

static const struct wl_case regular_cases[] = {
	{ "--size 2M", "buffer", 511 << 12 },
	{ "--size 2M --access both", "buffer", 1 << 12 },
	{ "--size 1M --access read", "seen", 4 * 255 },
	{ 0 },
};

static const struct wl_size regular_sizes[] = {
	{ .small = "--size 10M" },
	{ 0 },
};

UVM_WORKLOAD(regular,
	     .what = "page touch: thread i touches page i",
	     .image = "pages",
	     .options = pages_options,
	     .cases = regular_cases,
	     .sizes = regular_sizes,
	     .data_bytes = sizeof(struct pages),
	     .setup = pages_setup,
	     .init = pages_init,
	     .execute = pages_execute,
	     .verify = pages_verify,
);

static const struct wl_case random_cases[] = {
	{ "--size 2M", "buffer", 17 << 12 },
	/* A permutation of a size that is no power of two is walked back into range. */
	{ "--size 1388K --block 96", "buffer", 346 << 12 },
	{ "--size 4K --access both", "buffer", 0 },
	{ 0 },
};

static const struct wl_size random_sizes[] = {
	{ "--size 10M --access both", "--size 4M --access both" },
	{ 0 },
};

UVM_WORKLOAD(random,
	     .what = "page touch: each thread touches a random page of its own",
	     .image = "pages",
	     .options = pages_options,
	     .cases = random_cases,
	     .sizes = random_sizes,
	     .data_bytes = sizeof(struct pages),
	     .setup = pages_setup,
	     .init = pages_init,
	     .execute = pages_execute,
	     .verify = pages_verify,
);

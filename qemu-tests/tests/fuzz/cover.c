// SPDX-License-Identifier: GPL-2.0
/*
 * Coverage by KCOV: of the worker's own thread, and of the kthreads that work for
 * it by the common handle which it inherits from the process that watches.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/kcov.h>

#include "fuzz.h"

#define AREA_WORDS	(1U << 15)	/* PCs of one call that are looked at */
#define REMOTE_WORDS	(1U << 15)
#define HANDLE		1

static uint64_t *remote_area, *own_area;

static uint64_t *area_map(int fd, unsigned int words)
{
	uint64_t *area;

	if (ioctl(fd, KCOV_INIT_TRACE, (unsigned long)words))
		return NULL;
	area = mmap(NULL, words * 8UL, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return area == MAP_FAILED ? NULL : area;
}

static int kcov_open(void)
{
	return open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
}

bool fuzz_cover_init(void)
{
	struct kcov_remote_arg arg = {
		.trace_mode = KCOV_TRACE_PC, .area_size = REMOTE_WORDS, .common_handle = HANDLE,
	};
	int fd = kcov_open();

	if (fd < 0)
		return false;
	remote_area = area_map(fd, REMOTE_WORDS);
	if (!remote_area || ioctl(fd, KCOV_REMOTE_ENABLE, &arg)) {
		perror("kcov");
		_exit(91);
	}
	return true;
}

void fuzz_cover_worker(void)
{
	int fd;

	if (!remote_area)
		return;
	fd = kcov_open();
	own_area = area_map(fd, AREA_WORDS);
	if (!own_area || ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC)) {
		perror("kcov");
		_exit(91);
	}
}

void fuzz_cover_begin(void)
{
	if (!own_area)
		return;
	__atomic_store_n(&remote_area[0], 0, __ATOMIC_RELAXED);
	__atomic_store_n(&own_area[0], 0, __ATOMIC_RELAXED);
}

static uint32_t hash(uint32_t pc)
{
	pc ^= pc >> 16;
	pc *= 0x7feb352d;
	pc ^= pc >> 15;
	return pc * 0x846ca68b;
}

static bool edge_known(const struct fuzz_cover *cover, uint32_t edge)
{
	return cover->edge[edge >> 3] & 1 << (edge & 7);
}

static void edge_learn(struct fuzz_cover *cover, uint32_t edge)
{
	if (edge_known(cover, edge))
		return;
	cover->edge[edge >> 3] |= 1 << (edge & 7);
	cover->edges++;
}

static void pc_learn(struct fuzz_cover *cover, uint32_t pc)
{
	uint32_t at = hash(pc);

	for (unsigned int i = 0; i < FUZZ_PC_SLOTS; i++) {
		uint32_t *slot = &cover->pc[(at + i) % FUZZ_PC_SLOTS];

		if (*slot == pc)
			return;
		if (!*slot) {
			*slot = pc;
			cover->pcs++;
			return;
		}
	}
}

static bool fresh_has(const struct fuzz_fresh *fresh, uint32_t edge)
{
	for (unsigned int i = 0; i < fresh->count; i++)
		if (fresh->edge[i] == edge)
			return true;
	return false;
}

static void fresh_add(struct fuzz_fresh *fresh, uint32_t edge)
{
	if (fresh->count < FUZZ_FRESH && !fresh_has(fresh, edge))
		fresh->edge[fresh->count++] = edge;
}

static void look(struct fuzz_cover *cover, const uint64_t *area, struct fuzz_fresh *fresh,
		 bool keep, const struct fuzz_fresh *only)
{
	uint64_t n = __atomic_load_n(&area[0], __ATOMIC_RELAXED);
	uint32_t last = 0;

	for (uint64_t i = 1; i <= n; i++) {
		uint32_t pc = area[i], edge;

		/* a tight loop is one edge */
		if (pc == last)
			continue;
		edge = (hash(last) * 31 + hash(pc)) >> (32 - FUZZ_EDGE_BITS);
		last = pc;
		if (edge_known(cover, edge))
			continue;
		if (only) {
			if (fresh_has(only, edge))
				fresh_add(fresh, edge);
			continue;
		}
		fresh_add(fresh, edge);
		if (keep)
			edge_learn(cover, edge);
		pc_learn(cover, pc);
	}
}

void fuzz_cover_end(struct fuzz_cover *cover, struct fuzz_fresh *fresh, bool keep,
		    const struct fuzz_fresh *only)
{
	fresh->count = 0;
	if (!own_area)
		return;
	cover->remote += remote_area[0];
	look(cover, own_area, fresh, keep, only);
	look(cover, remote_area, fresh, keep, only);
}

void fuzz_cover_keep(struct fuzz_cover *cover, const struct fuzz_fresh *fresh)
{
	for (unsigned int i = 0; i < fresh->count; i++)
		edge_learn(cover, fresh->edge[i]);
}

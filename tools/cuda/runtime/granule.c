// SPDX-License-Identifier: GPL-2.0
/*
 * Room for allocations.  GPU memory comes in granules of 2 MB, and so does what CUDA gives out: small
 * allocations share granules, larger ones have theirs alone, and granules lie side by side.  A
 * program that reads a little over the end of an array so finds mapped memory, here as there.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime.h"

/*
 * Small allocations begin at multiples of this.  cudaMalloc() promises 256 (CUDA C++ programming
 * guide, device memory accesses).
 */
#define GRANULE_ALIGN	512UL

/**
 * struct rt_piece - a part of a shared granule that is in use
 * @next: list, by address
 * @base: where
 * @room: how much
 */
struct rt_piece {
	struct rt_piece *next;
	uint64_t base;
	uint64_t room;
};

/**
 * struct rt_chunk - an allocation of libuvm
 * @next: list, oldest first
 * @base: where
 * @bytes: its size, whole granules (pinned memory: pages)
 * @kind: enum rt_kind
 * @gpu: whose memory, RT_DEVICE only
 * @pool: of cudaMallocAsync(), NULL: of cudaMalloc()
 * @shared: for several small allocations
 * @used: bytes of @pieces
 * @pieces: of a shared one
 * @tail: the last of them; NULL: it has to be looked for
 */
struct rt_chunk {
	struct rt_chunk *next;
	uint64_t base;
	uint64_t bytes;
	enum rt_kind kind;
	int gpu;
	const struct CUmemPoolHandle_st *pool;
	bool shared;
	uint64_t used;
	struct rt_piece *pieces;
	struct rt_piece *tail;
};

static struct rt_chunk *granule_chunks;
static unsigned int granule_count[RT_KINDS];
static bool granule_guarded;
static uint64_t granule_device, granule_device_peak;

static uint64_t granule_round(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) & ~(unit - 1);
}

static void *granule_allocate(enum rt_kind kind, int gpu, uint64_t bytes)
{
	static const char * const kinds[RT_KINDS] = { "managed", "device", "pinned" };
	char name[32];

	snprintf(name, sizeof(name), "%s%u", kinds[kind], granule_count[kind]++);
	switch (kind) {
	case RT_MANAGED:
		return uvm_malloc_managed(rt.u, bytes, name);
	case RT_DEVICE:
		return uvm_malloc_device(rt.u, gpu, bytes, name);
	default:
		return uvm_malloc_pinned(rt.u, bytes, name);
	}
}

/* Who reads a little before the first array: there, too, is memory, as behind the last. */
static bool granule_guard(void)
{
	if (!granule_guarded)
		granule_guarded = uvm_malloc_managed(rt.u, UVM_BLOCK_SIZE, "before");
	return granule_guarded;
}

/* Other GPUs that may use memory of its sort have it at once. */
static int granule_open(const struct rt_chunk *c)
{
	uint32_t users = c->pool ? rt_pool_users(c->pool) : rt_peer_users(c->gpu);
	int err = 0;

	for (int i = 0; i < rt.count && !err; i++)
		if (users & 1U << i)
			err = uvm_share_device(rt.u, (void *)c->base, rt.devices[i].gpu);
	return err;
}

static bool granule_fill(struct rt_chunk *c)
{
	c->base = (uintptr_t)granule_allocate(c->kind, c->gpu, c->bytes);
	if (c->base && c->kind == RT_DEVICE && granule_open(c)) {
		uvm_free(rt.u, (void *)c->base);
		c->base = 0;
	}
	return c->base;
}

static struct rt_chunk *granule_new(enum rt_kind kind, int gpu,
				    const struct CUmemPoolHandle_st *pool, uint64_t bytes,
				    bool shared)
{
	struct rt_chunk *c = calloc(1, sizeof(*c)), **link;

	if (!c || !granule_guard()) {
		free(c);
		return NULL;
	}
	c->bytes = granule_round(bytes, kind == RT_PINNED ? UVM_PAGE_SIZE : UVM_BLOCK_SIZE);
	c->kind = kind;
	c->gpu = gpu;
	c->pool = pool;
	c->shared = shared;
	if (!granule_fill(c)) {
		free(c);
		return NULL;
	}
	for (link = &granule_chunks; *link; link = &(*link)->next)
		;
	*link = c;
	if (kind == RT_DEVICE)
		granule_device += c->bytes;
	if (granule_device > granule_device_peak)
		granule_device_peak = granule_device;
	return c;
}

/* The first hole that is large enough, for a piece that goes there; false: there is none. */
static bool granule_place(struct rt_chunk *c, struct rt_piece *piece, uint64_t room, uint64_t align,
			  uint64_t *base)
{
	struct rt_piece **link = &c->pieces;
	uint64_t at = c->base;

	if (room > c->bytes - c->used)
		return false;
	/* without holes there is room at the end alone */
	if (c->tail && c->used == c->tail->base + c->tail->room - c->base) {
		link = &c->tail->next;
		at = granule_round(c->base + c->used, align);
	}
	for (; *link; link = &(*link)->next) {
		if (at + room <= (*link)->base)
			break;
		at = granule_round((*link)->base + (*link)->room, align);
	}
	if (at + room > c->base + c->bytes)
		return false;
	*piece = (struct rt_piece){ .next = *link, .base = at, .room = room };
	*link = piece;
	if (!piece->next)
		c->tail = piece;
	c->used += room;
	*base = at;
	return true;
}

static struct rt_chunk *granule_share(enum rt_kind kind, int gpu,
				      const struct CUmemPoolHandle_st *pool, uint64_t room,
				      uint64_t align, uint64_t *base)
{
	struct rt_piece *piece = malloc(sizeof(*piece));
	struct rt_chunk *c;

	if (!piece)
		return NULL;
	for (c = granule_chunks; c; c = c->next)
		if (c->shared && c->kind == kind && c->gpu == gpu && c->pool == pool &&
		    granule_place(c, piece, room, align, base))
			return c;
	c = granule_new(kind, gpu, pool, UVM_BLOCK_SIZE, true);
	if (c)
		granule_place(c, piece, room, align, base);
	else
		free(piece);
	return c;
}

struct rt_chunk *rt_chunk_take(enum rt_kind kind, int gpu, const struct CUmemPoolHandle_st *pool,
			       uint64_t bytes, uint64_t *base, uint64_t *room)
{
	/* advice is by pages: what fills pages has them alone */
	uint64_t align = bytes < UVM_PAGE_SIZE ? GRANULE_ALIGN : UVM_PAGE_SIZE;
	struct rt_chunk *c;

	if (bytes > UINT64_MAX / 2)
		return NULL;
	if (kind != RT_DEVICE)
		gpu = -1;
	if (kind != RT_PINNED && bytes < UVM_BLOCK_SIZE) {
		*room = granule_round(bytes, align);
		return granule_share(kind, gpu, pool, *room, align, base);
	}
	c = granule_new(kind, gpu, pool, bytes, false);
	if (c) {
		*base = c->base;
		*room = granule_round(bytes, UVM_PAGE_SIZE);
	}
	return c;
}

static void granule_free(struct rt_chunk *c)
{
	struct rt_chunk **link;

	for (link = &granule_chunks; *link != c; link = &(*link)->next)
		;
	*link = c->next;
	if (c->kind == RT_DEVICE)
		granule_device -= c->bytes;
	uvm_free(rt.u, (void *)c->base);
	free(c);
}

void rt_chunk_give(struct rt_chunk *c, uint64_t base, uint64_t room)
{
	struct rt_piece **link = &c->pieces, *piece;

	for (; (piece = *link); link = &piece->next) {
		if (piece->base != base || piece->room != room)
			continue;
		*link = piece->next;
		if (c->tail == piece)
			c->tail = NULL;
		c->used -= room;
		free(piece);
		break;
	}
	if (!c->pieces)
		granule_free(c);
}

void rt_chunks_close(int gpu, const struct CUmemPoolHandle_st *pool, int user)
{
	for (struct rt_chunk *c = granule_chunks; c; c = c->next)
		if (c->kind == RT_DEVICE && c->gpu == gpu && c->pool == pool)
			uvm_unshare_device(rt.u, (void *)c->base, user);
}

int rt_chunks_open(int gpu, const struct CUmemPoolHandle_st *pool, int user)
{
	int err = 0;

	for (struct rt_chunk *c = granule_chunks; c && !err; c = c->next)
		if (c->kind == RT_DEVICE && c->gpu == gpu && c->pool == pool)
			err = uvm_share_device(rt.u, (void *)c->base, user);
	if (err)
		rt_chunks_close(gpu, pool, user);
	return err;
}

uint64_t rt_chunk_bytes(int gpu)
{
	struct rt_chunk *c;
	uint64_t sum = 0;

	for (c = granule_chunks; c; c = c->next)
		if (c->kind == RT_DEVICE && c->gpu == gpu)
			sum += c->bytes;
	return sum;
}

uint64_t rt_chunk_peak(void)
{
	return granule_device_peak;
}

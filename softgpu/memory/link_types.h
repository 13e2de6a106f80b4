/* SPDX-License-Identifier: GPL-2.0 */
/* The link to system memory; see link.h. */
#ifndef SOFTGPU_LINK_TYPES_H
#define SOFTGPU_LINK_TYPES_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define SGPU_LINK_LINE		128
#define SGPU_LINK_SECTOR	32
#define SGPU_LINK_SECTORS	(SGPU_LINK_LINE / SGPU_LINK_SECTOR)
#define SGPU_LINK_REQUESTS_MAX	1024

/* Directions: to the GPU and from it. */
enum sgpu_link_way {
	SGPU_LINK_IN,
	SGPU_LINK_OUT,
	SGPU_LINK_WAYS
};

/**
 * struct sgpu_link_copy - what the link knows of a copy engine's present copy
 * @node: in sgpu_link_direction.copies
 * @owner: the copy; NULL: it does not use the link
 * @way: direction
 * @begin_ps: when its first byte is due to go
 * @ps: how long its bytes take alone
 * @end_ps: when its last byte has gone, as far as is known
 * @met: the clock has passed @begin_ps, what waited then has been looked at
 */
struct sgpu_link_copy {
	struct list_head node;
	const void *owner;
	enum sgpu_link_way way;
	u64 begin_ps;
	u64 ps;
	u64 end_ps;
	bool met;
};

/**
 * struct sgpu_link_direction - one direction
 * @free_ps: when it has carried all that SMs have asked for
 * @copies: struct sgpu_link_copy
 * @requests: of SMs that it has carried, since load; an atomic is one in each direction
 * @bytes: their data, whole sectors without headers
 * @request_ps: what a request of so many sectors takes alone
 */
struct sgpu_link_direction {
	u64 free_ps;
	struct list_head copies;
	u64 requests;
	u64 bytes;
	u64 request_ps[SGPU_LINK_SECTORS + 1];
};

/**
 * struct sgpu_link - the link of one GPU to system memory
 * @lock: protects everything below; innermost
 * @way: by enum sgpu_link_way
 * @latency_ps: from there and back
 * @requests: so many reads can be under way
 * @next: of @back, which the next read takes
 * @back: when the last @requests reads come back
 */
struct sgpu_link {
	spinlock_t lock;	/* everything below */
	struct sgpu_link_direction way[SGPU_LINK_WAYS];
	u64 latency_ps;
	u32 requests;
	u32 next;
	u64 back[SGPU_LINK_REQUESTS_MAX];
};

/**
 * struct sgpu_link_counters - what SMs have accessed over the link, since load
 * @requests: by enum sgpu_link_way, lines of 128 bytes or parts of one; an atomic is in both
 * @bytes: of these, by enum sgpu_link_way: sectors of 32 bytes that were touched
 */
struct sgpu_link_counters {
	u64 requests[SGPU_LINK_WAYS];
	u64 bytes[SGPU_LINK_WAYS];
};

#endif

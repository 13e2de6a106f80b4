// SPDX-License-Identifier: GPL-2.0
/* What kernels print, until somebody reads it.  See print.h. */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include "base/print.h"

int sgpu_print_init(struct sgpu_print_ring *ring)
{
	spin_lock_init(&ring->lock);
	ring->head = 0;
	ring->tail = 0;
	ring->lost = 0;
	init_waitqueue_head(&ring->readers);
	ring->data = kvmalloc(SGPU_PRINT_BYTES, GFP_KERNEL_ACCOUNT);
	return ring->data ? 0 : -ENOMEM;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_print_init);

void sgpu_print_destroy(struct sgpu_print_ring *ring)
{
	kvfree(ring->data);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_print_destroy);

static void print_append(struct sgpu_print_ring *ring, const char *text, size_t bytes)
{
	size_t i;

	lockdep_assert_held(&ring->lock);
	for (i = 0; i < bytes; i++)
		ring->data[ring->head++ % SGPU_PRINT_BYTES] = text[i];
}

void sgpu_print_put(struct sgpu_print_ring *ring, const char *text, size_t bytes)
{
	spin_lock(&ring->lock);
	if (ring->lost || bytes > SGPU_PRINT_BYTES - (ring->head - ring->tail))
		ring->lost += bytes;
	else
		print_append(ring, text, bytes);
	spin_unlock(&ring->lock);
	wake_up_interruptible(&ring->readers);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_print_put);

/* All that was kept has been read: now comes what happened then. */
static void print_tell_lost(struct sgpu_print_ring *ring)
{
	char line[64];

	lockdep_assert_held(&ring->lock);
	if (ring->head != ring->tail || !ring->lost)
		return;
	print_append(ring, line, scnprintf(line, sizeof(line), "[%llu bytes of printf were lost]\n",
					   ring->lost));
	ring->lost = 0;
}

size_t sgpu_print_peek(struct sgpu_print_ring *ring, char *to, size_t bytes, u64 *at)
{
	size_t i;

	spin_lock(&ring->lock);
	print_tell_lost(ring);
	*at = ring->tail;
	bytes = min_t(u64, bytes, ring->head - ring->tail);
	for (i = 0; i < bytes; i++)
		to[i] = ring->data[(ring->tail + i) % SGPU_PRINT_BYTES];
	spin_unlock(&ring->lock);
	return bytes;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_print_peek);

bool sgpu_print_read(struct sgpu_print_ring *ring, u64 at, size_t bytes)
{
	bool mine;

	spin_lock(&ring->lock);
	mine = ring->tail == at;
	if (mine)
		ring->tail += bytes;
	spin_unlock(&ring->lock);
	return mine;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_print_read);

bool sgpu_print_any(struct sgpu_print_ring *ring)
{
	bool any;

	spin_lock(&ring->lock);
	any = ring->head != ring->tail || ring->lost;
	spin_unlock(&ring->lock);
	return any;
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_print_any);

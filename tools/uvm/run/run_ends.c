// SPDX-License-Identifier: GPL-2.0
/* When launches were over; see run_ends.h. */
#include <errno.h>
#include <stdlib.h>

#include "run/run_ends.h"

void run_ends_init(struct run_ends *ends)
{
	*ends = (struct run_ends){ 0 };
	pthread_mutex_init(&ends->lock, NULL);
}

int run_ends_add(struct run_ends *ends, uint64_t now)
{
	uint32_t room = ends->room ? 2 * ends->room : 64;
	uint64_t *more = NULL;
	int err = -ENOMEM;

	pthread_mutex_lock(&ends->lock);
	if (ends->count == ends->room) {
		more = realloc(ends->end, room * sizeof(*more));
		ends->end = more ?: ends->end;
		ends->room = more ? room : ends->room;
	}
	if (ends->count < ends->room) {
		ends->end[ends->count++] = now;
		err = 0;
	}
	pthread_mutex_unlock(&ends->lock);
	return err;
}

uint32_t run_ends_launch(struct run_ends *ends, uint64_t when)
{
	pthread_mutex_lock(&ends->lock);
	while (ends->now < ends->count && when > ends->end[ends->now])
		ends->now++;
	pthread_mutex_unlock(&ends->lock);
	return ends->now;
}

void run_ends_free(struct run_ends *ends)
{
	free(ends->end);
	pthread_mutex_destroy(&ends->lock);
}

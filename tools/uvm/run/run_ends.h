/* SPDX-License-Identifier: GPL-2.0 */
/* When the launches of a run were over, to tell what the recorder says of one from that of the next. */
#ifndef UVM_RUN_ENDS_H
#define UVM_RUN_ENDS_H

#include <pthread.h>
#include <stdint.h>

/**
 * struct run_ends - ends of launches
 * @lock: between launches, which end here, and events, which another thread reads
 * @end: when each launch was over and all of its touches told, ns
 * @count: how many were
 * @room: for so many
 * @now: launch of the last event, from 0
 */
struct run_ends {
	pthread_mutex_t lock;
	uint64_t *end;
	uint32_t count;
	uint32_t room;
	uint32_t now;
};

void run_ends_init(struct run_ends *ends);
/* A launch is over.  0 or -ENOMEM. */
int run_ends_add(struct run_ends *ends, uint64_t now);
/* The launch of an event: those that ended before it are behind. */
uint32_t run_ends_launch(struct run_ends *ends, uint64_t when);
void run_ends_free(struct run_ends *ends);

#endif

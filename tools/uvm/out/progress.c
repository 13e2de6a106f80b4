// SPDX-License-Identifier: GPL-2.0
/*
 * Progress on stderr.  It comes from a thread of its own that never enters the
 * driver: another user thread in there could change results.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "out/progress.h"

#define PROGRESS_SECONDS	5

static pthread_mutex_t progress_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progress_cond = PTHREAD_COND_INITIALIZER;
static pthread_t progress_thread;
static bool progress_running;
static const char *progress_what, *progress_now;

static void *progress_run(void *arg)
{
	struct timespec start, until;

	(void)arg;
	clock_gettime(CLOCK_REALTIME, &start);
	until = start;
	pthread_mutex_lock(&progress_lock);
	while (progress_running) {
		until.tv_sec += PROGRESS_SECONDS;
		while (progress_running &&
		       !pthread_cond_timedwait(&progress_cond, &progress_lock, &until))
			;
		if (progress_running)
			fprintf(stderr, "%s: %s, %ld s\n", progress_what, progress_now,
				(long)(until.tv_sec - start.tv_sec));
	}
	pthread_mutex_unlock(&progress_lock);
	return NULL;
}

void progress_start(const char *what)
{
	progress_what = what;
	progress_now = "starting";
	progress_running = true;
	/* Without progress the run is as good. */
	if (pthread_create(&progress_thread, NULL, progress_run, NULL))
		progress_running = false;
}

void progress_stage(const char *stage)
{
	pthread_mutex_lock(&progress_lock);
	progress_now = stage;
	pthread_mutex_unlock(&progress_lock);
}

void progress_stop(void)
{
	bool was;

	pthread_mutex_lock(&progress_lock);
	was = progress_running;
	progress_running = false;
	pthread_cond_signal(&progress_cond);
	pthread_mutex_unlock(&progress_lock);
	if (was)
		pthread_join(progress_thread, NULL);
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * OpenMP's functions for a program of one thread: "uvm cc" takes -fopenmp and passes over the pragmas,
 * as the standard lets a compiler do.  Names and values: OpenMP API specification 5.0, chapter 3.
 */
#ifndef SOFTUVM_OMP_H
#define SOFTUVM_OMP_H

#include <time.h>

typedef int omp_lock_t;
typedef int omp_nest_lock_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto } omp_sched_t;
typedef enum { omp_proc_bind_false } omp_proc_bind_t;

#define SOFTUVM_OMP(name, value)	static inline int name(void) { return value; }
#define SOFTUVM_OMP_SET(name)		static inline void name(int value) { (void)value; }
#define SOFTUVM_OMP_LOCK(name, set)							\
	static inline void omp_init_##name(omp_lock_t *lock) { *lock = 0; }		\
	static inline void omp_destroy_##name(omp_lock_t *lock) { *lock = 0; }		\
	static inline void omp_set_##name(omp_lock_t *lock) { set; }			\
	static inline void omp_unset_##name(omp_lock_t *lock) { --*lock; }

SOFTUVM_OMP(omp_get_num_threads, 1)
SOFTUVM_OMP(omp_get_max_threads, 1)
SOFTUVM_OMP(omp_get_thread_num, 0)
SOFTUVM_OMP(omp_get_num_procs, 1)
SOFTUVM_OMP(omp_get_thread_limit, 1)
SOFTUVM_OMP(omp_in_parallel, 0)
SOFTUVM_OMP(omp_get_dynamic, 0)
SOFTUVM_OMP(omp_get_nested, 0)
SOFTUVM_OMP(omp_get_level, 0)
SOFTUVM_OMP(omp_get_active_level, 0)
SOFTUVM_OMP(omp_get_max_active_levels, 1)
SOFTUVM_OMP(omp_get_num_devices, 0)
SOFTUVM_OMP(omp_get_default_device, 0)
SOFTUVM_OMP(omp_is_initial_device, 1)
SOFTUVM_OMP(omp_get_num_teams, 1)
SOFTUVM_OMP(omp_get_team_num, 0)
SOFTUVM_OMP_SET(omp_set_num_threads)
SOFTUVM_OMP_SET(omp_set_dynamic)
SOFTUVM_OMP_SET(omp_set_nested)
SOFTUVM_OMP_SET(omp_set_max_active_levels)
SOFTUVM_OMP_SET(omp_set_default_device)
SOFTUVM_OMP_LOCK(lock, *lock = 1)
SOFTUVM_OMP_LOCK(nest_lock, ++*lock)

static inline int omp_test_lock(omp_lock_t *lock) { return *lock ? 0 : (*lock = 1); }
static inline int omp_test_nest_lock(omp_nest_lock_t *lock) { return ++*lock; }
static inline void omp_set_schedule(omp_sched_t kind, int chunk) { (void)kind; (void)chunk; }
static inline omp_proc_bind_t omp_get_proc_bind(void) { return omp_proc_bind_false; }

static inline double omp_get_wtime(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

static inline double omp_get_wtick(void) { return 1e-9; }

#undef SOFTUVM_OMP
#undef SOFTUVM_OMP_SET
#undef SOFTUVM_OMP_LOCK

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The CPU that takes a GPU's place: what its parts share. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdint.h>

#define ORACLE_LANES	32

/* What a thread of a block comes to, and there waits for others. */
enum oracle_meeting {
	ORACLE_BARRIER,		/* of the block: all that have not exited; the others: of members */
	ORACLE_SYNC,
	ORACLE_ANY,
	ORACLE_ALL,
	ORACLE_UNIFORM,
	ORACLE_BALLOT,
	ORACLE_MATCH_ANY,
	ORACLE_MATCH_ALL,
	ORACLE_INDEX,
	ORACLE_UP,
	ORACLE_DOWN,
	ORACLE_XOR,
};

struct oracle_place { uint32_t x, y, z; };

/* Those that the code of a thread asks for: of the thread that runs. */
extern struct oracle_place oracle_thread, oracle_block, oracle_block_size, oracle_grid_size;
uint32_t oracle_lane(void);

/*
 * fibers.c: waits for the others; returns what the meeting gives this thread, of a barrier for how
 * many threads @value was not 0, and in @of how many came.
 */
uint64_t oracle_meet(enum oracle_meeting what, uint64_t value, uint32_t members, uint32_t by,
		     uint32_t width);
uint32_t oracle_barrier(int predicate, uint32_t *of);

/* fibers.c: @entry(@args) by each thread of the grid, block after block. */
void oracle_launch(void (*entry)(void *args), void *args, struct oracle_place grid,
		   struct oracle_place block, void *shared, uint64_t shared_bytes);

/* Ends the program. */
void oracle_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif

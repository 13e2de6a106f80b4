/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fuzzer of the three devices that learns from coverage.
 *
 *   calls.c	which calls there are, and what their arguments mean
 *   exec.c	makes calls
 *   gen.c	makes programs up, and changes them
 *   cover.c	what the kernel executed meanwhile (KCOV)
 *   text.c	programs as text
 *   fuzz.c		the corpus, and who watches that every program ends
 *
 * A program is a list of calls.  It begins with no file open and nothing mapped, and
 * names nothing that an earlier call made up: files are slots, opened when first
 * used; addresses are offsets into one arena; handles of launches, memory, images,
 * copies, groups and fences all count from 1.  So any call can be taken out of any
 * program and put into any other.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "addresses.h"

#define FUZZ_ARGS	20
#define FUZZ_CALLS	28	/* of a program */
#define FUZZ_OPS	96	/* at most, rows of the table of calls */
#define FUZZ_NAME	48

/* Where programs map; nothing else of the process lives in this many bytes above. */
#define FUZZ_ARENA	UVM_ADDRESSES_START
#define FUZZ_ARENA_SIZE	(1ULL << 37)
#define FUZZ_PAGE	4096ULL
#define FUZZ_BLOCK	(2ULL << 20)

/* ---- calls ------------------------------------------------------------ */

enum fuzz_slot {
	SLOT_UVM, SLOT_UVM_2, SLOT_GPU, SLOT_GPU_2, SLOT_GPU1, SLOT_TOOLS, SLOT_TOOLS_2,
	SLOT_TIMELINE, SLOT_COUNT
};

/* What an argument means, hence which values are worth trying. */
enum fuzz_kind {
	K_ANY,		/* a number */
	K_ZERO,		/* reserved, or written by the kernel */
	K_FLAGS,	/* bits of .max */
	K_PICK,		/* 0 ... .max */
	K_ADDR,		/* offset into the arena */
	K_LEN,		/* bytes */
	K_PROC,		/* processor */
	K_FD,		/* slot */
	K_ID,		/* handle */
	K_WORD,		/* byte address of a word, offset into the arena */
	K_POW2,		/* length of a queue */
	K_GRAIN,	/* bytes, a power of two */
	K_MASK,		/* bit mask */
	K_SMALL,	/* 1 ... .max, or something that is refused */
	K_PARAM,	/* name of a parameter: index of a string */
	K_VALUE,	/* value of one: index of a string, or a number in decimal */
	K_ENTRY,	/* function of the image: index of a string */
	K_POINTER,	/* what a pointer in a struct leads to */
	K_HOW,		/* of an ioctl: see enum fuzz_how */
	K_PROT,		/* PROT_* */
	K_SEMAPHORE,	/* K_WORD, rarely one */
	K_PAYLOAD,	/* what goes with it */
	K_LEN_IMAGE,	/* bytes of the image, 0: all */
	K_COUNT
};

/* Where a field goes. */
enum fuzz_place { IN_STRUCT, IN_ARGS, IN_IMAGE, IN_CALL };

struct fuzz_field {
	uint8_t kind;
	uint8_t place;
	uint8_t width;
	uint16_t offset;
	bool reserved;		/* must be 0 */
	uint64_t max;
};

/* K_HOW: which pointer in bits 0-2, which size in bits 3-5. */
enum fuzz_pointer {
	POINTER_GOOD, POINTER_NULL, POINTER_PAGE_END, POINTER_MANAGED, POINTER_KERNEL,
	POINTER_READ_ONLY, POINTER_GUARD, POINTER_COUNT
};
enum fuzz_size { SIZE_GOOD, SIZE_SHORT, SIZE_TAIL_ZERO, SIZE_TAIL, SIZE_0, SIZE_BIG, SIZE_OLD,
		 SIZE_COUNT };

struct fuzz_call {
	uint16_t op;
	uint16_t __pad[3];
	uint64_t arg[FUZZ_ARGS];
};

struct fuzz_prog {
	uint32_t calls;
	uint32_t __pad;
	struct fuzz_call call[FUZZ_CALLS];
};

struct fuzz_desc {
	const char *name;
	const char *macro;	/* of an ioctl: the name of its number */
	long (*run)(const struct fuzz_desc *desc, const struct fuzz_call *call);
	unsigned long cmd;	/* of an ioctl */
	uint16_t size;		/* of its struct */
	uint16_t first;		/* size when first published; 0: the same */
	bool out;		/* the kernel writes its struct */
	uint8_t slot;		/* the usual file */
	uint8_t weight;		/* how often it is chosen */
	bool counts;		/* a system call on a device's file or mapping */
	struct fuzz_field field[FUZZ_ARGS];
};

extern const struct fuzz_desc fuzz_descs[];
extern const unsigned int fuzz_desc_count;
extern const char * const fuzz_entries[];
extern const unsigned int fuzz_entry_count;
/* Values of fuzz_param() that came later than the corpus begin here. */
#define FUZZ_LATER_VALUES	(1ULL << 40)
const char *fuzz_param(uint64_t index, bool value);
unsigned int fuzz_fields(const struct fuzz_desc *desc);
int fuzz_desc_find(const char *name);

/* ---- execution -------------------------------------------------------- */

void fuzz_exec_init(void);
/* In each further thread that makes calls, on the files and the arena of all. */
void fuzz_exec_thread(void);
long fuzz_exec_call(const struct fuzz_prog *prog, unsigned int index);
/* Everything is closed and unmapped. */
void fuzz_exec_end(void);

long run_ioctl(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_raw(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_open(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_close(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_mmap(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_munmap(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_mprotect(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_mremap(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_madvise(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_touch(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_read(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_write(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_poll(const struct fuzz_desc *desc, const struct fuzz_call *call);
long run_fork(const struct fuzz_desc *desc, const struct fuzz_call *call);

/* ---- programs --------------------------------------------------------- */

/* Deterministic by seed. */
struct fuzz_random {
	uint64_t state;
};

uint64_t fuzz_rand(struct fuzz_random *random, uint64_t below);
void fuzz_generate(struct fuzz_random *random, struct fuzz_prog *prog);
void fuzz_mutate(struct fuzz_random *random, struct fuzz_prog *prog,
		 const struct fuzz_prog *other);
void fuzz_remove_call(struct fuzz_prog *prog, unsigned int index);

void fuzz_print(FILE *to, const struct fuzz_prog *prog);
/* 1: a program, and its name if it has one; 0: end; -1: not one, and why on stderr */
int fuzz_parse(FILE *from, const char *path, struct fuzz_prog *prog, char name[FUZZ_NAME]);

/* ---- coverage --------------------------------------------------------- */

#define FUZZ_EDGE_BITS	22
#define FUZZ_PC_SLOTS	(1U << 17)
#define FUZZ_FRESH	128

/* What has been executed so far, shared by all workers. */
struct fuzz_cover {
	uint64_t edges;
	uint64_t pcs;
	uint64_t remote;	/* PCs that kthreads executed, with repetitions */
	uint32_t pc[FUZZ_PC_SLOTS];
	uint8_t edge[1U << (FUZZ_EDGE_BITS - 3)];
};

/* Edges that a call brought which no program had before. */
struct fuzz_fresh {
	unsigned int count;
	uint32_t edge[FUZZ_FRESH];
};

/* In the process that watches: kthreads; false without KCOV. */
bool fuzz_cover_init(void);
/* In a worker: its own thread. */
void fuzz_cover_worker(void);
void fuzz_cover_begin(void);
/*
 * After a call: what was new.  With @keep it is not new any more afterwards; with
 * @only just whether that is among it is told, by the count.
 */
void fuzz_cover_end(struct fuzz_cover *cover, struct fuzz_fresh *fresh, bool keep,
		    const struct fuzz_fresh *only);
void fuzz_cover_keep(struct fuzz_cover *cover, const struct fuzz_fresh *fresh);

#endif

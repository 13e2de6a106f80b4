// SPDX-License-Identifier: GPL-2.0
/*
 * Programs made up, and changed.  Values come from what their kind makes worth
 * trying: mostly something that gets far, now and then something to be refused.
 */
#include <string.h>

#include "fuzz.h"

/* splitmix64 */
static uint64_t rand64(struct fuzz_random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

uint64_t fuzz_rand(struct fuzz_random *random, uint64_t below)
{
	return below ? rand64(random) % below : 0;
}

static bool percent(struct fuzz_random *random, unsigned int chance)
{
	return fuzz_rand(random, 100) < chance;
}

#define PICK(random, ...) ({							\
	static const uint64_t choice[] = { __VA_ARGS__ };			\
	choice[fuzz_rand(random, sizeof(choice) / sizeof(choice[0]))]; })

/* ---- values ----------------------------------------------------------- */

static uint64_t any_number(struct fuzz_random *random)
{
	switch (fuzz_rand(random, 4)) {
	case 0:
		return PICK(random, 0x7fffffff, 0x80000000, 0xffffffff, 1ULL << 32, 1ULL << 48,
			    1ULL << 49, 1ULL << 63, ~0ULL, ~0ULL - 4095);
	case 1:
		return rand64(random) >> fuzz_rand(random, 64);
	default:
		return fuzz_rand(random, 17);
	}
}

static uint64_t any_address(struct fuzz_random *random)
{
	uint64_t base = fuzz_rand(random, percent(random, 85) ? 3 : 12) * FUZZ_BLOCK;

	if (percent(random, 2))
		return PICK(random, -FUZZ_ARENA, -4096ULL, (1ULL << 49) - FUZZ_ARENA,
			    (1ULL << 47) - FUZZ_ARENA, FUZZ_ARENA_SIZE);
	if (percent(random, 3))
		return base + fuzz_rand(random, FUZZ_BLOCK);
	return base + PICK(random, 0, 0, 0, 0, 0x1000, 0x8000, 0x10000, 0x100000, 0x1f0000, 0x1ff000);
}

static uint64_t any_length(struct fuzz_random *random)
{
	switch (fuzz_rand(random, 24)) {
	case 0:
		return 0;
	case 1:
		return fuzz_rand(random, FUZZ_BLOCK);
	case 2:
		return PICK(random, -4096ULL, 1ULL << 47, 1ULL << 49, ~0ULL);
	case 3:
		return (1 + fuzz_rand(random, 1024)) * FUZZ_PAGE;
	case 4 ... 11:
		return (1 + fuzz_rand(random, 32)) * FUZZ_PAGE;
	default:
		return PICK(random, 0x1000, 0x1000, 0x1000, 0x2000, 0x4000, 0x8000, 0x10000,
			    0x10000, 0x20000, 0x80000, 0x200000, 0x400000);
	}
}

static uint64_t any_processor(struct fuzz_random *random)
{
	if (percent(random, 7))
		return PICK(random, -3ULL, 2, 7, 8, 15, 16, 31, 32, 0x7fffffff, 0x80000000);
	return PICK(random, -1ULL, -1ULL, -1ULL, -1ULL, 0, 0, 0, 0, 0, 1, -2ULL);
}

static uint64_t any_slot(struct fuzz_random *random, uint64_t usual)
{
	if (percent(random, 92))
		return usual;
	/* the second of its kind is the next one */
	return percent(random, 50) ? usual + 1 : fuzz_rand(random, SLOT_COUNT + 2);
}

static uint64_t any_handle(struct fuzz_random *random)
{
	if (percent(random, 65))
		return 1;
	return percent(random, 90) ? fuzz_rand(random, 5) : any_number(random);
}

static uint64_t any_mask(struct fuzz_random *random, uint64_t bits)
{
	if (percent(random, 40))
		return (1ULL << bits) - 1;
	return percent(random, 80) ? 1ULL << fuzz_rand(random, bits + 1) : rand64(random);
}

static uint64_t any_small(struct fuzz_random *random, uint64_t max)
{
	switch (fuzz_rand(random, 20)) {
	case 0:
		return 0;
	case 1:
		return percent(random, 50) ? max + 1 : any_number(random);
	case 2 ... 9:
		return 1;
	default:
		return 1 + fuzz_rand(random, max);
	}
}

static uint64_t any_pick(struct fuzz_random *random, uint64_t max)
{
	if (percent(random, 3))
		return max + 1 + fuzz_rand(random, 3);
	/* a limit rather than a choice: something near it */
	if (max > 64 && percent(random, 80))
		return max;
	return fuzz_rand(random, max + 1);
}

/* Behind the strings come numbers, see fuzz_param(). */
static uint64_t any_value(struct fuzz_random *random)
{
	if (percent(random, 50))
		return percent(random, 70) ? fuzz_rand(random, 29) :
					     FUZZ_LATER_VALUES + fuzz_rand(random, 64);
	return 29 + (percent(random, 70) ? fuzz_rand(random, 6) : fuzz_rand(random, 5000));
}

static uint64_t any_how(struct fuzz_random *random)
{
	if (percent(random, 94))
		return 0;
	if (percent(random, 50))
		return fuzz_rand(random, POINTER_COUNT);
	return fuzz_rand(random, SIZE_COUNT) << 3;
}

static uint64_t any_of(struct fuzz_random *random, const struct fuzz_field *field)
{
	switch (field->kind) {
	case K_LEN_IMAGE:
	case K_ZERO:
		return percent(random, 96) ? 0 : percent(random, 70) ?
		       fuzz_rand(random, field->max + 1) : any_number(random);
	case K_FLAGS:
		return percent(random, 65) ? 0 : percent(random, 90) ?
		       rand64(random) & field->max : 1ULL << fuzz_rand(random, 32);
	case K_PICK:
		return any_pick(random, field->max);
	case K_ADDR:
		return any_address(random);
	case K_LEN:
		return any_length(random);
	case K_PROC:
		return any_processor(random);
	case K_FD:
		return any_slot(random, field->max);
	case K_ID:
		return any_handle(random);
	case K_WORD:
		return percent(random, 25) ? 0 : 1 + any_address(random) +
		       PICK(random, 0, 0, 0, 4, 8, 4088, 1);
	case K_SEMAPHORE:
		return percent(random, 85) ? 0 : 1 + any_address(random) + PICK(random, 0, 4, 8, 1);
	case K_PAYLOAD:
		return percent(random, 85) ? 0 : any_number(random);
	case K_POW2:
		return PICK(random, 64, 64, 128, 256, 1024, 4096, 0, 63, 65, 1 << 20, 1 << 21);
	case K_GRAIN:
		return PICK(random, 0, 8, 64, 4096, 4096, 4096, 65536, 2 << 20, 16 << 20,
			    16ULL << 30, 12345);
	case K_MASK:
		return any_mask(random, field->max);
	case K_SMALL:
		return any_small(random, field->max);
	case K_PARAM:
		return fuzz_rand(random, 40);
	case K_VALUE:
		return any_value(random);
	case K_ENTRY:
		return fuzz_rand(random, percent(random, 75) ? 8 : fuzz_entry_count);
	case K_POINTER:
		return percent(random, 95) ? 0 : fuzz_rand(random, POINTER_COUNT);
	case K_HOW:
		return any_how(random);
	case K_PROT:
		return percent(random, 85) ? 3 : fuzz_rand(random, 8);
	default:
		return any_number(random);
	}
}

/* An address that the program has used already, or one that is given. */
static uint64_t known_address(struct fuzz_random *random, const struct fuzz_prog *prog,
			      uint64_t other)
{
	const struct fuzz_call *call;
	const struct fuzz_desc *desc;

	if (!prog->calls)
		return other;
	call = &prog->call[fuzz_rand(random, prog->calls)];
	desc = &fuzz_descs[call->op];
	for (unsigned int i = 0; i < FUZZ_ARGS; i++)
		if (desc->field[i].kind == K_ADDR)
			return call->arg[i];
	return other;
}

/* ---- programs --------------------------------------------------------- */

static unsigned int any_op(struct fuzz_random *random)
{
	unsigned int i, at, total = 0;

	/* not kept: chaos has threads that do this at once */
	for (i = 0; i < fuzz_desc_count; i++)
		total += fuzz_descs[i].weight;
	at = fuzz_rand(random, total);
	for (i = 0; at >= fuzz_descs[i].weight; i++)
		at -= fuzz_descs[i].weight;
	return i;
}

static void make_call(struct fuzz_random *random, const struct fuzz_prog *prog,
		      struct fuzz_call *call, unsigned int op)
{
	const struct fuzz_desc *desc = &fuzz_descs[op];
	unsigned int i, n = fuzz_fields(desc);

	memset(call, 0, sizeof(*call));
	call->op = op;
	for (i = 0; i < n; i++) {
		call->arg[i] = any_of(random, &desc->field[i]);
		if (desc->field[i].kind == K_ADDR && percent(random, 75))
			call->arg[i] = known_address(random, prog, call->arg[i]);
		if ((desc->field[i].kind == K_WORD || desc->field[i].kind == K_SEMAPHORE) && call->arg[i] &&
		    percent(random, 60))
			call->arg[i] = 1 + known_address(random, prog, call->arg[i] - 1);
	}
}

/* A call with exactly these arguments. */
static void add_good(struct fuzz_prog *prog, const char *name, const uint64_t *args,
		     unsigned int count)
{
	struct fuzz_call *call = &prog->call[prog->calls++];

	memset(call, 0, sizeof(*call));
	call->op = fuzz_desc_find(name);
	memcpy(call->arg, args, count * sizeof(*args));
}

/* By chance both GPUs of a pair are hardly ever there. */
static void add_peers(struct fuzz_random *random, struct fuzz_prog *prog)
{
	add_good(prog, "register_gpu", (uint64_t[]){ SLOT_UVM, 0, 0, SLOT_GPU1 }, 4);
	if (percent(random, 50))
		add_good(prog, "enable_peer_access", (uint64_t[]){ SLOT_UVM, 0, 0, 0, 1 }, 5);
}

/* What the rest would mostly fail without. */
static void set_up(struct fuzz_random *random, struct fuzz_prog *prog)
{
	if (percent(random, 80))
		add_good(prog, "register_gpu", (uint64_t[]){ SLOT_UVM, 0, 0, SLOT_GPU }, 4);
	if (percent(random, 20))
		add_peers(random, prog);
	if (percent(random, 80))
		add_good(prog, "mmap", (uint64_t[]){ SLOT_UVM, fuzz_rand(random, 3) * FUZZ_BLOCK,
			 (1 + fuzz_rand(random, 1536)) * FUZZ_PAGE, 0, 3 }, 5);
	if (percent(random, 50))
		add_good(prog, "load", (uint64_t[]){ SLOT_GPU }, 1);
}

void fuzz_generate(struct fuzz_random *random, struct fuzz_prog *prog)
{
	unsigned int calls = 4 + fuzz_rand(random, FUZZ_CALLS - 3);

	prog->calls = 0;
	set_up(random, prog);
	while (prog->calls < calls) {
		make_call(random, prog, &prog->call[prog->calls], any_op(random));
		prog->calls++;
	}
}

void fuzz_remove_call(struct fuzz_prog *prog, unsigned int index)
{
	prog->calls--;
	memmove(&prog->call[index], &prog->call[index + 1],
		(prog->calls - index) * sizeof(prog->call[0]));
}

static void insert_call(struct fuzz_prog *prog, unsigned int index, const struct fuzz_call *call)
{
	/* a full program loses the call before, so that the new one has its place */
	if (prog->calls == FUZZ_CALLS) {
		index = index > FUZZ_CALLS ? FUZZ_CALLS : index;
		fuzz_remove_call(prog, index ? --index : 1);
	}
	if (index > prog->calls)
		index = prog->calls;
	memmove(&prog->call[index + 1], &prog->call[index],
		(prog->calls - index) * sizeof(prog->call[0]));
	prog->call[index] = *call;
	prog->calls++;
}

static void mutate_value(struct fuzz_random *random, const struct fuzz_prog *prog,
			 struct fuzz_call *call)
{
	const struct fuzz_desc *desc = &fuzz_descs[call->op];
	unsigned int n = fuzz_fields(desc), i;

	if (!n)
		return;
	i = fuzz_rand(random, n);
	/* the file and how the struct is passed are rarely what matters */
	if (i < 2 && desc->run == run_ioctl && n > 2 && percent(random, 75))
		i = 2 + fuzz_rand(random, n - 2);
	switch (fuzz_rand(random, 8)) {
	case 0:
		call->arg[i] ^= 1ULL << fuzz_rand(random, 48);
		break;
	case 1:
		call->arg[i] += PICK(random, 1, -1ULL, 0x1000, -0x1000ULL, 0x200000, -0x200000ULL);
		break;
	case 2:
		call->arg[i] = any_number(random);
		break;
	case 3:
		if (desc->field[i].kind == K_ADDR) {
			call->arg[i] = known_address(random, prog, call->arg[i]);
			break;
		}
		/* fall through */
	default:
		call->arg[i] = any_of(random, &desc->field[i]);
		break;
	}
}

/* Calls of @other, from anywhere in it. */
static void splice(struct fuzz_random *random, struct fuzz_prog *prog,
		   const struct fuzz_prog *other)
{
	unsigned int from = fuzz_rand(random, other->calls);
	unsigned int count = 1 + fuzz_rand(random, other->calls - from);
	unsigned int at = fuzz_rand(random, prog->calls + 1);

	for (unsigned int i = 0; i < count && i < 8; i++)
		insert_call(prog, at + i, &other->call[from + i]);
}

static void mutate_once(struct fuzz_random *random, struct fuzz_prog *prog,
			const struct fuzz_prog *other)
{
	unsigned int at = fuzz_rand(random, prog->calls);
	struct fuzz_call call;

	switch (fuzz_rand(random, 16)) {
	case 0 ... 3:
		make_call(random, prog, &call, any_op(random));
		insert_call(prog, fuzz_rand(random, prog->calls + 1), &call);
		break;
	case 4:
		if (prog->calls > 1)
			fuzz_remove_call(prog, at);
		break;
	case 5:
		call = prog->call[at];
		insert_call(prog, fuzz_rand(random, prog->calls + 1), &call);
		break;
	case 6:
		if (other->calls)
			splice(random, prog, other);
		break;
	case 7:
		make_call(random, prog, &prog->call[at], any_op(random));
		break;
	default:
		mutate_value(random, prog, &prog->call[at]);
		break;
	}
}

/* Programs made short lack what their calls stand on, once these are changed. */
static void precede(struct fuzz_random *random, struct fuzz_prog *prog)
{
	struct fuzz_prog first = { 0 };

	set_up(random, &first);
	for (unsigned int i = 0; i < first.calls && prog->calls < FUZZ_CALLS; i++)
		insert_call(prog, i, &first.call[i]);
}

void fuzz_mutate(struct fuzz_random *random, struct fuzz_prog *prog,
		 const struct fuzz_prog *other)
{
	do {
		mutate_once(random, prog, other);
	} while (percent(random, 60));
	if (percent(random, 30))
		precede(random, prog);
}

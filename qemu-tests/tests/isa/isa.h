/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the device and the reference agree on: the memory that programs work on, what it
 * holds at first, which follows from a seed, and what is compared at the end.
 */
#ifndef ISA_H
#define ISA_H

#include <stddef.h>
#include <stdint.h>

#define ISA_THREADS	256
#define ISA_COUNT(a)	(sizeof(a) / sizeof((a)[0]))

/* A thread's own; generate.py knows the offsets. */
struct isa_thread {
	uint64_t x[32];			/* in and out */
	uint64_t f[32];			/* in and out; without doubles the lower halves */
	uint64_t pool[64];		/* in: integers, from [16] on pairs of floats, from [40] doubles */
	uint64_t scratch[128];
};

struct isa_memory {
	struct isa_thread thread[ISA_THREADS];
	uint64_t woven[32][ISA_THREADS];	/* scratch, threads side by side */
	uint64_t table[128];			/* of all threads, read only */
	uint64_t tally[16];			/* of all threads, AMOs only */
};

/* What is left of a thread: registers, and its memory, eight words in one number. */
struct isa_left {
	uint64_t x[32];
	uint64_t f[32];
	uint64_t woven[32 / 8];
	uint64_t scratch[128 / 8];
};

struct isa_result {
	struct isa_left thread[ISA_THREADS];
	uint64_t tally[16];
};

#define ISA_TILES	64
#define ISA_TILE_WORDS	1024

/* Matrices for D += A * B in one piece of memory; @d lies apart from @a and @b. */
struct isa_tile {
	uint32_t words[ISA_TILE_WORDS];
	uint32_t d, a, b;		/* where they begin */
	uint32_t ldd, lda, ldb;
};

/* splitmix64 */
static inline uint64_t isa_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Zeros, infinities, NaNs that signal and that do not, denormals, and what is near powers of 2. */
static const uint32_t isa_floats[] = {
	0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
	0x7fc00000, 0xffc00000, 0x7fffffff, 0x7fc01234,
	0x7f800001, 0xffbfffff, 0x7fa00000,
	0x00000001, 0x80000001, 0x00000003, 0x00400000, 0x007fffff, 0x807fffff,
	0x00800000, 0x80800000, 0x00800001, 0x01000000, 0x7f7fffff, 0xff7fffff, 0x7f000000,
	0x3f000000, 0xbf000000, 0x3effffff, 0x3f000001, 0x3fc00000, 0xbfc00000, 0x40200000,
	0xc0200000, 0x3f7fffff, 0xbf7fffff, 0xbf800001,
	0x4b000001, 0x4affffff, 0x4afffffd, 0xcafffffd, 0x4b800001, 0x4b7fffff,
	0x4f000000, 0xcf000000, 0xcf000001, 0x4effffff, 0x4f800000, 0x4f7fffff,
	0x5f000000, 0xdf000000, 0xdf000001, 0x5effffff, 0x5f800000, 0x5f7fffff,
	0x33800000, 0x34000000, 0x33ffffff, 0xb3800000, 0x1f800000, 0x20000000, 0x00ffffff,
};

/* The same in double precision, and what is near the middle of two floats. */
static const uint64_t isa_doubles[] = {
	0, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
	0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000, 0x7fffffffffffffff,
	0x7ff0000000000001, 0xfff7ffffffffffff, 0x7ff4000000000000,
	1, 0x8000000000000001, 3, 0x0008000000000000, 0x000fffffffffffff, 0x800fffffffffffff,
	0x0010000000000000, 0x8010000000000000, 0x0010000000000001, 0x0020000000000000,
	0x7fefffffffffffff, 0xffefffffffffffff, 0x7fe0000000000000,
	0x3fe0000000000000, 0xbfe0000000000000, 0x3fdfffffffffffff, 0x3fe0000000000001,
	0x3ff8000000000000, 0xbff8000000000000, 0x4004000000000000, 0xc004000000000000,
	0x3fefffffffffffff, 0xbfefffffffffffff, 0xbff0000000000001,
	0x4330000000000001, 0x432fffffffffffff, 0xc32ffffffffffffd, 0x4340000000000001,
	0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000100000, 0xc1e0000000200000,
	0x41dfffffffc00000, 0x41dfffffffe00000, 0x41efffffffe00000, 0x41effffffff00000,
	0x43e0000000000000, 0xc3e0000000000000, 0xc3e0000000000001, 0x43dfffffffffffff,
	0x43f0000000000000, 0x43efffffffffffff,
	0x3ca0000000000000, 0x3cb0000000000000, 0x3ca0000000000001, 0xbca0000000000000,
	0x1ff0000000000000, 0x2000000000000000,
	0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0000010000001, 0x47efffffe0000000,
	0x47efffffefffffff, 0x47effffff0000000, 0x36a0000000000000, 0x3690000000000000,
	0x3690000000000001, 0x380fffffe0000000, 0x380ffffff0000000, 0xb6a8000000000000,
};

static const uint64_t isa_integers[] = {
	0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, -1, -2, -3,
	0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x100000000, -0x80000000LL, -0x80000001LL,
	0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0x4000000000000000,
	0x5555555555555555, 0xaaaaaaaaaaaaaaaa,
	/* halfway between two floats, and beside it */
	0x1000001, 0x1000003, 0x1000002, 0x7fffff8000000000, 0x7fffffc000000000,
	0x7fffffbfffffffff, 0xffffff7fffffffff, 0xffffff8000000000, 0xffffffbfffffffff,
	0x8000008000000000, 0x8000008000000001, 0x8000010000000000,
};

static inline uint32_t isa_float(uint64_t *state)
{
	uint64_t r = isa_random(state), kind = r % 16;
	uint32_t sign = r >> 4 & 0x80000000, bits = r >> 32;

	if (kind < 6)
		return isa_floats[bits % ISA_COUNT(isa_floats)];
	if (kind < 8)
		return bits;
	/* of one size, so that sums cancel and rests matter */
	if (kind < 11)
		return sign | (100 + bits % 60) << 23 | (bits >> 6 & 0x7fffff);
	/* few bits: products and sums that end in the middle between two floats */
	if (kind < 14)
		return sign | (120 + bits % 32) << 23 | ((bits >> 5 & 0xfff) << (bits >> 17) % 12);
	return sign | (bits % 4) << 23 | (bits >> 2 & 0x7fffff);
}

static inline uint64_t isa_double(uint64_t *state)
{
	uint64_t r = isa_random(state), kind = r % 16, bits = isa_random(state);
	uint64_t sign = r & 0x8000000000000000, fraction = bits & 0xfffffffffffff;

	if (kind < 5)
		return isa_doubles[bits % ISA_COUNT(isa_doubles)];
	if (kind < 7)
		return bits;
	/* of one size; of few bits; of the sizes of floats; subnormal */
	if (kind < 10)
		return sign | (990 + (r >> 8) % 60) << 52 | fraction;
	if (kind < 12)
		return sign | (1015 + (r >> 8) % 32) << 52 |
		       (bits & 0xfff) << 12 << (r >> 16) % 28;
	if (kind < 14)
		return sign | (870 + (r >> 8) % 290) << 52 | (fraction & ~0ULL << (r >> 20) % 52);
	return sign | (r >> 8) % 3 << 52 | fraction >> (r >> 20) % 52;
}

static inline uint64_t isa_integer(uint64_t *state)
{
	uint64_t r = isa_random(state), bits = isa_random(state);

	switch (r % 8) {
	case 0: case 1: case 2:
		return isa_integers[bits % ISA_COUNT(isa_integers)];
	case 3:
		return bits;
	case 4:
		return (uint32_t)bits;
	case 5:
		return (1ULL << bits % 64) - (bits >> 8 & 1);
	}
	return (bits & 1 ? -1 : 1) * (bits >> (24 + r / 8 % 40));
}

/* Two floats in one word; compilers differ in which operand they evaluate first. */
static inline uint64_t isa_pair(uint64_t *state)
{
	uint64_t low = isa_float(state);

	return low | (uint64_t)isa_float(state) << 32;
}

static inline uint64_t isa_word(uint64_t *state)
{
	return isa_random(state) & 1 ? isa_integer(state) : isa_pair(state);
}

static inline void isa_words(uint64_t *words, size_t count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		words[i] = isa_word(state);
}

/* What program @program of seed @seed finds. */
static inline void isa_fill(struct isa_memory *m, uint64_t seed, uint64_t program)
{
	uint64_t state = seed * 1000 + program;

	for (unsigned int i = 0; i < ISA_THREADS; i++) {
		struct isa_thread *t = &m->thread[i];

		for (unsigned int n = 0; n < 32; n++) {
			t->x[n] = isa_integer(&state);
			t->f[n] = isa_random(&state) & 1 ? isa_double(&state) :
				  0xffffffff00000000 | isa_float(&state);
		}
		for (unsigned int n = 0; n < ISA_COUNT(t->pool); n++)
			t->pool[n] = n < 16 ? isa_integer(&state) :
				     n < 40 ? isa_pair(&state) : isa_double(&state);
		isa_words(t->scratch, ISA_COUNT(t->scratch), &state);
	}
	isa_words(m->woven[0], ISA_COUNT(m->woven) * ISA_THREADS, &state);
	isa_words(m->table, ISA_COUNT(m->table), &state);
	isa_words(m->tally, ISA_COUNT(m->tally), &state);
}

static inline void isa_mix(uint64_t *sum, int first, uint64_t word)
{
	uint64_t state = first ? word : *sum ^ word;

	*sum = isa_random(&state);
}

static inline void isa_take(struct isa_result *to, const struct isa_memory *m)
{
	for (unsigned int i = 0; i < ISA_THREADS; i++) {
		const struct isa_thread *t = &m->thread[i];
		struct isa_left *left = &to->thread[i];

		for (unsigned int n = 0; n < 32; n++) {
			left->x[n] = t->x[n];
			left->f[n] = t->f[n];
			isa_mix(&left->woven[n / 8], n % 8 == 0, m->woven[n][i]);
		}
		for (unsigned int n = 0; n < ISA_COUNT(t->scratch); n++)
			isa_mix(&left->scratch[n / 8], n % 8 == 0, t->scratch[n]);
	}
	for (unsigned int n = 0; n < ISA_COUNT(to->tally); n++)
		to->tally[n] = m->tally[n];
}

/* A whole number of so many bits, as a float. */
static inline uint32_t isa_whole(uint64_t *state, unsigned int bits)
{
	uint64_t r = isa_random(state);
	union { float f; uint32_t u; } number;

	number.f = (float)((int64_t)(r % ((1ULL << bits) + 2)) * (r >> 63 ? -1 : 1));
	return number.u;
}

/*
 * Tiles of whole numbers small enough for integers, nearly so, and not at all; of some a
 * single element spoils it.
 */
static inline void isa_fill_tile(struct isa_tile *t, uint64_t seed, uint64_t tile)
{
	uint64_t state = ~seed * 1000 + tile, kind = isa_random(&state) % 4;
	uint32_t odd = isa_random(&state) % ISA_TILE_WORDS;

	t->ldd = 16 + isa_random(&state) % 4;
	t->lda = 16 + isa_random(&state) % 4;
	t->ldb = 16 + isa_random(&state) % 4;
	t->d = isa_random(&state) % 16;
	t->a = 340 + isa_random(&state) % 16;
	/* the factors may be the same memory, or share some */
	t->b = isa_random(&state) % 4 ? 680 + isa_random(&state) % 16 :
	       t->a + isa_random(&state) % 64;
	for (unsigned int n = 0; n < ISA_TILE_WORDS; n++)
		t->words[n] = kind == 3 ? isa_float(&state) :
			      isa_whole(&state, n < t->a ? (kind ? 23 : 20) : (kind ? 9 : 5));
	if (kind == 2)
		t->words[odd] = isa_float(&state);
}

#endif

// SPDX-License-Identifier: GPL-2.0
/* Random numbers for policies; see random.h. */
#include "policy/random.h"
#include "policy/policy_param.h"

UVM_POLICY_PARAM(eviction_seed, UINT, 1, 0, UINT_MAX,
		 "seed of policies that choose at random");

/* As for key_hash.c: the upper bits of a product with the golden ratio are the good ones. */
#define RANDOM_GOLDEN	0x9e3779b97f4a7c15ULL
/* How far apart the keys of two seeds are: any other odd number, pi's digits. */
#define RANDOM_SEEDS	0x243f6a8885a308d3ULL

void uvm_random_init(struct uvm_random *random, const struct uvm_params *params)
{
	/* xorshift never leaves 0 */
	random->state = uvm_param(params, eviction_seed) ?: 1;
}

/* Marsaglia's xorshift64. */
u64 uvm_random_next(struct uvm_random *random)
{
	u64 x = random->state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	random->state = x;
	return x;
}

u32 uvm_random_below(const struct uvm_params *params, u64 key, u32 below)
{
	u64 seed = uvm_param(params, eviction_seed);
	u64 mixed = (key + (seed - 1) * RANDOM_SEEDS) * RANDOM_GOLDEN;

	return (mixed >> 32) * below >> 32;
}

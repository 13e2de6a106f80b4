/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers for policies.  They follow from eviction_seed alone, so that a run repeats, and
 * another seed is another run.
 */
#ifndef UVM_POLICY_RANDOM_H
#define UVM_POLICY_RANDOM_H

#include <linux/types.h>

struct uvm_params;

/* Numbers one after the other; the state is never 0. */
struct uvm_random {
	u64 state;
};

/**
 * uvm_random_init - begin with the first number
 * @random: the numbers
 * @params: of the VA space whose seed it is
 */
void uvm_random_init(struct uvm_random *random, const struct uvm_params *params);

/**
 * uvm_random_next - the next number
 * @random: the numbers
 *
 * Return: 1 ... 2^64 - 1, each as likely as any other.
 */
u64 uvm_random_next(struct uvm_random *random);

/**
 * uvm_random_below - a number that follows from another one, for who can keep no state
 * @params: of the VA space whose seed it is
 * @key: what it is for
 * @below: how many numbers there are, below 2^32
 *
 * Return: 0 ... @below - 1, the same one whenever @key and the seed are.
 */
u32 uvm_random_below(const struct uvm_params *params, u64 key, u32 below);

#endif

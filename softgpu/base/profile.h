/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The values behind enum rm_profile_key, and where they come from.
 */
#ifndef SOFTGPU_BASE_PROFILE_H
#define SOFTGPU_BASE_PROFILE_H

#include <linux/types.h>
#include <softgpu/rm.h>

/**
 * struct sgpu_profile_key - one key
 * @name: its name
 * @unit: unit of its value
 * @what: description
 */
struct sgpu_profile_key {
	const char *name;
	const char *unit;
	const char *what;
};

/**
 * sgpu_profile_key - what a key means
 * @key: the key
 *
 * Return: its name and unit.
 */
const struct sgpu_profile_key *sgpu_profile_key(enum rm_profile_key key);

/**
 * sgpu_profile_name - a profile's name, by number
 * @index: from 0
 *
 * Return: the name, or NULL behind the last.
 */
const char *sgpu_profile_name(unsigned int index);

/**
 * sgpu_profile_source - where a value of a GPU comes from
 * @gpu: the GPU
 * @key: which value
 *
 * Return: a source (a paper, a table of a vendor), "assumed", or "set=" of the module parameter.
 */
const char *sgpu_profile_source(const struct rm_gpu *gpu, enum rm_profile_key key);

/**
 * sgpu_profile_load - fill in profile, profile_name, override and cycle_ps
 * @gpu: the GPU
 * @name: profile
 * @set: "key:value,key:value" or NULL
 *
 * Return: 0, or -EINVAL after one line of pr_err() that names what is wrong.
 */
int sgpu_profile_load(struct rm_gpu *gpu, const char *name, const char *set);

#endif

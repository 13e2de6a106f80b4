/* SPDX-License-Identifier: GPL-2.0 */
/* What a parameter is called, may be and means; how its value is read and written as text. */
#ifndef UVM_PARAM_ROW_H
#define UVM_PARAM_ROW_H

#include <linux/types.h>
#include <linux/uvm.h>
#include "policy/kinds.h"

enum uvm_param_source {
	UVM_PARAM_DEFAULT,
	UVM_PARAM_PROFILE,
	UVM_PARAM_MODULE,
	UVM_PARAM_VA_SPACE,
};

enum uvm_param_kind {
	UVM_PARAM_KIND_BOOL,
	UVM_PARAM_KIND_UINT,
	UVM_PARAM_KIND_POW2,
	UVM_PARAM_KIND_SIZES,
	UVM_PARAM_KIND_SIZE,
	UVM_PARAM_KIND_INT,
	UVM_PARAM_KIND_WORDS,
	UVM_PARAM_KIND_POLICY,
};

/* One of the words of a list (kind WORDS): its place is its bit. */
struct uvm_param_word {
	const char *name;
	const char *what;
};

/**
 * struct uvm_param_row - one parameter
 * @name: as users write it
 * @what: one sentence
 * @initial: nvidia-uvm's default; for what only we have, ours
 * @kind: enum uvm_param_kind
 * @run_time: can be set for one VA space
 * @min: of a number; the bits of an s32 for INT
 * @max: of a number, likewise
 * @words: with WORDS: which there are; the last one has no name
 * @policy: of which kind its value is, with POLICY
 * @offset: of its value in &struct uvm_params, unless a policy owns it
 */
struct uvm_param_row {
	char name[sizeof_field(struct uvm_get_param, name)];
	char what[sizeof_field(struct uvm_get_param, what)];
	const char *initial;
	enum uvm_param_kind kind;
	bool run_time;
	u32 min;
	u32 max;
	const struct uvm_param_word *words;
	enum uvm_policy_kind policy;
	size_t offset;
};

/**
 * uvm_param_is_number - is its value kept as a number, with or without a name?
 * @row: the parameter
 *
 * Return: true; false: it is a policy.
 */
static inline bool uvm_param_is_number(const struct uvm_param_row *row)
{
	return row->kind != UVM_PARAM_KIND_POLICY;
}

/**
 * uvm_param_parse - read a number, a size or a list of words
 * @row: the parameter, not of kind POLICY
 * @value: as users write it: digits only, no blank, no line end
 * @number: written if the value is good
 *
 * Return: 0, or -EINVAL if the parameter cannot have that value.
 */
int uvm_param_parse(const struct uvm_param_row *row, const char *value, u32 *number);

/**
 * uvm_param_print_number - write one as users do
 * @row: the parameter, not of kind POLICY
 * @number: one that uvm_param_parse() has given
 * @buf: where to
 * @size: of it, in bytes
 */
void uvm_param_print_number(const struct uvm_param_row *row, u32 number, char *buf, size_t size);

/**
 * uvm_param_size_name - what users call a size of memory
 * @bytes: the size
 *
 * Return: "4k", "64k" or "2m"; NULL: no other size has a name.
 */
const char *uvm_param_size_name(u64 bytes);

/**
 * uvm_param_choices - of how many words is its value one, or some?
 * @row: the parameter, not of kind POLICY
 *
 * Return: so many; 0: it is a number.
 */
unsigned int uvm_param_choices(const struct uvm_param_row *row);

/**
 * uvm_param_tell_choice - describe a word that its value may be, or have
 * @row: the parameter, not of kind POLICY
 * @i: below uvm_param_choices()
 * @out: name and sentence are written, which are empty before
 */
void uvm_param_tell_choice(const struct uvm_param_row *row, unsigned int i,
			   struct uvm_get_choice *out);

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters.  Pure but for the module parameters at the end.
 */
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/moduleparam.h>
#include <linux/nospec.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <kunit/visibility.h>
#include "policy/param.h"
#include "policy/policy.h"

enum uvm_param_kind {
	UVM_PARAM_KIND_BOOL,
	UVM_PARAM_KIND_UINT,
	UVM_PARAM_KIND_POW2,
	UVM_PARAM_KIND_SIZES,
	UVM_PARAM_KIND_SIZE,
	UVM_PARAM_KIND_INT,
	UVM_PARAM_KIND_POLICY,
};

/**
 * struct uvm_param_row - one parameter
 * @name: as users write it
 * @what: one sentence
 * @initial: nvidia-uvm's default
 * @kind: enum uvm_param_kind
 * @run_time: can be set for one VA space
 * @min: of a number; the bits of an s32 for INT
 * @max: of a number, likewise
 * @policy: of which kind its value is, with POLICY
 * @offset: of its value in &struct uvm_params
 */
struct uvm_param_row {
	char name[sizeof_field(struct uvm_get_param, name)];
	char what[sizeof_field(struct uvm_get_param, what)];
	const char *initial;
	enum uvm_param_kind kind;
	bool run_time;
	u32 min;
	u32 max;
	enum uvm_policy_kind policy;
	size_t offset;
};

static const struct uvm_param_row uvm_param_rows[UVM_PARAM_COUNT] = {
#define X(member, what_, initial_, kind_, min_, max_, run_time_) {	\
	.name = #member, .what = what_, .initial = initial_,		\
	.kind = UVM_PARAM_KIND_##kind_, .run_time = run_time_,		\
	.min = min_, .max = max_, .offset = offsetof(struct uvm_params, member), \
},
	UVM_PARAMS(X)
#undef X
#define P(kind_, member, what_, initial_) {				\
	.name = #member, .what = what_, .initial = initial_,		\
	.kind = UVM_PARAM_KIND_POLICY, .run_time = true,		\
	.policy = UVM_POLICY_##kind_, .offset = offsetof(struct uvm_params, member), \
},
	UVM_POLICY_KINDS(P)
#undef P
};

static const char *const uvm_param_sources[] = {
	[UVM_PARAM_DEFAULT] = "default",
	[UVM_PARAM_PROFILE] = "profile",
	[UVM_PARAM_MODULE] = "module",
	[UVM_PARAM_VA_SPACE] = "va_space",
};

/* Sizes of a chunk of memory, by name: kind SIZE; kind SIZES is a sum of some. */
static const struct {
	const char *name;
	u32 bytes;
} uvm_param_sizes[] = {
	{ "2m", 2097152 },
	{ "64k", 65536 },
	{ "4k", 4096 },
};

static u32 uvm_param_find_size(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(uvm_param_sizes); i++) {
		if (!strcmp(uvm_param_sizes[i].name, name))
			return uvm_param_sizes[i].bytes;
	}
	return 0;
}

static const char *uvm_param_size_name(u64 bytes)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(uvm_param_sizes); i++) {
		if (uvm_param_sizes[i].bytes == bytes)
			return uvm_param_sizes[i].name;
	}
	return NULL;
}

static bool uvm_param_is_number(const struct uvm_param_row *row)
{
	return row->kind <= UVM_PARAM_KIND_INT;
}

/* Digits only, after "-" at most: no "+", no other base, no line end. */
static int uvm_param_parse_int(const struct uvm_param_row *row, const char *value, u32 *number)
{
	const char *digits = value + (*value == '-');
	s32 n;

	if (!*digits || strspn(digits, "0123456789") != strlen(digits))
		return -EINVAL;
	if (kstrtos32(value, 10, &n) || n < (s32)row->min || n > (s32)row->max)
		return -EINVAL;
	*number = n;
	return 0;
}

static int uvm_param_parse_number(const struct uvm_param_row *row, const char *value, u32 *number)
{
	if (row->kind == UVM_PARAM_KIND_SIZE) {
		*number = uvm_param_find_size(value);
		return *number >= row->min && *number <= row->max ? 0 : -EINVAL;
	}
	if (row->kind == UVM_PARAM_KIND_INT)
		return uvm_param_parse_int(row, value, number);
	/* Digits only: no sign, no other base, no line end. */
	if (!*value || strspn(value, "0123456789") != strlen(value))
		return -EINVAL;
	if (kstrtou32(value, 10, number) || *number < row->min || *number > row->max)
		return -EINVAL;
	if (row->kind == UVM_PARAM_KIND_POW2 && !is_power_of_2(*number))
		return -EINVAL;
	if (row->kind == UVM_PARAM_KIND_SIZES && (*number & ~row->max))
		return -EINVAL;
	return 0;
}

static int uvm_param_index(const char *name)
{
	int i;

	for (i = 0; i < UVM_PARAM_COUNT; i++)
		if (!strcmp(uvm_param_rows[i].name, name))
			return i;
	return -ENOENT;
}

/* A parameter of its own, that is: no other bundle. */
static void uvm_params_assign_member(struct uvm_params *params, const char *name,
				     const char *value, enum uvm_param_source source)
{
	int index = uvm_param_index(name);

	if (WARN_ON_ONCE(index < 0) || index == UVM_PARAM_policy)
		return;
	WARN_ON_ONCE(uvm_params_assign(params, index, value ?: uvm_param_rows[index].initial,
				       source));
}

/* The default of each kind, and of what other bundles set; then what this one sets. */
static void uvm_params_assign_bundle(struct uvm_params *params,
				     const struct uvm_bundle_ops *bundle,
				     enum uvm_param_source source)
{
	const struct uvm_bundle_setting *s;
	const struct uvm_policy *other;
	unsigned int i;

	for (i = 0; i < UVM_PARAM_COUNT; i++)
		if (uvm_param_rows[i].kind == UVM_PARAM_KIND_POLICY)
			uvm_params_assign_member(params, uvm_param_rows[i].name, NULL, source);
	for (i = 0; (other = uvm_policy_nth(UVM_POLICY_bundle, i)); i++) {
		s = container_of(other, struct uvm_bundle_ops, policy)->settings;
		for (; s->param; s++)
			uvm_params_assign_member(params, s->param, NULL, source);
	}
	for (s = bundle->settings; s->param; s++)
		uvm_params_assign_member(params, s->param, s->value, source);
}

/**
 * uvm_params_assign - set one parameter if the value is good
 * @params: the values
 * @index: enum uvm_param
 * @value: as users write it
 * @source: who says so; a weaker source than the one in force changes nothing
 *
 * Return: 0 or -EINVAL, and then nothing has changed.
 */
int uvm_params_assign(struct uvm_params *params, unsigned int index, const char *value,
		      enum uvm_param_source source)
{
	const struct uvm_param_row *row = &uvm_param_rows[index];
	void *slot = (void *)params + row->offset;
	const void *policy = NULL;
	u32 number = 0;

	if (uvm_param_is_number(row)) {
		if (uvm_param_parse_number(row, value, &number))
			return -EINVAL;
	} else {
		/* the ops, of which it is the first member */
		policy = uvm_policy_find(row->policy, value);
		if (!policy)
			return -EINVAL;
	}
	if (source < params->source[index])
		return 0;
	if (uvm_param_is_number(row))
		WRITE_ONCE(*(u32 *)slot, number);
	else
		WRITE_ONCE(*(const void **)slot, policy);
	WRITE_ONCE(params->source[index], source);
	if (index == UVM_PARAM_policy)
		uvm_params_assign_bundle(params, params->policy, source);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_assign);

/**
 * uvm_params_defaults - nvidia-uvm's defaults
 * @params: written
 */
void uvm_params_defaults(struct uvm_params *params)
{
	unsigned int i;

	memset(params, 0, sizeof(*params));
	for (i = 0; i < UVM_PARAM_COUNT; i++)
		WARN_ON_ONCE(uvm_params_assign(params, i, uvm_param_rows[i].initial,
					       UVM_PARAM_DEFAULT));
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_defaults);

/**
 * uvm_params_set - set a run-time parameter of one VA space
 * @params: the VA space's values
 * @name: the parameter
 * @value: as users write it
 *
 * Return: 0, -ENOENT (no parameter of that name can be set at run time) or
 * -EINVAL.
 */
int uvm_params_set(struct uvm_params *params, const char *name, const char *value)
{
	unsigned int i;

	for (i = 0; i < UVM_PARAM_COUNT; i++) {
		if (uvm_param_rows[i].run_time && !strcmp(uvm_param_rows[i].name, name))
			return uvm_params_assign(params, i, value, UVM_PARAM_VA_SPACE);
	}
	return -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_set);

static const struct uvm_policy *uvm_param_policy(const struct uvm_params *params,
						 const struct uvm_param_row *row)
{
	const void *slot = (const void *)params + row->offset;

	return READ_ONCE(*(const struct uvm_policy *const *)slot);
}

static void uvm_param_print(const struct uvm_params *params, const struct uvm_param_row *row,
			    char *buf, size_t size)
{
	const void *slot = (const void *)params + row->offset;

	switch (row->kind) {
	case UVM_PARAM_KIND_SIZE:
		strscpy(buf, uvm_param_size_name(READ_ONCE(*(const u32 *)slot)), size);
		break;
	case UVM_PARAM_KIND_POLICY:
		strscpy(buf, uvm_param_policy(params, row)->name, size);
		break;
	case UVM_PARAM_KIND_INT:
		snprintf(buf, size, "%d", READ_ONCE(*(const s32 *)slot));
		break;
	default:
		snprintf(buf, size, "%u", READ_ONCE(*(const u32 *)slot));
	}
}

/* Of how many words its value is one; 0: it is a number. */
static unsigned int uvm_param_count_choices(const struct uvm_param_row *row)
{
	unsigned int i = 0;

	if (row->kind == UVM_PARAM_KIND_BOOL)
		return 2;
	/* the smallest come last */
	if (row->kind == UVM_PARAM_KIND_SIZE)
		while (i < ARRAY_SIZE(uvm_param_sizes) && uvm_param_sizes[i].bytes >= row->min)
			i++;
	if (row->kind == UVM_PARAM_KIND_POLICY)
		while (uvm_policy_nth(row->policy, i))
			i++;
	return i;
}

static void uvm_param_print_range(const struct uvm_param_row *row, struct uvm_get_param *out)
{
	out->choices = uvm_param_count_choices(row);
	if (row->kind == UVM_PARAM_KIND_INT) {
		out->min = (s32)row->min;
		out->max = (s32)row->max;
	} else if (!out->choices) {
		out->min = row->min;
		out->max = row->max;
	}
}

/**
 * uvm_params_get - describe a parameter
 * @params: the values
 * @index: enum uvm_param, from user space
 * @out: all but its index is written
 *
 * Return: 0, or -ENOENT past the last.
 */
int uvm_params_get(const struct uvm_params *params, unsigned int index,
		   struct uvm_get_param *out)
{
	const struct uvm_param_row *row;

	if (index >= UVM_PARAM_COUNT)
		return -ENOENT;
	index = array_index_nospec(index, UVM_PARAM_COUNT);
	row = &uvm_param_rows[index];
	memset_startat(out, 0, choices);
	strscpy(out->name, row->name, sizeof(out->name));
	uvm_param_print(params, row, out->value, sizeof(out->value));
	strscpy(out->source, uvm_param_sources[READ_ONCE(params->source[index])],
		sizeof(out->source));
	uvm_param_print_range(row, out);
	strscpy(out->what, row->what, sizeof(out->what));
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_get);

static void uvm_param_print_policy(const struct uvm_policy *policy, struct uvm_get_choice *out)
{
	strscpy(out->kind, uvm_policy_kind_name(policy->kind), sizeof(out->kind));
	strscpy(out->name, policy->name, sizeof(out->name));
	strscpy(out->what, policy->what, sizeof(out->what));
	strscpy(out->params, policy->params ?: "", sizeof(out->params));
	out->feeds = policy->feeds;
}

/**
 * uvm_params_choice - describe a value that a parameter may have
 * @out: the indices, from user space; all but them is written
 *
 * Return: 0, or -ENOENT past the last parameter, and past its last choice.
 */
int uvm_params_choice(struct uvm_get_choice *out)
{
	const struct uvm_param_row *row;
	unsigned int i;

	if (out->param >= UVM_PARAM_COUNT)
		return -ENOENT;
	row = &uvm_param_rows[array_index_nospec(out->param, UVM_PARAM_COUNT)];
	if (out->choice >= uvm_param_count_choices(row))
		return -ENOENT;
	i = array_index_nospec(out->choice, uvm_param_count_choices(row));
	memset_startat(out, 0, feeds);
	if (row->kind == UVM_PARAM_KIND_POLICY)
		uvm_param_print_policy(uvm_policy_nth(row->policy, i), out);
	else if (row->kind == UVM_PARAM_KIND_SIZE)
		strscpy(out->name, uvm_param_sizes[i].name, sizeof(out->name));
	else
		snprintf(out->name, sizeof(out->name), "%u", i);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_choice);

/* ---- module parameters: fixed at load -------------------------------- */

/* Values of the module; made on first use, since parameters come before init. */
static struct uvm_params uvm_module_params;
static bool uvm_module_params_made;

static struct uvm_params *uvm_params_module_make(void)
{
	if (!uvm_module_params_made) {
		uvm_params_defaults(&uvm_module_params);
		uvm_module_params_made = true;
	}
	return &uvm_module_params;
}

/**
 * uvm_params_module - what applies where no VA space is concerned
 *
 * Return: the module's values.
 */
const struct uvm_params *uvm_params_module(void)
{
	return uvm_params_module_make();
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_module);

/**
 * uvm_params_init - values of a new VA space: the module's
 * @params: written
 */
void uvm_params_init(struct uvm_params *params)
{
	*params = *uvm_params_module();
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_init);

/**
 * uvm_params_policy - the policy of a kind
 * @params: the values
 * @kind: which
 *
 * There is a parameter of each kind.
 *
 * Return: the policy.
 */
const struct uvm_policy *uvm_params_policy(const struct uvm_params *params,
					   enum uvm_policy_kind kind)
{
	const struct uvm_param_row *row = uvm_param_rows;

	while (row->kind != UVM_PARAM_KIND_POLICY || row->policy != kind)
		row++;
	return uvm_param_policy(params, row);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_policy);

bool uvm_params_name_state(const struct uvm_params *params, const struct uvm_range_state *state)
{
	for (unsigned int kind = 0; kind < UVM_POLICY_COUNT; kind++)
		if (uvm_params_policy(params, kind)->range_state == state)
			return true;
	return false;
}

/**
 * uvm_params_suggest - take a number that the GPUs' profile suggests
 * @index: enum uvm_param
 * @number: 0 for none
 *
 * At load, before anything is made by the parameters.  A module parameter that
 * was given stays as it is.
 *
 * Return: 0, or -EINVAL if the parameter cannot have that value.
 */
int uvm_params_suggest(unsigned int index, u64 number)
{
	const char *name;
	char value[24];

	if (!number)
		return 0;
	snprintf(value, sizeof(value), "%llu", number);
	name = value;
	if (uvm_param_rows[index].kind == UVM_PARAM_KIND_SIZE)
		name = uvm_param_size_name(number) ?: value;
	return uvm_params_assign(uvm_params_module_make(), index, name, UVM_PARAM_PROFILE);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_suggest);

static int uvm_param_module_set(const char *value, const struct kernel_param *kp)
{
	if (!value)
		return -EINVAL;
	return uvm_params_assign(uvm_params_module_make(), (unsigned long)kp->arg, value,
				 UVM_PARAM_MODULE);
}

static int uvm_param_module_get(char *buffer, const struct kernel_param *kp)
{
	const struct uvm_param_row *row = &uvm_param_rows[(unsigned long)kp->arg];

	char value[48];

	uvm_param_print(uvm_params_module(), row, value, sizeof(value));
	return sysfs_emit(buffer, "%s\n", value);
}

static const struct kernel_param_ops uvm_param_ops = {
	.set = uvm_param_module_set,
	.get = uvm_param_module_get,
};

#define X(member, ...) \
	module_param_cb(member, &uvm_param_ops, (void *)UVM_PARAM_##member, 0444);
UVM_PARAMS(X)
#undef X

#define P(kind, member, ...) \
	module_param_cb(member, &uvm_param_ops, (void *)UVM_PARAM_##member, 0444);
UVM_POLICY_KINDS(P)
#undef P

#define X(member, what, initial, ...) \
	MODULE_PARM_DESC(member, what " (default " initial ")");
UVM_PARAMS(X)
#undef X

#define P(kind, member, what, initial) \
	MODULE_PARM_DESC(member, what " (default " initial ")");
UVM_POLICY_KINDS(P)
#undef P

/**
 * uvm_params_counters_migrate - do counters move pages of this VA space?
 * @params: its parameters
 *
 * nvidia-uvm's policy for -1 is to leave it off but where the system has
 * address translation services; ours asks the residency policy.
 *
 * Return: true if so.
 */
bool uvm_params_counters_migrate(const struct uvm_params *params)
{
	s32 enable = READ_ONCE(params->perf_access_counter_migration_enable);

	if (enable >= 0)
		return enable;
	return uvm_residency_delays(READ_ONCE(params->residency_policy));
}

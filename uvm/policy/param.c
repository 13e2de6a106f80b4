// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters.  Pure but for the memory of what a VA space sets, and the module parameters at the
 * end.
 *
 * The driver's come first, by enum uvm_param, then those of policies, as the build finds them.
 */
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <kunit/visibility.h>
#include "policy/param.h"
#include "policy/policy.h"

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

/* Values of the module; made on first use, since parameters come before init. */
static struct uvm_params uvm_module_params;
static bool uvm_module_params_made;

/* ---- where a value is -------------------------------------------------------- */

static const struct uvm_param_row *uvm_param_row(unsigned int index)
{
	if (index < UVM_PARAM_COUNT)
		return &uvm_param_rows[index];
	return &uvm_policy_param_nth(index - UVM_PARAM_COUNT)->row;
}

static unsigned int uvm_param_count(void)
{
	return UVM_PARAM_COUNT + uvm_policy_param_count();
}

static int uvm_param_index(const char *name)
{
	unsigned int i;

	for (i = 0; i < uvm_param_count(); i++)
		if (!strcmp(uvm_param_row(i)->name, name))
			return i;
	return -ENOENT;
}

/* From now on the VA space has a value of its own, which begins as the module's. */
static struct uvm_param_own *uvm_param_make_own(struct uvm_params *params,
						struct uvm_policy_param *param)
{
	struct uvm_param_own *own = kmalloc(sizeof(*own), GFP_KERNEL_ACCOUNT);

	if (!own)
		return NULL;
	*own = (struct uvm_param_own){
		.next = params->own, .param = param,
		.value = param->value, .source = param->source,
	};
	/* pairs with uvm_param_find_own(): who finds it finds it whole */
	smp_store_release(&params->own, own);
	return own;
}

/**
 * struct uvm_param_place - where the value of a parameter is
 * @value: u32, s32, or a pointer to the ops of a policy
 * @source: enum uvm_param_source
 */
struct uvm_param_place {
	void *value;
	u8 *source;
};

static struct uvm_param_place uvm_param_own_place(struct uvm_param_own *own)
{
	return (struct uvm_param_place){ .value = &own->value, .source = &own->source };
}

/* Of what is in force; it is the module's if the VA space has none. */
static struct uvm_param_place uvm_param_place(const struct uvm_params *params, unsigned int index)
{
	struct uvm_policy_param *param;
	struct uvm_param_own *own;

	if (index < UVM_PARAM_COUNT)
		return (struct uvm_param_place){
			.value = (void *)params + uvm_param_rows[index].offset,
			.source = (u8 *)&params->source[index],
		};
	param = uvm_policy_param_nth(index - UVM_PARAM_COUNT);
	own = uvm_param_find_own(params, param);
	if (own)
		return uvm_param_own_place(own);
	return (struct uvm_param_place){ .value = &param->value, .source = &param->source };
}

/* Likewise, to write.  Return: 0 or -ENOMEM. */
static int uvm_param_place_to_set(struct uvm_params *params, unsigned int index,
				  struct uvm_param_place *place)
{
	struct uvm_policy_param *param;
	struct uvm_param_own *own;

	*place = uvm_param_place(params, index);
	if (index < UVM_PARAM_COUNT || params == &uvm_module_params)
		return 0;
	param = uvm_policy_param_nth(index - UVM_PARAM_COUNT);
	if (place->value != &param->value)
		return 0;
	own = uvm_param_make_own(params, param);
	if (!own)
		return -ENOMEM;
	*place = uvm_param_own_place(own);
	return 0;
}

/* ---- setting ------------------------------------------------------------------- */

/* A parameter of its own, that is: no other bundle. */
static int uvm_params_assign_member(struct uvm_params *params, const char *name,
				    const char *value, enum uvm_param_source source)
{
	int index = uvm_param_index(name), ret;

	if (WARN_ON_ONCE(index < 0) || index == UVM_PARAM_policy)
		return 0;
	ret = uvm_params_assign(params, index, value ?: uvm_param_row(index)->initial, source);
	WARN_ON_ONCE(ret == -EINVAL);
	return ret;
}

static int uvm_params_assign_settings(struct uvm_params *params,
				      const struct uvm_bundle_ops *bundle, bool reset,
				      enum uvm_param_source source)
{
	const struct uvm_bundle_setting *s;
	int ret = 0;

	for (s = bundle->settings; s->param && !ret; s++)
		ret = uvm_params_assign_member(params, s->param, reset ? NULL : s->value, source);
	return ret;
}

/* The default of each kind, and of what other bundles set; then what this one sets. */
static int uvm_params_assign_bundle(struct uvm_params *params,
				    const struct uvm_bundle_ops *bundle,
				    enum uvm_param_source source)
{
	const struct uvm_policy *other;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < UVM_PARAM_COUNT && !ret; i++)
		if (uvm_param_rows[i].kind == UVM_PARAM_KIND_POLICY)
			ret = uvm_params_assign_member(params, uvm_param_rows[i].name, NULL,
						       source);
	for (i = 0; !ret && (other = uvm_policy_nth(UVM_POLICY_bundle, i)); i++)
		ret = uvm_params_assign_settings(params,
						 container_of(other, struct uvm_bundle_ops, policy),
						 true, source);
	return ret ?: uvm_params_assign_settings(params, bundle, false, source);
}

static int uvm_params_assign_policy(struct uvm_params *params, unsigned int index,
				    const char *value, enum uvm_param_source source)
{
	const struct uvm_param_row *row = &uvm_param_rows[index];
	/* the ops, of which it is the first member */
	const void *policy = uvm_policy_find(row->policy, value);

	if (!policy)
		return -EINVAL;
	if (source < params->source[index])
		return 0;
	WRITE_ONCE(*(const void **)((void *)params + row->offset), policy);
	WRITE_ONCE(params->source[index], source);
	if (index == UVM_PARAM_policy)
		return uvm_params_assign_bundle(params, params->policy, source);
	return 0;
}

/**
 * uvm_params_assign - set one parameter if the value is good
 * @params: the values
 * @index: as uvm_params_get() counts, below what it knows; enum uvm_param for the driver's
 * @value: as users write it
 * @source: who says so; a weaker source than the one in force changes nothing
 *
 * Nobody else sets parameters of @params at the time.
 *
 * Return: 0; -EINVAL if the parameter cannot have that value, and then nothing has changed;
 * -ENOMEM, and then a bundle may be set in part.
 */
int uvm_params_assign(struct uvm_params *params, unsigned int index, const char *value,
		      enum uvm_param_source source)
{
	struct uvm_param_place place;
	u32 number;

	if (!uvm_param_is_number(uvm_param_row(index)))
		return uvm_params_assign_policy(params, index, value, source);
	if (uvm_param_parse(uvm_param_row(index), value, &number))
		return -EINVAL;
	if (source < READ_ONCE(*uvm_param_place(params, index).source))
		return 0;
	if (uvm_param_place_to_set(params, index, &place))
		return -ENOMEM;
	WRITE_ONCE(*(u32 *)place.value, number);
	WRITE_ONCE(*place.source, source);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_assign);

/**
 * uvm_params_defaults - nvidia-uvm's defaults; of policies' parameters what the module has
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
	int index = uvm_param_index(name);

	if (index < 0 || !uvm_param_row(index)->run_time)
		return -ENOENT;
	return uvm_params_assign(params, index, value, UVM_PARAM_VA_SPACE);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_set);

/* ---- copies -------------------------------------------------------------------- */

/**
 * uvm_params_free - give back what a VA space has of its own
 * @params: the values, which nobody looks at any more; @params itself stays
 */
void uvm_params_free(struct uvm_params *params)
{
	struct uvm_param_own *own, *next;

	for (own = params->own; own; own = next) {
		next = own->next;
		kfree(own);
	}
	params->own = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_free);

/**
 * uvm_params_dup - a copy that no later change reaches
 * @params: the values; nobody sets one at the time
 *
 * Return: the copy, for uvm_params_put(); NULL: no memory.
 */
struct uvm_params *uvm_params_dup(const struct uvm_params *params)
{
	struct uvm_params *copy = kmemdup(params, sizeof(*params), GFP_KERNEL_ACCOUNT);
	const struct uvm_param_own *own;
	struct uvm_param_own *made;

	if (!copy)
		return NULL;
	copy->own = NULL;
	for (own = params->own; own; own = own->next) {
		made = uvm_param_make_own(copy, own->param);
		if (!made) {
			uvm_params_put(copy);
			return NULL;
		}
		made->value = own->value;
		made->source = own->source;
	}
	return copy;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_dup);

/**
 * uvm_params_put - free a copy
 * @copy: of uvm_params_dup(), or NULL
 */
void uvm_params_put(struct uvm_params *copy)
{
	if (copy)
		uvm_params_free(copy);
	kfree(copy);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_put);

/* One of the driver's. */
static void uvm_param_copy_value(struct uvm_params *to, const struct uvm_params *from,
				 unsigned int index)
{
	const struct uvm_param_row *row = &uvm_param_rows[index];
	const void *value = (const void *)from + row->offset;
	void *slot = (void *)to + row->offset;

	if (uvm_param_is_number(row))
		WRITE_ONCE(*(u32 *)slot, *(const u32 *)value);
	else
		WRITE_ONCE(*(const void **)slot, *(const void *const *)value);
	WRITE_ONCE(to->source[index], from->source[index]);
}

/**
 * uvm_params_restore - as they were
 * @params: the values; readers may look meanwhile
 * @before: an earlier copy of them
 *
 * It allocates nothing: what got a value of its own since keeps the place, with the module's.  Each
 * value is written whole, and the list is never that of @before, which goes.
 */
void uvm_params_restore(struct uvm_params *params, const struct uvm_params *before)
{
	struct uvm_param_own *own;

	for (unsigned int i = 0; i < UVM_PARAM_COUNT; i++)
		uvm_param_copy_value(params, before, i);
	for (own = params->own; own; own = own->next) {
		const struct uvm_param_own *was = uvm_param_find_own(before, own->param);

		WRITE_ONCE(own->value, was ? was->value : own->param->value);
		WRITE_ONCE(own->source, was ? was->source : own->param->source);
	}
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_restore);

/* ---- telling ------------------------------------------------------------------- */

static const struct uvm_policy *uvm_param_policy(const struct uvm_params *params,
						 const struct uvm_param_row *row)
{
	const void *slot = (const void *)params + row->offset;

	return READ_ONCE(*(const struct uvm_policy *const *)slot);
}

static void uvm_param_print(const struct uvm_params *params, unsigned int index, char *buf,
			    size_t size)
{
	const struct uvm_param_row *row = uvm_param_row(index);
	const u32 *number = uvm_param_place(params, index).value;

	if (uvm_param_is_number(row))
		uvm_param_print_number(row, READ_ONCE(*number), buf, size);
	else
		strscpy(buf, uvm_param_policy(params, row)->name, size);
}

static unsigned int uvm_param_count_choices(const struct uvm_param_row *row)
{
	unsigned int i = 0;

	if (uvm_param_is_number(row))
		return uvm_param_choices(row);
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
 * @index: from user space
 * @out: all but its index is written
 *
 * Return: 0, or -ENOENT past the last.
 */
int uvm_params_get(const struct uvm_params *params, unsigned int index,
		   struct uvm_get_param *out)
{
	const struct uvm_param_row *row;

	if (index >= uvm_param_count())
		return -ENOENT;
	index = array_index_nospec(index, uvm_param_count());
	row = uvm_param_row(index);
	memset_startat(out, 0, choices);
	strscpy(out->name, row->name, sizeof(out->name));
	uvm_param_print(params, index, out->value, sizeof(out->value));
	strscpy(out->source, uvm_param_sources[READ_ONCE(*uvm_param_place(params, index).source)],
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

	if (out->param >= uvm_param_count())
		return -ENOENT;
	row = uvm_param_row(array_index_nospec(out->param, uvm_param_count()));
	if (out->choice >= uvm_param_count_choices(row))
		return -ENOENT;
	i = array_index_nospec(out->choice, uvm_param_count_choices(row));
	memset_startat(out, 0, feeds);
	if (uvm_param_is_number(row))
		uvm_param_tell_choice(row, i, out);
	else
		uvm_param_print_policy(uvm_policy_nth(row->policy, i), out);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(uvm_params_choice);

/* ---- module parameters: fixed at load -------------------------------- */

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
	char value[48];

	uvm_param_print(uvm_params_module(), (unsigned long)kp->arg, value, sizeof(value));
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

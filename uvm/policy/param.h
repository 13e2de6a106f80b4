/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters: how they are set and read by name; the driver's are in param_table.h. */
#ifndef UVM_PARAM_H
#define UVM_PARAM_H

#include <linux/types.h>
#include <linux/uvm.h>
#include "policy/param_table.h"
#include "policy/policy_param.h"
#include "policy/range_state.h"

void uvm_params_init(struct uvm_params *params);
void uvm_params_free(struct uvm_params *params);
struct uvm_params *uvm_params_dup(const struct uvm_params *params);
void uvm_params_put(struct uvm_params *copy);
void uvm_params_restore(struct uvm_params *params, const struct uvm_params *before);
int uvm_params_set(struct uvm_params *params, const char *name, const char *value);
int uvm_params_get(const struct uvm_params *params, unsigned int index,
		   struct uvm_get_param *out);
int uvm_params_choice(struct uvm_get_choice *out);
/* The policy of a kind. */
const struct uvm_policy *uvm_params_policy(const struct uvm_params *params,
					   enum uvm_policy_kind kind);
/**
 * uvm_params_name_state - does a policy in force name a range state?
 * @params: the values
 * @state: the range state
 *
 * Return: true if so: it is to be kept.
 */
bool uvm_params_name_state(const struct uvm_params *params, const struct uvm_range_state *state);
/* The module's values: what applies where no VA space is concerned. */
const struct uvm_params *uvm_params_module(void);

int uvm_params_suggest(unsigned int index, u64 number);

/* For param.c's users at load, and for tests. */
void uvm_params_defaults(struct uvm_params *params);
int uvm_params_assign(struct uvm_params *params, unsigned int index, const char *value,
		      enum uvm_param_source source);

/* Do access counters move pages of a VA space with these parameters? */
bool uvm_params_counters_migrate(const struct uvm_params *params);

#endif

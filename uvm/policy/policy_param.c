// SPDX-License-Identifier: GPL-2.0
/* Parameters of policies; see policy_param.h. */
#include <linux/compiler.h>
#include <linux/sysfs.h>
#include "policy/param_table.h"
#include "policy/policy_param.h"

struct uvm_param_own *uvm_param_find_own(const struct uvm_params *params,
					 const struct uvm_policy_param *param)
{
	/* pairs with uvm_param_make_own() */
	struct uvm_param_own *own = smp_load_acquire(&params->own);

	while (own && own->param != param)
		own = own->next;
	return own;
}

u32 uvm_policy_param(const struct uvm_params *params, const struct uvm_policy_param *param)
{
	const struct uvm_param_own *own = uvm_param_find_own(params, param);

	return own ? READ_ONCE(own->value) : READ_ONCE(param->value);
}
EXPORT_SYMBOL_IF_KUNIT(uvm_policy_param);

/* At load, maybe before the driver's are made. */
static int uvm_policy_param_set(const char *value, const struct kernel_param *kp)
{
	struct uvm_policy_param *param = kp->arg;
	u32 number;

	if (!value || uvm_param_parse(&param->row, value, &number))
		return -EINVAL;
	param->value = number;
	param->source = UVM_PARAM_MODULE;
	return 0;
}

static int uvm_policy_param_get(char *buffer, const struct kernel_param *kp)
{
	const struct uvm_policy_param *param = kp->arg;
	char value[48];

	uvm_param_print_number(&param->row, param->value, value, sizeof(value));
	return sysfs_emit(buffer, "%s\n", value);
}

const struct kernel_param_ops uvm_policy_param_ops = {
	.set = uvm_policy_param_set,
	.get = uvm_policy_param_get,
};

/* SPDX-License-Identifier: GPL-2.0 */
/* A parameter of a VA space changes. */
#ifndef UVM_VA_SPACE_PARAM_H
#define UVM_VA_SPACE_PARAM_H

#include "memory/pmm_types.h"

struct uvm_params;
struct uvm_va_space;

/*
 * Set a parameter, and do what takes more than to be read next time.  The VA space's lock is
 * held for writing.  Return: 0; -ENOENT, -EINVAL: see uvm_params_set(); -EBUSY: memory is in use
 * with another granularity or limit; -ENOMEM.  Then nothing has changed.
 */
int uvm_va_space_set_param(struct uvm_va_space *va_space, const char *name, const char *value);

/* How these parameters cut the memory of a GPU. */
struct uvm_pmm_shape uvm_params_shape(const struct uvm_params *params);

#endif

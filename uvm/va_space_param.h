/* SPDX-License-Identifier: GPL-2.0 */
/* A parameter of a VA space changes. */
#ifndef UVM_VA_SPACE_PARAM_H
#define UVM_VA_SPACE_PARAM_H

#include "memory/pmm_types.h"

struct uvm_params;
struct uvm_va_space;

/**
 * uvm_va_space_set_param - set a parameter, and do what takes more than to be read next time
 * @va_space: the VA space
 * @name: the parameter
 * @value: as text limit; -ENOMEM. Then nothing has changed.
 *
 * Context: va_space->lock held for writing; may sleep.
 * Return: 0; -ENOENT, -EINVAL: see uvm_params_set(); -EBUSY: memory is in use with another
 * granularity or
 */
int uvm_va_space_set_param(struct uvm_va_space *va_space, const char *name, const char *value);

/**
 * uvm_params_shape - how parameters cut the memory of a GPU
 * @params: the parameters
 *
 * Return: unit and limit of root_chunk_granularity and gpu_memory_limit_kb.
 */
struct uvm_pmm_shape uvm_params_shape(const struct uvm_params *params);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* A parameter of a VA space changes. */
#ifndef UVM_VA_SPACE_PARAM_H
#define UVM_VA_SPACE_PARAM_H

#include "memory/pmm_types.h"

struct uvm_params;

/**
 * uvm_params_shape - how parameters cut the memory of a GPU
 * @params: the parameters
 *
 * Return: unit and limit of root_chunk_granularity and gpu_memory_limit_kb.
 */
struct uvm_pmm_shape uvm_params_shape(const struct uvm_params *params);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Facts about GPUs and the driver, as JSON and for people. */
#ifndef UVM_DEVICE_JSON_H
#define UVM_DEVICE_JSON_H

#include <json-c/json.h>

#include "../../lib/uvm.h"

/* A VA space with all GPUs. */
int device_open_any(struct uvm **u);

/* Parameters of the driver; @u may be NULL. */
struct json_object *device_parameters_json(struct uvm *u);
void device_print_parameters(struct uvm *u);
/* Every policy: kind, parameter, name, what it does, parameters it looks at, feeds. */
struct json_object *device_policies_json(struct uvm *u);
void device_print_policies(struct uvm *u);

/* One GPU: facts and profile; NULL if there is no such GPU. */
struct json_object *device_gpu_json(struct uvm *u, int gpu);
int device_print_gpu(struct uvm *u, int gpu);
/* Of so many @entries that one; 0 if there is none of that name. */
uint64_t device_profile_value(struct uvm *u, int gpu, uint32_t entries, const char *name);

#endif

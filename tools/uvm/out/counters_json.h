/* SPDX-License-Identifier: GPL-2.0 */
/* Counters by processor, as JSON and for people. */
#ifndef UVM_COUNTERS_JSON_H
#define UVM_COUNTERS_JSON_H

#include <json-c/json.h>

#include "../../lib/uvm.h"

/* {"processor":"gpu0","faults":{...},...}; @gpus: how many there are. */
struct json_object *counters_json(int processor, int gpus, const struct uvm_counters *counters);

/* The same on stdout. */
void counters_print(int processor, int gpus, const struct uvm_counters *counters);

#endif

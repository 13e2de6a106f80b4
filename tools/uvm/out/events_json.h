/* SPDX-License-Identifier: GPL-2.0 */
/* Events as JSON objects and as lines for people. */
#ifndef UVM_EVENTS_JSON_H
#define UVM_EVENTS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/uvm.h>

#include "out/json_write.h"

/**
 * typedef event_resolve_fn - which allocation holds an address
 *
 * Fills name and offset and returns true, or returns false.
 */
typedef bool (*event_resolve_fn)(void *arg, uint64_t address, char *name, size_t room,
				 uint64_t *offset);

/* The mask of the types in a list like "gpu_fault,batch"; 0 if there is another, or none. */
uint64_t event_types_parse(const char *list);

/* Is there a mask for it? */
bool event_types_check(const char *list);

/* What to say of a list that is refused: the first such type, and what it may mean. */
void event_types_explain(FILE *to, const char *list);

/* One object with the fields that apply to the event; without memory json_lost(). */
struct json_object *event_to_json(const struct uvm_event *event, event_resolve_fn resolve,
				  void *arg);

/* One line: such an object as columns. */
void event_print_text(FILE *to, struct json_object *event);

#endif

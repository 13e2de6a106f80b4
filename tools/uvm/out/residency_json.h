/* SPDX-License-Identifier: GPL-2.0 */
/* Where pages are, as JSON objects and as lines for people: one per run of pages alike. */
#ifndef UVM_RESIDENCY_JSON_H
#define UVM_RESIDENCY_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../lib/uvm.h"

/* @pages of the allocation @name, from @offset on; all of a run are as @page. */
struct json_object *residency_to_json(const char *name, uint64_t offset, uint64_t pages,
				      const struct uvm_page_residency *page);

/* Every run of @count pages. */
void residency_print(FILE *to, bool json, const char *name, uint64_t offset,
		     const struct uvm_page_residency *pages, uint64_t count);

#endif

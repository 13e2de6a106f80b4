// SPDX-License-Identifier: GPL-2.0
/* In what order the data of each allocation have come, if a policy looks at that. */
#include <errno.h>

#include "out/json_write.h"
#include "run/run.h"
#include "uvm_cmd.h"

static void patterns_add(struct json_object *list, const char *name, uint64_t offset,
			 const struct uvm_get_pattern *found)
{
	struct json_object *o = json_object_new_object();

	json_add_text(o, "name", name);
	json_add_u64(o, "offset", offset);
	json_add_u64(o, "bytes", found->length);
	json_add_text(o, "pattern", uvm_pattern_name(found->pattern) ?: "unknown");
	json_append(list, o);
}

/* One allocation: advice for a part of it has cut it into several ranges. */
static int patterns_allocation(struct json_object *list, struct uvm *uvm, const char *name,
			       uint64_t base, uint64_t bytes)
{
	struct uvm_get_pattern found;
	uint64_t at;
	int err;

	for (at = base; at < base + bytes; at = found.base + found.length) {
		err = uvm_pattern(uvm, (void *)at, &found);
		if (err)
			return err;
		patterns_add(list, name, found.base - base, &found);
	}
	return 0;
}

int run_read_patterns(struct uvm *uvm, struct json_object **patterns)
{
	struct json_object *list = json_object_new_array();
	uint64_t at, bytes;
	char name[64];
	int err = 0;

	for (at = 0; !err && !uvm_next_managed(uvm, &at, &bytes, name, sizeof(name)); at += bytes)
		err = patterns_allocation(list, uvm, name, at, bytes);
	if (err) {
		json_object_put(list);
		return err == -ENOENT ? 0 : err;
	}
	*patterns = list;
	return 0;
}

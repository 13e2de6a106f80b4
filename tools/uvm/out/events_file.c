// SPDX-License-Identifier: GPL-2.0
/* The driver's events of a VA space, into a file. */
#include <errno.h>

#include "out/events_file.h"
#include "out/events_json.h"
#include "out/output.h"

static bool events_file_resolve(void *arg, uint64_t address, char *name, size_t room,
				uint64_t *offset)
{
	struct events_file *e = arg;

	return !uvm_find_allocation(e->uvm, address, name, room, offset);
}

static void events_file_event(void *arg, const struct uvm_event *event)
{
	struct events_file *e = arg;
	struct json_object *o = event_to_json(event, events_file_resolve, e);

	json_print_line(e->file, o);
	json_object_put(o);
}

int events_file_open(struct events_file *e, const char *path)
{
	e->uvm = NULL;
	e->file = output_open(path);
	return e->file ? 0 : -errno;
}

int events_file_start(struct events_file *e, struct uvm *u, uint64_t mask)
{
	e->uvm = u;
	return uvm_events_start(u, mask, events_file_event, e);
}

int events_file_stop(struct events_file *e, uint64_t *lost)
{
	*lost = uvm_events_dropped(e->uvm);
	return uvm_events_stop(e->uvm);
}

int events_file_close(struct events_file *e)
{
	int err = output_close(e->file) ? -EIO : 0;

	return json_lost() ? -ENOMEM : err;
}

// SPDX-License-Identifier: GPL-2.0
/* uvm run --residency: where all managed memory is when the kernels have ended. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "out/output.h"
#include "out/residency_json.h"
#include "run/run.h"
#include "uvm_cmd.h"

static int run_residency_allocation(FILE *file, struct uvm *uvm, const char *name, uint64_t base,
				    uint64_t bytes)
{
	struct uvm_page_residency *pages;
	uint64_t count = bytes / UVM_PAGE_SIZE;
	int err = -ENOMEM;

	pages = calloc(count, sizeof(*pages));
	if (pages)
		err = uvm_residency(uvm, (void *)base, bytes, pages);
	if (!err)
		residency_print(file, true, name, 0, pages, count);
	free(pages);
	return err;
}

static int run_residency_all(FILE *file, struct uvm *uvm)
{
	uint64_t at, bytes;
	char name[64];
	int err = 0;

	for (at = 0; !err && !uvm_next_managed(uvm, &at, &bytes, name, sizeof(name)); at += bytes)
		err = run_residency_allocation(file, uvm, name, at, bytes);
	return err;
}

int run_write_residency(const char *path, struct uvm *uvm, char *error, size_t room)
{
	FILE *file = output_open(path);
	int err;

	if (!file) {
		err = -errno;
		snprintf(error, room, "residency file %s: %s", path, strerror(errno));
		return err;
	}
	err = run_residency_all(file, uvm);
	if (err)
		snprintf(error, room, "residency: %s",
			 err == -ENOMEM ? "out of memory" : uvm_last_error(uvm));
	if (!err && json_lost()) {
		err = -ENOMEM;
		snprintf(error, room, "residency: out of memory");
	}
	if (output_close(file) && !err) {
		err = -errno;
		snprintf(error, room, "cannot write the residency file %s", path);
	}
	return err;
}

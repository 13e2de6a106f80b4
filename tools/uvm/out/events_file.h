/* SPDX-License-Identifier: GPL-2.0 */
/* The driver's events of a VA space, into a file: one JSON object per line. */
#ifndef UVM_EVENTS_FILE_H
#define UVM_EVENTS_FILE_H

#include <stdio.h>

#include "../../lib/uvm.h"

/**
 * struct events_file - a recording
 * @uvm: whose events
 * @file: where they go
 */
struct events_file {
	struct uvm *uvm;
	FILE *file;
};

/* Open @path; 0 or a negative errno. */
int events_file_open(struct events_file *e, const char *path);
/* Begin with the types of @mask (0: the usual ones) of @u; 0 or a negative errno. */
int events_file_start(struct events_file *e, struct uvm *u, uint64_t mask);
/* No more events; how many were lost.  0 or a negative errno. */
int events_file_stop(struct events_file *e, uint64_t *lost);
/* Close the file; 0, or -EIO: it could not be written. */
int events_file_close(struct events_file *e);

#endif

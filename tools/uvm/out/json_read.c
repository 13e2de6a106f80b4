// SPDX-License-Identifier: GPL-2.0
/*
 * JSON that is read.  json-c 0.16 goes on when an allocation fails, and dies of it or leaves something
 * out.  So it is left at once, with what it has by then: the command ends soon.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdbool.h>

#include "out/json_read.h"

static _Thread_local jmp_buf json_leave;
static _Thread_local bool json_reads;

void json_read_fail(void)
{
	if (json_reads)
		longjmp(json_leave, 1);
}

static struct json_object *json_left(void)
{
	json_reads = false;
	errno = ENOMEM;
	return NULL;
}

struct json_object *json_read(const char *text)
{
	struct json_object *value;

	if (setjmp(json_leave))
		return json_left();
	json_reads = true;
	value = json_tokener_parse(text);
	json_reads = false;
	return value;
}

struct json_object *json_read_file(int fd, int depth)
{
	struct json_object *value;

	if (setjmp(json_leave))
		return json_left();
	json_reads = true;
	value = json_object_from_fd_ex(fd, depth);
	json_reads = false;
	return value;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* JSON that is read. */
#ifndef UVM_JSON_READ_H
#define UVM_JSON_READ_H

#include <json-c/json.h>

/** json_read() - a value from its text; NULL: it is not JSON, or there is no memory (ENOMEM) */
struct json_object *json_read(const char *text);

/** json_read_file() - the same from an open file, with so many values within values */
struct json_object *json_read_file(int fd, int depth);

/** json_read_fail() - an allocation of this thread has failed; does not return while JSON is read */
void json_read_fail(void);

#endif

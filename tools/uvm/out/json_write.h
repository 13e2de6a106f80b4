/* SPDX-License-Identifier: GPL-2.0 */
/*
 * JSON that is made and written.  What lacks memory is remembered, and nothing is written from then
 * on: who has written a file or a page asks json_lost().
 */
#ifndef UVM_JSON_WRITE_H
#define UVM_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

/**
 * json_lost() - has something not been made or written, for want of memory?
 *
 * Once it is so it stays so.  Any thread may ask.
 */
bool json_lost(void);

/**
 * json_add() - put a value into an object
 * @to: the object; NULL: there was no memory for it
 * @key: of the value
 * @value: goes to @to, or is freed; NULL: there was no memory for it
 *
 * Return: @value, or NULL without memory.
 */
struct json_object *json_add(struct json_object *to, const char *key, struct json_object *value);

/** json_append() - the same for the end of a list */
struct json_object *json_append(struct json_object *list, struct json_object *value);

void json_add_u64(struct json_object *to, const char *key, uint64_t value);
void json_add_text(struct json_object *to, const char *key, const char *value);
void json_add_flag(struct json_object *to, const char *key, bool value);

/** json_new_decimal() - a number with one decimal */
struct json_object *json_new_decimal(double value);

/** json_write() - a value, without blanks; takes no memory itself */
void json_write(FILE *to, struct json_object *value);

/** json_print_line() - an object on one line */
void json_print_line(FILE *to, struct json_object *object);

#endif

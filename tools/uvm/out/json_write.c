// SPDX-License-Identifier: GPL-2.0
/*
 * JSON that is made and written; see json_write.h.  json-c's own writing goes on where it lacks
 * memory, and leaves out what has no room.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "out/json_write.h"

static atomic_bool json_is_lost;

bool json_lost(void)
{
	return atomic_load(&json_is_lost);
}

static struct json_object *json_lose(struct json_object *value)
{
	json_object_put(value);
	atomic_store(&json_is_lost, true);
	return NULL;
}

struct json_object *json_add(struct json_object *to, const char *key, struct json_object *value)
{
	if (!to || !value || json_object_object_add(to, key, value))
		return json_lose(value);
	return value;
}

struct json_object *json_append(struct json_object *list, struct json_object *value)
{
	if (!list || !value || json_object_array_add(list, value))
		return json_lose(value);
	return value;
}

void json_add_u64(struct json_object *to, const char *key, uint64_t value)
{
	json_add(to, key, json_object_new_uint64(value));
}

void json_add_text(struct json_object *to, const char *key, const char *value)
{
	json_add(to, key, json_object_new_string(value));
}

void json_add_flag(struct json_object *to, const char *key, bool value)
{
	json_add(to, key, json_object_new_boolean(value));
}

struct json_object *json_new_decimal(double value)
{
	char text[64];

	/* Written by us, so that no library version can change a digit. */
	snprintf(text, sizeof(text), "%.1f", value);
	return json_object_new_double_s(value, text);
}

static void json_write_text(FILE *to, const char *text, size_t length)
{
	static const char signs[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *sign;

	fputc('"', to);
	for (; length; length--, text++) {
		sign = *text ? strchr(signs, *text) : NULL;
		if (sign)
			fprintf(to, "\\%c", letters[sign - signs]);
		else if ((unsigned char)*text < ' ')
			fprintf(to, "\\u%04x", (unsigned char)*text);
		else
			fputc(*text, to);
	}
	fputc('"', to);
}

static void json_write_integer(FILE *to, struct json_object *value)
{
	int64_t number = json_object_get_int64(value);

	if (number < 0)
		fprintf(to, "%" PRId64, number);
	else
		fprintf(to, "%" PRIu64, json_object_get_uint64(value));
}

/* As it was read, or as who made it wrote it. */
static void json_write_double(FILE *to, struct json_object *value)
{
	const char *text = json_object_get_userdata(value);

	if (text)
		fputs(text, to);
	else
		fprintf(to, "%.17g", json_object_get_double(value));
}

static void json_write_list(FILE *to, struct json_object *list)
{
	size_t count = json_object_array_length(list);

	fputc('[', to);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc(',', to);
		json_write(to, json_object_array_get_idx(list, i));
	}
	fputc(']', to);
}

static void json_write_members(FILE *to, struct json_object *object)
{
	const char *separator = "";

	fputc('{', to);
	json_object_object_foreach(object, key, value) {
		fputs(separator, to);
		separator = ",";
		json_write_text(to, key, strlen(key));
		fputc(':', to);
		json_write(to, value);
	}
	fputc('}', to);
}

void json_write(FILE *to, struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_null:
		fputs("null", to);
		break;
	case json_type_boolean:
		fputs(json_object_get_boolean(value) ? "true" : "false", to);
		break;
	case json_type_double:
		json_write_double(to, value);
		break;
	case json_type_int:
		json_write_integer(to, value);
		break;
	case json_type_string:
		json_write_text(to, json_object_get_string(value),
				(size_t)json_object_get_string_len(value));
		break;
	case json_type_array:
		json_write_list(to, value);
		break;
	case json_type_object:
		json_write_members(to, value);
		break;
	}
}

void json_print_line(FILE *to, struct json_object *object)
{
	if (!object)
		json_lose(NULL);
	if (json_lost())
		return;
	json_write(to, object);
	fputc('\n', to);
}

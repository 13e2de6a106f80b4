// SPDX-License-Identifier: GPL-2.0
/* JSON as it is written: what json-c writes, too; and what is done without memory. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../uvm/out/json_write.h"
#include "test.h"

/* Read, and written again. */
static const char * const texts[] = {
	"{}", "[]", "null", "true", "false", "0", "-1", "9223372036854775807", "18446744073709551615",
	"-9223372036854775808", "1.50", "-0.125", "1e+30", "\"\"", "\"a/b\"", "\"\xc3\xa4\"",
	"\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\\u0000\"",
	"{\"a\":1,\"b\":{\"c\":[1,[2],{}],\"d\\n\":\"e\"},\"f\":null}",
};

/* What is written, to be freed. */
static char *written(struct json_object *value)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		abort();
	json_write(to, value);
	if (fclose(to))
		abort();
	return text;
}

static void test_texts(void)
{
	for (size_t i = 0; i < ROWS(texts); i++) {
		struct json_object *value = json_tokener_parse(texts[i]);
		char *got = written(value);

		CHECK(!strcmp(got, texts[i]), "row %zu: %s", i, got);
		CHECK(!strcmp(got, json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
								  JSON_C_TO_STRING_NOSLASHESCAPE)),
		      "row %zu: json-c", i);
		free(got);
		json_object_put(value);
	}
}

static void test_made(void)
{
	struct json_object *o = json_object_new_object(), *list;
	char *got;

	json_add_u64(o, "n", UINT64_MAX);
	json_add_text(o, "t", "x");
	json_add_flag(o, "f", true);
	json_add(o, "d", json_new_decimal(12.345));
	json_add(o, "r", json_object_new_double(0.1));
	list = json_add(o, "l", json_object_new_array());
	json_append(list, json_object_new_string("a"));
	got = written(o);
	CHECK(!strcmp(got, "{\"n\":18446744073709551615,\"t\":\"x\",\"f\":true,\"d\":12.3,"
		      "\"r\":0.10000000000000001,\"l\":[\"a\"]}"), "%s", got);
	CHECK(!json_lost(), "nothing is lost");
	free(got);
	json_object_put(o);
}

/* What could not be made, or put into what could not be made. */
static void test_lost(void)
{
	struct json_object *o = json_object_new_object();
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	CHECK(!json_add(o, "a", NULL), "no value");
	CHECK(json_lost(), "it is remembered");
	CHECK(!json_add(NULL, "a", json_object_new_object()), "no object");
	CHECK(!json_append(NULL, json_object_new_object()), "no list");
	json_add_u64(NULL, "a", 1);
	if (!to)
		abort();
	json_print_line(to, o);
	if (fclose(to))
		abort();
	CHECK(!*text, "no line is written: %s", text);
	free(text);
	json_object_put(o);
}

int main(void)
{
	test_texts();
	test_made();
	test_lost();
	return test_end("JSON");
}

// SPDX-License-Identifier: GPL-2.0
/* Trace files: a line for each type of record; what the converter makes of each line. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../uvm/out/perfetto.h"
#include "../uvm/out/trace_file.h"
#include "test.h"

/* ---- lines of a timeline --------------------------------------------- */

static const struct {
	struct softgpu_timeline_record record;
	const char *want;
} records[] = {
	{ { .type = SOFTGPU_TIMELINE_LOST, .gpu = 1, .time_ns = 5, .value = 7 },
	  "{\"timeline\":\"lost\",\"gpu\":1,\"time_ns\":5,\"count\":7}" },
	{ { .type = SOFTGPU_TIMELINE_LAUNCH, .time_ns = 5, .duration_ns = 6, .id = 2, .value = 99 },
	  "{\"timeline\":\"launch\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"launch\":2,"
	  "\"instructions\":99}" },
	{ { .type = SOFTGPU_TIMELINE_BLOCK, .unit = 3, .time_ns = 5, .duration_ns = 6, .id = 2,
	    .value = 41 },
	  "{\"timeline\":\"block\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"sm\":3,\"launch\":2,"
	  "\"block\":41}" },
	{ { .type = SOFTGPU_TIMELINE_STALL, .unit = 3, .time_ns = 5, .duration_ns = 6, .value = 8 },
	  "{\"timeline\":\"stall\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"sm\":3,\"warps\":8}" },
	{ { .type = SOFTGPU_TIMELINE_COPY, .unit = 1, .time_ns = 5, .duration_ns = 6,
	    .src = SOFTGPU_MEMORY_SYS, .dst = SOFTGPU_MEMORY_VID, .value = 4096 },
	  "{\"timeline\":\"copy\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"engine\":1,"
	  "\"src\":\"sys\",\"dst\":\"vid\",\"bytes\":4096}" },
	{ { .type = SOFTGPU_TIMELINE_COPY, .src = SOFTGPU_MEMORY_NONE, .dst = SOFTGPU_MEMORY_VID },
	  "{\"timeline\":\"copy\",\"gpu\":0,\"time_ns\":0,\"duration_ns\":0,\"engine\":0,"
	  "\"src\":\"none\",\"dst\":\"vid\",\"bytes\":0}" },
	{ { .type = SOFTGPU_TIMELINE_FAULT, .unit = 2, .time_ns = 5, .id = 0x1000, .value = 12 },
	  "{\"timeline\":\"fault\",\"gpu\":0,\"time_ns\":5,\"gpc\":2,\"address\":4096,"
	  "\"waiting\":12}" },
	{ { .type = SOFTGPU_TIMELINE_REPLAY, .time_ns = 5, .value = 12 },
	  "{\"timeline\":\"replay\",\"gpu\":0,\"time_ns\":5,\"waiting\":12}" },
	{ { .type = SOFTGPU_TIMELINE_SWITCH, .unit = 3, .time_ns = 5, .duration_ns = 6, .id = 1,
	    .value = 4 },
	  "{\"timeline\":\"switch\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"sm\":3,\"out\":1,"
	  "\"in\":4}" },
	{ { .type = SOFTGPU_TIMELINE_SWITCH, .id = SOFTGPU_SWITCH_NONE, .value = 4 },
	  "{\"timeline\":\"switch\",\"gpu\":0,\"time_ns\":0,\"duration_ns\":0,\"sm\":0,\"in\":4}" },
	{ { .type = 77, .time_ns = 5, .value = 12 },
	  "{\"timeline\":\"unknown\",\"gpu\":0,\"time_ns\":5,\"count\":12}" },
};

static void test_records(void)
{
	unsigned int i;

	for (i = 0; i < ROWS(records); i++) {
		struct json_object *o = trace_timeline_json(&records[i].record, NULL, NULL);
		const char *got = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);

		CHECK(!strcmp(got, records[i].want), "row %u: %s", i, got);
		json_object_put(o);
	}
}

/* ---- conversion ------------------------------------------------------ */

#define HEAD	"{\"softuvm_trace\":1,\"clock\":\"virtual\",\"gpus\":[{\"gpu\":0,\"sms\":2}]}\n"
#define END	"{\"end\":1}\n"

/* The output, or NULL with @line and @error. */
static char *convert(const char *text, unsigned long *line, const char **error)
{
	FILE *from = fmemopen((void *)text, strlen(text), "r"), *to;
	char *out = NULL;
	size_t bytes;
	int ret;

	to = open_memstream(&out, &bytes);
	if (!from || !to)
		abort();
	ret = perfetto_convert(from, to, line, error);
	fclose(from);
	fclose(to);
	if (ret) {
		free(out);
		out = NULL;
	}
	return out;
}

/* One line in, and a piece of what must come out. */
static const struct {
	const char *line;
	const char *want;
} lines[] = {
	{ "{\"event\":\"batch\",\"gpu\":0,\"batch\":3,\"faults\":9,\"time_ns\":1500,\"duration_ns\":2001}",
	  "\"name\":\"batch 3\",\"ts\":1.500,\"dur\":2.001,\"args\":{\"event\":\"batch\",\"gpu\":0,"
	  "\"batch\":3,\"faults\":9}}" },
	{ "{\"event\":\"phase\",\"gpu\":0,\"phase\":\"map\",\"work\":\"fetch\",\"time_ns\":7,\"duration_ns\":9}",
	  "\"args\":{\"name\":\"bottom half of GPU 0\"}" },
	{ "{\"event\":\"phase\",\"phase\":\"map\",\"work\":\"cpu_fault\",\"time_ns\":7,\"duration_ns\":9}",
	  "\"args\":{\"name\":\"CPU faults\"}" },
	{ "{\"event\":\"phase\",\"gpu\":0,\"phase\":\"map\",\"work\":\"migrate\",\"time_ns\":7,\"duration_ns\":9}",
	  "\"args\":{\"name\":\"explicit migrations\"}" },
	{ "{\"event\":\"cpu_fault\",\"access\":\"write\",\"time_ns\":7}",
	  "\"name\":\"write\",\"ts\":0.007,\"s\":\"t\"" },
	{ "{\"event\":\"migration\",\"gpu\":0,\"bytes\":64,\"src\":\"cpu\",\"dst\":\"gpu0\",\"cause\":\"fault\",\"time_ns\":7,\"duration_ns\":9}",
	  "{\"ph\":\"C\",\"pid\":100,\"tid\":2,\"name\":\"net bytes migrated here\",\"ts\":0.016,"
	  "\"args\":{\"value\":64}}" },
	{ "{\"event\":\"migration\",\"gpu\":0,\"bytes\":64,\"src\":\"cpu\",\"dst\":\"gpu0\",\"cause\":\"fault\",\"time_ns\":7,\"duration_ns\":9}",
	  "\"args\":{\"name\":\"migrations cpu to gpu0\"}" },
	{ "{\"event\":\"eviction\",\"gpu\":0,\"bytes\":64,\"time_ns\":7,\"duration_ns\":9}",
	  "\"args\":{\"name\":\"evictions\"}" },
	{ "{\"event\":\"throttle\",\"gpu\":0,\"time_ns\":7,\"duration_ns\":9}",
	  "\"args\":{\"name\":\"thrashing\"}" },
	{ "{\"event\":\"of another day\",\"gpu\":0,\"time_ns\":7}",
	  "\"args\":{\"name\":\"other events\"}" },
	{ "{\"event\":\"gpu_fault\",\"gpu\":0,\"access\":\"read\",\"time_ns\":7}",
	  "\"args\":{\"name\":\"faults\"}" },
	{ "{\"timeline\":\"launch\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"launch\":2}",
	  "\"name\":\"launch 2\",\"ts\":0.005,\"dur\":0.006" },
	{ "{\"timeline\":\"stall\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"sm\":1,\"warps\":8}",
	  "\"args\":{\"name\":\"SM 1\"}" },
	{ "{\"timeline\":\"block\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"sm\":1,\"block\":8}",
	  "\"args\":{\"name\":\"SM 1 blocks\"}" },
	{ "{\"timeline\":\"copy\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"engine\":2,\"src\":\"sys\",\"dst\":\"vid\"}",
	  "\"args\":{\"name\":\"copy engine 2 from system memory\"}" },
	{ "{\"timeline\":\"copy\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"engine\":2,\"src\":\"vid\",\"dst\":\"sys\"}",
	  "\"args\":{\"name\":\"copy engine 2 to system memory\"}" },
	{ "{\"timeline\":\"copy\",\"gpu\":0,\"time_ns\":5,\"duration_ns\":6,\"engine\":2,\"src\":\"none\",\"dst\":\"vid\"}",
	  "\"name\":\"memset\"" },
	{ "{\"timeline\":\"fault\",\"gpu\":0,\"time_ns\":5,\"waiting\":6}",
	  "\"name\":\"accesses waiting for a replay\",\"ts\":0.005,\"args\":{\"value\":6}" },
	{ "{\"timeline\":\"replay\",\"gpu\":0,\"time_ns\":5,\"waiting\":6}",
	  "\"name\":\"accesses waiting for a replay\",\"ts\":0.005,\"args\":{\"value\":0}" },
};

static void test_lines(void)
{
	char text[1024], *out;
	const char *error;
	unsigned long line;
	unsigned int i;

	for (i = 0; i < ROWS(lines); i++) {
		struct json_object *o;

		snprintf(text, sizeof(text), "%s%s\n%s", HEAD, lines[i].line, END);
		out = convert(text, &line, &error);
		CHECK(out && strstr(out, lines[i].want), "row %u: %s", i, out ? out : error);
		o = out ? json_tokener_parse(out) : NULL;
		CHECK(o, "row %u is no JSON", i);
		json_object_put(o);
		free(out);
	}
}

static const struct {
	const char *text;
	unsigned long line;
} bad[] = {
	{ "", 1 },
	{ "garbage\n", 1 },
	{ "{\"event\":\"batch\"}\n", 1 },
	{ "{\"softuvm_trace\":2}\n" END, 1 },
	{ HEAD, 2 },
	{ HEAD "[1]\n" END, 2 },
	{ HEAD "{\"event\":\"batch\"\n" END, 2 },
	{ HEAD "{\"what\":1}\n" END, 2 },
	{ HEAD "{\"event\":\"batch\",\"gpu\":999}\n" END, 2 },
	{ HEAD END "{\"event\":\"batch\",\"gpu\":0}\n", 3 },
};

static void test_bad(void)
{
	const char *error;
	unsigned long line;
	unsigned int i;
	char *out;

	for (i = 0; i < ROWS(bad); i++) {
		/* fmemopen() cannot open what is empty. */
		out = convert(bad[i].text[0] ? bad[i].text : "\n", &line, &error);
		CHECK(!out, "row %u was accepted", i);
		CHECK(line == bad[i].line, "row %u: line %lu, %s", i, line, error);
		free(out);
	}
}

/* ---- order and nesting ----------------------------------------------- */

static const char mixed[] =
	HEAD
	"{\"event\":\"phase\",\"gpu\":0,\"phase\":\"fetch\",\"work\":\"fetch\",\"time_ns\":100,\"duration_ns\":10}\n"
	"{\"event\":\"phase\",\"gpu\":0,\"phase\":\"map\",\"work\":\"fetch\",\"time_ns\":110,\"duration_ns\":50}\n"
	/* the bracket of the last phase ends after that of the batch, as on the real clock */
	"{\"event\":\"batch\",\"gpu\":0,\"batch\":1,\"time_ns\":100,\"duration_ns\":55}\n"
	"{\"event\":\"migration\",\"gpu\":0,\"bytes\":8,\"src\":\"cpu\",\"dst\":\"gpu0\",\"cause\":\"a\",\"time_ns\":90,\"duration_ns\":30}\n"
	"{\"event\":\"migration\",\"gpu\":0,\"bytes\":8,\"src\":\"cpu\",\"dst\":\"gpu0\",\"cause\":\"b\",\"time_ns\":100,\"duration_ns\":30}\n"
	"{\"event\":\"migration\",\"gpu\":0,\"bytes\":16,\"src\":\"gpu0\",\"dst\":\"cpu\",\"cause\":\"c\",\"time_ns\":140,\"duration_ns\":1}\n"
	END;

static struct json_object *slice(struct json_object *list, const char *name)
{
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i), *n, *ph;

		if (json_object_object_get_ex(o, "name", &n) &&
		    !strcmp(json_object_get_string(n), name) &&
		    json_object_object_get_ex(o, "ph", &ph) &&
		    !strcmp(json_object_get_string(ph), "X"))
			return o;
	}
	return NULL;
}

static double number(struct json_object *o, const char *key)
{
	struct json_object *value;

	return o && json_object_object_get_ex(o, key, &value) ? json_object_get_double(value) : -1;
}

static void test_order(void)
{
	struct json_object *o, *list = NULL;
	double last = 0;
	const char *error;
	unsigned long line;
	size_t i;
	char *out = convert(mixed, &line, &error);

	CHECK(out, "%s", error);
	if (!out)
		return;
	o = json_tokener_parse(out);
	CHECK(o && json_object_object_get_ex(o, "traceEvents", &list), "%s", out);
	for (i = 0; list && i < json_object_array_length(list); i++) {
		double ts = number(json_object_array_get_idx(list, i), "ts");

		CHECK(ts < 0 || ts >= last, "object %zu goes back in time", i);
		last = ts < 0 ? last : ts;
	}
	/* Overlapping ones are on tracks of their own, the phase ends with its batch. */
	CHECK(number(slice(list, "a"), "tid") != number(slice(list, "b"), "tid"), "%s", out);
	CHECK(number(slice(list, "map"), "dur") == 0.045, "%s", out);
	CHECK(number(slice(list, "map"), "tid") == number(slice(list, "batch 1"), "tid"), "%s",
	      out);
	CHECK(strstr(out, "\"ts\":0.130,\"args\":{\"value\":16}"), "sum of migrations: %s", out);
	CHECK(strstr(out, "\"ts\":0.141,\"args\":{\"value\":0}"), "and back: %s", out);
	json_object_put(o);
	free(out);
}

int main(void)
{
	test_records();
	test_lines();
	test_bad();
	test_order();
	return test_end("perfetto");
}

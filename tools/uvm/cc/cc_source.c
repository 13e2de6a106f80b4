// SPDX-License-Identifier: GPL-2.0
/* Reads clang's syntax tree, for names, types and lines of what a source defines. */
#include <stdio.h>
#include <string.h>

#include "cc/cc.h"
#include "cc/cc_source.h"

/* The tree gives a file or a line only where it differs from what was printed last. */
struct cc_place {
	const char *file;
	int line;
};

static const char *cc_text(struct json_object *node, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(node, key, &value) ? json_object_get_string(value) : "";
}

/* Follow a location, in the order of printing; "includedFrom" is about another file. */
static void cc_place_follow(struct cc_place *place, struct json_object *location)
{
	if (!json_object_is_type(location, json_type_object))
		return;
	json_object_object_foreach(location, key, value) {
		if (!strcmp(key, "file"))
			place->file = json_object_get_string(value);
		else if (!strcmp(key, "line"))
			place->line = json_object_get_int(value);
		else if (strcmp(key, "includedFrom"))
			cc_place_follow(place, value);
	}
}

static bool cc_has_body(struct json_object *node)
{
	struct json_object *inner;
	size_t count;

	if (!json_object_object_get_ex(node, "inner", &inner))
		return false;
	count = json_object_array_length(inner);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(cc_text(json_object_array_get_idx(inner, i), "kind"), "CompoundStmt"))
			return true;
	return false;
}

static void cc_add_definition(struct cc_source *source, struct json_object *node,
			      const struct cc_place *place, bool function)
{
	struct json_object *type;

	if (source->count++ >= CC_DEFINITIONS)
		return;
	source->list[source->count - 1] = (struct cc_definition){
		.name = cc_text(node, "name"),
		.type = json_object_object_get_ex(node, "type", &type) ?
			cc_text(type, "qualType") : "",
		.file = place->file ? place->file : "", .line = place->line,
		.function = function,
	};
}

/* Of variables those that outlive a call: at file scope (@top), or static. */
static void cc_visit(struct cc_source *source, struct cc_place *place, struct json_object *node,
		     bool top)
{
	const char *kind = cc_text(node, "kind"), *storage = cc_text(node, "storageClass");
	struct json_object *inner;
	struct cc_place at;

	/* "loc" comes first, "range" next, and "inner" behind both. */
	if (json_object_object_get_ex(node, "loc", &inner))
		cc_place_follow(place, inner);
	at = *place;
	if (json_object_object_get_ex(node, "range", &inner))
		cc_place_follow(place, inner);

	if (!strcmp(kind, "FunctionDecl") && strcmp(storage, "static") && cc_has_body(node))
		cc_add_definition(source, node, &at, true);
	if (!strcmp(kind, "VarDecl") && (top || !strcmp(storage, "static")))
		cc_add_definition(source, node, &at, false);
	if (!json_object_object_get_ex(node, "inner", &inner))
		return;
	for (size_t i = 0; i < json_object_array_length(inner); i++)
		cc_visit(source, place, json_object_array_get_idx(inner, i),
			 !strcmp(kind, "TranslationUnitDecl"));
}

bool cc_source_read(struct cc_source *source, struct json_object *tree)
{
	struct cc_place place = { 0 };

	source->count = 0;
	cc_visit(source, &place, tree, false);
	if (source->count <= CC_DEFINITIONS)
		return true;
	fprintf(stderr, "uvm cc: %d functions and variables in one source, and there can be %d\n",
		source->count, CC_DEFINITIONS);
	return false;
}

bool cc_is_kernel(const struct cc_definition *definition)
{
	const char *type = definition->type;

	if (!definition->function || strncmp(type, "void (", 6))
		return false;
	if (!strcmp(type, "void (void)") || !strcmp(type, "void ()"))
		return true;
	return !strchr(type, ',') && !strchr(type + 6, '(') &&
	       (cc_ends_with(type, "*)") || cc_ends_with(type, "*restrict)") ||
		cc_ends_with(type, "*const)"));
}

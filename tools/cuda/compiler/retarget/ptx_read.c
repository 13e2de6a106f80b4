// SPDX-License-Identifier: GPL-2.0
/* The parts of a statement of PTX. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ptx.h"

static char *skip(char *text, const char *letters)
{
	return text + strspn(text, letters);
}

/* "@p" or "@!p". */
static char *read_guard(char *text, struct ptx_statement *s)
{
	size_t length;

	if (*text != '@')
		return text;
	s->negated = *++text == '!';
	text += s->negated;
	length = strcspn(text, " ");
	if (length >= sizeof(s->guard))
		return NULL;
	snprintf(s->guard, sizeof(s->guard), "%.*s", (int)length, text);
	return skip(text + length, " ");
}

bool ptx_has_address(const char *name)
{
	static const char * const names[] = { "ld_", "st_", "atom_", "red_", "cp_async_ca_",
					      "cp_async_cg_" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return !strcmp(name, "cp_async");
}

/* Without the word @word, which has "_" on both sides. */
static bool drop(char *name, const char *word)
{
	char *at = strstr(name, word);

	if (at)
		memmove(at, at + strlen(word) - 1, strlen(at + strlen(word) - 1) + 1);
	return at;
}

/*
 * There is one address space, every access is as strong as the strongest, caches take no wishes, and
 * numbers are not flushed.
 */
static void simplify_name(struct ptx_statement *s)
{
	static const char * const words[] = {
		"_weak_", "_relaxed_", "_acquire_", "_release_", "_acq_rel_", "_volatile_",
		"_cta_", "_cluster_", "_gpu_", "_sys_",
		"_global_", "_const_", "_local_",
		"_nc_", "_ca_", "_cg_", "_cs_", "_lu_", "_cv_", "_wb_", "_wt_",
		"_L1__no_allocate_", "_L1__evict_first_", "_L1__evict_last_", "_L1__evict_normal_",
		"_L1__evict_unchanged_", "_L2__64B_", "_L2__128B_", "_L2__256B_",
	};

	size_t length = strlen(s->name);

	drop(s->name, "_ftz_");
	if (!ptx_has_address(s->name) || length + 1 == sizeof(s->name))
		return;
	/* The last word has "_" on both sides, too. */
	strcat(s->name, "_");
	s->shared = drop(s->name, "_shared__cta_") || drop(s->name, "_shared_");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		drop(s->name, words[i]);
	s->name[strlen(s->name) - 1] = 0;
}

static char *read_name(char *text, struct ptx_statement *s)
{
	size_t length = strcspn(text, " ");

	if (length >= sizeof(s->name))
		return NULL;
	snprintf(s->name, sizeof(s->name), "%.*s", (int)length, text);
	for (char *c = s->name; *c; c++)
		*c = isalnum((unsigned char)*c) ? *c : '_';
	simplify_name(s);
	return skip(text + length, " ");
}

/* Without blanks behind it; only an address may be a sum. */
static bool add_operand(char *text, size_t length, bool address, struct ptx_statement *s)
{
	while (length && text[length - 1] == ' ')
		length--;
	if (!length || s->count == PTX_OPERANDS_MAX || (!address && memchr(text, '+', length)))
		return false;
	text[length] = 0;
	s->operand[s->count++] = text;
	return true;
}

/* Operands have commas between them, also those that braces hold together. */
static bool read_operands(char *text, struct ptx_statement *s)
{
	unsigned int position = 0, inside = 0;

	while (*(text = skip(text, " "))) {
		char close = *text == '{' ? '}' : *text == '[' ? ']' : 0, end;
		size_t length;

		if (close == '}')
			inside = 1;
		text = close ? skip(text + 1, " ") : text;
		length = strcspn(text, inside ? ",}" : close ? "]" : ",");
		end = text[length];
		if ((close || inside) && !end)
			return false;
		if (!add_operand(text, length, close == ']', s))
			return false;
		text += length + !!end;
		if (inside && position < 2)
			s->vector[position]++;
		if (inside && end == ',')
			continue;
		if (inside || close) {
			text = skip(text, " ");
			if (*text && *text++ != ',')
				return false;
		}
		inside = 0;
		position++;
	}
	return !inside;
}

bool ptx_read(char *text, struct ptx_statement *s)
{
	memset(s, 0, sizeof(*s));
	/* Blocks in braces, around or behind statements: names are not used twice. */
	text = skip(text, " {}");
	text = read_guard(text, s);
	text = text ? read_name(text, s) : NULL;
	return text && read_operands(text, s);
}

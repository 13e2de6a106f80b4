// SPDX-License-Identifier: GPL-2.0
/* Values of parameters as text; see param_row.h. */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/string.h>
#include "policy/param_row.h"

/* Sizes of a chunk of memory, by name: kind SIZE; kind SIZES is a sum of some. */
static const struct {
	const char *name;
	u32 bytes;
} param_sizes[] = {
	{ "2m", 2097152 },
	{ "64k", 65536 },
	{ "4k", 4096 },
};

/* A list without a word. */
#define PARAM_NO_WORDS	"none"

static u32 param_find_size(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(param_sizes); i++) {
		if (!strcmp(param_sizes[i].name, name))
			return param_sizes[i].bytes;
	}
	return 0;
}

const char *uvm_param_size_name(u64 bytes)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(param_sizes); i++) {
		if (param_sizes[i].bytes == bytes)
			return param_sizes[i].name;
	}
	return NULL;
}

/* Digits only, after "-" at most: no "+", no other base, no line end. */
static int param_parse_int(const struct uvm_param_row *row, const char *value, u32 *number)
{
	const char *digits = value + (*value == '-');
	s32 n;

	if (!*digits || strspn(digits, "0123456789") != strlen(digits))
		return -EINVAL;
	if (kstrtos32(value, 10, &n) || n < (s32)row->min || n > (s32)row->max)
		return -EINVAL;
	*number = n;
	return 0;
}

/* The bit of the word that @value begins with, as long as that is; 0: there is no such word. */
static u32 param_find_word(const struct uvm_param_row *row, const char *value, size_t length)
{
	const struct uvm_param_word *w;

	for (w = row->words; w->name; w++) {
		if (strlen(w->name) == length && !strncmp(w->name, value, length))
			return BIT(w - row->words);
	}
	return 0;
}

/* WORD+WORD+...: each once, in any order.  Commas would part settings (SOFTUVM_SET). */
static int param_parse_words(const struct uvm_param_row *row, const char *value, u32 *number)
{
	u32 bits = 0, bit;
	size_t length;

	if (!strcmp(value, PARAM_NO_WORDS)) {
		*number = 0;
		return 0;
	}
	for (;; value += length + 1) {
		length = strcspn(value, "+");
		bit = param_find_word(row, value, length);
		if (!bit || (bits & bit))
			return -EINVAL;
		bits |= bit;
		if (!value[length])
			break;
	}
	*number = bits;
	return 0;
}

int uvm_param_parse(const struct uvm_param_row *row, const char *value, u32 *number)
{
	if (row->kind == UVM_PARAM_KIND_SIZE) {
		*number = param_find_size(value);
		return *number >= row->min && *number <= row->max ? 0 : -EINVAL;
	}
	if (row->kind == UVM_PARAM_KIND_WORDS)
		return param_parse_words(row, value, number);
	if (row->kind == UVM_PARAM_KIND_INT)
		return param_parse_int(row, value, number);
	/* Digits only: no sign, no other base, no line end. */
	if (!*value || strspn(value, "0123456789") != strlen(value))
		return -EINVAL;
	if (kstrtou32(value, 10, number) || *number < row->min || *number > row->max)
		return -EINVAL;
	if (row->kind == UVM_PARAM_KIND_POW2 && !is_power_of_2(*number))
		return -EINVAL;
	if (row->kind == UVM_PARAM_KIND_SIZES && (*number & ~row->max))
		return -EINVAL;
	return 0;
}

static void param_print_words(const struct uvm_param_row *row, u32 bits, char *buf, size_t size)
{
	const struct uvm_param_word *w;
	size_t at = 0;

	strscpy(buf, PARAM_NO_WORDS, size);
	for (w = row->words; w->name; w++) {
		if (bits & BIT(w - row->words))
			at += scnprintf(buf + at, size - at, "%s%s", at ? "+" : "", w->name);
	}
}

void uvm_param_print_number(const struct uvm_param_row *row, u32 number, char *buf, size_t size)
{
	switch (row->kind) {
	case UVM_PARAM_KIND_SIZE:
		strscpy(buf, uvm_param_size_name(number), size);
		break;
	case UVM_PARAM_KIND_WORDS:
		param_print_words(row, number, buf, size);
		break;
	case UVM_PARAM_KIND_INT:
		snprintf(buf, size, "%d", (s32)number);
		break;
	default:
		snprintf(buf, size, "%u", number);
	}
}

unsigned int uvm_param_choices(const struct uvm_param_row *row)
{
	unsigned int i = 0;

	if (row->kind == UVM_PARAM_KIND_BOOL)
		return 2;
	/* the smallest come last */
	if (row->kind == UVM_PARAM_KIND_SIZE)
		while (i < ARRAY_SIZE(param_sizes) && param_sizes[i].bytes >= row->min)
			i++;
	if (row->kind == UVM_PARAM_KIND_WORDS)
		while (row->words[i].name)
			i++;
	return i;
}

void uvm_param_tell_choice(const struct uvm_param_row *row, unsigned int i,
			   struct uvm_get_choice *out)
{
	switch (row->kind) {
	case UVM_PARAM_KIND_SIZE:
		strscpy(out->name, param_sizes[i].name, sizeof(out->name));
		break;
	case UVM_PARAM_KIND_WORDS:
		strscpy(out->name, row->words[i].name, sizeof(out->name));
		strscpy(out->what, row->words[i].what, sizeof(out->what));
		break;
	default:
		snprintf(out->name, sizeof(out->name), "%u", i);
	}
}

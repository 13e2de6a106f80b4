// SPDX-License-Identifier: GPL-2.0
/* Probe scripts: their grammar. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/uvm.h"
#include "parse.h"
#include "../lib/nearest.h"
#include "probe_script.h"

#define SCRIPT_WORDS	(PROBE_OFFSETS_MAX + 8)
#define SCRIPT_LINE	16384

/**
 * struct script_slot - an allocation, while reading
 * @name: of it
 * @bytes: whole pages
 * @live: not freed yet
 */
struct script_slot {
	char name[PROBE_NAME_MAX];
	uint64_t bytes;
	bool live;
};

/**
 * struct script_reader - state of reading
 * @script: being filled
 * @slots: allocations so far
 * @word: words of the line
 * @words: how many
 * @line: number
 * @error: for the message
 * @error_bytes: its room
 */
struct script_reader {
	struct probe_script *script;
	struct script_slot *slots;
	char *word[SCRIPT_WORDS];
	unsigned int words;
	unsigned int line;
	char *error;
	size_t error_bytes;
};

__attribute__((format(printf, 2, 3)))
static bool script_bad(struct script_reader *r, const char *format, ...)
{
	va_list args;
	int used;

	used = snprintf(r->error, r->error_bytes, "line %u: ", r->line);
	va_start(args, format);
	vsnprintf(r->error + used, r->error_bytes - used, format, args);
	va_end(args);
	return false;
}

static bool script_words(struct script_reader *r, unsigned int least, unsigned int most,
			 const char *usage)
{
	if (r->words < least || r->words > most)
		return script_bad(r, "usage: %s", usage);
	return true;
}

static bool script_size(struct script_reader *r, unsigned int word, const char *what,
			uint64_t *value)
{
	/* 2^48: sums of two cannot wrap, and no allocation is that large. */
	if (!parse_size(r->word[word], value) || *value > 1ULL << 48)
		return script_bad(r, "bad %s '%s'", what, r->word[word]);
	return true;
}

/* The latest allocation of that name; names can be used again after free. */
static struct script_slot *script_find(struct script_reader *r, const char *name)
{
	unsigned int i;

	for (i = r->script->slots; i > 0; i--)
		if (r->slots[i - 1].live && !strcmp(r->slots[i - 1].name, name))
			return &r->slots[i - 1];
	return NULL;
}

static bool script_name(struct script_reader *r, unsigned int word, struct probe_command *c,
			struct script_slot **slot)
{
	*slot = script_find(r, r->word[word]);
	if (!*slot)
		return script_bad(r, "no allocation '%s'", r->word[word]);
	snprintf(c->name, sizeof(c->name), "%s", r->word[word]);
	c->slot = *slot - r->slots;
	return true;
}

static bool script_good_name(const char *name)
{
	const char *c;

	if (!isalpha((unsigned char)name[0]) && name[0] != '_')
		return false;
	for (c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return false;
	return c - name < PROBE_NAME_MAX;
}

static bool script_alloc(struct script_reader *r, struct probe_command *c)
{
	struct script_slot *slots, *slot;

	if (!script_words(r, 3, 3, "alloc NAME SIZE") ||
	    !script_size(r, 2, "size", &c->length))
		return false;
	if (!script_good_name(r->word[1]))
		return script_bad(r, "bad name '%s'", r->word[1]);
	if (script_find(r, r->word[1]))
		return script_bad(r, "'%s' is already allocated", r->word[1]);
	if (!c->length)
		return script_bad(r, "an allocation cannot be empty");

	slots = realloc(r->slots, (r->script->slots + 1) * sizeof(*slots));
	if (!slots)
		return script_bad(r, "out of memory");
	r->slots = slots;
	c->op = PROBE_ALLOC;
	c->slot = r->script->slots++;
	snprintf(c->name, sizeof(c->name), "%s", r->word[1]);
	slot = &r->slots[c->slot];
	memcpy(slot->name, c->name, sizeof(slot->name));
	slot->bytes = (c->length + UVM_PAGE_SIZE - 1) & ~(UVM_PAGE_SIZE - 1);
	slot->live = true;
	return true;
}

static bool script_free(struct script_reader *r, struct probe_command *c)
{
	struct script_slot *slot;

	if (!script_words(r, 2, 2, "free NAME") || !script_name(r, 1, c, &slot))
		return false;
	c->op = PROBE_FREE;
	slot->live = false;
	return true;
}

static bool script_access(struct script_reader *r, unsigned int word, struct probe_command *c)
{
	if (!strcmp(r->word[word], "write"))
		c->write = true;
	else if (strcmp(r->word[word], "read"))
		return script_bad(r, "'%s' is neither read nor write", r->word[word]);
	return true;
}

static bool script_cpu(struct script_reader *r, struct probe_command *c)
{
	struct script_slot *slot;

	c->op = PROBE_CPU;
	c->length = 1;
	c->stride = UVM_PAGE_SIZE;
	if (!script_words(r, 4, 6, "cpu read|write NAME OFFSET [LENGTH [STRIDE]]") ||
	    !script_access(r, 1, c) || !script_name(r, 2, c, &slot) ||
	    !script_size(r, 3, "offset", &c->offset) ||
	    (r->words > 4 && !script_size(r, 4, "length", &c->length)) ||
	    (r->words > 5 && !script_size(r, 5, "stride", &c->stride)))
		return false;
	if (!c->length || !c->stride)
		return script_bad(r, "length and stride cannot be 0");
	if (c->offset + c->length > slot->bytes)
		return script_bad(r, "'%s' ends at %llu", c->name,
				  (unsigned long long)slot->bytes);
	return true;
}

/* "gpu", "gpu3", "warp", "warp3": the number. */
static bool script_gpu_number(struct script_reader *r, const char *digits, int *gpu)
{
	uint64_t number = 0;

	if (*digits && (strlen(digits) > 2 || !parse_size(digits, &number) ||
			number >= UVM_GPU_MAX))
		return script_bad(r, "no such command '%s'", r->word[0]);
	*gpu = (int)number;
	if (*gpu >= r->script->gpus)
		r->script->gpus = *gpu + 1;
	return true;
}

/*
 * Offsets beyond the allocation are allowed: that is how one probes what a wild
 * access does.
 */
static bool script_gpu(struct script_reader *r, struct probe_command *c)
{
	bool warp = c->op == PROBE_WARP;
	unsigned int most = warp ? PROBE_LANES : PROBE_OFFSETS_MAX;
	struct script_slot *slot;
	unsigned int i;

	if (!script_gpu_number(r, r->word[0] + (warp ? 4 : 3), &c->gpu))
		return false;
	if (r->words < 4)
		return script_bad(r, "usage: %s read|write NAME OFFSET...", r->word[0]);
	if (r->words - 3 > most)
		return script_bad(r, "at most %u offsets", most);
	if (!script_access(r, 1, c) || !script_name(r, 2, c, &slot))
		return false;

	c->offset_count = r->words - 3;
	c->offsets = calloc(c->offset_count, sizeof(*c->offsets));
	if (!c->offsets)
		return script_bad(r, "out of memory");
	for (i = 0; i < c->offset_count; i++)
		if (!script_size(r, 3 + i, "offset", &c->offsets[i]))
			return false;
	return true;
}

static bool script_processor(struct script_reader *r, const char *text, bool none, int *processor)
{
	if (!parse_processor(text, none, processor))
		return script_bad(r, "bad processor '%s'", text);
	if (*processor >= r->script->gpus)
		r->script->gpus = *processor + 1;
	return true;
}

static bool script_span(struct script_reader *r, struct probe_command *c)
{
	struct script_slot *slot;

	if (!script_name(r, 1, c, &slot) || !script_size(r, 2, "offset", &c->offset) ||
	    !script_size(r, 3, "length", &c->length))
		return false;
	if (!c->length || c->offset + c->length > slot->bytes)
		return script_bad(r, "'%s' ends at %llu", c->name,
				  (unsigned long long)slot->bytes);
	return true;
}

static bool script_prefetch(struct script_reader *r, struct probe_command *c)
{
	c->op = PROBE_PREFETCH;
	return script_words(r, 5, 5, "prefetch NAME OFFSET LENGTH gpuN|cpu") &&
	       script_span(r, c) && script_processor(r, r->word[4], false, &c->processor);
}

static bool script_advise(struct script_reader *r, struct probe_command *c)
{
	static const char usage[] = "advise NAME OFFSET LENGTH "
		"preferred=gpuN|cpu|none|accessed-by=gpuN|cpu|none|read-duplicate=on|off";
	const char *value;

	c->op = PROBE_ADVISE;
	if (!script_words(r, 5, 5, usage) || !script_span(r, c))
		return false;

	value = strchr(r->word[4], '=');
	if (!value)
		return script_bad(r, "usage: %s", usage);
	value++;
	if (!strncmp(r->word[4], "preferred=", 10)) {
		c->advice = UVM_ADVICE_PREFERRED_LOCATION;
		return script_processor(r, value, true, &c->processor);
	}
	if (!strncmp(r->word[4], "accessed-by=", 12)) {
		c->advice = UVM_ADVICE_ACCESSED_BY;
		c->off = !strcmp(value, "none");
		return script_processor(r, value, true, &c->processor);
	}
	if (!strcmp(r->word[4], "read-duplicate=on") || !strcmp(r->word[4], "read-duplicate=off")) {
		c->advice = UVM_ADVICE_READ_DUPLICATE;
		c->processor = UVM_PROCESSOR_NONE;
		c->off = !strcmp(value, "off");
		return true;
	}
	return script_bad(r, "usage: %s", usage);
}

static bool script_discard(struct script_reader *r, struct probe_command *c)
{
	c->op = PROBE_DISCARD;
	if (!script_words(r, 4, 5, "discard NAME OFFSET LENGTH [unmap]") || !script_span(r, c))
		return false;
	c->off = r->words == 5;
	if (c->off && strcmp(r->word[4], "unmap"))
		return script_bad(r, "usage: discard NAME OFFSET LENGTH [unmap]");
	return true;
}

static bool script_populate(struct script_reader *r, struct probe_command *c)
{
	c->op = PROBE_POPULATE;
	return script_words(r, 5, 5, "populate NAME OFFSET LENGTH gpuN|cpu") &&
	       script_span(r, c) && script_processor(r, r->word[4], false, &c->processor);
}

static bool script_evict(struct script_reader *r, struct probe_command *c)
{
	c->op = PROBE_EVICT;
	if (!script_words(r, 5, 5, "evict NAME OFFSET LENGTH gpuN") || !script_span(r, c) ||
	    !script_processor(r, r->word[4], false, &c->processor))
		return false;
	return c->processor >= 0 || script_bad(r, "the CPU evicts nothing");
}

/* All of it, if no part is named. */
static bool script_residency(struct script_reader *r, struct probe_command *c)
{
	static const char usage[] = "residency NAME [OFFSET LENGTH]";
	struct script_slot *slot;

	c->op = PROBE_RESIDENCY;
	if (!script_words(r, 2, 4, usage))
		return false;
	if (r->words == 3)
		return script_bad(r, "usage: %s", usage);
	if (r->words == 4)
		return script_span(r, c);
	if (!script_name(r, 1, c, &slot))
		return false;
	c->length = slot->bytes;
	return true;
}

static bool script_group_number(struct script_reader *r, const char *text, bool none,
				struct probe_command *c)
{
	uint64_t number;

	if (none && !strcmp(text, "none"))
		return true;
	if (!parse_size(text, &number) || !number || number > PROBE_GROUPS)
		return script_bad(r, "bad group '%s': 1 ... %d", text, PROBE_GROUPS);
	c->group = number;
	return true;
}

static bool script_group(struct script_reader *r, struct probe_command *c)
{
	c->op = PROBE_GROUP;
	return script_words(r, 5, 5, "group NAME OFFSET LENGTH NUMBER|none") &&
	       script_span(r, c) && script_group_number(r, r->word[4], true, c);
}

static bool script_migration(struct script_reader *r, struct probe_command *c)
{
	static const char usage[] = "migration NUMBER allow|prevent";

	c->op = PROBE_MIGRATION;
	if (!script_words(r, 3, 3, usage) || !script_group_number(r, r->word[1], false, c))
		return false;
	c->off = !strcmp(r->word[2], "prevent");
	if (!c->off && strcmp(r->word[2], "allow"))
		return script_bad(r, "usage: %s", usage);
	return true;
}

static bool script_peer(struct script_reader *r, struct probe_command *c)
{
	static const char usage[] = "peer gpuN gpuM on|off";

	c->op = PROBE_PEER;
	if (!script_words(r, 4, 4, usage) ||
	    !script_processor(r, r->word[1], false, &c->gpu) ||
	    !script_processor(r, r->word[2], false, &c->processor))
		return false;
	if (c->gpu < 0 || c->processor < 0)
		return script_bad(r, "the CPU is nobody's peer");
	c->off = !strcmp(r->word[3], "off");
	if (!c->off && strcmp(r->word[3], "on"))
		return script_bad(r, "usage: %s", usage);
	return true;
}

static bool script_set(struct script_reader *r, struct probe_command *c)
{
	c->op = PROBE_SET;
	if (!script_words(r, 3, 3, "set PARAM VALUE"))
		return false;
	if (strlen(r->word[1]) >= sizeof(c->param) || strlen(r->word[2]) >= sizeof(c->value))
		return script_bad(r, "too long");
	strcpy(c->param, r->word[1]);
	strcpy(c->value, r->word[2]);
	return true;
}

static bool script_counters(struct script_reader *r, struct probe_command *c)
{
	static const char usage[] = "counters gpuN on|off|clear [GRANULARITY [THRESHOLD]]";

	c->op = PROBE_COUNTERS;
	if (!script_words(r, 3, 5, usage) || !script_processor(r, r->word[1], false, &c->processor))
		return false;
	if (c->processor < 0)
		return script_bad(r, "the CPU has no access counters");
	if (!strcmp(r->word[2], "clear"))
		c->op = PROBE_COUNTERS_CLEAR;
	else if (!strcmp(r->word[2], "on"))
		c->write = true;
	else if (strcmp(r->word[2], "off"))
		return script_bad(r, "usage: %s", usage);
	if (r->words > 3 && !c->write)
		return script_bad(r, "usage: %s", usage);
	return (r->words < 4 || script_size(r, 3, "granularity", &c->length)) &&
	       (r->words < 5 || script_size(r, 4, "threshold", &c->stride));
}

static bool script_gpu_access(struct script_reader *r, struct probe_command *c)
{
	c->op = PROBE_GPU;
	return script_gpu(r, c);
}

static bool script_warp_access(struct script_reader *r, struct probe_command *c)
{
	c->op = PROBE_WARP;
	return script_gpu(r, c);
}

/* Those of GPUs may have a number behind them. */
static const struct {
	const char *name;
	bool (*take)(struct script_reader *r, struct probe_command *c);
	bool numbered;
} script_commands[] = {
	{ "alloc", script_alloc, false },
	{ "free", script_free, false },
	{ "cpu", script_cpu, false },
	{ "gpu", script_gpu_access, true },
	{ "warp", script_warp_access, true },
	{ "prefetch", script_prefetch, false },
	{ "advise", script_advise, false },
	{ "discard", script_discard, false },
	{ "populate", script_populate, false },
	{ "group", script_group, false },
	{ "migration", script_migration, false },
	{ "peer", script_peer, false },
	{ "set", script_set, false },
	{ "counters", script_counters, false },
	{ "evict", script_evict, false },
	{ "residency", script_residency, false },
};

static bool script_command(struct script_reader *r, struct probe_command *c)
{
	struct nearest n = { .word = r->word[0] };
	char hint[96];
	size_t i;

	for (i = 0; i < sizeof(script_commands) / sizeof(script_commands[0]); i++) {
		const char *name = script_commands[i].name, *rest = r->word[0] + strlen(name);

		if (!strncmp(r->word[0], name, strlen(name)) &&
		    (!*rest || (script_commands[i].numbered && isdigit((unsigned char)*rest))))
			return script_commands[i].take(r, c);
		nearest_try(&n, name);
	}
	return script_bad(r, "no such command '%s'%s", r->word[0],
			  nearest_hint(&n, hint, sizeof(hint)));
}

/* The words again, one blank between them. */
static char *script_join(const struct script_reader *r)
{
	size_t bytes = 1;
	unsigned int i;
	char *text;

	for (i = 0; i < r->words; i++)
		bytes += strlen(r->word[i]) + 1;
	text = calloc(1, bytes);
	for (i = 0; text && i < r->words; i++) {
		if (i)
			strcat(text, " ");
		strcat(text, r->word[i]);
	}
	return text;
}

static bool script_line(struct script_reader *r, char *line)
{
	struct probe_script *script = r->script;
	struct probe_command *commands, *c;
	char *save = NULL, *word;

	/* A comment reaches to the end of its line. */
	line[strcspn(line, "#")] = '\0';
	r->words = 0;
	for (word = strtok_r(line, " \t\r\n", &save); word;
	     word = strtok_r(NULL, " \t\r\n", &save)) {
		if (r->words == SCRIPT_WORDS)
			return script_bad(r, "too many words");
		r->word[r->words++] = word;
	}
	if (!r->words)
		return true;

	commands = realloc(script->commands, (script->count + 1) * sizeof(*commands));
	if (!commands)
		return script_bad(r, "out of memory");
	script->commands = commands;
	c = &commands[script->count++];
	memset(c, 0, sizeof(*c));
	c->line = r->line;
	c->text = script_join(r);
	if (!c->text)
		return script_bad(r, "out of memory");
	return script_command(r, c);
}

bool probe_script_read(struct probe_script *script, FILE *file, char *error, size_t error_bytes)
{
	struct script_reader r = { .script = script, .error = error, .error_bytes = error_bytes };
	char *line = malloc(SCRIPT_LINE);
	bool good = line;

	memset(script, 0, sizeof(*script));
	/* An allocation needs no GPU, but events need a VA space with one. */
	script->gpus = 1;
	if (!line)
		snprintf(error, error_bytes, "out of memory");
	while (good && fgets(line, SCRIPT_LINE, file)) {
		r.line++;
		if (strlen(line) == SCRIPT_LINE - 1 && line[SCRIPT_LINE - 2] != '\n')
			good = script_bad(&r, "line too long");
		else
			good = script_line(&r, line);
	}
	if (good && ferror(file))
		good = script_bad(&r, "cannot read on");
	free(line);
	free(r.slots);
	return good;
}

void probe_script_free(struct probe_script *script)
{
	unsigned int i;

	for (i = 0; i < script->count; i++) {
		free(script->commands[i].text);
		free(script->commands[i].offsets);
	}
	free(script->commands);
	memset(script, 0, sizeof(*script));
}

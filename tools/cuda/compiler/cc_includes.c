// SPDX-License-Identifier: GPL-2.0
/*
 * Launches with blanks or braces in files that a source includes: what it names in quotes is read beside the
 * file that includes it, and in the folders of -I and -iquote; clang gets copies of those that need
 * it, under their own names, by a file system laid over the real one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc_cuda.h"

#define INCLUDES_MAX	256	/* files; what is behind is left to clang as it is */

/**
 * struct includes - the files that a source includes
 * @path: of each, the source first, all absolute
 * @count: how many
 * @options: has the folders
 * @places: has the place of the copies
 * @overlay: clang's description of them, or NULL
 */
struct includes {
	char *path[INCLUDES_MAX];
	unsigned int count;
	const struct cc_options *options;
	const struct cc_places *places;
	FILE *overlay;
};

static void add_file(struct includes *in, const char *path)
{
	for (unsigned int i = 0; i < in->count; i++)
		if (!strcmp(in->path[i], path))
			return;
	/* without memory for it, it is left as it is, too */
	if (in->count < INCLUDES_MAX)
		in->path[in->count] = strdup(path);
	if (in->count < INCLUDES_MAX && in->path[in->count])
		in->count++;
}

/* @name in @folder, which is absolute or below where the command runs. */
static bool try_folder(struct includes *in, const char *folder, int bytes, const char *name)
{
	char path[2 * PATH_MAX], here[PATH_MAX] = "";

	if (*folder != '/' && *name != '/' && !getcwd(here, sizeof(here)))
		return false;
	if (*name == '/')
		snprintf(path, sizeof(path), "%s", name);
	else
		snprintf(path, sizeof(path), "%s%s%.*s/%s", here, *here ? "/" : "", bytes, folder, name);
	if (access(path, R_OK))
		return false;
	add_file(in, path);
	return true;
}

static void find_include(struct includes *in, const char *from, const char *name)
{
	const struct cc_line *words = &in->options->both;
	const char *folder;

	if (try_folder(in, from, strrchr(from, '/') - from, name))
		return;
	for (unsigned int i = 0; i < words->count; i++) {
		const char *word = words->word[i];
		int skip = !strncmp(word, "-I", 2) ? 2 : !strncmp(word, "-iquote", 7) ? 7 : 0;

		if (!skip)
			continue;
		folder = word[skip] ? word + skip : i + 1 < words->count ? words->word[i + 1] : ".";
		if (try_folder(in, folder, strlen(folder), name))
			return;
	}
}

static void find_includes(struct includes *in, const char *from, const char *text)
{
	char name[PATH_MAX];

	for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#'))
		if (sscanf(at, "# include \"%4095[^\"\n]\"", name) == 1)
			find_include(in, from, name);
}

/* In YAML's quotes a quote is two. */
static void put_quoted(FILE *to, const char *text)
{
	fputc('\'', to);
	for (; *text; text++)
		fprintf(to, *text == '\'' ? "''" : "%c", *text);
	fputc('\'', to);
}

static bool put_copy(struct includes *in, unsigned int n, const char *text)
{
	char copy[PATH_MAX + 32], overlay[PATH_MAX + 32];
	FILE *file;

	if (!in->overlay) {
		snprintf(overlay, sizeof(overlay), "%s/overlay.yaml", in->places->work);
		in->overlay = fopen(overlay, "w");
		if (!in->overlay)
			return false;
		fprintf(in->overlay, "{ 'version': 0, 'use-external-names': 'false', 'roots': [\n");
	}
	snprintf(copy, sizeof(copy), "%s/include.%u", in->places->work, n);
	file = fopen(copy, "w");
	if (!file)
		return false;
	fputs(text, file);
	fprintf(in->overlay, "{ 'type': 'file', 'name': ");
	put_quoted(in->overlay, in->path[n]);
	fprintf(in->overlay, ", 'external-contents': ");
	put_quoted(in->overlay, copy);
	fprintf(in->overlay, " },\n");
	return !fclose(file);
}

bool cc_includes(struct cc_options *o, const struct cc_places *p, const char *source)
{
	struct includes in = { .options = o, .places = p };
	char *text, *mended;

	if (!try_folder(&in, ".", 1, source))
		return true;
	for (unsigned int i = 0; i < in.count; i++) {
		text = cc_read_source(in.path[i]);
		if (!text)
			continue;
		find_includes(&in, in.path[i], text);
		/* The source itself is cc_chevrons()'s. */
		mended = NULL;
		if (i && !cc_launches(text, &mended))
			return false;
		if (mended && !put_copy(&in, i, mended)) {
			perror(in.path[i]);
			return false;
		}
		free(mended);
		free(text);
	}
	if (!in.overlay)
		return true;
	fprintf(in.overlay, "] }\n");
	return !fclose(in.overlay) && cc_add(&o->both, "-ivfsoverlay") &&
	       cc_addf(&o->both, "%s/overlay.yaml", p->work);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * -E and -M: what the preprocessor makes of a source, and which files it reads.  It is the CPU's half
 * that is read, and the source itself, not the copy that is compiled if a launch has blanks: a Makefile
 * is to have the names of files that stay.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cc_cuda.h"
#include "uvm_cmd.h"

/* Where it goes: with -MD beside the object, or the program, as compilers do. */
static bool add_output(struct cc_line *line, const struct cc_options *o, const char *object)
{
	const char *slash = strrchr(object, '/'), *dot = strrchr(slash ? slash : object, '.');

	if (o->reads_only)
		return !o->output || (cc_add(line, "-o") && cc_add(line, o->output));
	if (!o->target && (!cc_add(line, "-MT") || !cc_add(line, object)))
		return false;
	return o->list || (cc_add(line, "-MF") &&
			   cc_addf(line, "%.*s.d", (int)(dot ? dot - object : (long)strlen(object)), object));
}

int cc_reading(const struct cc_options *o, const struct cc_places *p, const struct cc_input *input,
	       const char *object)
{
	struct cc_line line = { 0 };
	bool good;

	good = cc_add(&line, p->clangxx);
	if (input->cuda)
		good = good && cc_cuda_flags(&line, o, p) && cc_add(&line, "--cuda-host-only");
	else
		good = good && cc_add_headers(&line, p) &&
		       cc_add_line(&line, &o->both);
	if (!good || !cc_add_line(&line, &o->host) || !cc_add_line(&line, &o->reading) ||
	    !add_output(&line, o, object) || !cc_add(&line, input->path))
		return EXIT_USAGE;
	return cc_compile(&line, o, p);
}

// SPDX-License-Identifier: GPL-2.0
/* uvm report: reproduce a published evaluation, in virtual machines of its own. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "places.h"
#include "uvm_cmd.h"

/* A report is what can be executed there and has no suffix. */
static int report_is_one(const struct dirent *entry)
{
	char path[PATH_MAX];

	return places_path(path, sizeof(path), "%s/report/%s", places_tools(), entry->d_name) &&
	       entry->d_type == DT_REG && !strchr(entry->d_name, '.') && !access(path, X_OK);
}

static int report_usage(FILE *to, int status)
{
	struct dirent **reports;
	char folder[PATH_MAX];
	int i, count;

	if (!places_path(folder, sizeof(folder), "%s/report", places_tools()))
		return EXIT_USAGE;
	count = scandir(folder, &reports, report_is_one, alphasort);
	fprintf(to, "usage: uvm report NAME [OPTION]...\n\n"
		"Reproduce a published evaluation: a page with every figure, published beside\n"
		"measured.  The runs are made in virtual machines.\n\n");
	for (i = 0; i < count; i++)
		fprintf(to, "  %s\n", reports[i]->d_name);
	if (count <= 0)
		fprintf(to, "  (none in %s: %s)\n", folder, count ? strerror(errno) :
			"this is for the machine it was built on");
	fprintf(to, "\n'uvm report NAME --help' tells more.\n");
	return status;
}

int cmd_report(int argc, char **argv)
{
	char path[PATH_MAX];

	if (argc < 2)
		return report_usage(stderr, EXIT_USAGE);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return report_usage(stdout, EXIT_OK);
	if (!places_path(path, sizeof(path), "%s/report/%s", places_tools(), argv[1]))
		return EXIT_USAGE;
	if (!strpbrk(argv[1], "./"))
		execv(path, argv + 1);
	else
		errno = ENOENT;
	fprintf(stderr, "uvm report: %s: %s\n\n", argv[1], strerror(errno));
	return report_usage(stderr, EXIT_USAGE);
}

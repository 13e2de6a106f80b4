// SPDX-License-Identifier: GPL-2.0
/* Files that are written. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "out/output.h"

bool output_is_stdout(const char *path)
{
	struct stat named, out;

	if (!strcmp(path, "-"))
		return true;
	return !stat(path, &named) && !fstat(STDOUT_FILENO, &out) &&
	       named.st_dev == out.st_dev && named.st_ino == out.st_ino &&
	       named.st_rdev == out.st_rdev;
}

FILE *output_open(const char *path)
{
	return output_is_stdout(path) ? stdout : fopen(path, "w");
}

int output_close(FILE *file)
{
	if (file == stdout)
		return fflush(stdout);
	return fclose(file);
}

// SPDX-License-Identifier: GPL-2.0
/* Where what belongs to this command lies, see places.h. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "places.h"

/* The folder that this program is in; "." if nobody says. */
static void places_program(char *directory)
{
	ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);

	directory[length > 0 ? length : 0] = '\0';
	if (strrchr(directory, '/'))
		*strrchr(directory, '/') = '\0';
	else
		strcpy(directory, ".");
}

static const char *places_find_libraries(void)
{
	static char found[PATH_MAX];
	char program[PATH_MAX], path[PATH_MAX + 32];

	places_program(program);
	snprintf(path, sizeof(path), "%s/version", program);
	if (access(path, F_OK))
		snprintf(path, sizeof(path), "%s/../lib/softuvm", program);
	else
		snprintf(path, sizeof(path), "%s", program);
	return realpath(path, found) ? found : "/usr/lib/softuvm";
}

const char *places_libraries(void)
{
	static const char *found;

	if (!found)
		found = getenv("UVM_LIBRARIES") ? getenv("UVM_LIBRARIES") : places_find_libraries();
	return found;
}

static const char *places_find_tools(void)
{
	static char found[PATH_MAX];
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/sources", places_find_libraries());
	return realpath(path, found) ? found : "/usr/lib/softuvm/sources";
}

const char *places_tools(void)
{
	static const char *found;

	if (!found)
		found = getenv("UVM_TOOLS") ? getenv("UVM_TOOLS") : places_find_tools();
	return found;
}

bool places_path(char *path, size_t room, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(path, room, format, arguments);
	va_end(arguments);
	if (length >= 0 && (size_t)length < room)
		return true;
	fprintf(stderr, "uvm: %.60s...: %s\n", path, strerror(ENAMETOOLONG));
	return false;
}

bool places_have(const char *name)
{
	char path[PATH_MAX + 64];

	if (!places_path(path, sizeof(path), "%s/%s", places_libraries(), name))
		return false;
	if (!access(path, F_OK))
		return true;
	fprintf(stderr, "uvm cc: there is no %s: 'make tools' in softuvm's tree builds it\n", path);
	return false;
}

const char *places_version(void)
{
	static char version[128] = "unknown";
	char path[PATH_MAX + 32];
	FILE *file;

	snprintf(path, sizeof(path), "%s/version", places_find_libraries());
	file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%127s", version) != 1)
			strcpy(version, "unknown");
		fclose(file);
	}
	return version;
}

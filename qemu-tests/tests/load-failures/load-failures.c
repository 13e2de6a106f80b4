// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation that a module makes while it is loaded fails once.
 *
 *	load-failures MODULE STEP REFUSED [PARAMETERS]
 *
 * The Nth allocation of the loading thread fails, for N, N + STEP, ... until none is left to fail
 * (fail-nth of the task).  Loading must succeed or say ENOMEM, and then no module is there.
 *
 * The first N is the one behind those that the kernel makes for any module: some of them warn.
 * As many as that are made when the module refuses a parameter, REFUSED.
 *
 * What kvmalloc() allocates in pages does not fail by this: it tries in two ways.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

/* Far more than there are. */
#define NTH_MAX		100000

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		fprintf(stderr, "load-failures: %s: %s\n", path, strerror(errno));
		exit(2);
	}
	close(fd);
}

/* Which allocations may fail: those of tasks that ask for it, of any kind. */
static void allow(const char *kind)
{
	static const char * const attributes[] = {
		"task-filter:1", "ignore-gfp-wait:0", "ignore-gfp-highmem:0", "min-order:0",
		"cache-filter:0", "verbose:0",
	};

	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		char path[128];
		int name = strcspn(attributes[i], ":");

		snprintf(path, sizeof(path), "/sys/kernel/debug/%s/%.*s", kind, name,
			 attributes[i]);
		if (!access(path, W_OK))
			write_file(path, attributes[i] + name + 1);
	}
}

/* One try: an errno or 0; @left tells what fail-nth says then, 0 if the failure has come. */
static int load(int module, const char *params, int nth, int *left)
{
	char text[16] = "";
	int fd = open("/proc/thread-self/fail-nth", O_RDWR), ret;

	snprintf(text, sizeof(text), "%d", nth);
	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		fprintf(stderr, "load-failures: fail-nth: %s\n", strerror(errno));
		exit(2);
	}
	ret = syscall(SYS_finit_module, module, params, 0) ? errno : 0;
	memset(text, 0, sizeof(text));
	if (pread(fd, text, sizeof(text) - 1, 0) < 0)
		exit(2);
	*left = atoi(text);
	/* "0" takes away what has not come */
	if (*left && write(fd, "0", 1) < 0)
		exit(2);
	close(fd);
	return ret;
}

static int is_loaded(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", name);
	return !access(path, F_OK);
}

int main(int argc, char **argv)
{
	int wrong = 0, left_behind = 0, refused = 0, left = 0, first, step, nth, fd;
	char path[128];

	if (argc < 4)
		return 2;
	step = atoi(argv[2]);
	snprintf(path, sizeof(path), "/lib/softuvm/%s.ko", argv[1]);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || step < 1)
		return 2;
	allow("failslab");
	allow("fail_page_alloc");
	ok(load(fd, argv[3], NTH_MAX, &left) == EINVAL, "%s refuses %s", argv[1], argv[3]);
	first = NTH_MAX - left + 1;
	left = 0;
	for (nth = first; !left && nth < NTH_MAX; nth += step) {
		int err = load(fd, argc > 4 ? argv[4] : "", nth, &left);

		if (err && err != ENOMEM) {
			printf("# at allocation %d: %s\n", nth, strerror(err));
			wrong++;
		}
		refused += err == ENOMEM;
		left_behind += err && is_loaded(argv[1]);
		if (!err && syscall(SYS_delete_module, argv[1], 0)) {
			printf("# at allocation %d: it cannot be unloaded: %s\n", nth,
			       strerror(errno));
			wrong++;
		}
	}
	printf("# %d allocations are not its own; %d tries, %d of them refused\n", first - 1,
	       (nth - first) / step, refused);
	ok(refused && nth < NTH_MAX, "%s: allocations failed, one in each try, up to the last", argv[1]);
	ok(!wrong, "%s: loads, or says that there is no memory", argv[1]);
	ok(!left_behind, "%s: nothing stays of what was not loaded", argv[1]);
	return tap_finish();
}

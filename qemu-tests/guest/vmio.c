// SPDX-License-Identifier: GPL-2.0
/*
 * The launcher's helper inside the VM, linked statically and started under
 * several names:
 *
 *   vmrun PORT COMMAND...  run COMMAND, copy its stdout and stderr to a
 *                          virtio port; print "STATUS BYTES"
 *   vmsend PORT            copy stdin to a virtio port; print "BYTES"
 *   insmod FILE [P=V]...   load a module with one system call (busybox tries
 *                          a second one when the first fails)
 *
 * The byte counts let the host wait until everything has arrived: a write to
 * a virtio port returns before the host has read it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int child_pipe[2];

static int fail(const char *what)
{
	perror(what);
	return 125;
}

/* Returns bytes copied, 0 at the end of input, -1 when nothing is there now. */
static ssize_t copy_some(int in, int out)
{
	static char buf[32768];
	ssize_t n = read(in, buf, sizeof(buf));
	ssize_t done = 0;

	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? -1 : 0;
	while (done < n) {
		ssize_t w = write(out, buf + done, n - done);

		if (w < 0 && errno != EINTR && errno != EAGAIN)
			exit(fail("vmio: write"));
		if (w > 0)
			done += w;
	}
	return n;
}

static void on_child(int sig)
{
	int saved = errno;

	(void)sig;
	if (write(child_pipe[1], "", 1) < 0)
		errno = 0;
	errno = saved;
}

/*
 * Copies until the command is gone and the pipe is empty.  A daemon it left
 * behind may hold the pipe open for ever and is not waited for.
 */
static unsigned long long pump(int in, int out, pid_t child, int *status)
{
	struct pollfd fds[2] = {
		{ .fd = in, .events = POLLIN },
		{ .fd = child_pipe[0], .events = POLLIN },
	};
	unsigned long long total = 0;
	int gone = 0;
	ssize_t n;

	while (!gone) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents) {
			n = copy_some(in, out);
			if (n > 0)
				total += n;
			else if (!n)
				fds[0].fd = -1;
		}
		if (fds[1].revents && waitpid(child, status, WNOHANG) == child)
			gone = 1;
	}
	while ((n = copy_some(in, out)) > 0)
		total += n;
	return total;
}

static int vmrun(int argc, char **argv)
{
	int pipes[2], out, status = 0;
	unsigned long long total;
	pid_t child;

	if (argc < 3)
		return 125;
	out = open(argv[1], O_WRONLY);
	if (out < 0 || pipe2(pipes, O_CLOEXEC) || pipe2(child_pipe, O_CLOEXEC | O_NONBLOCK))
		return fail("vmrun");
	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	signal(SIGCHLD, on_child);
	child = fork();
	if (child < 0)
		return fail("fork");
	if (!child) {
		signal(SIGCHLD, SIG_DFL);
		close(out);
		dup2(pipes[1], 1);
		dup2(pipes[1], 2);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	close(pipes[1]);
	total = pump(pipes[0], out, child, &status);
	printf("%d %llu\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
	       total);
	return 0;
}

static int vmsend(int argc, char **argv)
{
	unsigned long long total = 0;
	ssize_t n;
	int out;

	if (argc != 2)
		return 125;
	out = open(argv[1], O_WRONLY);
	if (out < 0)
		return fail(argv[1]);
	while ((n = copy_some(0, out)) != 0)
		if (n > 0)
			total += n;
	printf("%llu\n", total);
	return 0;
}

static int insmod(int argc, char **argv)
{
	char params[4096] = "";
	size_t len = 0;
	int i, fd;

	if (argc < 2) {
		fprintf(stderr, "usage: insmod FILE [PARAM=VALUE]...\n");
		return 2;
	}
	for (i = 2; i < argc; i++) {
		int n = snprintf(params + len, sizeof(params) - len, "%s ", argv[i]);

		if (n < 0 || (size_t)n >= sizeof(params) - len) {
			fprintf(stderr, "insmod: parameters too long\n");
			return 2;
		}
		len += n;
	}
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || syscall(SYS_finit_module, fd, params, 0)) {
		fprintf(stderr, "insmod: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*fn)(int argc, char **argv);
	} applets[] = {
		{ "vmrun", vmrun }, { "vmsend", vmsend }, { "insmod", insmod },
	};
	const char *name = strrchr(argv[0], '/');
	size_t i;

	name = name ? name + 1 : argv[0];
	for (i = 0; i < sizeof(applets) / sizeof(applets[0]); i++)
		if (!strcmp(name, applets[i].name))
			return applets[i].fn(argc, argv);
	fprintf(stderr, "vmio: no applet %s\n", name);
	return 125;
}

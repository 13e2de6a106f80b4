// SPDX-License-Identifier: GPL-2.0
/* A command that a command runs. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

static const int child_signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

#define CHILD_SIGNALS	(sizeof(child_signals) / sizeof(child_signals[0]))

static volatile sig_atomic_t child_signal;	/* came while one ran; 0: none did */
static volatile pid_t child_pid;
static struct sigaction child_before[CHILD_SIGNALS];	/* of who runs us */
static bool child_holds;

/* What a terminal sends goes to all of its foreground, the child too. */
static void child_forward(int number, siginfo_t *info, void *context)
{
	(void)context;
	child_signal = number;
	if (info->si_code <= 0 && child_pid > 0)
		kill(child_pid, number);
}

/* What is ignored stays so, as under nohup. */
static void child_catch(void)
{
	struct sigaction ours = { .sa_sigaction = child_forward, .sa_flags = SA_SIGINFO };

	for (size_t i = 0; i < CHILD_SIGNALS; i++) {
		sigaction(child_signals[i], NULL, &child_before[i]);
		if (child_before[i].sa_handler != SIG_IGN)
			sigaction(child_signals[i], &ours, NULL);
	}
}

static void child_restore(void)
{
	for (size_t i = 0; i < CHILD_SIGNALS; i++)
		sigaction(child_signals[i], &child_before[i], NULL);
}

void child_hold_signals(void)
{
	child_catch();
	child_holds = true;
}

static void child_block(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < CHILD_SIGNALS; i++)
		sigaddset(&set, child_signals[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

static _Noreturn void child_start(const char *command, char **argv, pid_t parent)
{
	/* who kills us means it, too; and may have before this */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(128 + SIGTERM);
	execvp(argv[0], argv);
	fprintf(stderr, "uvm %s: %s: %s\n", command, argv[0], strerror(errno));
	_exit(CHILD_MISSING);
}

int child_run(const char *command, char **argv, void (*prepare)(const void *arg), const void *arg)
{
	pid_t parent = getpid(), pid;
	sigset_t mask;
	int status = 0;

	fflush(NULL);
	child_block(&mask);
	if (child_holds && child_signal) {
		sigprocmask(SIG_SETMASK, &mask, NULL);
		return 128 + child_signal;
	}
	if (!child_holds)
		child_catch();
	pid = fork();
	if (!pid) {
		child_restore();
		sigprocmask(SIG_SETMASK, &mask, NULL);
		if (prepare)
			prepare(arg);
		child_start(command, argv, parent);
	}
	if (pid < 0)
		fprintf(stderr, "uvm %s: no process for %s: %s\n", command, argv[0],
			strerror(errno));
	child_pid = pid;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	child_pid = 0;
	if (!child_holds)
		child_restore();
	if (pid < 0)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void child_pass_signal(void)
{
	if (!child_signal)
		return;
	fflush(NULL);
	signal(child_signal, SIG_DFL);
	raise(child_signal);
}

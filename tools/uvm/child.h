/* SPDX-License-Identifier: GPL-2.0 */
/* A command that a command runs. */
#ifndef UVM_CHILD_H
#define UVM_CHILD_H

#define CHILD_MISSING	127	/* what a shell says of a program that there is not */

/*
 * From here on these signals wait for child_pass_signal(), whether a command runs or not, so that what
 * is to be removed is known and can be.  After one no command is begun.
 */
void child_hold_signals(void);

/**
 * child_run - run a command to its end
 * @command: who runs it, for messages
 * @argv: its words
 * @prepare: called in the child before, or NULL
 * @arg: for @prepare
 *
 * SIGHUP, SIGINT, SIGQUIT and SIGTERM that somebody sends us meanwhile go on to it.  The caller goes
 * on behind it, removes what is to be removed, and calls child_pass_signal().
 *
 * Return: its exit status as a shell has it: 128 and the number of the signal that ended it, or
 * CHILD_MISSING: it cannot be started; -1: there can be no process.  Both are said on stderr.
 */
int child_run(const char *command, char **argv, void (*prepare)(const void *arg), const void *arg);

/* End by the signal that came while a child ran or signals were held; return if none did. */
void child_pass_signal(void);

#endif

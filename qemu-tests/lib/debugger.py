# SPDX-License-Identifier: GPL-2.0
"""gdb on a kernel uml and the modules in it, from when they are loaded."""

import os
import shlex
import signal
import subprocess

# What drives the kernel: gdb is to pass it on without a word.
SIGNALS = "SIGSEGV SIGUSR1 SIGALRM SIGIO SIGWINCH SIGCONT SIGCHLD SIGTERM"


class Debugger:
    """Is there before COMMAND begins, with the modules' symbols."""

    name = "gdb"

    def __init__(self, modules, tmp, tree, words):
        self.modules = modules
        self.tree = tree                    # to which names of sources are relative
        self.words = shlex.split(words)     # more arguments of gdb
        self.script = os.path.join(tmp, "gdb")
        self.sign = f"{self.script}-is-there"
        self.process = None
        self.come = False

    def commands(self):
        """What gdb is to do first.

        A new process of user space has the modules' memory, and gdb takes its breakpoints out of
        what a new process has.  It writes them anew when it goes on after a stop, so each new
        process is one.  The CPU's own breakpoints would do, but many a virtual machine has none.
        """
        lines = [f"set directories {self.tree}:$cdir:$cwd",
                 "set confirm off", "set pagination off",
                 f"handle {SIGNALS} nostop noprint pass"]
        for module, sections in self.modules.sections.items():
            words = " ".join(f"-s {name} {address:#x}" for name, address in sections.items())
            lines.append(f"add-symbol-file {self.modules.file(module)} {words}")
        lines += ["catch fork", "commands", "silent", "continue", "end"]
        return "\n".join([*lines, f"shell touch {self.sign}"]) + "\n"

    def start(self, pid):
        """Attach; Ctrl-C is gdb's from now on."""
        with open(self.script, "w", encoding="utf-8") as f:
            f.write(self.commands())
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        argv = ["gdb", "-q", "-iex", "set libthread-db-search-path /nowhere", "-p", str(pid),
                "-x", self.script, *self.words]
        self.process = subprocess.Popen(argv)

    def has_come(self):
        """Once: the kernel is stopped, so COMMAND may be allowed to begin."""
        if self.come or not os.path.exists(self.sign):
            return False
        self.come = True
        return True

    def has_failed(self):
        """It ended without having come."""
        return not self.come and self.process and self.process.poll() is not None

    def wait(self):
        """Until the user leaves it; who ends the launcher ends it."""
        try:
            if self.process:
                self.process.wait()
        except SystemExit:
            self.end()
            raise

    def end(self):
        """At once."""
        if self.process:
            self.process.kill()
            self.process.wait()

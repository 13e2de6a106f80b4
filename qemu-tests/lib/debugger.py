# SPDX-License-Identifier: GPL-2.0
"""gdb on a kernel uml and the modules in it, from when they are loaded."""

import os
import shlex
import signal
import subprocess

# What drives the kernel: gdb is to pass it on without a word.
SIGNALS = "SIGSEGV SIGUSR1 SIGALRM SIGIO SIGWINCH SIGCONT SIGCHLD SIGTERM"


class Debugger:
    """Hears from /init where the modules are, and is there before COMMAND begins."""

    def __init__(self, words, modules, tmp):
        self.words = shlex.split(words)     # more arguments of gdb
        self.modules = modules              # the directory of the .ko files with debug information
        self.script = os.path.join(tmp, "gdb")
        self.sign = f"{self.script}-is-there"
        self.sections = {}                  # by module: [(section, address)]
        self.process = None

    def hear(self, text):
        """ "MODULE SECTION ADDRESS" of /init."""
        module, section, address = text.split()
        self.sections.setdefault(module, []).append((section, address))

    def code(self, sections):
        """From where to where a module's code goes.

        Read-only for gdb, so that breakpoints there are the CPU's: a new process of user
        space has the same memory, and gdb takes its own out of it there.
        """
        start = dict(sections)[".text"]
        after = [address for others in self.sections.values() for _, address in others
                 if int(address, 16) > int(start, 16)]
        return f"{start} {min(after, key=lambda a: int(a, 16))}"

    def commands(self):
        """What gdb is to do first."""
        lines = ["set confirm off", "set pagination off",
                 "set mem inaccessible-by-default off",
                 f"handle {SIGNALS} nostop noprint pass"]
        for module, sections in self.sections.items():
            words = " ".join(f"-s {name} {address}" for name, address in sections)
            lines.append(f"mem {self.code(sections)} ro")
            lines.append(f"add-symbol-file {os.path.join(self.modules, module)}.ko {words}")
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
        if not os.path.exists(self.sign):
            return False
        os.unlink(self.sign)
        return True

    def wait(self):
        """Until the user leaves it."""
        if self.process:
            self.process.wait()

# SPDX-License-Identifier: GPL-2.0
"""perf on a kernel uml: where the host's time goes, functions of the modules included."""

import collections
import os
import signal
import subprocess
import sys

from modules import function_at

SHOWN = 40


class Profiler:
    """Records from when the modules are loaded; prints a table at the end.

    perf itself does not know the modules: their code is in a part of a file without a name.
    """

    name = "perf"

    def __init__(self, modules, tmp):
        self.modules = modules
        self.data = os.path.join(tmp, "perf.data")
        self.process = None
        self.come = False

    def start(self, pid):
        """Attach."""
        self.process = subprocess.Popen(["perf", "record", "-q", "-F", "997", "-p", str(pid),
                                         "-o", self.data], stdout=subprocess.DEVNULL)

    def has_come(self):
        """Once: it records, so COMMAND may begin."""
        if self.come or self.process is None or self.process.poll() is not None or \
                not os.path.exists(self.data):
            return False
        self.come = True
        return True

    def samples(self):
        """How often each function was met."""
        script = subprocess.run(["perf", "script", "-i", self.data, "-F", "ip,sym,dso"],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                check=False).stdout
        functions = self.modules.functions()
        found = collections.Counter()
        for line in filter(str.strip, script.splitlines()):
            address, name, *where = line.split()
            if name == "[unknown]":
                name = function_at(functions, int(address, 16)) or "elsewhere"
            elif "kernel.kallsyms" in "".join(where):
                name += " [host]"
            found[name] += 1
        return found

    def has_failed(self):
        """It ended without having come."""
        return not self.come and self.process and self.process.poll() is not None

    def wait(self):
        """The run has ended: the table, on stderr."""
        if not self.come:
            return
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        found = self.samples()
        total = sum(found.values()) or 1
        print(f"perf: {total} samples", file=sys.stderr)
        for name, count in found.most_common(SHOWN):
            print(f"{100 * count / total:6.1f} %  {name}", file=sys.stderr)

    def end(self):
        """At once, and without a table."""
        if self.process:
            self.process.kill()
            self.process.wait()

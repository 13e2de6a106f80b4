# SPDX-License-Identifier: GPL-2.0
"""How a kernel's process is to be started; what qemu and uml make and Machine uses."""


class Start:
    """A command line and what belongs to it."""

    def __init__(self, argv, env=None, output=None):
        self.argv = argv
        self.env = env          # as for subprocess.Popen
        self.output = output    # a file for what the process itself says, ours to close

    def prepare(self):
        """In the child, before it becomes the kernel."""

    def kill_rest(self, pid):
        """When the process is gone: others that it has made."""

    def close(self):
        """When the kernel has ended."""
        if self.output:
            self.output.close()

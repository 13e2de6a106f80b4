# SPDX-License-Identifier: GPL-2.0
"""One running kernel: its process, its three channels, and what it told us."""

import ctypes
import io
import selectors
import signal
import socket
import subprocess
import sys
import termios
import time

# Seconds after the timeout in which the kernel tells what everybody waits for, and from when
# it has said that this is all until it is on the console.
LAST_WORDS = 15
ON_ITS_WAY = 2
# Seconds for booting, and for unloading and looking for leaks, on a busy host.
GRACE = 180


def die_with_parent():
    """No kernel outlives its launcher, whatever kills it."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def terminal_settings():
    """Of our terminal, which whoever uses it leaves raw; None without one."""
    return termios.tcgetattr(0) if sys.stdin.isatty() else None


class Machine:
    """One running kernel, see above.

    @backend says how it is started: qemu or uml.  The channels are sockets, which it
    hands to the kernel in its own way.
    """

    def __init__(self, args, backend, image, initrd, console, watcher=None):
        self.args = args
        self.watcher = watcher  # a debugger or profiler that COMMAND waits for, or None
        self.status = None      # of COMMAND
        self.done = None        # last words: the fields after "done"
        self.failure = None     # of the launcher's own
        self.trouble = None     # why modules did not load or unload
        self.booted = False
        self.over = False       # run() has returned: nobody has interrupted it
        self.deadline = 0.0
        self.received = {"out": 0, "get": 0}
        self.sent = {"out": 0, "get": 0}    # by /init, as it says
        self.tar = io.BytesIO()
        self.lines = b""
        self.terminal = terminal_settings() if args.tty else None
        pairs = {name: socket.socketpair() for name in ("ctl", "out", "get")}
        self.ports = {name: pair[0] for name, pair in pairs.items()}
        theirs = {name: pair[1] for name, pair in pairs.items()}
        self.start = backend.start(args, image, initrd, console, theirs)
        self.process = self._spawn([port.fileno() for port in theirs.values()])
        for port in theirs.values():
            port.close()

    def _spawn(self, fds):
        """Start the process; of our files it gets its ends of the channels alone."""
        def prepare():
            die_with_parent()
            self.start.prepare()

        tty = self.args.tty
        return subprocess.Popen(self.start.argv, env=self.start.env, pass_fds=fds,
                                stdin=None if tty else subprocess.DEVNULL,
                                stdout=None if tty else self.start.output or sys.stderr,
                                stderr=self.start.output, preexec_fn=prepare)

    def kill(self):
        """End the kernel, which holds nothing that is worth a goodbye."""
        if self.watcher and self.over:
            self.watcher.wait()
        elif self.watcher:
            self.watcher.end()
        self.process.kill()
        self.process.wait()
        self.start.kill_rest(self.process.pid)
        self.start.close()
        if self.terminal:
            termios.tcsetattr(0, termios.TCSADRAIN, self.terminal)

    def hear(self, line):
        """One line from /init, which may have lost what it wanted to say: out of memory it does."""
        try:
            self._take(line)
        except (ValueError, IndexError):
            self.trouble = f"the kernel's /init said '{line}', which lacks a number; " \
                           "it may have had no memory (--memory)"

    def _take(self, line):
        word, _, rest = line.partition(" ")
        if word == "boot":
            self.booted = True
            self.deadline = time.monotonic() + self.args.timeout + LAST_WORDS
        elif word == "loaded":
            # From here /init counts, too; loading takes a busy host its time.
            self.deadline = time.monotonic() + self.args.timeout + LAST_WORDS
        elif word == "section":
            self.watcher.modules.hear(rest)
        elif word == "waits":
            self.watcher.start(self.process.pid)
        elif word == "insmod":
            self.trouble = f"module load failed: {rest}"
        elif word == "share":
            self.trouble = f"--share: {rest}"
        elif word == "command":
            self.status = int(rest)
            self.deadline = time.monotonic() + GRACE
        elif word == "checked" and rest == "rmmod":
            self.trouble = "a module could not be unloaded, see the console"
        elif word == "stacks":
            self.deadline = min(self.deadline, time.monotonic() + ON_ITS_WAY)
        elif word == "done":
            fields = rest.split(" ")
            # without numbers nobody knows how much is on its way: what has come is all
            self.done = fields
            self.sent = {"out": int(fields[1]), "get": int(fields[2])}

    def receive(self, name, data):
        """Bytes from one channel."""
        if name == "out":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        elif name == "get":
            self.tar.write(data)
        else:
            self.lines += data
            *lines, self.lines = self.lines.split(b"\n")
            for line in lines:
                self.hear(line.decode(errors="replace"))
            return
        self.received[name] += len(data)

    def complete(self):
        """Whether everything that the guest sent has arrived."""
        return self.done and all(self.sent[name] <= self.received[name] for name in self.sent)

    def pause(self):
        """How long to listen, in seconds; also the time to look after the watcher."""
        if self.watcher and self.watcher.has_come():
            try:
                self.ports["ctl"].sendall(b"go\n")
            except ConnectionError:
                pass    # the kernel has gone, as its channels tell
        elif self.watcher and self.watcher.has_failed():
            self.failure = f"{self.watcher.name} ended before it was there"
            self.deadline = 0.0
        return min(0.2 if self.watcher else 1.0, max(self.deadline - time.monotonic(), 0.01))

    def run(self):
        """Until the guest is done, the process gone or the time over: False on a timeout."""
        in_time = self._listen()
        self.over = True
        return in_time

    def _listen(self):
        """run(), but for keeping in mind that it came to its end."""
        self.deadline = time.monotonic() + GRACE
        selector = selectors.DefaultSelector()
        for name, port in self.ports.items():
            selector.register(port, selectors.EVENT_READ, name)
        while selector.get_map():
            if time.monotonic() > self.deadline:
                return False
            for key, _ in selector.select(self.pause()):
                try:
                    data = key.fileobj.recv(1 << 16)
                except ConnectionError:
                    data = b""
                if data:
                    self.receive(key.data, data)
                else:
                    selector.unregister(key.fileobj)
            if self.complete():
                return True
        return True

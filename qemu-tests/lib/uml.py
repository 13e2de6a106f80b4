# SPDX-License-Identifier: GPL-2.0
"""A kernel that is a program (User Mode Linux): how it is started."""

import fcntl
import os
import resource
import signal

from builddir import build_dir
from start import Start

# What /init talks through: serial lines, each joined to a socket of the launcher.
PORTS = {"ctl": "/dev/ttyS1", "out": "/dev/ttyS2", "get": "/dev/ttyS3"}
TTY = "/dev/tty1"
CONSOLE = "/dev/tty0"

# The machine's memory is a file there, which has no name and goes with the kernel.
MEMORY_DIRS = ("/dev/shm", "/tmp")
MEMORY_VARIABLE = "SOFTUVM_UML_MEMORY"
TMPFS = "tmpfs"


def filesystem(path):
    """The type of the file system that a directory is in."""
    best = ("", "")
    real = os.path.realpath(path)
    with open("/proc/mounts", encoding="utf-8") as f:
        for line in f:
            _, mount, kind, *_ = line.split()
            inside = real == mount or real.startswith(mount.rstrip("/") + "/")
            if inside and len(mount) >= len(best[0]):
                best = (mount, kind)
    return best[1]


def lack(path, megabytes, any_kind=False):
    """Why the memory cannot be in a directory, or None."""
    if not os.access(path, os.W_OK | os.X_OK):
        return "is no directory to write in"
    stat = os.statvfs(path)
    room = stat.f_bavail * stat.f_frsize >> 20
    if stat.f_flag & os.ST_NOEXEC:
        return "is mounted noexec"
    if not any_kind and filesystem(path) != TMPFS:
        return "is no tmpfs"
    if room < megabytes:
        return f"has room for {room} MB"
    return None


def memory_dir(megabytes):
    """Where the memory's file goes: (directory, None), or (None, what is wrong)."""
    chosen = os.environ.get(MEMORY_VARIABLE)
    lacks = []
    for path in (chosen,) if chosen else MEMORY_DIRS:
        why = lack(path, megabytes, any_kind=bool(chosen))
        if not why:
            return path, None
        lacks.append(f"{path} {why}")
    return None, (f"User Mode Linux keeps its {megabytes} MB of memory in a file: "
                  f"{', '.join(lacks)}; make room (mount -o remount,exec,size={megabytes * 2}M /dev/shm), ask for less "
                  f"with --memory, or name another directory in {MEMORY_VARIABLE}")


def free_processor():
    """A CPU of this machine that no other kernel of ours is on, and the lock that says so."""
    cpus = sorted(os.sched_getaffinity(0))
    for cpu in cpus:
        lock = os.open(os.path.join(build_dir(), f".lock-cpu{cpu}"), os.O_CREAT | os.O_RDWR, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return cpu, [lock]
        except OSError:
            os.close(lock)
    return cpus[os.getpid() % len(cpus)], []


class UmlStart(Start):
    """On one CPU: its stops are twice as dear between two.  And it leaves no core file."""

    def __init__(self, argv, env, console):
        super().__init__(argv, env, output=open(console, "ab"))
        self.cpu, self.locks = free_processor()

    def prepare(self):
        os.sched_setaffinity(0, {self.cpu})
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))

    def kill_rest(self, pid):
        # They end with it, but for those that it makes first thing, to try ptrace.
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def close(self):
        super().close()
        for lock in self.locks:
            os.close(lock)


def start(args, image, initrd, console, ports):
    """The command line of a kernel for User Mode Linux, and where it finds room."""
    argv = [image, f"mem={args.memory}M", f"initrd={initrd}", "con=null", "con0=null,fd:2",
            "ssl=null", "panic=-1", "oops=panic", *args.append.split()]
    for name, port in ports.items():
        argv.append(f"ssl{PORTS[name][len('/dev/ttyS'):]}=fd:{port.fileno()}")
    if args.tty:
        argv.append("con1=fd:0,fd:1")
    # It writes who it is to ~/.uml.
    env = {**os.environ, "TMPDIR": memory_dir(args.memory)[0], "HOME": os.path.dirname(initrd)}
    return UmlStart(argv, env, console)

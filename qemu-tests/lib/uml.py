# SPDX-License-Identifier: GPL-2.0
"""A kernel that is a program (User Mode Linux): how it is started."""

import os
import random
import resource
import signal
import socket
import sys

from start import Start

KERNELS = ("uml", "uml-debug")

# What /init talks through: serial lines, each joined to a socket of the launcher.
PORTS = {"ctl": "/dev/ttyS1", "out": "/dev/ttyS2", "get": "/dev/ttyS3"}
TTY = "/dev/tty1"
# How /init mounts a directory of this machine.
SHARE = "-t hostfs -o {} none"
CONSOLE = "/dev/tty0"

# The machine's memory is a file without a name, which goes with the kernel: in a tmpfs, or
# else on a disk, which takes longer where the disk does.
MEMORY_DIRS = ("/dev/shm", "/tmp", "/var/tmp")
MEMORY_VARIABLE = "SOFTUVM_UML_MEMORY"
ADVICE = (f"ask for less with --memory, name a directory with room in {MEMORY_VARIABLE}, or enlarge "
          "/dev/shm (as root: mount -o remount,exec,size=4G /dev/shm)")
# What the kernel says when the file cannot grow any more.
NO_ROOM = "Bus error - the host"

# How many mappings a process may have, and what is enough for 4 GB in pieces of 4 KB.
MAPPINGS = "/proc/sys/vm/max_map_count"
MAPPINGS_WANTED = 1 << 20


def on_tmpfs(path):
    """Whether a directory is in memory."""
    best = ("", "")
    real = os.path.realpath(path)
    with open("/proc/mounts", encoding="utf-8") as f:
        for line in f:
            _, mount, kind, *_ = line.split()
            inside = real == mount or real.startswith(mount.rstrip("/") + "/")
            if inside and len(mount) >= len(best[0]):
                best = (mount, kind)
    return best[1] == "tmpfs"


def lack(path, megabytes):
    """Why the memory cannot be in a directory, or None."""
    if not os.access(path, os.W_OK | os.X_OK):
        return "is no directory to write in"
    stat = os.statvfs(path)
    room = stat.f_bavail * stat.f_frsize >> 20
    if stat.f_flag & os.ST_NOEXEC:
        return "is mounted noexec"
    return f"has room for {room} MB" if room < megabytes else None


def memory_dir(megabytes):
    """Where the memory's file goes: (directory, None), or (None, what is wrong)."""
    chosen = os.environ.get(MEMORY_VARIABLE)
    lacks = []
    paths = (chosen,) if chosen else sorted(filter(os.path.isdir, MEMORY_DIRS),
                                            key=lambda path: not on_tmpfs(path))
    for path in paths:
        why = lack(path, megabytes)
        if not why:
            return path, None
        lacks.append(f"{path} {why}")
    return None, (f"User Mode Linux keeps its {megabytes} MB of memory in a file: "
                  f"{', '.join(lacks)}; {ADVICE}")


def more_mappings():
    """Let a process have more mappings, if we may set that: what lies apart in the kernel's memory
    takes one each, and Linux's 65530 are 256 MB of pages.  This machine's setting, so we say it."""
    try:
        with open(MAPPINGS, "r+", encoding="ascii") as file:
            before = int(file.read())
            if before >= MAPPINGS_WANTED:
                return
            file.seek(0)
            file.write(f"{MAPPINGS_WANTED}\n")
    except OSError:
        return
    print(f"vm: this machine's vm.max_map_count is now {MAPPINGS_WANTED}, was {before}: User Mode Linux "
          "needs it for programs of more than 256 MB", file=sys.stderr, flush=True)


def free_processor():
    """A CPU that no other kernel uml of this machine is on, and the sign that it is taken."""
    cpus = sorted(os.sched_getaffinity(0))
    for cpu in cpus:
        sign = socket.socket(socket.AF_UNIX)
        try:
            # A name without a file: it goes with the launcher, whoever that is.
            sign.bind(f"\0softuvm-cpu{cpu}")
            return cpu, sign
        except OSError:
            sign.close()
    return random.choice(cpus), None


class UmlStart(Start):
    """On one CPU: its stops are twice as dear between two.  And it leaves no core file."""

    def __init__(self, argv, env, console):
        super().__init__(argv, env, output=open(console, "ab"))
        self.cpu, self.sign = free_processor()

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
        if self.sign:
            self.sign.close()


def start(args, image, initrd, console, ports):
    """The command line of a kernel for User Mode Linux, and where it finds room."""
    more_mappings()
    argv = [image, f"mem={args.memory}M", f"initrd={initrd}", "con=null", "con0=null,fd:2",
            "ssl=null", "panic=-1", "oops=panic", *args.append.split()]
    for name, port in ports.items():
        argv.append(f"ssl{PORTS[name][len('/dev/ttyS'):]}=fd:{port.fileno()}")
    if args.tty:
        argv.append("con1=fd:0,fd:1")
    # It writes who it is to ~/.uml.
    env = {**os.environ, "TMPDIR": args.memory_dir, "HOME": os.path.dirname(initrd)}
    return UmlStart(argv, env, console)

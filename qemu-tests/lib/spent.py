# SPDX-License-Identifier: GPL-2.0
"""What a job costs: seconds on the wall, and of CPU, which other work on the machine does not change."""

import os
import signal
import subprocess
import threading
import time
from typing import NamedTuple


class Spent(NamedTuple):
    """Seconds."""

    wall: float = 0.0
    cpu: float = 0.0


# Seconds for what has been begun to put away its files and end by itself.
GRACE = 10

ENDING = threading.Event()

TICKS = os.sysconf("SC_CLK_TCK")


def stat(pid):
    """A process's parent and CPU seconds, with those of its children that it has waited for."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
        fields = f.read().rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15])) / TICKS


def tree(root):
    """A process and all below it: CPU seconds by process."""
    parents, seconds = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(name)], seconds[int(name)] = stat(name)
        except OSError:
            pass    # it has just ended
    children = {}
    for pid, parent in parents.items():
        children.setdefault(parent, []).append(pid)
    found, todo = {}, [root]
    while todo:
        pid = todo.pop()
        found[pid] = seconds.get(pid, 0.0)
        todo += children.get(pid, [])
    return found


def of_tree(root):
    """CPU seconds of a process and of all below it."""
    return sum(tree(root).values())


def send(number, pids):
    """A signal to processes, of which some may be gone."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def below(root):
    """A process and all below it that live, without this one."""
    return {pid for pid in tree(root) if os.path.exists(f"/proc/{pid}/exe")} - {os.getpid()}


def kill_tree(root):
    """End a process and what it has begun: all are stopped first, so that none begins another."""
    known = set()
    while new := below(root) - known:
        send(signal.SIGSTOP, new)
        known |= new
    send(signal.SIGKILL, known)


def end_by(number, _frame):
    """Of a signal: this process ends by it, with all that it has begun.

    Python does not hear of a signal that comes just before its main thread goes to sleep until
    that wakes.  So the main thread sleeps for a second at a time.
    """
    ENDING.set()
    until = time.monotonic() + GRACE
    told = set()
    while (left := below(os.getpid())) and time.monotonic() < until:
        send(signal.SIGTERM, left - told)
        told |= left
        time.sleep(0.05)
    kill_tree(os.getpid())
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def begin(argv, **options):
    """As subprocess.Popen().  A thread that comes here while this process ends stays here."""
    while ENDING.is_set():
        time.sleep(GRACE)
    return subprocess.Popen(argv, **options)


def run(argv, timeout=None, **options):
    """As subprocess.run(): its status, None if it had to be killed after TIMEOUT, and CPU seconds."""
    late = threading.Event()
    process = begin(argv, **options)

    def stop():
        late.set()
        kill_tree(process.pid)

    timer = threading.Timer(timeout or threading.TIMEOUT_MAX, stop)
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        timer.cancel()
    return None if late.is_set() else process.returncode, usage.ru_utime + usage.ru_stime

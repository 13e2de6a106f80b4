#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""How programs end that are interrupted, or that nobody listens to."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
TOOLS = os.path.dirname(HERE)

# It says that it has begun, is at work, and puts away.  A job in the background inherits signals that are ignored.
# It sleeps in small pieces: a signal between Python's last look and the system call is seen after the call only.
WORK = """
import signal, sys, time
sys.path.insert(0, sys.argv[1])
import quietly
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
def main():
    try:
        print("begun", flush=True)
        for _ in range(600):
            time.sleep(.1)
    finally:
        print("put away", flush=True)
quietly.run(main)
"""

# Two machines at a time, three sessions; a machine says which process it is.  The third session
# is asked for at once, or after the two have begun.
MACHINES = """
import sys, time
sys.path.insert(0, sys.argv[1])
import quietly
from framework import machine
machine.VM = sys.argv[2]
room = machine.Laboratory(sys.argv[3], 2, 60)
one = machine.Machine("one", "", 64)
def groups():
    for i in range(3):
        for _ in range(int(sys.argv[4]) if i == 2 else 0):
            time.sleep(.1)
        yield [machine.Run(one, "list")]
quietly.run(lambda: room.crew.work(room.session, groups()))
"""

VM = """#!/bin/sh
echo $$ >> "$0.pids"
exec sleep 60
"""


def started(text, *words):
    """A program of ours."""
    # pylint: disable=consider-using-with
    return subprocess.Popen([sys.executable, "-B", "-c", text, HERE, *words], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def unheard(*words):
    """(status, complaints) of a command whose output nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    # argparse overlooks that nobody reads where nothing is buffered
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run([*words], stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
                          env=buffered)
    os.close(writing)
    return done.returncode, done.stderr


class Quietly(unittest.TestCase):
    """As other commands end."""

    def test_signals(self):
        """Each ends the program as if it were not caught, but for what is put away."""
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            program = started(WORK)
            self.assertEqual(program.stdout.readline(), "begun\n")
            program.send_signal(number)
            self.assertEqual(program.communicate(timeout=50), ("put away\n", ""))
            self.assertEqual(program.returncode, -number)

    def test_machines(self):
        """None is left, and none is begun any more, whether or not all are asked for."""
        for wait in (0, 600):
            self.ends_machines(wait)

    def ends_machines(self, wait):
        """The third session is asked for after so many tenths of a second."""
        with tempfile.TemporaryDirectory() as folder:
            vm = os.path.join(folder, "vm")
            with open(vm, "w", encoding="utf-8") as f:
                f.write(VM)
            os.chmod(vm, 0o755)
            program = started(MACHINES, vm, folder, str(wait))
            pids = []
            while len(pids) < 2:
                if os.path.exists(f"{vm}.pids"):
                    with open(f"{vm}.pids", encoding="utf-8") as f:
                        pids = f.read().split()
            program.terminate()
            self.assertEqual(program.communicate(timeout=50)[1], "")
            self.assertEqual(program.returncode, -signal.SIGTERM)
            with open(f"{vm}.pids", encoding="utf-8") as f:
                self.assertEqual(f.read().split(), pids)
            for pid in pids:
                self.assertFalse(os.path.exists(f"/proc/{pid}"))

    def test_unheard(self):
        """Nobody reads: no message, and SIGPIPE."""
        with tempfile.TemporaryDirectory() as folder:
            results = [os.path.join(folder, name) for name in ("a.json", "b.json")]
            for i, path in enumerate(results):
                with open(path, "w", encoding="utf-8") as f:
                    f.write(f'{{"workload":"triad","gpu_time_ns":{i + 1}}}\n')
            for words in (["arena/compare", *results], ["arena/arena", "--help"],
                          ["arena/sweep", "--help"], ["report/hpe", "--help"],
                          ["report/adaptive", "--help"], ["report/batch-aware", "--help"],
                          ["report/demystifying", "--help"], ["cuda/suite/test-suite", "--help"],
                          ["report/overlap.py", "/dev/null"]):
                told = unheard(sys.executable, "-B", os.path.join(TOOLS, words[0]), *words[1:])
                self.assertEqual(told, (-signal.SIGPIPE, ""), words)

    def test_other_pipes(self):
        """A pipe that broke elsewhere is no reader of ours."""
        program = started("import sys\nsys.path.insert(0, sys.argv[1])\nimport quietly\n"
                          "def main():\n    raise BrokenPipeError\nquietly.run(main)\n")
        self.assertIn("BrokenPipeError", program.communicate(timeout=50)[1])
        self.assertEqual(program.returncode, 1)


if __name__ == "__main__":
    sys.exit(unittest.main())

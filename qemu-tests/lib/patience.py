#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run a command, and show meanwhile that it still runs.

usage: patience.py [--log FILE [--of N]] WHAT COMMAND...

On a terminal that is one line, drawn again and again, with the time that has passed; anywhere
else a line at the start and one at the end.  Who is quick is not talked about.  With --log all
that COMMAND prints is added to FILE; with --of too, the line says how many of about N objects
make has named there.
"""

import argparse
import fcntl
import os
import re
import signal
import subprocess
import sys
import time

# Seconds: who takes less is quick; between two drawings.
QUICK = 2.0
REDRAW = 0.5


class Terminal:
    """The last line of the terminal on stderr.  Of several commands at a time the first has it."""

    def __init__(self):
        self.file = None
        self.ours = False
        if sys.stderr.isatty():
            # opened anew: a lock is of an opening, which children share
            self.file = os.open(os.ttyname(sys.stderr.fileno()), os.O_WRONLY | os.O_NOCTTY)

    def _lock(self):
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.ours = True
        except OSError:
            pass
        return self.ours

    def draw(self, text):
        """Show the text; what somebody prints meanwhile goes over it."""
        if self.ours or self._lock():
            columns = os.get_terminal_size(self.file).columns or 80
            os.write(self.file, f"\r\033[K{text[:columns - 1]}\r".encode())

    def close(self):
        """Leave an empty line to the next."""
        if self.ours:
            os.write(self.file, b"\r\033[K")
        if self.file is not None:
            os.close(self.file)


class Objects:
    """How many objects make has named in its log, from where that ends now."""

    def __init__(self, path, total):
        self.path = path
        self.total = total
        self.count = 0
        self.offset = os.path.getsize(path) if os.path.exists(path) else 0

    def __str__(self):
        """ "62 % (310 of 500 objects)"; never more than 99 %, for it is not done."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            text = file.read()
        whole = text[:text.rfind(b"\n") + 1]
        self.offset += len(whole)
        self.count += len(re.findall(rb"^  [A-Z].*\.o$", whole, re.M))
        total = max(self.total, self.count)
        return f" {min(100 * self.count // total, 99)} % ({self.count:,} of {total:,} objects),"


def run(what, argv, objects=None, **options):
    """As subprocess.run(), with WHAT on stderr."""
    begin = time.monotonic()
    terminal = Terminal()
    told = False

    def passed():
        return f"{time.monotonic() - begin:.0f} s"

    try:
        with subprocess.Popen(argv, **options) as process:
            try:
                while True:
                    try:
                        out, _ = process.communicate(timeout=REDRAW if told else QUICK)
                        break
                    except subprocess.TimeoutExpired:
                        if terminal.file is not None:
                            terminal.draw(f"{what}:{objects or ''} {passed()}")
                        elif not told:
                            print(f"{what} ...", file=sys.stderr, flush=True)
                        told = True
            except BaseException:
                process.kill()
                raise
    finally:
        terminal.close()
    if told:
        print(f"{what}: {'failed after ' if process.returncode else ''}{passed()}", file=sys.stderr,
              flush=True)
    return subprocess.CompletedProcess(argv, process.returncode, out)


def main():
    """What the command line says; the status is the command's."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", metavar="FILE")
    parser.add_argument("--of", metavar="N", type=int)
    parser.add_argument("what", metavar="WHAT")
    parser.add_argument("command", metavar="COMMAND", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if not args.command or (args.of and not args.log):
        parser.error("say WHAT and a COMMAND; --of reads a --log")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if not args.log:
        return run(args.what, args.command).returncode
    objects = Objects(args.log, args.of) if args.of else None
    with open(args.log, "ab") as log:
        return run(args.what, args.command, objects, stdin=subprocess.DEVNULL, stdout=log,
                   stderr=log).returncode


if __name__ == "__main__":
    sys.exit(main())

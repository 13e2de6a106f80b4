#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run a command, and say every few seconds that it still runs."""

import signal
import subprocess
import sys
import time

# Seconds between two signs of life.
EVERY = 5


def run(what, argv, **options):
    """As subprocess.run(); every EVERY seconds "WHAT, so many s" goes to stderr."""
    begin = time.monotonic()
    with subprocess.Popen(argv, **options) as process:
        try:
            while True:
                try:
                    out, _ = process.communicate(timeout=EVERY)
                    return subprocess.CompletedProcess(argv, process.returncode, out)
                except subprocess.TimeoutExpired:
                    print(f"{what}, {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
        except BaseException:
            process.kill()
            raise


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} WHAT COMMAND...")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run(sys.argv[1], sys.argv[2:]).returncode)

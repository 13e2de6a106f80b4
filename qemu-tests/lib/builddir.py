# SPDX-License-Identifier: GPL-2.0
"""The directory for everything that is built from this tree."""

import fcntl
import os

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def build_dir():
    """Where everything that is built goes, outside the sources."""
    path = os.environ.get("SOFTUVM_BUILD", os.path.join(TOP, "build"))
    os.makedirs(path, exist_ok=True)
    return path


class Locked:
    """A build step that concurrent launchers take in turn."""

    def __init__(self, name):
        self.path = os.path.join(build_dir(), f".lock-{name}")

    def __enter__(self):
        self.file = open(self.path, "w")
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self.file.close()

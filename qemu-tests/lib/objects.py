# SPDX-License-Identifier: GPL-2.0
"""Sources of the modules, and which symbols their objects have."""

import os
import subprocess
import sys


def sources(top, folder):
    """All .c and .h files below a folder of the tree, relative to it."""
    root = os.path.join(top, folder)
    for path, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.relpath(os.path.join(path, name), root)


def symbols(top, build, folder):
    """(object, symbol, kind as nm says it) of the objects in a build that have a source."""
    root = os.path.join(build, folder)
    found = [os.path.relpath(os.path.join(path, name), root)
             for path, _, names in os.walk(root) for name in names if name.endswith(".o")]
    if not found:
        sys.exit(f"no objects in {root}: build it first (qemu-tests/modules uml-debug)")
    found = [name for name in sorted(found)
             if os.path.exists(os.path.join(top, folder, name[:-1] + "c"))]
    out = subprocess.run(["nm", "-A", *found], cwd=root, capture_output=True, text=True,
                         check=True).stdout
    for line in out.splitlines():
        path, _, rest = line.partition(":")
        yield path, rest[19:], rest[17:18]

# SPDX-License-Identifier: GPL-2.0
"""A root file system for the VM: a cpio archive written from memory."""

import os
import re
import shutil
import subprocess

DIRS = ("bin", "dev", "etc", "lib", "lib64", "proc", "root", "run", "sys", "tmp", "usr", "var")

# Applets that the VM has better versions of, see guest/vmio.c.
HELPERS = ("vmrun", "vmsend", "insmod")


class Archive:
    """A cpio archive in the "newc" format, in memory, in deterministic order."""

    def __init__(self):
        self.parts = []
        self.seen = set()
        self.inode = 1

    def _entry(self, name, mode, data=b"", rdev=(0, 0)):
        fields = (self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, rdev[0], rdev[1],
                  len(name) + 1, 0)
        self.inode += 1
        head = b"070701" + b"".join(b"%08X" % f for f in fields) + name.encode() + b"\0"
        self.parts += [head, b"\0" * (-len(head) % 4), data, b"\0" * (-len(data) % 4)]

    def directory(self, path):
        """Add a directory and those above it, once."""
        if not path or path in self.seen:
            return
        self.directory(os.path.dirname(path))
        self.seen.add(path)
        self._entry(path, 0o040755)

    def write(self, path, data, mode=0o644):
        """Add a regular file; a later one of the same name wins when unpacked."""
        self.directory(os.path.dirname(path))
        self._entry(path, 0o100000 | mode, data)

    def link(self, path, target):
        """Add a symbolic link."""
        self.directory(os.path.dirname(path))
        self._entry(path, 0o120777, target.encode())

    def device(self, path, major, minor):
        """Add a character device node."""
        self.directory(os.path.dirname(path))
        self._entry(path, 0o020600, rdev=(major, minor))

    def add(self, path, source):
        """Add a file or a whole directory of the host."""
        if os.path.isdir(source):
            self.directory(path)
            for name in sorted(os.listdir(source)):
                self.add(f"{path}/{name}", os.path.join(source, name))
            return
        with open(source, "rb") as f:
            self.write(path, f.read(), os.stat(source).st_mode & 0o777)

    def save(self, path):
        """Write the archive, uncompressed: unpacking costs more than copying under TCG."""
        self._entry("TRAILER!!!", 0)
        with open(path, "wb") as f:
            f.writelines(self.parts)


def add_base(archive, init, vmio):
    """The part that is the same for every VM: busybox, the helper and /init."""
    busybox = shutil.which("busybox")
    if not busybox:
        raise SystemExit("vm: no busybox: install busybox-static (make packages)")
    for name in DIRS:
        archive.directory(name)
    archive.device("dev/console", 5, 1)
    archive.add("bin/busybox", busybox)
    applets = subprocess.run([busybox, "--list"], capture_output=True, text=True, check=True)
    for applet in applets.stdout.split():
        if applet != "busybox" and applet not in HELPERS:
            archive.link(f"bin/{applet}", "busybox")
    archive.add("bin/vmio", vmio)
    for helper in HELPERS:
        archive.link(f"bin/{helper}", "vmio")
    archive.directory("usr/bin")
    archive.directory("usr/sbin")
    archive.directory("root/work")
    archive.write("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n"
                                b"nobody:x:65534:65534:nobody:/:/bin/sh\n")
    archive.write("etc/group", b"root:x:0:\nnogroup:x:65534:\n")
    archive.add("init", init)


def add_program(archive, path):
    """A program of the host with the shared libraries that it needs."""
    real = shutil.which(path) or path
    archive.add(f"usr/bin/{os.path.basename(path)}", real)
    ldd = subprocess.run(["ldd", real], capture_output=True, text=True, check=False)
    for library in re.findall(r"(/\S+) \(0x", ldd.stdout):
        archive.add(library.lstrip("/"), library)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of patience.py."""

import contextlib
import io
import itertools
import os
import pty
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import patience  # noqa: E402

PROGRAM = os.path.join(os.path.dirname(os.path.realpath(__file__)), "patience.py")


class Log(unittest.TestCase):
    """What is said where there is no terminal, and what comes back."""

    def said(self, argv, **options):
        """A command's result, and what was said meanwhile."""
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            done = patience.run("building", argv, stdout=subprocess.PIPE, text=True, **options)
        return done, err.getvalue().splitlines()

    def setUp(self):
        self.was = patience.QUICK, patience.REDRAW
        patience.QUICK, patience.REDRAW = 0.3, 0.1

    def tearDown(self):
        patience.QUICK, patience.REDRAW = self.was

    def test_short(self):
        """Who is quick is not talked about."""
        patience.QUICK = 60
        done, lines = self.said(["sh", "-c", "echo out; exit 3"])
        self.assertEqual((done.returncode, done.stdout, lines), (3, "out\n", []))

    def test_long(self):
        """Who takes long is, twice, however long it takes."""
        done, lines = self.said(["sh", "-c", "sleep 1.5; echo out"])
        self.assertEqual((done.returncode, done.stdout), (0, "out\n"))
        self.assertEqual(len(lines), 2)
        self.assertEqual(lines[0], "building ...")
        self.assertRegex(lines[1], r"^building: \d+ s$")

    def test_failure(self):
        """The last line says that it went wrong."""
        done, lines = self.said(["sh", "-c", "sleep 1; exit 4"])
        self.assertEqual(done.returncode, 4)
        self.assertRegex(lines[-1], r"^building: failed after \d+ s$")


class Counted(unittest.TestCase):
    """Objects in the log of make."""

    def test_lines(self):
        """Whole lines of objects count, those of before and other ones do not."""
        with tempfile.NamedTemporaryFile("w") as log:
            log.write("  CC      before.o\n")
            log.flush()
            objects = patience.Objects(log.name, 4)
            self.assertEqual(str(objects), " 0 % (0 of 4 objects),")
            log.write("  CC      a.o\n  CC [M]  /x/b.o\n  GEN     list.h\nwarning: a.o\n  CC  c")
            log.flush()
            self.assertEqual(str(objects), " 50 % (2 of 4 objects),")
            log.write(".o\n  AS      d.o\n  CC      e.o\n")
            log.flush()
            self.assertEqual(str(objects), " 99 % (5 of 5 objects),")


class OnTerminal(unittest.TestCase):
    """One line that is drawn again."""

    def start(self, terminal, *words):
        """The program with a terminal."""
        return subprocess.Popen([sys.executable, "-B", PROGRAM, *words], stderr=terminal,
                                stdout=subprocess.DEVNULL)

    def screen(self, master):
        """All that was written to the terminal."""
        os.set_blocking(master, False)
        text = b""
        with contextlib.suppress(OSError):
            while True:
                text += os.read(master, 1 << 16)
        return text.decode()

    def test_redrawn(self):
        """Each time it begins anew; the only line that stays is the last."""
        master, slave = pty.openpty()
        with tempfile.NamedTemporaryFile("r") as log:
            words = ("--log", log.name, "--of", "3", "kernel uml", "sh", "-c",
                     "echo '  CC      a.o'; sleep 3.3; echo said >&2")
            self.assertEqual(self.start(slave, *words).wait(), 0)
            self.assertEqual(log.read(), "  CC      a.o\nsaid\n")
        text = self.screen(master)
        drawn = text.split("\r\033[K")
        self.assertGreaterEqual(len(drawn), 4)
        for one in drawn[1:-1]:
            self.assertRegex(one, r"^kernel uml: 33 % \(1 of 3 objects\), \d s\r$")
        self.assertRegex(drawn[-1], r"^kernel uml: \d s\r\n$")
        os.close(master)
        os.close(slave)

    def test_two(self):
        """Of two at a time one draws; the other only when that has ended."""
        master, slave = pty.openpty()
        both = [self.start(slave, name, "sleep", "4") for name in ("first", "second")]
        for one in both:
            self.assertEqual(one.wait(), 0)
        drawn = [one.split(":")[0] for one in self.screen(master).split("\r\033[K")
                 if one.endswith(" s\r")]
        self.assertLessEqual(len(list(itertools.groupby(drawn))), 2, drawn)
        os.close(master)
        os.close(slave)


if __name__ == "__main__":
    unittest.main()

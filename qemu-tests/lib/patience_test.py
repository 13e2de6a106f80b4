#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of patience.py."""

import contextlib
import io
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True

import patience  # noqa: E402


class Patience(unittest.TestCase):
    """What is said, and what comes back."""

    def said(self, argv):
        """A command's result, and what was said meanwhile."""
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            done = patience.run("building", argv, stdout=subprocess.PIPE, text=True)
        return done, err.getvalue().splitlines()

    def test_short(self):
        """Who is quick is not talked about."""
        done, lines = self.said(["sh", "-c", "echo out; exit 3"])
        self.assertEqual((done.returncode, done.stdout, lines), (3, "out\n", []))

    def test_long(self):
        """Who takes long is, each time with the time that has passed."""
        patience.EVERY = 0.2
        done, lines = self.said(["sh", "-c", "sleep 0.7; echo out"])
        self.assertEqual((done.returncode, done.stdout), (0, "out\n"))
        self.assertGreaterEqual(len(lines), 2)
        self.assertTrue(all(line.startswith("building, ") for line in lines))


if __name__ == "__main__":
    unittest.main()

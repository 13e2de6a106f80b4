#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of qemu-tests/documented: what it must find, and what it must let pass."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = os.path.join(HERE, "..", "documented")
LOADER = importlib.machinery.SourceFileLoader("documented", PATH)
documented = importlib.util.module_from_spec(importlib.util.spec_from_loader("documented", LOADER))
LOADER.exec_module(documented)

SOURCES = {
    "uvm/base/a.h": """/* int commented(void); */
int bare(void);
/* A plain comment. */
int plain(void);

/**
 * in_header() - is documented
 */
int in_header(void);
int in_source(void);
long
broken_line(int x,
            int y);

/**
 * inline_documented - without parentheses
 */
static inline int inline_documented(void) { return 0; }
static inline int inline_used(void) { return 1; }
static inline int inline_alone(void) { return 2; }
#define MADE(name) \\
static inline int name(void)
""",
    "uvm/base/a.c": """#include "a.h"
int bare(void) { return 0; }
int plain(void) { return 0; }
int in_header(void) { return 0; }
/**
 * in_source() - is documented too
 */
int in_source(void) { return 0; }
long broken_line(int x, int y) { return x + y; }
int alone(void) { return bare(); }
int in_kunit(void) { return 0; }
static int own(void) { return 0; }
int (*user)(void) = own;
""",
    "uvm/gpu/b.c": """#include "../base/a.h"
int gpu_b(void)
{
        const char *said = "inline_alone";  // inline_alone

        return bare() + plain() + in_header() + in_source() + broken_line(1, 2) + !said +
               inline_used() + inline_documented();
}
""",
    "softgpu/c.c": "int softgpu_c(void) { return 0; }\n",
    "kunit/d.c": "int in_kunit(void); int softgpu_c(void);\n"
                 "int d(void) { return in_kunit() + softgpu_c(); }\n",
    "include/e.h": "",
}


class Functions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.top = folder.name
        for name, text in SOURCES.items():
            path = os.path.join(cls.top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            if path.endswith(".c"):
                subprocess.run(["gcc", "-O1", "-c", path, "-o", path[:-1] + "o"], check=True)

    def run_with(self, *argv):
        """Exit status and output over SOURCES."""
        output = io.StringIO()
        with mock.patch.object(documented, "TOP", self.top), \
                contextlib.redirect_stdout(output), \
                mock.patch.object(sys, "argv", ["documented", "--build", self.top, *argv]):
            status = documented.main()
        return status, output.getvalue().splitlines()

    def test_missing(self):
        self.assertEqual(self.run_with("uvm"), (1, [
            "uvm/base/a.h:2: bare() has no kernel-doc; uvm/gpu/b.c uses it",
            "uvm/base/a.h:12: broken_line() has no kernel-doc; uvm/gpu/b.c uses it",
            "uvm/base/a.c:11: in_kunit() has no kernel-doc; kunit/d.c uses it",
            "uvm/base/a.h:4: plain() has no kernel-doc; uvm/gpu/b.c uses it",
            "uvm/base/a.h:19: inline_used() has no kernel-doc; uvm/gpu/b.c uses it"]))

    def test_folder(self):
        self.assertEqual(self.run_with("uvm/gpu"), (0, []))
        self.assertEqual(self.run_with("softgpu", "uvm/gpu"), (1, [
            "softgpu/c.c:1: softgpu_c() has no kernel-doc; kunit/d.c uses it"]))

    def test_count(self):
        self.assertEqual(self.run_with("--count"), (1, ["softgpu: 0 with, 1 without",
                                              "uvm/base: 3 with, 5 without"]))

    def test_wrong_folder(self):
        for where in ("uvm/nowhere", "include"):
            with self.subTest(where), self.assertRaises(SystemExit):
                self.run_with(where)

    def test_nothing_built(self):
        """Without objects nothing is proved."""
        with tempfile.TemporaryDirectory() as build, self.assertRaises(SystemExit):
            list(documented.globals_used(build))


if __name__ == "__main__":
    unittest.main()

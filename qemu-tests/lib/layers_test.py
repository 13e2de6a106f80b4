#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of qemu-tests/layers: what it must find, and what it must let pass."""
import importlib.machinery
import importlib.util
import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = os.path.join(HERE, "..", "layers")
LOADER = importlib.machinery.SourceFileLoader("layers", PATH)
layers = importlib.util.module_from_spec(importlib.util.spec_from_loader("layers", LOADER))
LOADER.exec_module(layers)


class Arrows(unittest.TestCase):
    def test_up_and_down(self):
        for user, used, up in (
                ("block/a.c", "gpu/b.h", False),
                ("gpu/b.c", "block/a.h", True),
                ("block/a.c", "block/b.h", False),
                ("fault/a.c", "request/b.h", True),     # beside each other
                ("request/b.c", "fault/a.h", True),
                ("policy/hpe/a.c", "policy/lib/b.h", False),
                ("policy/hpe/a.c", "policy/nvidia/b.h", False),
                ("policy/hpe/a.c", "policy/adaptive/b.h", True),
                ("policy/param.c", "policy/hpe/a.h", True),
                ("model/a.c", "policy/hpe/a.h", False),
                ("main.c", "fault/a.h", False),
                ("fault/a.c", "main.h", True),
                ("gpu/gpu.h", "memory/pmm_types.h", False),     # structures only
                ("memory/pmm_types.h", "model/chunk.h", False),
                ("memory/pmm_types.h", "memory/pmm.h", True),
                ("model/chunk.c", "memory/pmm_types.h", True)):
            with self.subTest(f"{user} uses {used}"):
                self.assertEqual(layers.runs_up("uvm", user, used), up)

    def test_folder_without_layer(self):
        with self.assertRaises(SystemExit):
            layers.runs_up("uvm", "nowhere/a.c", "gpu/b.h")


class Circles(unittest.TestCase):
    def test_found(self):
        found = layers.circles([("a.c", "b.h"), ("b.c", "c.h"), ("c.o", "d.o"), ("d.c", "a.h")])
        self.assertEqual(found, [["a", "b", "c", "d"]])

    def test_own_header_is_none(self):
        self.assertEqual(layers.circles([("a.c", "a.h"), ("a.c", "a_priv.h")]), [])

    def test_two_apart(self):
        found = layers.circles([("a.c", "b.h"), ("b.c", "a.h"), ("b.c", "c.h"),
                                ("c.c", "d.h"), ("d.c", "c.h")])
        self.assertEqual(sorted(found), [["a", "b"], ["c", "d"]])

    def test_tree_is_none(self):
        self.assertEqual(layers.circles([("a.c", "b.h"), ("a.c", "c.h"), ("b.c", "c.h")]), [])


class Objects(unittest.TestCase):
    def test_calls(self):
        """The caller and the callee of two objects, by what nm says."""
        with tempfile.TemporaryDirectory() as top:
            for name, code in (("gpu/up.c", "int below(void); int up(void) { return below(); }"),
                               ("base/below.c", "int below(void) { return 1; }")):
                path = os.path.join(top, "uvm", name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(code)
                subprocess.run(["gcc", "-c", path, "-o", path[:-1] + "o"], check=True)
            old, layers.TOP = layers.TOP, top
            try:
                self.assertEqual(list(layers.calls(top, "uvm")),
                                 [("gpu/up.o", "base/below.o", "below")])
            finally:
                layers.TOP = old

    def test_nothing_built(self):
        """Without objects nothing is proved."""
        with tempfile.TemporaryDirectory() as build, self.assertRaises(SystemExit):
            list(layers.calls(build, "uvm"))


if __name__ == "__main__":
    unittest.main()

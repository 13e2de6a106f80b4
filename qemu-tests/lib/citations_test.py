# SPDX-License-Identifier: GPL-2.0
"""Citations of nvidia-uvm's rules: which are found, and which are refused."""

import unittest

import citations

PAGE = """\
.. _nvidia-uvm-5:

5 Heuristics
.. _nvidia-uvm-5.3:

.. _nvidia-uvm-5.4:

1. One.
2. Two.

   a. Not a step.
"""


class Citations(unittest.TestCase):
    def test_page(self):
        self.assertEqual(citations.page_rules(PAGE), {"5": set(), "5.3": set(), "5.4": {1, 2}})

    def test_cited(self):
        for text, expected in (
                ("(nvidia-uvm 5.4)", [("5.4", None)]),
                ("nvidia-uvm (4.1, 4.4)", [("4.1", None), ("4.4", None)]),
                ("nvidia-uvm 4.2,\n * 4.4).", [("4.2", None), ("4.4", None)]),
                ("nvidia-uvm\n# 2.12.  And", [("2.12", None)]),
                ("nvidia-uvm 5.2 to 5.4", [("5.2", None), ("5.3", None), ("5.4", None)]),
                ("nvidia-uvm 5.4, steps 7 and 8", [("5.4", None), ("5.4", 7), ("5.4", 8)]),
                ("nvidia-uvm 3.1, steps 9 to 11", [("3.1", None)] +
                 [("3.1", step) for step in (9, 10, 11)]),
                ("nvidia-uvm 3.2, steps 2, 3 and 5", [("3.2", None)] +
                 [("3.2", step) for step in (2, 3, 5)]),
                ("Step 4 of nvidia-uvm 2.3", [("2.3", 4), ("2.3", None)]),
                ("nvidia-uvm 4: a chunk", [("4", None)]),
                ("nvidia-uvm takes 800 times", []),
                ("nvidia-uvm 595.45.04", [])):
            with self.subTest(text):
                self.assertEqual(list(citations.cited(text)), expected)

    def test_refused(self):
        rules = citations.page_rules(PAGE)
        for text, wrong in (("nvidia-uvm 5.4, step 2", 0), ("nvidia-uvm 5.4, step 3", 1),
                            ("nvidia-uvm 5.5", 1), ("nvidia-uvm 5.3 to 5.6", 2),
                            ("(charter 4)", 1), ("(issue 3, A.2)", 1), ("(issue D.3)", 1),
                            ("in issue order", 0)):
            with self.subTest(text):
                self.assertEqual(len(list(citations.faults(text, rules))), wrong)

    def test_lost(self):
        for text, wrong in (("``uvm/vma.c``", 0), ("``uvm/vma``: it", 0), ("``uvm/fault/``", 0),
                            ("``qemu-tests/vm --kernel uml``", 0), ("`tools/examples/README.md`", 0),
                            ("``tools/workloads/NAME.c``", 0), ("``uvm/policy/KIND_NAME.c``", 0),
                            ("``uvm/policy/*.h``", 0), ("uvm/gone.c", 0), ("``tests/gone``", 0),
                            ("``uvm/gone.c``", 1), ("``uvm/gone/``", 1), ("`tools/GONE.md`", 1),
                            ("``softgpu/gone`` and ``kunit/gone.c``", 2),
                            ("``qemu-tests/gone --help``", 1)):
            with self.subTest(text):
                self.assertEqual(len(list(citations.lost(text))), wrong)


if __name__ == "__main__":
    unittest.main()

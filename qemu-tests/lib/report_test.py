# SPDX-License-Identifier: GPL-2.0
"""What run-tests says: a line for a job, and what has failed last, with reason and log."""

import contextlib
import io
import unittest

from report import Report
from spent import Spent
from tap import Result


class Job:
    """A name."""

    def __init__(self, name):
        self.name = name


def said(report, *outcomes):
    """All lines that a run with these outcomes prints, and its status."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for name, results in outcomes:
            report.add(Job(name), results, Spent(2.0, 1.5))
        status = report.end()
    return out.getvalue().splitlines(), status


MANY = [Result(f"case {i}", True) for i in range(578)]
BAD = Result("case x", False, "1 expected, got 2\nat x.c:3\n")


class Output(unittest.TestCase):
    """Report"""

    def test_quiet(self):
        """578 that pass are one line."""
        lines, status = said(Report("/logs"), ("kunit/uml-debug", MANY))
        self.assertEqual(lines[0], "ok kunit/uml-debug: 578 tests, 2.0 s, CPU 1.5 s")
        self.assertEqual(lines[-1], "578 passed, 0 failed")
        self.assertEqual((len([line for line in lines if "case" in line]), status), (0, 0))

    def test_one_that_fails(self):
        """It is seen at once, and its reason and log are last, whatever comes after it."""
        lines, status = said(Report("/logs"), ("a/b", MANY[:9] + [BAD] + MANY[9:]), ("c", MANY))
        self.assertEqual(lines[:3], ["not ok a/b: 1 of 579 tests, 2.0 s, CPU 1.5 s",
                                     "  not ok case x", "ok c: 578 tests, 2.0 s, CPU 1.5 s"])
        self.assertEqual(lines[-5:], ["# failed: a/b: case x", "#   1 expected, got 2", "#   at x.c:3",
                                      "#   log: /logs/a_b", "1156 passed, 1 failed"])
        self.assertEqual(status, 1)

    def test_verbose(self):
        """A line for each."""
        lines, _ = said(Report("/logs", verbose=True), ("c", MANY + [BAD]))
        self.assertEqual(len([line for line in lines if line.startswith("  ok case")]), 578)
        self.assertIn("  not ok case x", lines)

    def test_repeated(self):
        """How often each has passed, the worst first."""
        report = Report("/logs", repeat=3)
        lines, status = said(report, ("a#1", MANY), ("b#1", MANY), ("b#2", [BAD]), ("a#2", MANY),
                             ("a#3", MANY), ("b#3", MANY))
        self.assertEqual([line for line in lines if "repeated" in line],
                         ["# repeated: 2 of 3 passed b", "# repeated: 3 of 3 passed a"])
        self.assertIn("#   log: /logs/b#2", lines)
        self.assertEqual((status, sorted(report.good)), (1, ["a", "b"]))

    def test_nothing_ran(self):
        """That is no success."""
        self.assertEqual(said(Report("/logs"))[1], 1)


if __name__ == "__main__":
    unittest.main()

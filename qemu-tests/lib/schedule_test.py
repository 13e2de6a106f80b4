# SPDX-License-Identifier: GPL-2.0
"""Jobs of one configuration share VMs of a bounded length, the longest VM first."""

import json
import os
import tempfile
import unittest

import schedule


class Job:
    """A name and a group."""

    def __init__(self, name, group=None):
        self.name = name
        self.group = group


def names(lists):
    """What is in them."""
    return [[job.name for job in part] for part in lists]


class Batches(unittest.TestCase):
    """schedule.batches()"""

    def test_one_vm_for_a_configuration(self):
        """In the order of names; a job without a group is alone."""
        jobs = [Job("b", "stock"), Job("x"), Job("a", "stock"), Job("y"), Job("c", "debug")]
        seconds = {"a": 3, "b": 1, "c": 5, "x": 9, "y": 1}.get
        self.assertEqual(names(schedule.batches(jobs, seconds)), [["x"], ["c"], ["a", "b"], ["y"]])

    def test_much_work_is_cut(self):
        """In equal parts, without a part that is empty."""
        jobs = [Job(str(i), "debug") for i in range(6)]
        lists = schedule.batches(jobs, lambda _: schedule.VM_SECONDS / 2)
        self.assertEqual([len(part) for part in lists], [2, 2, 2])
        lists = schedule.batches(jobs[:2], lambda _: 10 * schedule.VM_SECONDS)
        self.assertEqual(names(lists), [["0"], ["1"]])

    def test_nothing_is_lost(self):
        """Every job is in one list, whatever the durations."""
        jobs = [Job(str(i), i % 3 or None) for i in range(50)]
        lists = schedule.batches(jobs, lambda name: 7.0 * int(name))
        self.assertEqual(sorted(job.name for part in lists for job in part),
                         sorted(job.name for job in jobs))


class Durations(unittest.TestCase):
    """schedule.Durations"""

    def test_measured_before_table(self):
        """And kept for the next time."""
        with tempfile.TemporaryDirectory() as tmp:
            path, table = os.path.join(tmp, "here"), os.path.join(tmp, "table")
            with open(table, "w", encoding="utf-8") as f:
                json.dump({"a": 1.0, "b": 2.0}, f)
            schedule.Durations(path, table).save({"a": 5.04})
            durations = schedule.Durations(path, table)
            self.assertEqual([durations.of(name) for name in "abc"],
                             [5.0, 2.0, schedule.UNKNOWN_SECONDS])


if __name__ == "__main__":
    unittest.main()

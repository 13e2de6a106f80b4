# SPDX-License-Identifier: GPL-2.0
"""What runs together in one VM, in which order, and how long it will take."""

import json
import os

# Seconds of work (CPU) for one VM.  Booting the debug kernel and looking for leaks at the end take
# a sixth of that; with much more, one worker would be left alone with a long one at the end.
VM_SECONDS = 150.0
# For a job that nobody has run yet.
UNKNOWN_SECONDS = 20.0


class Durations:
    """CPU seconds that each job took: here the last time it passed, else where the table was made."""

    def __init__(self, path, table):
        self.path = path
        self.measured = self._read(path)
        self.known = {**self._read(table), **self.measured}

    @staticmethod
    def _read(path):
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8") as f:
            return json.load(f)

    def of(self, name):
        """Expected seconds of one job; NAME#3 is its third time."""
        return self.known.get(name.partition("#")[0], UNKNOWN_SECONDS)

    def save(self, seconds):
        """Keep what a run has measured: seconds by name."""
        self.measured.update((name, round(s, 1)) for name, s in seconds.items())
        with open(f"{self.path}.new", "w", encoding="utf-8") as f:
            json.dump(self.measured, f, indent=0, sort_keys=True)
            f.write("\n")
        os.rename(f"{self.path}.new", self.path)


def cut(jobs, seconds):
    """The jobs of one configuration as lists of about VM_SECONDS each."""
    total = sum(seconds(job.name) for job in jobs)
    parts = [[0.0, []] for _ in range(max(1, round(total / VM_SECONDS)))]
    for job in sorted(jobs, key=lambda job: (-seconds(job.name), job.name)):
        part = min(parts, key=lambda part: part[0])
        part[0] += seconds(job.name)
        part[1].append(job)
    return [sorted(part, key=lambda job: job.name) for _, part in parts if part]


def batches(jobs, seconds):
    """Lists of jobs to run one after the other, the longest list first.

    Jobs of one group may share a VM; a job without a group is a list of its own.
    """
    groups = {}
    for job in jobs:
        groups.setdefault(job.group or job.name, []).append(job)
    lists = [part for group in groups.values() for part in cut(group, seconds)]
    return sorted(lists, key=lambda part: -sum(seconds(job.name) for job in part))

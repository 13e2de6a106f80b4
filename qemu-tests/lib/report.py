# SPDX-License-Identifier: GPL-2.0
"""What run-tests says of its results."""

import os
import re
import sys
import threading

SLOWEST = 10


class Report:
    """Prints results as they come and counts them."""

    def __init__(self, logs):
        self.logs = logs
        self.lock = threading.Lock()
        self.passed = 0
        self.failed = []
        self.seconds = {}       # of jobs
        self.good = {}          # of those that have passed

    def log_path(self, job):
        """Where a job's output goes."""
        return os.path.join(self.logs, re.sub(r"[^A-Za-z0-9_.@,-]", "_", job.name))

    def add(self, job, results, seconds):
        """All results of one job."""
        with self.lock:
            self.seconds[job.name] = seconds
            if all(result.passed for result in results):
                self.good[job.name] = seconds
            print(f"# {job.name}: {seconds:.1f} s")
            for result in results:
                self._add(job, result)
            sys.stdout.flush()

    def _add(self, job, result):
        name = f"{job.name}: {result.name}"
        print(f"{'ok' if result.passed else 'not ok'} {name}")
        if result.passed:
            self.passed += 1
            return
        self.failed.append(name)
        for line in result.why.strip().splitlines()[:80]:
            print(f"#   {line}")
        print(f"#   log: {self.log_path(job)}")

    def end(self):
        """The summary; returns the exit status."""
        for name in self.failed:
            print(f"# failed: {name}")
        slowest = sorted(self.seconds.items(), key=lambda item: -item[1])[:SLOWEST]
        for name, seconds in slowest:
            print(f"# slowest: {seconds:6.1f} s {name}")
        print(f"{self.passed} passed, {len(self.failed)} failed", flush=True)
        return 1 if self.failed or not self.passed else 0

# SPDX-License-Identifier: GPL-2.0
"""What run-tests says of its results."""

import os
import re
import resource
import sys
import threading
import time

from spent import Spent

SLOWEST = 10
# Lines of a reason; the rest is in the log.
SHOWN_LINES = 80


def base_name(job):
    """Of a job that is repeated: the name that all its repetitions share."""
    return job.name.partition("#")[0]


class Report:
    """Prints a line for each job as it ends, and at the end why those have failed that have."""

    def __init__(self, logs, verbose=False, repeat=1):
        self.logs = logs
        self.verbose = verbose
        self.repeat = repeat
        self.lock = threading.Lock()
        self.began = time.monotonic()
        self.passed = 0
        self.failed = []        # (name, why, log) of tests
        self.spent = {}         # Spent, of jobs
        self.good = {}          # CPU seconds, of those that have passed
        self.tries = {}         # by base name: how often it passed, how often it ran

    def log_path(self, job):
        """Where a job's output goes."""
        return os.path.join(self.logs, re.sub(r"[^A-Za-z0-9_.@,#-]", "_", job.name))

    def add(self, job, results, spent=Spent()):
        """All results of one job."""
        bad = [result for result in results if not result.passed]
        with self.lock:
            self.spent[job.name] = spent
            self.passed += len(results) - len(bad)
            self.failed += [(f"{job.name}: {result.name}", result.why, self.log_path(job))
                            for result in bad]
            tried = self.tries.setdefault(base_name(job), [0, 0])
            tried[0] += not bad
            tried[1] += 1
            if not bad:
                self.good[base_name(job)] = spent.cpu
            self._say(job, results, bad, spent)

    def _say(self, job, results, bad, spent):
        """The job's line; with --verbose one for each test, else for each that has failed."""
        count = f"{len(bad)} of {len(results)} tests" if bad else \
            f"{len(results)} test{'s' if len(results) > 1 else ''}"
        print(f"{'not ok' if bad else 'ok'} {job.name}: {count}, {spent.wall:.1f} s, "
              f"CPU {spent.cpu:.1f} s")
        for result in results if self.verbose else bad:
            print(f"  {'ok' if result.passed else 'not ok'} {result.name}")
        sys.stdout.flush()

    def _slowest(self):
        by_cpu = sorted(self.spent.items(), key=lambda item: -max(item[1]))[:SLOWEST]
        for name, spent in by_cpu:
            print(f"# slowest: {spent.wall:6.1f} s, CPU {spent.cpu:6.1f} s {name}")

    def end(self):
        """The summary, with what has failed last; returns the exit status."""
        self._slowest()
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"# all: {time.monotonic() - self.began:.0f} s, "
              f"CPU {usage.ru_utime + usage.ru_stime:.0f} s")
        if self.repeat > 1:
            for name, (good, tried) in sorted(self.tries.items(), key=lambda t: (t[1][0], t[0])):
                print(f"# repeated: {good} of {tried} passed {name}")
        for name, why, log in self.failed:
            print(f"# failed: {name}")
            for line in why.strip().splitlines()[:SHOWN_LINES]:
                print(f"#   {line}")
            print(f"#   log: {log}")
        print(f"{self.passed} passed, {len(self.failed)} failed", flush=True)
        return 1 if self.failed or not self.passed else 0

# SPDX-License-Identifier: GPL-2.0
"""Threads that run programs.  Whatever ends us ends those programs first, and begins no more."""

import concurrent.futures
import contextlib
import subprocess
import threading

# Seconds.  A signal that comes just before a thread goes to sleep does not wake it.
NAP = 1


class Stopped(Exception):
    """No program is begun any more."""


class Crew:
    """So many threads, and the programs that run for them."""

    def __init__(self, jobs, end=subprocess.Popen.terminate):
        self.jobs = jobs
        self.end = end          # how a program is ended
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    @contextlib.contextmanager
    def program(self, argv, **words):
        """A Popen, until it has ended."""
        with self.lock:
            if self.stopped:
                raise Stopped
            process = subprocess.Popen(argv, **words)
            self.running.add(process)
        try:
            with process:
                yield process
        finally:
            with self.lock:
                self.running.discard(process)

    def stop(self):
        """Ends all of them.  A thread that was being made may be unknown to its pool: wait here."""
        with self.lock:
            self.stopped = True
            left = list(self.running)
        for process in left:
            self.end(process)
        for process in left:
            process.wait()

    def work(self, work, items, take=lambda result: None):
        """work(item) in the threads; take(result) here, in the order of the items."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            try:
                for future in [pool.submit(work, item) for item in items]:
                    while not future.done():
                        concurrent.futures.wait([future], NAP)
                    take(future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                self.stop()
                raise

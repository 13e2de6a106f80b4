# SPDX-License-Identifier: GPL-2.0
"""Runs what an experiment lacks, in virtual machines, several at a time."""

import json
import os
import subprocess
import sys
import time
from collections import namedtuple

import bounds
import content
import crew
import experiment
import store
from framework import command, machine


# Rows of an experiment, its rows of bounds, and what runs have less of than they can.
Outcome = namedtuple("Outcome", "rows bounds wrong other_order")


def identify(cells):
    """Each has its key from now on."""
    for cell in cells:
        cell.key = content.key(cell.run, cell.words[1], cell.settings)
    return cells


class Arena(machine.Laboratory):
    """A laboratory whose results are in one SQLite file, each kept as soon as it is there."""

    def __init__(self, directory, jobs, again=False):
        os.makedirs(directory, exist_ok=True)
        self.store = store.Store(os.path.join(directory, "results.db"))
        self.crew = crew.Crew(jobs)
        self.limit = experiment.LIMIT
        self.lock = machine.threading.Lock()
        self.again = again      # those that failed, too
        self.done = self.total = 0
        self.began = time.monotonic()
        self.cells = {}         # by id of the run: the experiment, the cell, and its table

    def finish(self, run):
        """It has ended: its row, and how far we are."""
        x, cell, table = self.cells[id(run)]
        with self.lock:
            self.store.put(cell.key, x, cell, table)
            self.done += 1
            self.progress(cell)

    def progress(self, cell):
        """A line, with the time that is left if the rest is like what was."""
        left = (time.monotonic() - self.began) / self.done * (self.total - self.done)
        told = cell.run.error.strip() or f"{cell.run.result['gpu_time_ns'] / 1e6:.3f} ms"
        print(f"arena: {self.done}/{self.total}, {left // 60:.0f}:{left % 60:02.0f} left: "
              f"{cell.workload} {cell.policy} {cell.percent:g} %"
              f"{''.join(f' {n}={v}' for n, v in cell.parameters.items())}: {told}",
              file=sys.stderr, flush=True)

    def say(self, text):
        """Of a machine that ended too early."""
        print(f"arena: {text}", file=sys.stderr, flush=True)

    def missing(self, cells, table):
        """Those without a row, or without a result if those are to be made again."""
        rows = self.store.rows(table)
        found, taken = [], set()
        for cell in cells:
            row = rows.get(cell.key)
            if cell.key in taken or (row and not (self.again and row["error"])):
                continue
            taken.add(cell.key)
            found.append(cell)
        return found

    def perform_cells(self, x, cells, wanted_bounds):
        """Rows for all of them; what the machine took with it is a row, too."""
        parts = [cell for bound in wanted_bounds for cell in bound.cells()]
        lacking = [(cell, table) for table, some in (("runs", cells), ("parts", parts))
                   for cell in self.missing(some, table)]
        self.total = len(lacking)
        self.cells.update((id(cell.run), (x, cell, table)) for cell, table in lacking)
        sessions = {}
        for cell, _ in lacking:
            sessions.setdefault(cell.workload, []).append(cell.run)
        self.crew.work(self.session, sessions.values())
        for cell, table in lacking:
            if cell.run.result is None and not self.store.has(cell.key, table):
                self.store.put(cell.key, x, cell, table)

    def outcome(self, x, cells, wanted_bounds):
        """Of what has been made."""
        runs, parts = self.store.rows(), self.store.rows("parts")
        found = [row for row in (bounds.row(x, bound, parts) for bound in wanted_bounds) if row]
        self.store.put_bounds(found)
        return Outcome(self.named(x, cells), found, bounds.judge(cells, runs, found),
                       bounds.other_order(cells, runs, found))

    def named(self, x, cells):
        """Rows as this experiment calls them."""
        rows = self.store.rows()
        return [{**rows[cell.key], "profile": x.profile, "device": cell.device,
                 "policy": cell.policy, "workload": cell.workload,
                 "oversubscription": cell.percent, "seed": cell.seed,
                 "parameters": json.dumps(cell.parameters, sort_keys=True)}
                for cell in cells if cell.key in rows]


def tools():
    """Built, and the names of the workloads that there are."""
    folder = os.path.join(command.build_dir(), "tools")
    subprocess.run(["make", "-s", "--no-print-directory", "-C",
                    os.path.join(machine.TOP, "tools"), f"O={folder}"],
                   stdout=sys.stderr, check=True)
    told = subprocess.run([os.path.join(folder, "uvm"), "list", "--json"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return [w["name"] for w in json.loads(told)["workloads"]] if told else []


def directory(args):
    """Where results are."""
    return args.out or os.path.join(command.build_dir(), "arena")


def wanted(x):
    """What an experiment asks for: cells, and bounds."""
    found = bounds.rows(x) if x.bounds else []
    identify([cell for bound in found for cell in bound.cells()])
    return identify(experiment.cells(x)), found


def collect(x, args):
    """Rows of an experiment that were made elsewhere."""
    arena = Arena(directory(args), 1)
    for other in args.collect:
        path = os.path.join(other, "results.db")
        if not os.path.exists(path):
            raise experiment.Mistake(f"{path}: there is no such file")
        arena.store.take(path)
    return arena.outcome(x, *wanted(x))


def run(x, args):
    """All rows of an experiment."""
    workloads = tools()
    if workloads:
        experiment.known(x, workloads)
    arena = Arena(directory(args), args.jobs, args.again)
    cells, some = wanted(x)
    arena.perform_cells(x, cells, some)
    return arena.outcome(x, cells, some)

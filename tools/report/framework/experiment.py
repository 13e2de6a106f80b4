# SPDX-License-Identifier: GPL-2.0
"""The runs of a report: planned by its figures, and what is kept of them."""

import dataclasses

from . import results


def label(key):
    """Of a run among those of the same use."""
    return " ".join(map(str, key[1:])) or "-"


class Experiment:
    """All runs by key: what it is for, and its workload, and more that tells it apart."""

    def __init__(self, paper, scale):
        self.paper = paper
        self.scale = scale
        self.runs = {}
        self.facts = {}         # of the paper's own
        self.owned = {}         # keys by figure
        self.planned = {}       # labels by use, whether or not the command line leaves them
        self.figure = None

    def add(self, key, run):
        """Plan a run for the figure whose turn it is; the first one that has this key counts."""
        self.runs.setdefault(key, run)
        if key not in self.owned.setdefault(self.figure, []):
            self.owned[self.figure].append(key)

    def plan(self):
        """All that the figures ask for; what takes long comes first."""
        for figure in self.paper.figures:
            self.figure = figure.name
            figure.plan(self)
        for key in self.runs:
            self.planned.setdefault(key[0], []).append(label(key))
        # As the scale has them, whichever figure asked first.
        known = list(getattr(self.scale, "workloads", ()))
        for names in self.planned.values():
            names.sort(key=lambda name: known.index(name) if name in known else len(known))
        self.runs = dict(sorted(self.runs.items(), key=lambda run: self.paper.schedule(run[0])))

    def wanted(self, args):
        """The keys that the command line leaves."""
        some = {key for name in args.figure for key in self.owned.get(name, ())}
        return [key for key in self.runs
                if (not args.figure or key in some) and self.paper.wanted(args, key)]

    def result(self, *key):
        """The JSON of a run, or None."""
        run = self.runs.get(key)
        return run.result if run else None


def rows(runs):
    """What is kept by use and label; and the names of runs whose result is wrong."""
    found, wrong = {}, []
    for key, run in runs.items():
        if not run.result:
            continue
        if not run.result.get("verified", True):
            wrong.append(f"{label(key)} ({key[0]})")
            run.result, run.batches = None, []
            continue
        found.setdefault(key[0], {})[label(key)] = {
            **results.row(run.result), **({"pieces": run.pieces} if run.counted else {}),
            **({"string": run.string} if run.string else {})}
    return found, wrong


def collect(x, keys):
    """All of it, ready for JSON.  A run with a wrong result is named, and stands for nothing."""
    x.runs = {key: x.runs[key] for key in keys}
    seconds = sum(run.result.get("wall_time_s", 0) for run in x.runs.values() if run.result)
    runs, wrong = rows(x.runs)
    data = {"scale": dataclasses.asdict(x.scale), "smoke": x.scale.name == "quick",
            "facts": x.facts, "planned": x.planned, "runs": runs, "wrong": wrong,
            "seconds": seconds,
            "commands": {name: [x.runs[key].command() for key in owned if key in x.runs]
                         for name, owned in x.owned.items()},
            "errors": [[run.command(), run.error] for run in x.runs.values() if run.error]}
    for figure in x.paper.figures:
        data.update(figure.kept(x))
    return data

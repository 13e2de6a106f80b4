# SPDX-License-Identifier: GPL-2.0
"""
What no policy can do without: a row for each workload, size of memory and seed; see arena.rst.

Three runs are behind a row: one with all memory whose accesses are recorded ("recorded"), one with
explicit memory and so without faults ("unlimited"), and one that knows what the recorded one touched
("fnu").
"""

import hashlib
import json
import shlex
from dataclasses import dataclass

import content
import experiment

COLUMNS = {
    "key": "TEXT PRIMARY KEY", "profile": "TEXT", "device": "TEXT", "workload": "TEXT",
    "oversubscription": "REAL", "seed": "INTEGER", "memory_bytes": "INTEGER",
    "b1_bytes": "INTEGER", "b1r_bytes": "INTEGER", "min_bytes": "INTEGER", "min_loads": "INTEGER",
    "unlimited_ns": "INTEGER", "link_ns": "INTEGER", "service_ns": "INTEGER", "b2_ns": "INTEGER",
    "fnu_ns": "INTEGER", "error": "TEXT", "command": "TEXT",
    "result": "TEXT",
}


@dataclass
class Bound:
    """One row, and the runs that it is made of, as cells."""

    recorded: experiment.Cell
    unlimited: experiment.Cell
    fnu: experiment.Cell

    def cells(self):
        """All of them."""
        return self.recorded, self.unlimited, self.fnu

    def key(self):
        """Names the row."""
        text = json.dumps([cell.key for cell in self.cells()] + [self.fnu.percent])
        return hashlib.sha256(text.encode()).hexdigest()[:24]


def part(x, kind, where, words, settings=()):
    """A run; @where: workload, percentage and seed."""
    name, percent, seed = where
    words = ["run", *shlex.split(experiment.workload(x, name).run), "--seed", seed, "--json",
             "--quiet", *words]
    words += [w for key, value in settings for w in ("--set", f"{key}={value}")]
    device = experiment.device_of(x, name)
    return experiment.Cell(kind, name, device, percent, seed, {}, tuple(settings), words,
                           experiment.Run(experiment.machine_of(x, device), *words, session=name))


def knowing(settings):
    """Of the run that knows the future: units of 64 KB, as most rows have, unless somebody says."""
    units = [] if "root_chunk_granularity" in dict(settings) else [("root_chunk_granularity", "64k")]
    return [*settings, *units, ("eviction_policy", "fnu")]


def rows(x):
    """Those of an experiment.  What is recorded serves all sizes of memory."""
    settings = [(key, experiment.text(value)) for key, value in x.settings.items()]
    found = []
    for name in x.workloads:
        for seed in x.seeds:
            sizes = ",".join(f"{percent:g}" for percent in x.oversubscription)
            recorded = part(x, "recorded", (name, 100, seed), ["--bounds", sizes],
                            [*settings, ("eviction_policy", "lru_walk")])
            unlimited = part(x, "unlimited", (name, 100, seed), ["--explicit"])
            for percent in x.oversubscription:
                limit = ["--oversubscription", percent] if percent > 100 else []
                found.append(Bound(recorded, unlimited, part(
                    x, "fnu", (name, percent, seed), limit, knowing(settings))))
    return found


def numbers(bound, recorded, unlimited, fnu):
    """From the JSON of the three runs."""
    percent = round(bound.fnu.percent, 1)
    at = next(at for at in recorded["bounds"]["at"] if at["oversubscription"] == percent)
    # copies of explicit memory are in its time; they are not the kernels'
    kernels = unlimited["gpu_time_ns"] - unlimited["copy_time_ns"]
    return {
        "memory_bytes": at["memory_bytes"], "b1_bytes": at["any_bytes"],
        "b1r_bytes": at["remote_bytes"], "min_bytes": at.get("min_bytes"),
        "min_loads": at.get("min_loads"),
        "unlimited_ns": kernels, "link_ns": at["link_ns"], "service_ns": at["service_ns"],
        "b2_ns": max(kernels, at["link_ns"], at["service_ns"]),
        "fnu_ns": fnu["gpu_time_ns"] if fnu else None,
    }


def row(x, bound, parts):
    """@parts: rows of the runs by key; None if one has not been made.  Bounds need no reference."""
    made = [parts.get(cell.key) for cell in bound.cells()]
    if None in made:
        return None
    wrong = [f"{cell.policy}: {part['error']}" for cell, part in zip(bound.cells(), made)
             if part["error"]]
    found = {"key": bound.key(), "profile": x.profile, "device": bound.fnu.device,
             "workload": bound.fnu.workload, "oversubscription": bound.fnu.percent,
             "seed": bound.fnu.seed, "error": "; ".join(wrong),
             "command": "; ".join(part["command"] for part in made), "result": ""}
    if not made[0]["error"] and not made[1]["error"]:
        results = [json.loads(part["result"]) if not part["error"] else None for part in made]
        found.update(numbers(bound, *results), result=json.dumps(results[0]["bounds"]))
    return found


def held(settings, run):
    """Which columns of a row of bounds hold for a run: (of its bytes, of its time)."""
    values = content.values(settings)
    bytes_in, time = ["b1_bytes"], ["unlimited_ns", "link_ns", "service_ns"]
    if run.get("remote_bytes") or values.get("capacity_compression", "0") != "0":
        bytes_in, time = [], ["unlimited_ns"]
    if values["concurrency_policy"] == "oversubscribe":
        time = [name for name in time if name != "unlimited_ns"]
    return bytes_in, time


def held_all(settings, run):
    """Does B2 hold for a run?"""
    return len(held(settings, run)[1]) == 3


def comparable(run, bound):
    """Have both a result, and had the run no more memory?"""
    return run and bound and not run["error"] and bound["result"] and \
        run["memory_bytes"] <= bound["memory_bytes"]


def below(settings, run, bound):
    """What a run has less of than it can: words, or ""."""
    bytes_in, time = held(settings, run)
    checks = [("bytes_in", column) for column in bytes_in] + [
        ("gpu_time_ns", column) for column in time]
    return ", ".join(f"{what} {run[what]} < {column} {bound[column]}"
                     for what, column in checks if run[what] < bound[column])


def pairs(cells, runs, found):
    """(cell, its row, its row of bounds), of those that can be compared."""
    by = {(row["workload"], row["oversubscription"], row["seed"]): row for row in found}
    for cell in cells:
        bound, run = by.get((cell.workload, cell.percent, cell.seed)), runs.get(cell.key)
        if comparable(run, bound):
            yield cell, run, bound


def judge(cells, runs, found):
    """Words of each run that is below a bound: then one of the two is wrong."""
    return [f"{cell.workload} {cell.policy} {cell.percent:g} % seed {cell.seed}: {why}"
            for cell, run, bound in pairs(cells, runs, found)
            for why in [below(cell.settings, run, bound)] if why]


def other_order(cells, runs, found):
    """Words of each run with fewer bytes than MIN of the recorded order: its order was another."""
    return [f"{cell.workload} {cell.policy} {cell.percent:g} % seed {cell.seed}: "
            f"{run['bytes_in'] / bound['min_bytes']:.3f}"
            for cell, run, bound in pairs(cells, runs, found)
            if held(cell.settings, run)[0] and
            run["bytes_in"] < (bound["min_bytes"] or 0)]

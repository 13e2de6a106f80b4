# SPDX-License-Identifier: GPL-2.0
"""From results of runs to the numbers of a report, and what is computed from these."""

import statistics


def row(printed):
    """What reports need of one run; while kernels ran, that is."""
    if "execution" not in printed:
        return {"refused": printed.get("refused", "")}
    run = printed["execution"]
    switches = printed.get("thread_blocks", {})
    found = {
        "time_ns": printed["gpu_time_ns"], "footprint": printed["footprint_bytes"],
        "memory": printed["vram_bytes"], "faults": run["faults"]["fetched"],
        "duplicates": run["faults"]["duplicate"],
        "distinct": run["faults"]["fetched"] - run["faults"]["duplicate"],
        "batches": run["batches"]["count"], "batch_bytes": run["batches"]["mean_bytes"],
        "batch_ns": run["batches"]["mean_time_ns"],
        "handling_ns": run["batches"]["mean_handling_ns"],
        "htod": run["migrated_bytes"]["htod"], "dtoh": run["migrated_bytes"]["dtoh"],
        "evicted": run["evictions"]["pages"], "premature": run["evictions"]["premature"],
        "returned": run["evictions"].get("returned", 0),
        "remote": sum(run.get("link", {}).get(way, 0) for way in ("reads", "writes")),
        "replays": run.get("replays", 0), "phases": run.get("phases_ns", {}),
        "walks": printed.get("mmu", {}).get("walks", 0),
        "patterns": [[p["name"], p["pattern"]] for p in printed.get("patterns", [])],
        "policy": printed.get("eviction_policy", {}), "ideal": printed.get("ideal", {}),
        "switched": switches.get("switched_in", 0), "switch_ns": switches.get("switch_ns", 0),
    }
    return {**found, "origin": printed["origin"]} if "origin" in printed else found


def result(data, use, name):
    """One run's row, or None."""
    return data["runs"].get(use, {}).get(name)


def planned(data, use):
    """The names of runs of a use, whether or not they have a result."""
    return data["planned"].get(use, [])


def complete(data, use):
    """Has each planned run of this use a result?"""
    names = planned(data, use)
    return bool(names) and all(result(data, use, name) for name in names)


def reading(found, what):
    """A number of a row; faults in a batch are not in it as such."""
    if what == "batch_faults":
        return found["distinct"] / max(found["batches"], 1)
    return found[what]


def mean(values):
    """Geometric, of those that are there; None of none, and with a 0."""
    values = [v for v in values if v is not None]
    return statistics.geometric_mean(values) if values and all(values) else None


def ratio(data, use, base, what="time_ns"):
    """By workload, @use's share of @base; without those that lack either, or a base of 0."""
    found = {}
    for name in planned(data, use):
        one, other = result(data, use, name), result(data, base, name)
        if one and other and reading(other, what):
            found[name] = reading(one, what) / reading(other, what)
    return found


def speedup(data, use, base="baseline"):
    """By workload: how many times as fast."""
    return {name: 1 / v for name, v in ratio(data, use, base).items() if v}


def average(found):
    """Of a dictionary by workload, of whatever is there: for figures alone."""
    return mean(found.values())


def whole(found, names):
    """The mean over all of @names; None unless each is there."""
    return mean(found.get(name) for name in names) if set(names) <= set(found) else None


def whole_ratio(data, use, base, what="time_ns"):
    """The mean of ratio() over all workloads that were planned, or None."""
    return whole(ratio(data, use, base, what), planned(data, use))


def whole_speedup(data, use, base="baseline"):
    """The mean of speedup() over all workloads that were planned, or None."""
    return whole(speedup(data, use, base), planned(data, use))

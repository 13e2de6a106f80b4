# SPDX-License-Identifier: GPL-2.0
"""From results of runs to the numbers of the report: all that figures and checks use."""

import math
import statistics

from . import experiments as ex

PAGE = 4096
MB = 1 << 20


def row(result):
    """What the report needs of one run; while kernels ran, that is."""
    run = result["execution"]
    return {
        "time_ns": result["gpu_time_ns"], "footprint": result["footprint_bytes"],
        "memory": result["vram_bytes"],
        "batches": run["batches"]["count"], "faults": run["faults"]["fetched"],
        "distinct": run["faults"]["fetched"] - run["faults"]["duplicate"],
        "batch_bytes": run["batches"]["mean_bytes"], "batch_ns": run["batches"]["mean_time_ns"],
        "handling_ns": run["batches"]["mean_handling_ns"],
        "htod": run["migrated_bytes"]["htod"], "dtoh": run["migrated_bytes"]["dtoh"],
        "evicted": run["evictions"]["pages"], "premature": run["evictions"]["premature"],
        "switched": result["thread_blocks"]["switched_in"],
        "switch_ns": result["thread_blocks"]["switch_ns"],
    }


def mean(values):
    """Geometric, of those that are there; None of none, and with a 0."""
    values = [v for v in values if v is not None]
    return statistics.geometric_mean(values) if values and all(values) else None


def planned(data, config):
    """The workloads that runs of this name are made of, whether or not they have a result."""
    if config.startswith("sms@"):
        return data["working_sets"]
    if config.startswith("~"):
        return data["apart"]
    if " on " in config:
        return data["shaped"]
    if config.endswith(", grown"):
        return data["grown"]
    if config.endswith(", fewer SMs"):
        return data["fewer"]
    if config.endswith(", ordered"):
        return data["ordered"]
    return data["swept" if "@" in config else "workloads"]


def result(data, config, name):
    """One run's row, or None."""
    return data["runs"].get(config, {}).get(name)


def reading(row, what):
    """A number of a row; faults in a batch are not in it as such."""
    if what == "batch_faults":
        return row["distinct"] / max(row["batches"], 1)
    return row[what]


def came_again(data, config, name):
    """
    Bytes that a run moved to the GPU beyond those of unlimited memory: pages that faulted
    after their eviction, with what came along.  None if either has no result.  (Premature
    evictions as the driver counts them are addresses of 4 KB that faulted: several of one
    page of 64 KB, which is the paper's.)
    """
    rows = [result(data, c, name) for c in (config, "unlimited")]
    return None if None in rows else max(0, rows[0]["htod"] - rows[1]["htod"])


def ratio(data, config, base, what="time_ns"):
    """By workload, @config's share of @base; without those that lack either, or a base of 0."""
    found = {}
    for name in planned(data, config):
        one, other = result(data, config, name), result(data, base, name)
        if one and other and reading(other, what):
            found[name] = reading(one, what) / reading(other, what)
    return found


def speedup(data, config, base="baseline"):
    """By workload: how many times as fast."""
    return {name: 1 / v for name, v in ratio(data, config, base).items() if v}


def average(found):
    """Of a dictionary by workload, of whatever is there: for figures alone."""
    return mean(found.values())


def whole(found, names):
    """The mean over all of @names; None unless each is there."""
    return mean(found.get(name) for name in names) if set(names) <= set(found) else None


def whole_ratio(data, config, base, what="time_ns"):
    """The mean of ratio() over all workloads that were planned, or None."""
    return whole(ratio(data, config, base, what), planned(data, config))


def whole_speedup(data, config, base="baseline"):
    """The mean of speedup() over all workloads that were planned, or None."""
    return whole(speedup(data, config, base), planned(data, config))


def best(data):
    """Of ours, what gains most over all workloads; None unless all of it was measured."""
    found = {config: whole_speedup(data, config) for config in data["kept"]}
    return None if None in found.values() else max(found, key=found.get)


def complete(data, config):
    """Has each planned run of this name a result?"""
    return all(result(data, config, name) for name in planned(data, config))


def at_ratio(config, where):
    """The name of the runs at a ratio of memory to footprint."""
    return config if where == 0.5 else f"{config}@{where}"


def ratios(data):
    """The planned ratios of memory to footprint, least first, but for unlimited memory."""
    return sorted({*data["scale"]["ratios"], 0.5})


def held(row):
    """Which part of its footprint a run's memory holds, at most all: it goes in steps."""
    return min(1.0, row["memory"] / row["footprint"])


def held_by(data, config, names):
    """By workload."""
    rows = {name: result(data, config, name) for name in names}
    return {name: held(row) for name, row in rows.items() if row}


def spread(batches):
    """Figs. 3 and 16: batches, their bytes and pages per us, by the bytes that each moved."""
    bins = {}
    for _, moved, ns, _ in batches:
        if moved:
            at = math.floor(math.log2(moved / PAGE))
            count, pages, time = bins.get(at, (0, 0, 0))
            bins[at] = (count + 1, pages + moved / PAGE, time + ns / 1000)
    total = sum(count for count, _, _ in bins.values())
    return {str(PAGE << at): {"share": 100 * count / total, "count": count,
                              "bytes": pages * PAGE, "rate": pages / time}
            for at, (count, pages, time) in sorted(bins.items())}


def told(batches):
    """Fig. 3: median batch, and how much passes before the first migration, if there is one."""
    moving = [(ns, handling) for _, moved, ns, handling in batches if moved and ns]
    if not moving:
        return None
    times = [ns for ns, _ in moving]
    return {"count": len(batches), "moving": len(moving),
            "median_ns": statistics.median(times), "least_ns": min(times), "most_ns": max(times),
            "handling": statistics.mean(min(1, handling / ns) for ns, handling in moving)}


def collect(x):
    """All of it, ready for JSON.  A run with a wrong result is named, and stands for nothing."""
    runs, wrong, batches = {}, [], {"baseline": [], "to": [], "to+ue": []}
    for (config, name), run in x.runs.items():
        if not run.result or "execution" not in run.result:
            continue
        if not run.result["verified"]:
            wrong.append(f"{name} ({config})")
            continue
        runs.setdefault(config, {})[name] = row(run.result)
        if config in batches:
            batches[config] += run.batches
    return {
        "scale": {"name": x.scale.name, "size": x.scale.size,
                  "compared": x.scale.compared, "switched": x.scale.switched,
                  "rounds": x.scale.rounds, "grown_size": x.scale.grown_size,
                  "fewer_sms": x.scale.fewer_sms, "ratios": x.scale.ratios, "sms": x.scale.sms},
        "workloads": list(x.scale.workloads), "swept": list(x.scale.swept),
        "shaped": list(x.scale.shaped), "apart": list(x.scale.apart), "grown": list(x.scale.grown),
        "fewer": list(x.scale.fewer), "ordered": list(x.scale.ordered),
        "kept": list(x.scale.kept),
        "working_sets": [*ex.REGULAR, *ex.IRREGULAR],
        "runs": runs, "wrong": wrong,
        "spread": {config: spread(found) for config, found in batches.items()},
        "batches": {config: told(found) for config, found in batches.items()},
        "seconds": sum(run.result.get("wall_time_s", 0) for run in x.runs.values() if run.result),
        "commands": [[key[0], run.command()] for key, run in x.runs.items()],
        "errors": [[run.command(), run.error] for run in x.runs.values() if run.error],
    }

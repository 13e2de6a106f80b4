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
        "memory": result["vram_bytes"], "verified": result["verified"],
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
    """Geometric, of those that are there and not 0; None of none."""
    values = [v for v in values if v]
    return statistics.geometric_mean(values) if values else None


def ratio(data, config, base, what="time_ns", inverse=False):
    """By workload: @config's share of @base, or the reverse; None where either is missing."""
    found = {}
    for name in data["workloads"]:
        one, other = (data["runs"].get(c, {}).get(name) for c in (config, base))
        if one and other and one[what] and other[what]:
            found[name] = other[what] / one[what] if inverse else one[what] / other[what]
    return found


def speedup(data, config, base="baseline"):
    """By workload: how many times as fast."""
    return ratio(data, config, base, inverse=True)


def average(found):
    """Of a dictionary by workload."""
    return mean(found.values())


def spread(batches):
    """Fig. 16: share of the batches and pages per us, by the bytes that they moved."""
    bins = {}
    for _, moved, ns, _ in batches:
        if moved:
            at = math.floor(math.log2(moved / PAGE))
            count, pages, time = bins.get(at, (0, 0, 0))
            bins[at] = (count + 1, pages + moved / PAGE, time + ns / 1000)
    total = sum(count for count, _, _ in bins.values())
    return {str(PAGE << at): {"share": 100 * count / total, "count": count, "rate": pages / time}
            for at, (count, pages, time) in sorted(bins.items())}


def told(batches):
    """Fig. 3: median batch, and how much of it passes before its first migration."""
    if not batches:
        return None
    return {"median_ns": statistics.median(ns for _, _, ns, _ in batches),
            "least_ns": min(ns for _, _, ns, _ in batches),
            "most_ns": max(ns for _, _, ns, _ in batches),
            "handling": statistics.mean(min(1, handling / ns)
                                        for _, _, ns, handling in batches if ns)}


def collect(x):
    """All of it, ready for JSON."""
    runs, batches = {}, {"baseline": [], "to": [], "to+ue": []}
    for (config, name), run in x.runs.items():
        if run.result and "execution" in run.result:
            runs.setdefault(config, {})[name] = row(run.result)
        if config in batches:
            batches[config] += run.batches
    return {
        "scale": {"name": x.scale.name, "size": x.scale.size, "small": x.scale.small,
                  "rounds": x.scale.rounds,
                  "ratios": x.scale.ratios, "sms": x.scale.sms},
        "workloads": list(x.scale.workloads), "swept": list(x.scale.swept),
        "shaped": list(x.scale.shaped), "apart": list(x.scale.apart), "grown": list(x.scale.grown),
        "working_sets": [*ex.REGULAR, *ex.IRREGULAR],
        "runs": runs,
        "spread": {config: spread(found) for config, found in batches.items()},
        "batches": {config: told(found) for config, found in batches.items()},
        "seconds": sum(run.result.get("wall_time_s", 0) for run in x.runs.values() if run.result),
        "commands": [[key[0], run.command()] for key, run in x.runs.items()],
        "errors": [[run.command(), run.error] for run in x.runs.values() if run.error],
    }

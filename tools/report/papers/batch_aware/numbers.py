# SPDX-License-Identifier: GPL-2.0
"""Numbers that several figures of this paper need."""

import math
import statistics

from framework import results
from framework.results import result, whole_speedup

MB = 1 << 20
# A page of the driver's; and of the paper's.
PAGE = 4096
LARGE_PAGE = 65536


def best(data):
    """Of ours, what gains most over all workloads; None unless all of it was measured."""
    found = {config: whole_speedup(data, config) for config in data["scale"]["kept"]}
    return None if None in found.values() else max(found, key=found.get)


def came_again(data, config, name):
    """
    Bytes that a run moved to the GPU beyond those of unlimited memory: pages that faulted
    after their eviction, with what came along.  None if either has no result.  (Premature
    evictions as the driver counts them are addresses of 4 KB that faulted: several of one
    page of 64 KB, which is the paper's.)
    """
    rows = [result(data, c, name) for c in (config, "unlimited")]
    return None if None in rows else max(0, rows[0]["htod"] - rows[1]["htod"])


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


# ---- batches, from their events ------------------------------------------------


def spread(some):
    """Figs. 3 and 16: batches, their bytes and pages per us, by the bytes that each moved."""
    bins = {}
    for _, moved, ns, _ in some:
        if moved:
            at = math.floor(math.log2(moved / PAGE))
            count, pages, time = bins.get(at, (0, 0, 0))
            bins[at] = (count + 1, pages + moved / PAGE, time + ns / 1000)
    total = sum(count for count, _, _ in bins.values())
    return {str(PAGE << at): {"share": 100 * count / total, "count": count,
                              "bytes": pages * PAGE, "rate": pages / time}
            for at, (count, pages, time) in sorted(bins.items())}


def told(some):
    """Fig. 3: median batch, and how much passes before the first migration, if there is one."""
    moving = [(ns, handling) for _, moved, ns, handling in some if moved and ns]
    if not moving:
        return None
    times = [ns for ns, _ in moving]
    return {"count": len(some), "moving": len(moving),
            "median_ns": statistics.median(times), "least_ns": min(times), "most_ns": max(times),
            "handling": statistics.mean(min(1, handling / ns) for ns, handling in moving)}


def batches(x):
    """What is kept of the events of batches."""
    found = {"baseline": [], "to": [], "to+ue": []}
    for (config, _), run in x.runs.items():
        if config in found and run.result:
            found[config] += run.batches
    return {"spread": {config: spread(some) for config, some in found.items()},
            "batches": {config: told(some) for config, some in found.items()}}


def whole_spread(data, config):
    """Batches of all workloads by size; of some workloads alone they tell nothing."""
    return data["spread"].get(config, {}) if results.complete(data, config) else {}

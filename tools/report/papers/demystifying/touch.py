# SPDX-License-Identifier: GPL-2.0
"""Page touch, regular and random: its runs, its curves over sizes, and their breakdown."""

from framework import plot
from framework.parts import MISSING, Table
from framework.paint import bytes_text
from framework.results import result

from .setup import EXPLICIT, OFF, PATTERNS, workload

# Phases of the driver by the paper's categories.
PREPROCESS = ("fetch", "preprocess")
SERVICE = ("service", "pma_alloc", "populate", "cpu_unmap", "copy", "map", "evict")
GROUPS = {"pre/post-processing": PREPROCESS, "service": SERVICE, "replay policy": ("replay",)}
# Fig. 4: zeroing is part of migration there.
SERVICE_GROUPS = {"PMA alloc pages": ("pma_alloc",),
                  "migrate pages": ("service", "populate", "cpu_unmap", "copy", "evict"),
                  "map pages": ("map",)}


def us(ns):
    """Nanoseconds as microseconds for people."""
    return f"{ns / 1000:,.1f}"


def phases(row, names):
    """Driver time in some phases while kernels ran, ns."""
    return sum(row["phases"][name] for name in names)


def breakdown(row, groups):
    """Driver time by category, ns."""
    return {title: phases(row, names) for title, names in groups.items()}


def share(row, group):
    """Of driver time, percent."""
    return 100 * row["groups"][group] / (sum(row["groups"].values()) or 1)


# ---- runs ----------------------------------------------------------------------


def plan(x, *modes):
    """Over sizes: prefetching off, on, explicit, or off with the batch replay policy."""
    for size in x.scale.sizes:
        for name in PATTERNS:
            if "off" in modes:
                workload(x, ("off", name, size), name, "--size", size, *OFF)
            if "on" in modes:
                workload(x, ("on", name, size), name, "--size", size)
            if "explicit" in modes and x.facts["explicit"] and size <= x.scale.memory:
                workload(x, ("explicit", name, size), name, "--size", size, *EXPLICIT)
        if "batch" in modes:
            workload(x, ("batch", "regular", size), "regular", "--size", size, *OFF,
                     "--set", "replay_policy=batch")


def pages_of(memory, percent):
    """A footprint in whole pages."""
    return memory * percent // 100 // 4096 * 4096


def plan_over(x, *percents):
    """With too little memory."""
    for percent in percents:
        size = pages_of(x.scale.memory, percent)
        for name in PATTERNS:
            for mode, words in (("on", ()), ("off", OFF)):
                workload(x, (f"over-{mode}", name, percent), name, "--size", size, *words,
                         limit=x.scale.memory, session="over")


# ---- curves --------------------------------------------------------------------


def curve(data, mode, name):
    """One curve over sizes."""
    rows = [(size, result(data, mode, f"{name} {size}")) for size in data["scale"]["sizes"]]
    return [{**row, "size": size, "groups": breakdown(row, GROUPS),
             "service": breakdown(row, SERVICE_GROUPS)} for size, row in rows if row]


def pairs(data, *curves):
    """Rows of several curves at the same size, [(mode, name), ...]."""
    return list(zip(*(curve(data, *which) for which in curves)))


def over(data, mode, name):
    """The same over percentages of memory; evictions stand apart."""
    found = []
    for percent in data["scale"]["percents"]:
        row = result(data, f"over-{mode}", f"{name} {percent}")
        if row:
            groups = breakdown(row, GROUPS)
            groups["eviction"] = phases(row, ("evict",))
            groups["service"] -= groups["eviction"]
            found.append({**row, "percent": percent, "size": row["footprint"],
                          "groups": groups})
    return found


def latency(rows):
    """Points of time against size."""
    return [(row["size"], row["time_ns"] / 1000) for row in rows]


# ---- on the page ---------------------------------------------------------------


def by_size(row):
    """Label of a row of sizes."""
    return bytes_text(row["size"])


def drawn(title, rows, label, key="groups"):
    """Stacked bars of driver time, in percent of itself, and a table of totals."""
    if not rows:
        return [MISSING]
    groups = list(rows[0][key])
    labels = [label(r) for r in rows]
    sums = [sum(r[key].values()) or 1 for r in rows]
    parts = [(g, [100 * r[key][g] / s for r, s in zip(rows, sums)]) for g in groups]
    shown = [[label(r), us(r["time_ns"]), r["faults"], us(s)] + [us(r[key][g]) for g in groups]
             for r, s in zip(rows, sums)]
    return [plot.stacks(title, labels, parts, "% of the driver's time"),
            Table(["size", "GPU time, us", "faults", "sum, us", *(f"{g}, us" for g in groups)],
                  shown, title)]

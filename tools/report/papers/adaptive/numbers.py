# SPDX-License-Identifier: GPL-2.0
"""Numbers that several figures of this paper need."""

from framework.compare import cell
from framework.paper import Expectation
from framework.parts import Table
from framework.results import mean, planned, result, whole
from framework.verdict import text

from .published import (CLASSES, FAULT_NS, MIXED, RANDOM, REGULAR, STREAMING, WORKLOADS)
from .setup import SCALES, at

MB = 1 << 20
# So far a ratio may be from the published one, which is near 1.
WITHIN = 0.1
# What the authors' code chooses.
LRU, TBNE, DELAYED = "LRU 2 MB", "TBNe", "TBNe, delayed"
CHOICE = {STREAMING: LRU, REGULAR: TBNE, MIXED: DELAYED, RANDOM: DELAYED}


def names_of(data, *kinds):
    """The workloads of these classes that this scale has; without classes all."""
    return [n for n in data["scale"]["workloads"] if WORKLOADS[n].kind in (kinds or CLASSES)]


def whole_kind(kind):
    """The workloads of a class, whether or not this scale has them."""
    return [n for n, w in WORKLOADS.items() if w.kind == kind]


def later(row):
    """The time as the authors tell it: with 45 us for each fault."""
    return row["time_ns"] + FAULT_NS * row["pieces"]


def time_of(row):
    """As it was measured."""
    return row["time_ns"]


def over(data, use, base, read=later):
    """By workload: @use's share of @base; without those that lack either, or a base of 0."""
    found = {}
    for name in planned(data, use):
        one, other = result(data, use, name), result(data, base, name)
        if one and other and read(other):
            found[name] = read(one) / read(other)
    return found


def smart(data, rate, config="smart", read=later, base="default"):
    """Of the time that the default takes."""
    return over(data, at(rate, config), at(rate, base), read)


def known(data, use, read):
    """By workload: what read(row) gives."""
    return {n: read(row) for n in data["scale"]["workloads"] if (row := result(data, use, n))}


def every(data, found):
    """The mean over all workloads, or None."""
    return whole(found, data["scale"]["workloads"])


def by_class(found):
    """Geometric means by class, of what there is."""
    groups = {k: [v for n, v in found.items() if WORKLOADS[n].kind == k] for k in CLASSES}
    return {k: mean(values) for k, values in groups.items() if values}


def choice(data, rate, config="smart"):
    """
    By workload: what the engine chose, as the driver tells it.  The recorder is read once some
    allocation is in no order, from where there is no way back; what is walked again and in order
    stands in the patterns.
    """
    found = {}
    for name in data["scale"]["workloads"]:
        row = result(data, at(rate, config), name)
        if row:
            read = row["policy"].get("recorder_fetches", 0)
            again = any(pattern == "linear_reuse" for _, pattern in row.get("patterns", []))
            found[name] = DELAYED if read else TBNE if again else LRU
    return found


# ---- expectations ----------------------------------------------------------------


def close(name, measured, wanted, within=WITHIN, unit="x", **about):
    """A published ratio."""
    return Expectation(name, f"{wanted:.2f}{unit}, within {within:.2f}",
                       None if measured is None else abs(measured - wanted) <= within,
                       text(measured, unit), **about)


# ---- on the page -----------------------------------------------------------------


def label(rate):
    """Of a chart."""
    return f"{rate} %"


def listed(found, form="{:.2f}x"):
    """By workload."""
    return ", ".join(f"{name} " + form.format(value) for name, value in found.items())


def classed(groups, title):
    """A table by class and on all: groups is [(title, {workload: value}), ...]."""
    return Table(["", *CLASSES, "all"], [
        [name, *(cell(by_class(found).get(k)) for k in CLASSES), cell(mean(found.values()))]
        for name, found in groups], title)


def scale_of(data):
    """The object of a name."""
    return SCALES.get(data["scale"]["name"], SCALES["default"])

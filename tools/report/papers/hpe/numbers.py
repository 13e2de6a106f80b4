# SPDX-License-Identifier: GPL-2.0
"""Numbers that several figures of this paper need."""

import statistics

from framework.compare import cell
from framework.paper import Expectation
from framework.parts import Table
from framework.results import average, mean, result, whole
from framework.verdict import text

from .published import (CATEGORIES, IRREGULAR1, IRREGULAR2, JUMPS, LRU, MRU_C, SWITCHES, TYPES,
                        UPDATE_NS, WORKLOADS)
from .setup import at

MB = 1 << 20
PAGE = 4096
# So far a speedup, or a ratio of evictions, may be from the published one.
GAIN, EVICTIONS = 0.1, 0.05
# What the driver says where a ratio has no denominator.
INFINITE = 10 ** 6


def names_of(data, *types, but=()):
    """The workloads of these types that this scale has."""
    return [n for n in data["scale"]["workloads"] if WORKLOADS[n].type in types and n not in but]


def whole_types(types, but=()):
    """The workloads of these types, whether or not this scale has them."""
    return [n for n, w in WORKLOADS.items() if w.type in types and n not in but]


def of(data, config, rate, read):
    """By workload: what read(row) gives; without those that lack a result, or for which it is None."""
    found = {}
    for name in data["scale"]["workloads"]:
        row = result(data, at(rate, config), name)
        value = read(row) if row else None
        if value is not None:
            found[name] = value
    return found


def some(found, names):
    """The mean over these; None unless each is there."""
    return whole(found, names) if names else None


def every(data, found):
    """The mean over all workloads, or None."""
    return some(found, data["scale"]["workloads"])


def plain(found, names):
    """The arithmetic mean over all of these, or None."""
    values = [found.get(n) for n in names]
    return None if not values or None in values else statistics.fmean(values)


def by_type(found):
    """Geometric means by type, of what there is."""
    groups = {t: {n: v for n, v in found.items() if WORKLOADS[n].type == t} for t in TYPES}
    return {t: mean(values.values()) for t, values in groups.items() if values}


def without_best(found):
    """The geometric mean without what gains most."""
    values = sorted(found.values())[:-1]
    return mean(values) if values else None


# ---- what one run says -----------------------------------------------------------


def policy(row, *what):
    """Numbers of the policy, or None."""
    found = [row["policy"].get(w) for w in what]
    return None if None in found else found[0] if len(found) == 1 else found


def category(row):
    """By name; None where memory never was full, or of another policy."""
    which = policy(row, "category")
    return CATEGORIES[which] if which else None


def ratios(row):
    """Ratio 1 and 2, or None."""
    found = policy(row, "ratio1_thousandths", "ratio2_thousandths")
    return [min(v, INFINITE) / 1000 for v in found] if found and category(row) else None


def shares(row):
    """Parts of the page sets: small and regular, large and regular, irregular."""
    both = ratios(row)
    if both is None:
        return None
    regular, small = 1 / (1 + both[0]), 1 / (1 + both[1])
    return regular * small, regular * (1 - small), 1 - regular


def strategy(row):
    """As V-C calls it; None where memory never was full."""
    kind = category(row)
    if kind is None:
        return None
    jumps, switches = policy(row, "jumps", "switches")
    if switches:
        return SWITCHES
    if kind in (IRREGULAR1, IRREGULAR2):
        return LRU
    return JUMPS if jumps else MRU_C


def comparisons(row):
    """Of a search, or None without one."""
    compared, searches = policy(row, "comparisons", "searches") or (0, 0)
    return compared / searches if searches else None


def transferred(row):
    """Entries of the recorder in a transfer, or None."""
    records, fetches = policy(row, "records", "recorder_fetches") or (0, 0)
    return records / fetches if fetches else None


def busy(row):
    """Of the driver, ns, while kernels ran."""
    return sum(ns for phase, ns in row["phases"].items() if phase != "cpu_fault")


def load(row):
    """Of its core, percent."""
    return 100 * busy(row) / row["time_ns"]


def paper_load(row):
    """The same, with the paper's cost of an update for each transfer."""
    return 100 * (busy(row) + UPDATE_NS * row["policy"].get("recorder_fetches", 0)) / row["time_ns"]


def pages(row):
    """Of the footprint."""
    return row["footprint"] / PAGE


def came(row):
    """How often a page came to the GPU on average: those that were evicted came again."""
    return 1 + row["evicted"] / pages(row)


def touched(row):
    """Hits and arrivals for each page of the footprint."""
    return (policy(row, "recorder_hits") or 0) / pages(row) + came(row)


def gone(row):
    """Pages."""
    return row["evicted"]


def least(data, rate):
    """
    By workload: pages that MIN evicts off line.  Memory is full at the end, so that as many of the
    pages that it loads have gone as do not fit.
    """
    return of(data, "ideal", rate,
              lambda row: row["ideal"]["min_faults"] - min(row["ideal"]["units"],
                                                           row["ideal"]["pieces"])
              if row.get("ideal") else None)


# ---- expectations ----------------------------------------------------------------


def close(name, measured, wanted, within, unit="x", **about):
    """A published number near 1, of which 15 % would be most of what there is to see."""
    return Expectation(name, f"{wanted:.2f}{unit}, within {within:.2f}",
                       None if measured is None else abs(measured - wanted) <= within,
                       text(measured, unit), **about)


# ---- on the page -----------------------------------------------------------------


def typed(groups, unit, title):
    """A table by type and on all: groups is [(title, {workload: value}), ...]."""
    return Table(["", *(f"type {t}" for t in TYPES), "all", "arithmetic", "without the best"], [
        [name, *(cell(by_type(found).get(t)) for t in TYPES), cell(average(found)),
         cell(statistics.fmean(found.values()) if found else None), cell(without_best(found))]
        for name, found in groups], f"{title}, {unit}" if unit else title)


def label(rate):
    """Of a chart."""
    return f"{rate} %"


def listed(found, form="{:.2f}x"):
    """By workload."""
    return ", ".join(f"{name} " + form.format(value) for name, value in found.items())

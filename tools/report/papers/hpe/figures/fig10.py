# SPDX-License-Identifier: GPL-2.0
"""Fig. 10: performance of HPE, LRU's is 1."""

import statistics

from framework import plot
from framework.compare import both
from framework.paper import Figure
from framework.results import mean
from framework.verdict import by_name, text, value

from .. import reasons
from ..numbers import (GAIN, by_type, close, every, label, listed, names_of, some, typed, whole_types,
                       without_best)
from ..published import BELOW_LRU, BEST, RATES, SPEEDUP, TYPES
from ..reasons import gain
from ..setup import plan as plan_of

UNIT = "speedup over LRU"
# "Similarly", and "slightly": within so much of LRU.
SIMILAR = 0.05


def plan(x):
    """Both."""
    plan_of(x, "lru", "hpe")


def draw(data):
    """Averages, by type, by workload."""
    found = {r: gain(data, r) for r in RATES}
    labels = [label(r) for r in RATES]
    means = [("geometric", mean), ("arithmetic", statistics.fmean)]
    groups = [(title, [f(found[r].values()) if found[r] else None for r in RATES])
              for title, f in means]
    groups.append(("without best", [without_best(found[r]) for r in RATES]))
    count = len(data["scale"]["workloads"])
    yield plot.bars(f"HPE over LRU, means of {count} workloads", labels, groups, UNIT, 1, {"geometric": [SPEEDUP[r] for r in RATES]})
    types = {r: by_type(found[r]) for r in RATES}
    yield plot.bars("HPE over LRU by type", [f"type {t}" for t in TYPES],
                    [(label(r), [types[r].get(t) for t in TYPES]) for r in RATES], UNIT, 1)
    yield typed([(label(r), found[r]) for r in RATES], UNIT, "HPE over LRU by type")
    yield from both(data["scale"]["workloads"], [(label(r), found[r]) for r in RATES], UNIT,
                    "HPE over LRU", {label(r): SPEEDUP[r] for r in RATES})


def expect(data):
    """Averages, the best, and types."""
    for rate in RATES:
        yield close(f"HPE over LRU, {rate} %", every(data, gain(data, rate)), SPEEDUP[rate], GAIN)
    found = gain(data, RATES[0])
    name, wanted = BEST
    yield value(f"HPE over LRU, {name}", found.get(name), wanted)
    most = max(found, key=found.get) if every(data, found) else None
    yield ("the workload that gains most", name, None if most is None else most == name,
           f"{most} {found[most]:.2f}x" if most else "")
    for rate in RATES:
        found = gain(data, rate)
        for kinds in (("I",), ("VI",)):
            mine = some(found, whole_types(kinds))
            yield (f"type {kinds[0]} is as with LRU, {rate} %", f"within {100 * SIMILAR:.0f} %",
                   None if mine is None else abs(mine - 1) <= SIMILAR, text(mine))
        middle = some(found, whole_types(("III", "IV", "V")))
        yield (f"types III to V are slightly above LRU, {rate} %", "1 to 1.15x",
               None if middle is None else 1 <= middle <= 1.15, text(middle))
        types = {t: some(found, whole_types((t,))) for t in TYPES}
        yield (f"type II gains most, {rate} %", "more than any other type",
               None if None in types.values() else max(types, key=types.get) == "II",
               ", ".join(f"{t} {v:.2f}x" for t, v in types.items() if v))
        lost = {n: found.get(n) for n in BELOW_LRU}
        yield (f"slightly below LRU: {', '.join(BELOW_LRU)}, {rate} %", "0.8 to 1x",
               None if None in lost.values() else all(0.8 <= v <= 1 for v in lost.values()),
               listed({n: v for n, v in lost.items() if v}))


def of_best(data, _):
    """HSD."""
    name = BEST[0]
    return [reasons.bound(data, name, 75), reasons.passes(data, 75, name), *reasons.of_workload(data, name, 75),
            reasons.faults(data, 75)]


def of_type(data, name):
    """Its workloads."""
    rate = reasons.rate_of(name)
    kinds = {"type I ": ("I",), "type VI": ("VI",), "types I": ("III", "IV", "V")}.get(
        name[:7], TYPES)
    yield reasons.of_types(data, rate, *kinds)
    yield reasons.unclassified(data, rate)
    yield reasons.strategies(data, rate)
    found = gain(data, rate)
    for n in names_of(data, *kinds) if kinds != TYPES else ():
        if abs(found.get(n, 1) - 1) > 3 * SIMILAR:
            yield reasons.one(data, n, rate)


def of_below(data, name):
    """Each of them."""
    rate = reasons.rate_of(name)
    return [f(data, n, rate) for n in BELOW_LRU for f in (reasons.one, reasons.counted)]


FIGURE = Figure(
    "fig10", "Fig. 10: performance of HPE, LRU's is 1", 10,
    ("HPE is 1.34x as fast as LRU at 75 % and 1.16x at 50 %, at most 2.81x (HSD).  Types I and VI are "
     "as with LRU, types III to V slightly better on average; NW, SAD, MVT and HWL are slightly "
     "worse (V-B).",),
    plan=plan, draw=draw, expect=expect,
    why=by_name(((f"HPE over LRU, {BEST[0]}", of_best), ("the workload that", of_best),
                 ("type", of_type), ("slightly below", of_below), ("", reasons.of_gains))))

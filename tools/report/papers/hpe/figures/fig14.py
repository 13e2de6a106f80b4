# SPDX-License-Identifier: GPL-2.0
"""Fig. 14: comparisons of a search."""

from framework import plot
from framework.paper import Expectation, Figure
from framework.results import result

from ..numbers import category, comparisons, label, listed, of, policy, strategy
from ..published import FEW_COMPARISONS, MANY_COMPARISONS, RATES, WORKLOADS
from ..setup import at
from ..setup import plan as plan_of


def plan(x):
    """HPE."""
    plan_of(x, "hpe")


def draw(data):
    """Those that search at all."""
    found = {r: of(data, "hpe", r, comparisons) for r in RATES}
    names = [n for n in data["scale"]["workloads"] if any(n in v for v in found.values())]
    yield plot.bars("Comparisons of a search by MRU-C", names,
                    [(label(r), [found[r].get(n) for n in names]) for r in RATES],
                    "page sets looked at", FEW_COMPARISONS)
    yield "<p>Where MRU-C was never in force there is no bar.</p>"


def expect(data):
    """Few, but of two."""
    for rate in RATES:
        found = of(data, "hpe", rate, comparisons)
        known = set(WORKLOADS) <= set(of(data, "hpe", rate, lambda row: row["time_ns"]))
        others = {n: v for n, v in found.items()
                  if n not in MANY_COMPARISONS and v >= FEW_COMPARISONS}
        yield Expectation(
            f"comparisons of a search, all but {' and '.join(MANY_COMPARISONS)}, {rate} %",
            f"below {FEW_COMPARISONS}", not others if known else None,
            (listed(others, "{:.0f}") or f"all below {FEW_COMPARISONS}") if known else "",
            kind="others", rate=rate)
        for name in MANY_COMPARISONS:
            value = found.get(name)
            yield Expectation(f"comparisons of a search, {name}, {rate} %",
                              f"{FEW_COMPARISONS} or more",
                              None if value is None else value >= FEW_COMPARISONS,
                              "" if value is None else f"{value:.0f}",
                              kind="many", rate=rate, workload=name)


def why(data, row):
    """What it looks at."""
    found = of(data, "hpe", row.rate, comparisons)
    names = [row.workload] if row.kind == "many" else [
        n for n, v in found.items() if v >= FEW_COMPARISONS and n not in MANY_COMPARISONS]
    for n in names:
        run = result(data, at(row.rate, "hpe"), n)
        if run and category(run):
            looked, searches, old, sets = policy(run, "comparisons", "searches", "old_sets", "sets")
            yield (f"{n} at {row.rate} % is {category(run)} ({strategy(run)}): {searches} searches "
                   f"look at {looked} page sets; {old} were old when memory was first full, {sets} "
                   "there are at the end.  A search goes through all of old if no set was touched "
                   "exactly as often as it has pages")


FIGURE = Figure(
    "fig14", "Fig. 14: comparisons of a search", 14,
    (f"Most workloads need fewer than {FEW_COMPARISONS} comparisons on average, BFS and HIS more (V-C).",),
    plan=plan, draw=draw, expect=expect, why=why)

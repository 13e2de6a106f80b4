# SPDX-License-Identifier: GPL-2.0
"""Fig. 13: which strategy is in force, and for how long."""

from framework import plot
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.results import result

from .. import reasons
from ..numbers import category, policy, strategy
from ..published import RATES, WORKLOADS
from ..setup import at
from ..setup import plan as plan_of


def plan(x):
    """HPE."""
    plan_of(x, "hpe")


def intervals(row):
    """Of LRU and of MRU-C, after memory was first full."""
    return policy(row, "lru_intervals", "mru_c_intervals")


def draw(data):
    """Those that adjust something, and all in a table."""
    found = [(f"{n} {r} %", n, r, row) for n in data["scale"]["workloads"] for r in RATES
             if (row := result(data, at(r, "hpe"), n)) and category(row)]
    shown = [(title, intervals(row)) for title, _, _, row in found
             if any(policy(row, "jumps", "switches")) and sum(intervals(row))]
    parts = [(what, [100 * v[i] / sum(v) for _, v in shown])
             for i, what in enumerate(("LRU", "MRU-C"))]
    yield "<p>No workload adjusts its strategy.</p>" if not shown else \
        plot.stacks("Workloads that adjust their strategy", [title for title, _ in shown],
                    parts, "% of intervals after memory was first full")
    yield Table(["", "published", "measured", "category", "old sets", "intervals of LRU", "of MRU-C",
                 "jumps", "switches"],
                [[title, WORKLOADS[n].strategies[RATES.index(r)], strategy(row), category(row),
                  policy(row, "old_sets"), *intervals(row), *policy(row, "jumps", "switches")]
                 for title, n, r, row in found], "Strategies")


def expect(data):
    """V-C, by workload."""
    for name, told in WORKLOADS.items():
        rows = [result(data, at(r, "hpe"), name) for r in RATES]
        found = [strategy(row) if row else None for row in rows]
        yield Expectation(f"strategy of {name}",
                          "; ".join(f"{r} %: {s}" for r, s in zip(RATES, told.strategies)),
                          None if None in found else tuple(found) == told.strategies,
                          "; ".join(f"{r} %: {s}" for r, s in zip(RATES, found) if s),
                          workload=name)


def why(data, row):
    """Its category, and what the strategies are worth."""
    workload = row.workload
    rates = [r for r, told in zip(RATES, WORKLOADS[workload].strategies)
             if (run := result(data, at(r, "hpe"), workload)) and strategy(run) != told]
    for rate in rates:
        run = result(data, at(rate, "hpe"), workload)
        jumps, switches, old = policy(run, "jumps", "switches", "old_sets")
        lru, mru_c = intervals(run)
        yield (f"{workload} is {category(run)} at {rate} %, with {old} page sets old; LRU is in "
               f"force for {lru} intervals, MRU-C for {mru_c}; the search point moves {jumps} "
               f"times, the strategy changes {switches} times")
    yield from reasons.of_workload(data, workload, *rates)


FIGURE = Figure(
    "fig13", "Fig. 13: strategies over time", 13,
    ("KMN, NW, B+T, HYB, SPV and MVT have LRU throughout; HOT, BKP, PAT, LEU, CUT, MRQ, STN, 2DC and GEM "
     "MRU-C; DWT, HSD and SGM move the search point at 50 %, SRD at both rates; BFS, SAD and HIS switch "
     "between the two (V-C).  HWL is in none of these lists.",),
    plan=plan, draw=draw, expect=expect, why=why)

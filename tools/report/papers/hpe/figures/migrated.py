# SPDX-License-Identifier: GPL-2.0
"""What the baseline makes of it: LRU by walks, or by migration."""

from framework.compare import both
from framework.paper import OURS, Expectation, Figure
from framework.results import ratio

from ..numbers import every, label, listed, typed
from ..published import RATES
from ..reasons import gain
from ..setup import at
from ..setup import plan as plan_of


def plan(x):
    """HPE and both."""
    plan_of(x, "lru", "hpe", "migrated")


def draw(data):
    """Over either."""
    for rate in RATES:
        groups = [("over LRU by walks", gain(data, rate)),
                  ("over LRU by migration", gain(data, rate, base="migrated"))]
        yield typed(groups, "", f"HPE at {label(rate)}")
        yield from both(data["scale"]["workloads"], groups, "speedup of HPE",
                        f"HPE over either LRU at {label(rate)}")


def expect(data):
    """A poorer baseline makes it look better."""
    for rate in RATES:
        found = [every(data, gain(data, rate, base=b)) for b in ("lru", "migrated")]
        yield Expectation(f"HPE gains more over LRU by migration than over LRU by walks, {rate} %",
                          f"{OURS}more", None if None in found else found[1] > found[0],
                          "" if None in found else f"{found[1]:.2f}x, {found[0]:.2f}x", rate=rate)


def why(data, row):
    """Evictions of both."""
    found = ratio(data, at(row.rate, "migrated"), at(row.rate, "lru"), "evicted")
    far = {n: v for n, v in found.items() if abs(v - 1) > 0.02}
    yield ("evictions by order of migration, by walks they are 1: " +
           (listed(far, "{:.2f}") or "within 2 % for all"))


FIGURE = Figure("migrated", "Which LRU it is", 24, plan=plan, draw=draw, expect=expect, why=why)

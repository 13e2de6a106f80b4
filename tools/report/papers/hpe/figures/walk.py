# SPDX-License-Identifier: GPL-2.0
"""The latency of a page walk: 8 cycles, and 20."""

from framework.compare import both
from framework.paper import Expectation, Figure
from framework.results import ratio, speedup
from framework.verdict import text

from ..numbers import every, listed
from ..setup import APART, CONFIGS, at
from ..setup import plan as plan_of

RATE = APART
MINIMAL = 0.02
PAIRS = {"lru": "lru, 20 cycles", "hpe": "hpe, 20 cycles"}


def plan(x):
    """Both, twice."""
    plan_of(x, *PAIRS, *PAIRS.values(), rates=(RATE,))


def of(data, config):
    """By workload."""
    return speedup(data, at(RATE, PAIRS[config]), at(RATE, config))


def draw(data):
    """By workload."""
    return both(data["scale"]["workloads"], [(CONFIGS[c].title, of(data, c)) for c in PAIRS],
                "performance, with 8 cycles 1", "Performance with 20 cycles")


def expect(data):
    """It does not matter."""
    for config in PAIRS:
        found = every(data, of(data, config))
        yield Expectation(f"a walk of 20 cycles changes little, {CONFIGS[config].title}",
                          f"within {100 * MINIMAL:.0f} %",
                          None if found is None else abs(found - 1) <= MINIMAL, text(found),
                          config=config)


def why(data, row):
    """Where it does."""
    config = row.config
    found, walks = of(data, config), ratio(data, at(RATE, PAIRS[config]), at(RATE, config), "walks")
    evicted = ratio(data, at(RATE, PAIRS[config]), at(RATE, config), "evicted")
    far = {n: v for n, v in found.items() if abs(v - 1) > MINIMAL}
    yield f"performance with 20 cycles, with 8 it is 1: {listed(far) or 'within 2 % for all'}"
    yield ("walks " + listed({n: walks[n] for n in far if n in walks}) + "; evictions " +
           listed({n: evicted[n] for n in far if n in evicted}) if far else "")


FIGURE = Figure(
    "walk", "The latency of a page walk", 17,
    ("LRU and HPE hardly differ between 8 and 20 cycles (V-B; no figure).",),
    plan=plan, draw=draw, expect=expect, why=why)

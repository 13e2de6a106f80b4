# SPDX-License-Identifier: GPL-2.0
"""Table III: categories."""

from framework.compare import cell
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.results import result

from .. import reasons
from ..numbers import category, ratios
from ..published import RATES, WORKLOADS
from ..setup import APART, MACHINE_BARS, MACHINES, at
from ..setup import plan as plan_of


def plan(x):
    """HPE, and what takes its categories apart."""
    plan_of(x, "hpe", "lru", "always lru", "always mru-c")
    plan_of(x, *MACHINE_BARS, rates=(APART,))


def line(data, name):
    """One workload."""
    told = WORKLOADS[name]
    found = [name, told.type, " or ".join(told.categories)]
    for rate in RATES:
        row = result(data, at(rate, "hpe"), name)
        both = ratios(row) if row else None
        found += [category(row) if both else "", *(cell(v) for v in both or (None, None))]
    rows = (result(data, at(APART, f"hpe, {which}"), name) for which in MACHINES)
    return [*found, *((category(row) or "") if row else "" for row in rows)]


def draw(data):
    """Measured beside published."""
    yield Table(["", "type", "published", *(f"{what}, {r} %" for r in RATES for what in
                                            ("measured", "ratio 1", "ratio 2")),
                 *(f"{title}, {APART} %" for title, *_ in MACHINES.values())],
                [line(data, n) for n in data["scale"]["workloads"]], "Categories")


def expect(data):
    """By workload: the paper has one for both rates."""
    for name, told in WORKLOADS.items():
        rows = [result(data, at(r, "hpe"), name) for r in RATES]
        found = [category(row) if row else None for row in rows]
        yield Expectation(f"category of {name}", " or ".join(told.categories),
                          None if None in found else all(c in told.categories for c in found),
                          "; ".join(f"{r} %: {c}" for r, c in zip(RATES, found) if c),
                          workload=name)


def why(data, row):
    """How its page sets were counted."""
    name = row.workload
    rates = [r for r in RATES if (found := result(data, at(r, "hpe"), name)) and
             category(found) not in WORKLOADS[name].categories]
    return reasons.of_workload(data, name, *rates)


FIGURE = Figure("table3", "Table III: categories", 9.5, (
    "Regular: ratio 1 at most 0.3, ratio 2 below 2; irregular#1: ratio 1 at most 0.3, ratio 2 from 2 "
    "on; irregular#2: ratio 1 above 0.3 (IV-D).",), plan=plan, draw=draw, expect=expect, why=why)

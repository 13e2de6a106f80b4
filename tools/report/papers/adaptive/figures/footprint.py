# SPDX-License-Identifier: GPL-2.0
"""Larger footprints with the same share of memory: a block of 2 MB is a smaller part of it."""

from framework import plot
from framework.compare import cell
from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.results import result

from ..numbers import MB, later, scale_of
from ..published import RATES
from ..setup import at, plan_footprints, sizes_of

RATE = RATES[1]


def plan(x):
    """The default and the authors' code."""
    plan_footprints(x, RATE, "default", "smart")


def of(data, name):
    """[(MB, time of the default's, share of memory that 2 MB are), ...] from small to large."""
    found = []
    for i in range(len(sizes_of(name, scale_of(data)))):
        one, other = (result(data, f"{at(RATE, c)}, size {i}", name) for c in ("default", "smart"))
        if one and other:
            found.append((one["footprint"] / MB, later(other) / later(one), 2 * MB / one["memory"],
                          other["returned"] / one["returned"] if one["returned"] else None))
    return found


def draw(data):
    """Curves."""
    names = data["scale"]["larger"]
    yield plot.lines(f"Time by footprint, at {RATE} %",
                     [(n, [(size, value) for size, value, _, _ in of(data, n)]) for n in names],
                     "footprint, MB", "time, the default is 1", log="x")
    yield Table(["", "footprint, MB", "2 MB of memory, %", "time", "thrashed pages"],
                [[n, f"{size:.1f}", f"{100 * part:.0f}", cell(value), cell(pages)]
                 for n in names for size, value, part, pages in of(data, n)],
                "The default is 1")


def expect(data):
    """A larger footprint gains less."""
    for name in data["scale"]["larger"]:
        found, count = of(data, name), len(sizes_of(name, scale_of(data)))
        yield Expectation(
            f"the largest footprint gains least, {name}", f"{OURS}less than the smallest",
            found[0][1] < found[-1][1] if len(found) == count else None,
            ", ".join(f"{size:.1f} MB: {value:.2f}x" for size, value, _, _ in found),
            workload=name)


def why(data, row):
    """By footprint."""
    for size, value, part, pages in of(data, row.workload):
        yield (f"with {size:.1f} MB 2 MB are {100 * part:.0f} % of memory, time is {value:.2f}x" +
               (f" and thrashed pages are {pages:.2f}x" if pages is not None else ""))


FIGURE = Figure("footprint", "Larger footprints", 9, (
    "The authors have 4 to 31 MB of memory: one victim of 2 MB is 7 to 50 % of it.",),
    plan=plan, draw=draw, expect=expect, why=why)

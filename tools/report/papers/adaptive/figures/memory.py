# SPDX-License-Identifier: GPL-2.0
"""What a little more or less memory makes of a bar: memory is a few blocks of 2 MB."""

from framework import plot
from framework.compare import cell
from framework.paper import OURS, Expectation, Figure
from framework.parts import Table

from ..numbers import listed
from ..reasons import by_memory
from ..setup import PERCENTS, plan_memory

NEXT = 1.5


def plan(x):
    """The default and the authors' code."""
    plan_memory(x, "default", "smart")


def draw(data):
    """Curves."""
    names = data["scale"]["varied"]
    found = {n: by_memory(data, n) for n in names}
    yield plot.lines("Time by how much memory there is", [
        (n, list(found[n].items())) for n in names], "footprint, % of memory",
        "time, the default is 1", log="")
    yield Table(["", *(f"{p} %" for p in PERCENTS)],
                [[n, *(cell(found[n].get(p)) for p in PERCENTS)] for n in names],
                "Time, the default is 1")


def expect(data):
    """No bar hangs on a few percent of memory."""
    for name in data["scale"]["varied"]:
        found = by_memory(data, name)
        pairs = list(zip(PERCENTS, PERCENTS[1:]))
        known = set(PERCENTS) <= set(found)
        far = {f"{a} to {b} %": max(found[a], found[b]) / min(found[a], found[b])
               for a, b in pairs if known}
        jumps = {n: v for n, v in far.items() if v > NEXT}
        yield Expectation(
            f"a step of memory hardly moves the ratio, {name}", f"{OURS}at most {NEXT:.1f}x each",
            not jumps if known else None,
            listed(jumps) or (f"at most {max(far.values()):.2f}x" if known else ""), workload=name)


def why(data, row):
    """The curve."""
    found = by_memory(data, row.workload)
    yield "time, the default is 1: " + listed({f"{p} %": v for p, v in found.items()})


FIGURE = Figure("memory", "A little more or less memory", 8.5, (
    "The authors' memory is whole MB, so that 125 % is up to 133 %; with 4 to 31 MB there are 2 to "
    "15 blocks of 2 MB.",), plan=plan, draw=draw, expect=expect, why=why)

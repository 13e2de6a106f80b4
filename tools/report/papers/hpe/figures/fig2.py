# SPDX-License-Identifier: GPL-2.0
"""Fig. 2: access patterns, by what the workloads touch."""

from framework import plot
from framework.paper import OURS, Expectation, Figure
from framework.parts import Fold, Table

from ..numbers import listed, touched
from ..published import TYPE_TITLES, TYPES, WORKLOADS
from ..setup import plan_unlimited

# So many points of each are on the page.
POINTS = 1500
PATTERNS = {"I": "(a1, a2, ... ak)", "II": "(a1, a2, ... ak)^N",
            "III": "(a1^N1 e1, a2^N2 e2, ... ak^Nk ek)", "IV": "(a1^N1, a2^N2, ... ak^Nk)",
            "V": "(a1^N1, a2^N2, ... ak^Nk)^N",
            "VI": "(a1^N1, ... ak1^Nk1), (ak1+1^.., ... ak2^Nk2), ..."}
# Type I: a page is touched once, and little more.
ONCE = 1.5


def pattern(run):
    """Of a run's touches, by order: the page, as if allocations had no gaps between."""
    size = {}
    for _, name, offset in run.touches:
        size[name] = max(size.get(name, 0), offset // 4096 + 1)
    first, at = {}, 0
    for name, count in size.items():
        first[name] = at
        at += count
    step = -(-len(run.touches) // POINTS)
    return [[i, first[name] + offset // 4096] for i, name, offset in run.touches[::step]]


def collect(x):
    """By workload."""
    return {"touches": {key[1]: pattern(run) for key, run in x.runs.items()
                        if key[0] == "unlimited" and run.result and run.touches}}


def each(data):
    """Touches for each page of the footprint."""
    found = data["runs"].get("unlimited", {})
    return {n: touched(found[n]) for n in data["scale"]["workloads"] if n in found}


def draw(data):
    """Small drawings, and a large one of each in a fold."""
    names = [n for n in data["scale"]["workloads"] if n in data["touches"]]
    yield ("<p>Page against order of touch, with all memory there is: page-walk hits and faults in "
           "exact order, which is what policies can know of a workload. Several SMs may fault on one "
           "page; the table counts that once. Allocations are one above the other, in the order in "
           "which they are first touched.</p>")
    yield plot.multiples("Touches by workload",
                         [(n, WORKLOADS[n].type, data["touches"][n]) for n in names],
                         "order of touch", "page")
    yield Table(["type", "", "pattern", "workloads: touches for each page"], [
        [t, TYPE_TITLES[t], PATTERNS[t],
         listed({n: v for n, v in each(data).items() if WORKLOADS[n].type == t}, "{:.1f}")]
        for t in TYPES], "Types")
    yield Fold("Each by itself", [
        plot.scatter(f"{n}, type {WORKLOADS[n].type}", [("touch", data["touches"][n])],
                     [], "touch, in order", "page of 4 KB") for n in names])


def plan(x):
    """With all memory there is."""
    plan_unlimited(x)


def expect(data):
    """What a count can tell of the types."""
    found = each(data)
    known = set(WORKLOADS) <= set(found)
    first = {n: found.get(n) for n, w in WORKLOADS.items() if w.type == "I"}
    far = {n: v for n, v in first.items() if v and v > ONCE}
    yield Expectation("type I touches each page about once",
                      f"{OURS}at most {ONCE} times on average",
                      not far if None not in first.values() else None,
                      listed({n: v for n, v in first.items() if v}, "{:.2f}"), group="I")
    again = ("II", "IV", "V")
    others = {n: v for n, v in found.items() if WORKLOADS[n].type in again}
    few = {n: v for n, v in others.items() if v <= ONCE}
    yield Expectation("types II, IV and V touch pages again",
                      f"{OURS}more than {ONCE} times on average", not few if known else None,
                      listed(few or others, "{:.2f}") if known else "", group=again)


def why(data, _):
    """All of them."""
    yield f"touches for each page: {listed(each(data), '{:.2f}')}"


FIGURE = Figure(
    "fig2", "Fig. 2: access patterns", 2.5,
    ("Six types: pages are touched once (I), all of them again and again (II), some again (III), most "
     "again (IV), most again and that repeatedly (V), region after region (VI) (III-A).",),
    plan=plan, collect=collect, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""Table II: the workloads."""

from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.results import result

from ..numbers import MB, came, listed, pages
from ..published import FOOTPRINTS, RATES, TYPE_TITLES, WORKLOADS
from ..setup import arguments, at, SCALES
from ..setup import plan as plan_of
from ..setup import plan_unlimited

# Pages, of a memory that is to the page.
EXACT = 0.005


def plan(x):
    """All memory, and what LRU makes of less."""
    plan_unlimited(x)
    plan_of(x, "lru")


def line(data, name):
    """One workload."""
    told, row = WORKLOADS[name], result(data, "unlimited", name)
    scale = SCALES.get(data["scale"]["name"], SCALES["default"])
    words = " ".join(map(str, arguments(name, scale)))
    rows = [result(data, at(r, "lru"), name) for r in RATES]
    return [name, told.suite, told.title, f"{told.type}, {TYPE_TITLES[told.type]}", words,
            f"{row['footprint'] / MB:.1f}" if row else "", f"{pages(row):.0f}" if row else "",
            *(f"{100 * r['memory'] / r['footprint']:.1f}" if r else "" for r in rows),
            *(f"{came(r):.2f}" if r else "" for r in rows)]


def draw(data):
    """Footprints."""
    yield Table(["", "suite", "application", "type", "run as", "footprint, MB", "pages",
                 *(f"memory at {r} %, % of it" for r in RATES),
                 *(f"each page comes, LRU at {r} %" for r in RATES)],
                [line(data, n) for n in data["scale"]["workloads"]], "Workloads")
    yield (f"<p>The paper's footprints are {FOOTPRINTS[0]} to {FOOTPRINTS[2]} MB, "
           f"{FOOTPRINTS[1]} MB on average; those of single workloads are not published.</p>")


def expect(data):
    """Memory is what it is said to be."""
    for rate in RATES:
        rows = {n: result(data, at(rate, "lru"), n) for n in data["scale"]["workloads"]}
        found = {n: r["memory"] / r["footprint"] for n, r in rows.items() if r}
        far = {n: 100 * v for n, v in found.items() if abs(100 * v / rate - 1) > EXACT}
        yield Expectation(
            f"memory is {rate} % of the footprint", f"{OURS}within {100 * EXACT:.1f} %",
            not far if len(found) == len(rows) else None,
            listed(far, "{:.1f} %") or ("all of them" if len(found) == len(rows) else ""),
            rate=rate)


FIGURE = Figure("table2", "Table II: the workloads", 2, (
    "23 applications of Rodinia, Parboil and Polybench in six types; 3 to 130 MB, 37 MB on average "
    "(III).",), plan=plan, draw=draw, expect=expect)

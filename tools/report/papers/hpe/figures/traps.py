# SPDX-License-Identifier: GPL-2.0
"""What could make all of it wrong: walks for each page, and counters."""

from framework.compare import cell
from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.results import result
from framework.verdict import by_kind

from ..numbers import listed, of, policy, shares, touched
from ..published import RATES, WORKLOADS
from ..reasons import counted
from ..setup import at
from ..setup import plan as plan_of
from ..setup import plan_unlimited

# What streams only has page sets that were touched once for each page, but for those in flight.
STREAMS = ("HOT", "2DC")
REGULAR = 0.9
LOSES = "MVT"


def plan(x):
    """All memory, and HPE."""
    plan_unlimited(x)
    plan_of(x, "hpe")


def draw(data):
    """By workload."""
    rows = []
    for name in data["scale"]["workloads"]:
        row = result(data, "unlimited", name)
        found = [result(data, at(r, "hpe"), name) for r in RATES]
        rows.append([name, cell(touched(row), "{:.1f}") if row else "",
                     *(cell(touched(r), "{:.1f}") if r else "" for r in found),
                     *(f"{100 * (1 - shares(r)[2]):.0f}" if r and shares(r) else ""
                       for r in found),
                     *(policy(r, "recorder_lost") if r else "" for r in found)])
    yield Table(["", "touches for each page, unlimited", *(f"{r} %" for r in RATES),
                 *(f"counters divisible by 16, {r} %, % of sets" for r in RATES),
                 *(f"hits lost, {r} %" for r in RATES)], rows, "Touches and counters")


def expect(data):
    """Page-walk hits are there, are not inflated, and are not lost."""
    rows = data["runs"].get("unlimited", {})
    found = {n: touched(rows[n]) for n in data["scale"]["workloads"] if n in rows}
    again = ("II", "IV", "V")
    some = [n for n in found if WORKLOADS[n].type in again and found[n] <= 1.5]
    known = set(WORKLOADS) <= set(found)
    yield Expectation(
        "walks for each page: types II, IV and V have hits", f"{OURS}more than 1.5 touches a page",
        not some if known else None,
        listed({n: found[n] for n in some}, "{:.2f}") or ("all of them" if known else ""),
        kind="walks", group=again)
    for rate in RATES:
        parts = {n: 1 - v[2] for n, v in of(data, "hpe", rate, shares).items() if n in STREAMS}
        yield Expectation(
            f"counters divisible by 16, {' and '.join(STREAMS)}, {rate} %",
            f"{OURS}{100 * REGULAR:.0f} % or more",
            all(v >= REGULAR for v in parts.values()) if len(parts) == len(STREAMS) else None,
            listed({n: 100 * v for n, v in parts.items()}, "{:.0f} %"),
            kind="counters", rate=rate, workload=STREAMS)
        lost = of(data, "hpe", rate, lambda row: policy(row, "recorder_lost"))
        others = {n: v for n, v in lost.items() if v and n != LOSES}
        yield Expectation(
            f"no hit is lost but of {LOSES}, {rate} %", f"{OURS}none",
            not others if set(WORKLOADS) <= set(lost) else None,
            listed(others, "{}") or ("none" if set(WORKLOADS) <= set(lost) else ""),
            kind="lost", rate=rate)


def of_walks(data, _):
    """Touches."""
    rows = data["runs"].get("unlimited", {})
    yield "touches for each page: " + listed({n: touched(rows[n]) for n in rows}, "{:.2f}")


def of_counters(data, row):
    """Which sets."""
    return [counted(data, n, row.rate) for n in row.workload]


def of_lost(data, row):
    """How many, by workload."""
    found = of(data, "hpe", row.rate, lambda r: policy(r, "recorder_lost", "recorder_hits"))
    for n, v in found.items():
        if v[0] and n != LOSES:
            yield f"{n} loses {v[0]} of {sum(v)} hits at {row.rate} %"


FIGURE = Figure("traps", "What could make all of it wrong", 25, plan=plan, draw=draw, expect=expect,
                why=by_kind({"walks": of_walks, "counters": of_counters, "lost": of_lost}))

# SPDX-License-Identifier: GPL-2.0
"""What more passes make of type II, and the original's matrix of MVT."""

from framework.compare import cell
from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.results import result

from .. import reasons
from ..numbers import MB, category, policy, strategy, transferred
from ..reasons import gain, longer
from ..setup import APART, LONGER, at, plan_longer
from ..setup import plan as plan_of

RATE = APART
CONFIGS = ("lru", "hpe", "always mru-c", "rrip+")


def plan(x):
    """As they are, and longer."""
    plan_of(x, *CONFIGS, rates=(RATE,))
    plan_longer(x, RATE, *CONFIGS)


def line(data, name, before):
    """One workload, as it is or longer."""
    row = result(data, at(RATE, f"{before}hpe"), name)
    if not row:
        return None
    found = [gain(data, RATE, before + c, f"{before}lru").get(name) for c in CONFIGS[1:]]
    return [name, " ".join(map(str, LONGER[name])) if before else "as it is",
            f"{row['footprint'] / MB:.1f}", category(row) or "", strategy(row) or "",
            *(cell(v) for v in found), cell(transferred(row), "{:.1f}"),
            policy(row, "recorder_lost")]


def draw(data):
    """Both, one below the other."""
    rows = [line(data, n, before) for n in data["scale"]["longer"] for before in ("", "longer, ")]
    yield ("<p>Of a first pass no policy saves anything: what a policy gains grows with passes. "
           "Runs here are as long as a report allows; these have four times as many passes. MVT is "
           "here with the original's 4096 rows.</p>")
    yield Table(["", "", "footprint, MB", "category", "strategy", "HPE over LRU",
                 "always MRU-C", "RRIP, enhanced", "entries in a transfer", "hits lost"],
                [row for row in rows if row], f"Longer, at {RATE} %")


def expect(data):
    """More passes, more gain."""
    for name in data["scale"]["longer"]:
        if name == "MVT":
            continue
        one, other = gain(data, RATE).get(name), longer(data, "hpe", RATE).get(name)
        yield Expectation(f"HPE gains more with more passes, {name}", f"{OURS}more",
                          None if None in (one, other) else other > one,
                          "" if None in (one, other) else f"{other:.2f}x, else {one:.2f}x",
                          workload=name)


def why(data, row):
    """Its category."""
    name = row.workload
    return [reasons.passes(data, RATE, name), reasons.counted(data, name, RATE),
            reasons.one(data, name, RATE)]


FIGURE = Figure("longer", "What more passes make of it", 20.5, plan=plan, draw=draw, expect=expect,
                why=why)

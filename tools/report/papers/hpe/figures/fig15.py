# SPDX-License-Identifier: GPL-2.0
"""Fig. 15: entries of the recorder that come at a time."""

from framework import plot
from framework.paper import Expectation, Figure
from framework.results import result
from framework.verdict import value

from ..numbers import label, listed, of, pages, policy, transferred
from ..published import FEW_RECORDS, MANY_RECORDS, RATES, WORKLOADS
from ..setup import APART, MACHINE_BARS, MACHINES, at
from ..setup import plan as plan_of
from ..setup import plan_longer


def plan(x):
    """HPE, on other machines, too."""
    plan_of(x, "hpe")
    plan_of(x, *MACHINE_BARS, rates=(APART,))
    plan_longer(x, 75, "hpe")


def draw(data):
    """By workload."""
    found = {r: of(data, "hpe", r, transferred) for r in RATES}
    names = data["scale"]["workloads"]
    yield plot.bars("Entries in a transfer", names,
                    [(label(r), [found[r].get(n) for n in names]) for r in RATES],
                    "entries", FEW_RECORDS)


def expect(data):
    """Few, but of one."""
    name, many = MANY_RECORDS
    for rate in RATES:
        found = of(data, "hpe", rate, transferred)
        known = set(WORKLOADS) <= set(found)
        more = {n: v for n, v in found.items() if v >= FEW_RECORDS and n != name}
        yield Expectation(f"entries in a transfer, most workloads, {rate} %",
                          f"below {FEW_RECORDS} in most",
                          2 * len(more) < len(WORKLOADS) if known else None,
                          (f"{len(more)} have more: {listed(more, '{:.0f}')}" if more else
                           f"all below {FEW_RECORDS}") if known else "", rate=rate)
        most = max(found, key=found.get) if known else None
        yield Expectation(f"most entries in a transfer, {rate} %", name,
                          None if most is None else most == name,
                          f"{most} {found[most]:.1f}" if most else "", rate=rate, workload=name)
    # The text does not say at which rate.
    found = {r: of(data, "hpe", r, transferred).get(name) for r in RATES}
    nearest = None if None in found.values() else min(found.values(), key=lambda v: abs(v - many))
    yield value(f"entries in a transfer, {name}", nearest, many, "", workload=name)


def elsewhere(data):
    """What the workload with most has on other machines."""
    name = MANY_RECORDS[0]
    for which, (title, *_) in MACHINES.items():
        found = of(data, f"hpe, {which}", APART, transferred).get(name)
        if found is not None:
            yield f"if {title} {name} has {found:.1f} entries in a transfer at {APART} %"


def why(data, row):
    """What the recorder has."""
    yield from elsewhere(data)
    large = result(data, at(75, "longer, hpe"), MANY_RECORDS[0])
    if large and transferred(large):
        yield (f"with 4096 rows, as the original has, {MANY_RECORDS[0]} has {transferred(large):.1f} "
               f"entries in a transfer at 75 %, and {policy(large, 'recorder_lost')} hits are lost")
    for rate in (row.rate,) if row.rate else RATES:
        found = of(data, "hpe", rate, transferred)
        names = [MANY_RECORDS[0], *(n for n, v in found.items()
                                    if v >= FEW_RECORDS and n != MANY_RECORDS[0])]
        for n in names:
            run = result(data, at(rate, "hpe"), n)
            if run and policy(run, "recorder_fetches"):
                hits, lost, longest, fetches = policy(
                    run, "recorder_hits", "recorder_lost", "recorder_longest", "recorder_fetches")
                yield (f"{n} at {rate} %: {fetches} transfers for {hits} hits, "
                       f"{hits / pages(run):.1f} for each page of {pages(run):.0f}, {lost} lost; "
                       f"the longest transfer has {longest} pages, the average "
                       f"{found.get(n, 0):.1f} entries")


FIGURE = Figure(
    "fig15", "Fig. 15: entries of the recorder in a transfer", 15,
    (f"Below {FEW_RECORDS} in most workloads; most is MVT's {MANY_RECORDS[1]} (V-C).",),
    plan=plan, draw=draw, expect=expect, why=why)

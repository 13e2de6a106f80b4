# SPDX-License-Identifier: GPL-2.0
"""The same with other times of faults: in the driver, one after the other, or NVIDIA's."""

from framework.compare import both
from framework.paper import OURS, Figure
from framework.results import result
from framework.verdict import text

from ..numbers import classed, every, later, listed, over, smart, time_of
from ..published import MEAN, RATES
from ..setup import APART, at
from ..setup import plan as plan_of

DRIVER, REAL = ", in the driver", ", real costs"


def plan(x):
    """The default, and the authors' code."""
    plan_of(x, "default", "smart", "default" + DRIVER, "smart" + DRIVER)
    plan_of(x, "default" + REAL, "smart" + REAL, rates=(APART,))


def of(data, rate, which):
    """By workload."""
    return over(data, at(rate, f"smart{which}"), at(rate, f"default{which}"), time_of)


def groups(data, rate):
    """By how faults take time."""
    found = [("45 us for each fault, afterwards", smart(data, rate, read=later)),
             ("no time for faults", smart(data, rate, read=time_of)),
             ("45 us for each record, in the driver", of(data, rate, DRIVER))]
    return found + ([("profile gtx1080ti", of(data, rate, REAL))] if rate == APART else [])


def draw(data):
    """By rate."""
    yield ("<p><code>set=cost_fetch_fault:45000</code> has the driver take 45 us for each record "
           "that it fetches, while the GPU goes on; SMs that miss the same page write a record "
           "each, so that there are many more of these than faults of the authors.</p>")
    for rate in RATES:
        found = groups(data, rate)
        yield from both(data["scale"]["workloads"], found, "time, the default is 1",
                        f"Time at {rate} % by what faults take", {found[0][0]: MEAN[rate]})
        yield classed(found, f"By class, {rate} %")


def expect(data):
    """It gains whatever a fault takes."""
    for rate in RATES:
        for title, found in groups(data, rate)[1:]:
            value = every(data, found)
            yield (f"it gains, {title}, {rate} %", f"{OURS}below 1x",
                   None if value is None else value < 1, text(value))


def why(data, name):
    """What is fetched."""
    rate = next(r for r in RATES if name.endswith(f"{r} %"))
    for title, found in groups(data, rate):
        if title in name:
            yield f"{title}: {listed(found)}"
    rows = {n: [result(data, at(rate, c + DRIVER), n) for c in ("default", "smart")]
            for n in data["scale"]["workloads"]}
    if "driver" in name and all(all(two) for two in rows.values()):
        yield ("records that were fetched, the default's are 1: " +
               listed({n: b["faults"] / a["faults"] for n, (a, b) in rows.items() if a["faults"]}))


FIGURE = Figure("timing", "What a fault takes", 7, (
    "The authors' simulator adds 45 us for each fault when the run has ended; so whatever has the "
    "fewest faults wins.",), plan=plan, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""The same with other times of faults: in the driver, one after the other, or NVIDIA's."""

from framework.compare import both
from framework.paper import OURS, Expectation, Figure
from framework.results import result
from framework.verdict import text

from ..numbers import classed, every, later, listed, over, smart, time_of
from ..published import MEAN, RATES
from ..setup import APART, at
from ..setup import plan as plan_of

DRIVER, REAL = ", in the driver", ", real costs"
# How faults take time; the first is the authors' way.
WAYS = {"later": "45 us for each fault, afterwards", "never": "no time for faults",
        "driver": "45 us for each record, in the driver", "real": "profile gtx1080ti"}


def plan(x):
    """The default, and the authors' code."""
    plan_of(x, "default", "smart", "default" + DRIVER, "smart" + DRIVER)
    plan_of(x, "default" + REAL, "smart" + REAL, rates=(APART,))


def of(data, rate, which):
    """By workload."""
    return over(data, at(rate, f"smart{which}"), at(rate, f"default{which}"), time_of)


def groups(data, rate):
    """By how faults take time, by workload."""
    found = {"later": smart(data, rate, read=later), "never": smart(data, rate, read=time_of),
             "driver": of(data, rate, DRIVER)}
    return {**found, "real": of(data, rate, REAL)} if rate == APART else found


def draw(data):
    """By rate."""
    yield ("<p><code>set=cost_fetch_fault:45000</code> has the driver take 45 us for each record "
           "that it fetches, while the GPU goes on; SMs that miss the same page write a record "
           "each, so that there are many more of these than faults of the authors.</p>")
    for rate in RATES:
        found = [(WAYS[way], values) for way, values in groups(data, rate).items()]
        yield from both(data["scale"]["workloads"], found, "time, the default is 1",
                        f"Time at {rate} % by what faults take", {WAYS["later"]: MEAN[rate]})
        yield classed(found, f"By class, {rate} %")


def expect(data):
    """It gains whatever a fault takes."""
    for rate in RATES:
        for way, found in list(groups(data, rate).items())[1:]:
            value = every(data, found)
            yield Expectation(f"it gains, {WAYS[way]}, {rate} %", f"{OURS}below 1x",
                              None if value is None else value < 1, text(value),
                              kind=way, rate=rate)


def why(data, row):
    """What is fetched."""
    yield f"{WAYS[row.kind]}: {listed(groups(data, row.rate)[row.kind])}"
    rows = {n: [result(data, at(row.rate, c + DRIVER), n) for c in ("default", "smart")]
            for n in data["scale"]["workloads"]}
    if row.kind == "driver" and all(all(two) for two in rows.values()):
        yield ("records that were fetched, the default's are 1: " +
               listed({n: b["faults"] / a["faults"] for n, (a, b) in rows.items() if a["faults"]}))


FIGURE = Figure("timing", "What a fault takes", 7, (
    "The authors' simulator adds 45 us for each fault when the run has ended; so whatever has the "
    "fewest faults wins.",), plan=plan, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""Fig. 2: slowdown with too little memory on a GTX 1080 Ti."""

from framework.compare import both
from framework.paper import OURS, Expectation, Figure
from framework.results import whole
from framework.verdict import steps

from ..numbers import by_class, classed, every, listed, over, time_of
from ..published import CLASSES, RATES, STREAMING, WORKLOADS
from ..setup import plan_own


def of(data, rate):
    """By workload."""
    return over(data, f"own {rate}%", "own 100%", time_of)


def draw(data):
    """By workload and class."""
    yield ("<p>Profile <code>gtx1080ti</code> with <code>policy=nvidia</code>. The paper's bars "
           "are not in its text; it says how the classes differ.</p>")
    groups = [(f"{r} %", of(data, r)) for r in RATES]
    yield from both(data["scale"]["workloads"], groups, "time, with all memory 1",
                    "Slowdown with the driver's own settings")
    yield classed(groups, "Slowdown by class")


def expect(data):
    """Shapes."""
    means = [("100", 1.0), *((str(r), every(data, of(data, r))) for r in RATES)]
    yield steps("less memory is slower, on average", f"{OURS}slower at each step", means, " %",
                lambda a, b: a < b)
    for rate in RATES:
        found = {k: whole(of(data, rate), [n for n, w in WORKLOADS.items() if w.kind == k])
                 for k in CLASSES}
        least = None if None in found.values() else min(found, key=found.get)
        yield Expectation(f"what streams is slowed least, {rate} %",
                          f"{OURS}less than any other class",
                          None if least is None else least == STREAMING,
                          listed({k: v for k, v in found.items() if v}),
                          rate=rate, group=STREAMING)


def why(data, row):
    """By workload."""
    for rate in RATES:
        if found := of(data, rate):
            yield f"at {rate} %: {listed(found)}"
            if row.group:
                yield f"by class at {rate} %: {listed(by_class(found))}"


FIGURE = Figure("fig2", "Fig. 2: slowdown with too little memory", 2, (
    "On a real GTX 1080 Ti programs are slower with 125 % and 150 %, by class (II; the bars are "
    "not in the text).",), plan=plan_own, draw=draw, expect=expect, why=why)

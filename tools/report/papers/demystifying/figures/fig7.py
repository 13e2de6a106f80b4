# SPDX-License-Identifier: GPL-2.0
"""Fig. 7: fault order against page."""

from framework.machine import EVENTS
from framework.paper import Figure
from framework.parts import MISSING

from ..pattern import drawn, pattern
from ..published import TABLE1
from ..setup import OFF, applications, workload


def plan(x):
    """All workloads without prefetching."""
    for name, words in applications(x.scale).items():
        workload(x, ("app-off", name), name, *words, *OFF, events=EVENTS, session="applications")


def collect(x):
    """Events of all workloads."""
    runs = {name: x.runs.get(("app-off", name)) for name in TABLE1}
    return {"patterns": {n: pattern(run) for n, run in runs.items() if run and run.result}}


def draw(data):
    """A picture each."""
    return [drawn(name, found) for name, found in data["patterns"].items()] or [MISSING]


FIGURE = Figure(
    "fig7", "Fig. 7: fault order against page", 6,
    ("Faults in the order in which the driver processes them against the page, prefetching off; "
     "lines separate allocations.  Regular prefers lower blocks without a fixed order; stream is "
     "ordered more strictly by the dependency of its three vectors; hpgmg and cusparse have parts "
     "that look random (section IV-B).",),
    plan=plan, collect=collect, draw=draw)

# SPDX-License-Identifier: GPL-2.0
"""Load of the CPU core on which the driver runs."""

from framework import plot
from framework.compare import cell
from framework.paper import Figure
from framework.parts import Table
from framework.results import result
from framework.verdict import value

from ..numbers import busy, label, listed, load, of, paper_load, plain
from ..published import FAULT_NS, LOAD, RATES, UPDATE_NS
from ..setup import CONFIGS, at
from ..setup import plan as plan_of


def plan(x):
    """What the paper has, and HPE with its work charged."""
    plan_of(x, *LOAD, "hpe, charged")


def of_config(data, config, rate):
    """By workload, in percent; of HPE with the paper's cost of an update."""
    return of(data, config, rate, paper_load if config == "hpe" else load)


def draw(data):
    """On average, and by workload."""
    names = data["scale"]["workloads"]
    groups = [(label(r), [plain(of_config(data, c, r), names) for c in LOAD]) for r in RATES]
    yield plot.bars("Core load on average", [CONFIGS[c].title for c in LOAD], groups,
                    "% of the time", None,
                    {label(r): [LOAD[c][r] for c in LOAD] for r in RATES})
    lines = [(f"{CONFIGS[c].title}, {r} %", of_config(data, c, r)) for c in LOAD for r in RATES]
    lines += [(f"HPE as it is charged here, {r} %", of(data, "hpe, charged", r, load))
              for r in RATES]
    yield Table(["", *names, "average"],
                [[title, *(cell(found.get(n), "{:.0f}") for n in names),
                  cell(plain(found, names), "{:.1f}")] for title, found in lines],
                "Core load, % of the time")
    yield (f"<p>The paper charges HPE {UPDATE_NS / 1000:.1f} us for each update, whatever it has; so "
           "does the chart.  Here an update takes 107 ns for each entry, which the last lines of "
           "the table have.</p>")


def expect(data):
    """Averages, arithmetic as they are of percentages."""
    for rate in RATES:
        for config, published in LOAD.items():
            found = plain(of_config(data, config, rate), data["scale"]["workloads"])
            yield value(f"core load, {CONFIGS[config].title}, {rate} %", found, published[rate],
                        " %", rate=rate, config=config)


def why(data, row):
    """How much of the time is faults."""
    rows = {n: result(data, at(row.rate, "lru"), n) for n in data["scale"]["workloads"]}
    if None in rows.values():
        return
    rest = {n: max(0, r["time_ns"] - busy(r)) / (r["footprint"] / 4096) / 1000
            for n, r in rows.items()}
    yield (f"faults are handled one after the other, {FAULT_NS // 1000} us each, and the "
           "workloads compute little beside: the time in which the driver does nothing is, in us for "
           f"each page of the footprint, {listed(rest, '{:.1f}')}")
    yield ("with the paper's 30 % it would be 47 us for each fault: a guess is that its workloads "
           "compute more for each page, in caches and memory that are modelled there")


FIGURE = Figure(
    "load", "Core load", 19,
    ("Time in which the driver is busy over all time: LRU 29.9 % at 75 %, 39.3 % at 50 %; RRIP 30.3, "
     "39.5; CLOCK-Pro 29.5, 39.2; HPE 34.0, 47.2, with 16.1 us for each update (V-C; no figure).",),
    plan=plan, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""Fig. 1: working set by active SMs."""

from dataclasses import replace

from framework import plot
from framework.paper import Expectation, Figure
from framework.results import result
from framework.verdict import text

from ..published import SMS
from ..setup import BENCH, CONFIGS, IRREGULAR, REGULAR, arguments

MB = 1 << 20
NAMES = (*REGULAR, *IRREGULAR)
# So little of the data moves with few SMs where the working set falls.
FALLS = 0.75


def plan(x):
    """What comes back, by the number of SMs."""
    for name in NAMES:
        words = arguments(name, x.scale.compared, x.scale.rounds)
        for sms in x.scale.sms:
            config = replace(CONFIGS["baseline"], device=f"sm_count:{sms}" if sms != SMS else "")
            BENCH.run(x, (f"sms@{sms}", name), words, config, size=x.scale.compared)


def moved(data, name):
    """By SMs: how often the data comes."""
    rows = {n: result(data, f"sms@{n}", name) for n in data["scale"]["sms"]}
    return {n: r["htod"] / r["footprint"] for n, r in rows.items() if r}


def draw(data):
    """Data moved, against SMs."""
    yield ("<p>Our stand-in for the working set: how often its data a workload moves to the GPU "
           "with half of the memory it needs. If fewer SMs need less at a time, less comes "
           f"back. Data of {data['scale']['compared'] / MB:.1f} MB; {', '.join(NAMES)}.</p>")
    yield plot.lines("Data moved by SMs", [(n, list(moved(data, n).items())) for n in NAMES],
                     "SMs", "data moved / footprint", log="")


def shares(data):
    """By workload: what moves with few SMs, of what moves with all."""
    few, many = min(data["scale"]["sms"]), max(data["scale"]["sms"])
    found = {n: moved(data, n) for n in NAMES}
    return {n: v[few] / v[many] for n, v in found.items() if few in v and v.get(many)}


def expect(data):
    """The working set of the regular falls."""
    least, most = min(data["scale"]["sms"]), max(data["scale"]["sms"])
    found = shares(data)
    # What falls for nothing does not tell what is irregular.
    tells = any(found.get(name, 1) <= FALLS for name in REGULAR)
    for name in NAMES:
        share = found.get(name)
        measured = "" if share is None else (f"with {least} of {most} SMs {text(share)} of the "
                                             "data moves")
        if name in REGULAR:
            yield Expectation(f"working set by SMs, {name}", "falls with them",
                              None if share is None else share <= FALLS, measured, workload=name)
        else:
            yield Expectation(f"working set by SMs, {name}", "does not fall with them",
                              None if share is None or not tells else share > FALLS,
                              measured + ("" if tells or not measured else
                                          "; so of the regular, so that this tells nothing"),
                              workload=name)


def why(data, row):
    """What our stand-in for working sets can see."""
    workload = row.workload
    times = moved(data, workload)
    if not times:
        return
    yield (f"we measure what comes back; {workload} moves its data " +
           ", ".join(f"{v:.2f} times with {n} SMs" for n, v in times.items()))
    if workload in REGULAR and 1.25 <= max(times.values()) < 1.05 * min(times.values()):
        yield ("Each pass streams all of it, so it comes back in the next, whatever the number "
               "of SMs")
    if workload in REGULAR and max(times.values()) < 1.25:
        yield ("So next to nothing comes back: what streams in order needs few pages at a time, "
               "less than memory holds with any of these numbers of SMs")


FIGURE = Figure(
    "fig1", "Fig. 1: working set by active SMs", 1,
    ("Throttling half of the cores helps if it halves the working set.  So it does for most "
     "regular workloads; in irregular ones most pages are shared by all cores (section 1).",),
    plan=plan, draw=draw, expect=expect, why=why)

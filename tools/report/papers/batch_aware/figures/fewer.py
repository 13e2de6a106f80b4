# SPDX-License-Identifier: GPL-2.0
"""What SMs to the scale of memory make of it."""

from dataclasses import replace

from framework.compare import both
from framework.paper import Figure
from framework.results import result, speedup, whole_speedup
from framework.verdict import by_workload, value

from ..numbers import MB
from ..published import SMS, SPEEDUP
from ..reasons import fewer, listed
from ..setup import BENCH, CONFIGS, FEWER, usual

SHOWN = ("to", "to+ue")


def plan(x):
    """The usual, and with fewer SMs."""
    BENCH.plan(x, FEWER, x.scale.fewer)
    for name in x.scale.fewer:
        for use in FEWER:
            BENCH.run(x, (f"{use}, fewer SMs", name), usual(name, x.scale),
                      replace(CONFIGS[use], device=f"sm_count:{x.scale.fewer_sms}"))


def draw(data):
    """By SMs."""
    names, sms = data["scale"]["fewer"], (SMS, data["scale"]["fewer_sms"])
    groups = [(f"{CONFIGS[c].title}, {n} SMs", speedup(data, c + what, "baseline" + what))
              for c in SHOWN for n, what in zip(sms, ("", ", fewer SMs"))]
    groups = [(title, {n: v for n, v in found.items() if n in names}) for title, found in groups]
    known = {f"{CONFIGS[c].title}, {sms[1]} SMs": SPEEDUP[c] for c in SHOWN}
    yield f"<p>Data of {data['scale']['size'] / MB:.1f} MB.</p>"
    yield from both(data["scale"]["workloads"], groups, "speedup over the baseline",
                    "Speedup by SMs", known)


def expect(data):
    """What is published, for SMs to the scale of memory."""
    for config in SHOWN if data["scale"]["fewer"] else ():
        runs = f"{config}, fewer SMs", "baseline, fewer SMs"
        found = value(f"with SMs to the scale of memory, {config}", whole_speedup(data, *runs),
                      SPEEDUP[config], config=config)
        each = by_workload(speedup(data, *runs))
        yield replace(found, measured=f"{found.measured}: {each}" if found.measured else each)


def why(data, row):
    """What there is to gain, and what moves."""
    moves = {n: r["htod"] / r["footprint"] for n in data["scale"]["fewer"]
             if (r := result(data, f"{row.config}, fewer SMs", n))}
    return [fewer(data), f"{CONFIGS[row.config].title} moves the data to the GPU " +
            listed(moves, "{:.1f} times") if moves else ""]


FIGURE = Figure("fewer", "What SMs to the scale of memory make of it", 18, plan=plan, draw=draw,
                expect=expect, why=why, shown=lambda data: bool(data["scale"]["fewer"]))

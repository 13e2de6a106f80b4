# SPDX-License-Identifier: GPL-2.0
"""Fig. 18: by handling time."""

from dataclasses import replace

from framework import plot
from framework.compare import cell
from framework.paper import Figure
from framework.parts import Table
from framework.results import average, speedup, whole_speedup
from framework.verdict import steps

from ..numbers import MB
from ..published import HANDLING
from ..reasons import listed
from ..setup import BENCH, CONFIGS, arguments

SHOWN = ("to", "to+ue")


def plan(x):
    """The first is the profile's own, so these are runs of other figures, too."""
    for name in x.scale.swept:
        words = arguments(name, x.scale.compared, x.scale.rounds)
        for us in HANDLING:
            half = us * 1000 // 2
            device = ("" if us == HANDLING[0]
                      else f"cost_fetch:{half},cost_preprocess:{half}")
            for use in ("baseline", *SHOWN):
                BENCH.run(x, (f"{use}@{us}us", name), words,
                          replace(CONFIGS[use], device=device), size=x.scale.compared)


def draw(data):
    """Against the time of handling."""
    yield (f"<p>Data of {data['scale']['compared'] / MB:.1f} MB; "
           f"{', '.join(data['scale']['swept'])}.</p>")
    found = {c: [average(speedup(data, f"{c}@{us}us", f"baseline@{us}us")) for us in HANDLING]
             for c in SHOWN}
    yield plot.lines("By handling time", [
        (CONFIGS[c].title, [p for p in zip(HANDLING, some) if p[1] is not None])
        for c, some in found.items()], "handling of a batch, us",
        "speedup over the baseline with the same", log="")
    yield Table(["", *(f"{us} us" for us in HANDLING)],
                [[CONFIGS[c].title, *map(cell, some)] for c, some in found.items()],
                "By handling time")


def expect(data):
    """More handling, more gain."""
    for config in SHOWN:
        gains = [(us, whole_speedup(data, f"{config}@{us}us", f"baseline@{us}us"))
                 for us in HANDLING]
        yield steps(f"the longer the handling, the more {config} gains", "at every step", gains,
                    " us", lambda a, b: a <= b, config=config)


def shares(data):
    """Handling's share of a batch."""
    for us in HANDLING:
        rows = [r for r in data["runs"].get(f"baseline@{us}us", {}).values() if r["batch_ns"]]
        if rows:
            share = sum(r["handling_ns"] / r["batch_ns"] for r in rows) / len(rows)
            yield f"with {us} us {100 * share:.0f} %"


def why(data, row):
    """What each workload gains."""
    gained = [(us, speedup(data, f"{row.config}@{us}us", f"baseline@{us}us")) for us in HANDLING]
    parts, words = list(shares(data)), [f"with {us} us {listed(f)}" for us, f in gained if f]
    return ["of the time of the baseline's batches handling is " + ", ".join(parts)
            if parts else "",
            f"{CONFIGS[row.config].title} gains " + "; ".join(words) if words else ""]


FIGURE = Figure(
    "fig18", "Fig. 18: by handling time", 12,
    ("The longer the handling takes, the more TO and UE gain, each against a baseline with the "
     "same handling (6.4).",),
    plan=plan, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""Fig. 8: sgemm at 120 % of memory, with evictions."""

from framework.paper import Figure

from .. import sgemm
from ..pattern import drawn, pattern, refaulted


def plan(x):
    """One size."""
    sgemm.plan(x, sgemm.EVICTING)


def collect(x):
    """Its events."""
    run = x.runs.get(("sgemm", sgemm.EVICTING))
    found = run and run.result
    return {"fig8": pattern(run) if found else None,
            "fig8_refaulted": refaulted(run) if found else {}}


def draw(data):
    """A picture, and which matrix comes again."""
    yield drawn("sgemm at 120 %", data["fig8"], evictions=True)
    if data["fig8"]:
        again = ", ".join(f"{name}: {n:,}" for name, n in sorted(data["fig8_refaulted"].items()))
        yield f"<p>Pages that fault after their eviction, by matrix: {again or 'none'}.</p>"


FIGURE = Figure(
    "fig8", "Fig. 8: sgemm at 120 % of memory, with evictions", 7,
    ("sgemm at about 120 % of memory.  Data of the second allocation is evicted just before it "
     "is paged in again (section V-A-2).",),
    plan=plan, collect=collect, draw=draw)

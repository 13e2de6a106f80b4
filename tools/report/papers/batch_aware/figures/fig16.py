# SPDX-License-Identifier: GPL-2.0
"""Fig. 16: distribution of batch sizes."""

from framework import plot
from framework.paper import Figure
from framework.verdict import order

from ..numbers import MB, batches, whole_spread
from ..setup import BENCH, CONFIGS
from .fig3 import why

SHOWN = ("baseline", "to", "to+ue")


def plan(x):
    """Three bars, whose batches are looked at."""
    BENCH.plan(x, SHOWN, x.scale.workloads)


def draw(data):
    """Batches by size, and how fast they are."""
    for title, what, ylabel in (("Batches by size", "share", "% of batches"),
                                ("Speed by size", "rate", "pages of 4 KB per us")):
        yield plot.lines(title, [
            (CONFIGS[c].title, [(int(b), r[what]) for b, r in data["spread"][c].items()])
            for c in SHOWN if c in data["spread"]], "bytes in a batch", ylabel, log="x", bytes=True)


def expect(data):
    """Larger with TO."""
    mean = {}
    for config in ("baseline", "to"):
        rows = whole_spread(data, config).values()
        if rows:
            mean[config] = sum(r["bytes"] for r in rows) / sum(r["count"] for r in rows) / MB
    yield order("batches are larger with TO", "larger (Fig. 16)", mean.get("baseline"),
                mean.get("to"), ("MB in a batch: baseline", "TO"), "")


FIGURE = Figure(
    "fig16", "Fig. 16: distribution of batch sizes", 10,
    ("Larger batches appear with TO; the larger, the more pages per time (6.2).",),
    plan=plan, collect=batches, draw=draw, expect=expect, why=why)

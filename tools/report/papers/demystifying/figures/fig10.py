# SPDX-License-Identifier: GPL-2.0
"""Fig. 10 and Table II: sgemm against problem size."""

from framework import plot
from framework.paper import Expectation, Figure
from framework.parts import MISSING, Table

from .. import sgemm, touch
from ..published import TABLE2


def plan(x):
    """All sizes."""
    sgemm.plan(x, *x.scale.sgemm)


def line(r):
    """Of the table."""
    _, faults, evicted, rate = next(row for row in TABLE2 if row[0] == r["paper_n"])
    return [r["paper_n"], r["n"], f"{r['percent']:.1f}", touch.us(r["time_ns"]),
            f"{r['gflops']:.1f}", f"{faults:,}", f"{r['faults']:,}", f"{evicted:,}",
            f"{r['evicted']:,}", rate, f"{r['per_fault']:.3f}", f"{r['premature']:,}"]


def draw(data):
    """The rate, evictions per fault, and the table."""
    rows = sgemm.rows(data)
    if not rows:
        return [MISSING]
    rates = {row[0]: row[3] for row in TABLE2}
    return [
        plot.lines("sgemm's rate", [("measured", [(r["percent"], r["gflops"]) for r in rows])],
                   "footprint, % of memory", "GFLOP/s", "", mark=(120, "published knee: 120 %")),
        plot.bars("Evictions per fault", [f"{r['percent']:.0f} % of memory" for r in rows],
                  [("measured", [r["per_fault"] for r in rows])], "pages per fault",
                  published={"measured": [rates[r["paper_n"]] for r in rows]}),
        Table(["n, published", "n, ours", "% of memory", "GPU time, us", "GFLOP/s",
               "faults, published", "measured", "pages evicted, published", "measured",
               "evictions per fault, published", "measured", "evicted too early"],
              [line(r) for r in rows], "Table II")]


def expect(data):
    """The knee, and evictions."""
    rows = sgemm.rows(data)
    if len(rows) < 4 or sum(r["percent"] > 100 for r in rows) < 2:
        yield Expectation("sgemm's knee is near 120 %")
        yield Expectation("sgemm: evictions per fault rise with size")
        return
    worst = min((b["gflops"] / a["gflops"], a["percent"], b["percent"])
                for a, b in zip(rows, rows[1:]))
    yield Expectation(
        "sgemm's knee is near 120 %", "the steepest fall between two sizes within 100-140 %",
        100 <= (worst[1] + worst[2]) / 2 <= 140,
        f"from {worst[1]:.0f} to {worst[2]:.0f} %: to {100 * worst[0]:.0f} % of the rate")
    rates = [r["per_fault"] for r in rows]
    yield Expectation("sgemm: evictions per fault rise with size", "0 ... 14.1",
                      all(a <= b for a, b in zip(rates, rates[1:])) and rates[-1] > 0,
                      ", ".join(f"{r:.3f}" for r in rates))


FIGURE = Figure(
    "fig10", "Fig. 10 and Table II: sgemm against problem size", 9,
    ("The compute rate falls as more is evicted; performance degrades significantly after 120 %, "
     "where data is evicted before it is used (section V-A-3).",),
    plan=plan, draw=draw, expect=expect)

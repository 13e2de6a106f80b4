# SPDX-License-Identifier: GPL-2.0
"""Fig. 3: time per page by size of the batch."""

from framework import plot
from framework.paper import Expectation, Figure
from framework.results import complete
from framework.verdict import value

from ..numbers import batches, whole_spread
from ..published import HANDLED
from ..setup import BENCH


def plan(x):
    """The baseline."""
    BENCH.plan(x, ("baseline",), x.scale.workloads)


def draw(data):
    """Time per page against the size of a batch."""
    rows = data["spread"].get("baseline", {})
    yield plot.lines("Time per page", [("baseline, all workloads", [
        (int(b), 1 / r["rate"]) for b, r in rows.items()])],
        "bytes in a batch", "us per page of 4 KB", bytes=True)
    told = data["batches"].get("baseline")
    if told:
        yield (f"<p>{told['moving']} of {told['count']} batches of the baseline migrate. "
               f"These take {told['least_ns'] / 1000:.0f} to {told['most_ns'] / 1000:.0f} "
               f"us, median {told['median_ns'] / 1000:.0f}; handling before the first migration "
               f"is {100 * told['handling']:.0f} % of that on average.</p>")


def rising(rows):
    """Does the rate rise from the smallest to the largest bins?  Those of some batches."""
    rates = [r["rate"] for r in rows.values() if r["count"] >= 5]
    return None if len(rates) < 2 else rates[-1] > rates[0], rates


def expect(data):
    """Larger batches are faster, and handling is a large part of them."""
    holds, rates = rising(whole_spread(data, "baseline"))
    yield Expectation("a page takes less time in a larger batch", "less (Fig. 3)", holds,
                      f"from {rates[0]:.2f} to {rates[-1]:.2f} pages per us" if rates else "")
    told = data["batches"].get("baseline") if complete(data, "baseline") else None
    yield value("handling before the first migration, of a batch that migrates",
                told and told["handling"], HANDLED)


def why(data, _):
    """What a page takes in each size of batch, and what the pages of a batch share."""
    rows = data["spread"].get("baseline", {})
    if rows:
        yield "by bytes in the batch: " + ", ".join(
            f"{int(b) >> 10} KB {1 / r['rate']:.2f} us a page ({r['count']} batches)"
            for b, r in rows.items())
    told = data["batches"].get("baseline")
    if told:
        yield (f"handling, which all pages of a batch share, is {100 * told['handling']:.0f} % of "
               "a batch of the baseline that migrates, whose median takes "
               f"{told['median_ns'] / 1000:.0f} us")


FIGURE = Figure(
    "fig3", "Fig. 3: time per page by size of the batch", 2,
    ("BFS on a Titan Xp: the more is handled in a batch, the less time a page takes.  Batches "
     "take 223 to 553 us, median 313, of which handling before the first migration is 46.69 % on "
     "average (section 3).",),
    plan=plan, collect=batches, draw=draw, expect=expect, why=why)

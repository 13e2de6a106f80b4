# SPDX-License-Identifier: GPL-2.0
"""Fig. 1: latency by way of transfer."""

import html

from framework import plot
from framework.paint import bytes_text
from framework.paper import Expectation, Figure
from framework.results import result

from .. import touch
from ..setup import EXPLICIT, MB, PATTERNS, workload

TITLES = {"off": "UVM", "on": "UVM + prefetch", "explicit": "explicit transfer"}


def plan(x):
    """All ways over all sizes; one explicit transfer is more than there is."""
    touch.plan(x, *TITLES)
    if x.facts["explicit"]:
        workload(x, ("explicit-refused",), "regular", "--size", f"{x.scale.vram() + 2}M",
                 *EXPLICIT, refused=True)
    touch.plan_over(x, *x.scale.percents)


def latency(data, mode, name):
    """Time against size: with room to spare below what memory holds, above it without."""
    over = touch.over(data, mode, name) if mode != "explicit" else []
    memory = data["scale"]["memory"]
    rows = [r for r in touch.curve(data, mode, name) if not over or r["size"] < memory]
    return touch.latency(rows + over)


def draw(data):
    """One chart."""
    memory = data["scale"]["memory"]
    yield plot.lines("Time to touch all pages", [
        (f"{title}, {name}", latency(data, mode, name))
        for mode, title in TITLES.items() for name in PATTERNS],
        "bytes touched", "GPU time, us", bytes=True,
        mark=(memory, "memory: explicit transfer ends"))
    refused = (result(data, "explicit-refused", "-") or {}).get("refused")
    yield (f"<p>From {bytes_text(memory)} on that is all the memory there is, as in Fig. 9. All "
           "series are the way to the GPU and the kernel. Explicit transfer cannot "
           "oversubscribe: what does not fit is refused" +
           (f" (<code>{html.escape(refused)}</code>)" if refused else "") + ".</p>")
    if not data["facts"]["explicit"]:
        yield ("<p class=gap>The series of explicit transfers is missing: <code>uvm run</code> "
               "of this tree has no <code>--explicit</code>.</p>")


def expect(data):
    """UVM against explicit transfer."""
    pairs = [p for p in touch.pairs(data, *((m, "regular") for m in ("explicit", "off", "on")))
             if p[0]["size"] >= MB]
    if not pairs:
        yield Expectation("UVM is an order of magnitude slower than explicit transfer",
                          "10 times or more", None, "" if data["facts"].get("explicit")
                          else "uvm run of this tree has no --explicit", config="off")
        return
    ratios = [u["time_ns"] / e["time_ns"] for e, u, _ in pairs]
    yield Expectation("UVM is an order of magnitude slower than explicit transfer",
                      "8 times or more", min(ratios) >= 8,
                      f"{min(ratios):.1f}-{max(ratios):.1f} times", config="off")
    ratios = [p["time_ns"] / e["time_ns"] for e, _, p in pairs]
    yield Expectation("with prefetching several times slower", "1.5-8 times",
                      all(1.5 <= r <= 8 for r in ratios),
                      f"{min(ratios):.1f}-{max(ratios):.1f} times", config="on")


def why(data, row):
    """Where UVM is nearest to explicit transfer: where its faults are in few blocks."""
    if row.config != "off":
        return
    rows = [(u["time_ns"] / e["time_ns"], e["size"] // MB)
            for e, u in touch.pairs(data, ("explicit", "regular"), ("off", "regular"))
            if e["size"] >= MB]
    least, last = min(rows), rows[-1]
    if least[0] < last[0]:
        yield (f"{least[0]:.1f} times at {least[1]} MB, where each batch has few blocks (see "
               f"growth); {last[0]:.1f} at {last[1]} MB")


FIGURE = Figure(
    "fig1", "Fig. 1: latency of explicit transfer, UVM, and UVM with prefetching", 2,
    ("Four observations with page-touch kernels (section I): UVM without prefetching is one or "
     "more orders of magnitude slower than explicit transfer; when all data fits, prefetching "
     "reduces the cost significantly, but the total can still be several times the baseline; "
     "once memory is oversubscribed, latency rises by another order of magnitude depending on "
     "the pattern; prefetching can make it worse after that.",),
    plan=plan, draw=draw, expect=expect, why=why)

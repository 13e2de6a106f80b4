# SPDX-License-Identifier: GPL-2.0
"""What TO+UE does that unlimited memory does not."""

from framework.compare import cell
from framework.paper import Figure
from framework.parts import Table
from framework.results import result

from ..published import LINK_BYTES_PER_NS
from ..setup import BENCH, CONFIGS

SHOWN = ("baseline", "to+ue", "unlimited")


def plan(x):
    """Three bars."""
    BENCH.plan(x, SHOWN, x.scale.workloads)


def line(name, config, r):
    """Bytes at the link's speed."""
    shares = [r["htod"] / LINK_BYTES_PER_NS, r["dtoh"] / LINK_BYTES_PER_NS,
              r["batches"] * r["handling_ns"]]
    return [name, CONFIGS[config].title, cell(r["time_ns"] / 1e6),
            cell(r["htod"] / r["footprint"], "{:.1f}"),
            *(cell(100 * s / r["time_ns"], "{:.0f}") for s in shares)]


def draw(data):
    """A table."""
    found = [(n, c, result(data, c, n)) for n in data["scale"]["workloads"] for c in SHOWN]
    return [Table(["", "", "ms", "to the GPU / footprint", "copies in, % of the time",
                   "copies out, %", "before first copies, %"],
                  [line(n, c, r) for n, c, r in found if r], "Where each run's time is")]


FIGURE = Figure("left", "What is left to unlimited memory", 15, plan=plan, draw=draw)

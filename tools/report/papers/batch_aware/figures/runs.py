# SPDX-License-Identifier: GPL-2.0
"""The numbers behind Figs. 8 and 11 to 15."""

from framework.compare import cell
from framework.paper import Figure
from framework.parts import Table
from framework.results import result

from ..numbers import MB, held
from ..setup import BENCH, CONFIGS, PAPER

SHOWN = ("unlimited", "baseline", "ue", "to", "to+ue", "ideal")


def plan(x):
    """The paper's bars."""
    BENCH.plan(x, PAPER, x.scale.workloads)


def line(name, config, r):
    """One run."""
    return [name, CONFIGS[config].title, cell(held(r)), cell(r["time_ns"] / 1e6), r["batches"],
            cell(r["distinct"] / max(r["batches"], 1), "{:.1f}"), cell(r["batch_bytes"] / MB),
            cell(r["batch_ns"] / 1000, "{:.0f}"), cell(r["htod"] / r["footprint"], "{:.1f}"),
            cell(r["dtoh"] / r["footprint"], "{:.1f}"), r["switched"]]


def draw(data):
    """A table."""
    found = [(n, c, result(data, c, n)) for n in data["scale"]["workloads"] for c in SHOWN]
    return [Table(["", "", "memory / footprint", "ms", "batches", "faults in each", "MB in each",
                   "us each", "to the GPU / footprint", "back / footprint", "switches"],
                  [line(n, c, r) for n, c, r in found if r], "Each run")]


FIGURE = Figure("runs", "The numbers behind Figs. 8 and 11 to 15", 13, plan=plan, draw=draw)

# SPDX-License-Identifier: GPL-2.0
"""Which graph it is."""

from framework import plot
from framework.compare import cell
from framework.paper import OURS, Figure
from framework.parts import Table
from framework.results import average, speedup, whole_speedup
from framework.verdict import steps

from ..numbers import MB
from ..reasons import alone, graph
from ..setup import BENCH, CONFIGS, ON_SHAPES, SHAPES, arguments

SHOWN = tuple(c for c in ON_SHAPES if c != "baseline")


def plan(x):
    """On other graphs."""
    for name in x.scale.shaped:
        for shape in SHAPES:
            words = arguments(name, x.scale.compared, x.scale.rounds, shape)
            for use in ON_SHAPES:
                BENCH.run(x, (f"{use} on {shape}", name), words, CONFIGS[use],
                          size=x.scale.compared)


def draw(data):
    """By graph."""
    groups = [(CONFIGS[c].title, [average(speedup(data, f"{c} on {s}", f"baseline on {s}"))
                                  for s in SHAPES]) for c in SHOWN]
    yield (f"<p>Graphs of {data['scale']['compared'] / MB:.1f} MB; "
           f"{', '.join(data['scale']['shaped'])}. The vertex with most neighbours has, of 2^16, "
           "about 0.03 % of all edges in RMAT-G, 0.3 % in RMAT-B, 1.2 % in Graph 500; of 2^17 "
           "0.02, 0.2 and 0.9 %.</p>")
    yield plot.bars("Speedup by graph", list(SHAPES), groups, "speedup over the baseline", 1)
    yield Table(["", *SHAPES], [[t, *map(cell, found)] for t, found in groups],
                "Speedup by graph")


def expect(data):
    """The smaller the share of one vertex, the more."""
    for config in ("to", "to+ue") if data["scale"]["shaped"] else ():
        gains = [(shape, whole_speedup(data, f"{config} on {shape}", f"baseline on {shape}"))
                 for shape in ("Graph 500", "RMAT-B", "RMAT-G")]
        yield steps(f"the fewer edges one vertex has, the more {config} gains",
                    OURS + "more at every step", gains, "", lambda a, b: a < b, config=config)


def why(data, _):
    """The graph, and one thread."""
    return [graph(data), alone(data)]


FIGURE = Figure("shaped", "Which graph it is", 16, plan=plan, draw=draw, expect=expect, why=why,
                shown=lambda data: bool(data["scale"]["shaped"]))

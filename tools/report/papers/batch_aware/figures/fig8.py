# SPDX-License-Identifier: GPL-2.0
"""Fig. 8: half of the memory, ideal eviction."""

from framework.compare import Comparison
from framework.results import whole_speedup
from framework.verdict import value

from ..published import IDEAL, LEFT
from ..reasons import IDEAL_IS, graph, link
from ..setup import BENCH

COMPARED = Comparison(("baseline", "ideal"), BENCH, baseline="unlimited",
                      unit="performance, unlimited memory is 1",
                      title="Performance with half of the memory")


def draw(data):
    """Unlimited memory is 1."""
    titles = [BENCH.configs[c].title for c in COMPARED.configs]
    yield IDEAL_IS
    # The second is published against the first.
    yield from COMPARED.draw(data, dict(zip(titles, (LEFT, LEFT * IDEAL))))


def expect(data):
    """What is left, and what ideal eviction gains."""
    yield value("what 50 % of the memory leaves", whole_speedup(data, "baseline", "unlimited"),
                LEFT, config="baseline")
    yield value("ideal eviction", whole_speedup(data, "ideal"), IDEAL, config="ideal")


def why(data, row):
    """The link, and the graph."""
    yield link(data)
    yield graph(data)
    if row.config == "ideal":
        yield ("it is the baseline in which copies out take no time; it is not pipelined, and "
               "keeps unmapping and TLB invalidation")


FIGURE = COMPARED.figure(
    "fig8", "Fig. 8: half of the memory, ideal eviction", 4,
    ("At 50 % capacity the average loss is 46 % against unlimited memory; eviction in no time "
     "gains 16 % (4.2).",),
    draw=draw, expect=expect, why=why)

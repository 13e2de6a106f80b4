# SPDX-License-Identifier: GPL-2.0
"""Fig. 14: time of a batch."""

from framework.compare import Comparison
from framework.results import whole_ratio
from framework.verdict import value

from ..published import BATCH_TIME, BATCH_TIME_ON_TO
from ..reasons import batch
from ..setup import BENCH

COMPARED = Comparison(("to", "to+ue"), BENCH, "time of a batch, baseline is 1", "batch_ns",
                      title="Time of a batch")


def draw(data):
    """One of the two has a published average."""
    return COMPARED.draw(data, {BENCH.configs["to+ue"].title: BATCH_TIME})


def expect(data):
    """UE on TO, and both on the baseline."""
    yield value("time of a batch, TO+UE against TO",
                whole_ratio(data, "to+ue", "to", "batch_ns"), BATCH_TIME_ON_TO, config="to+ue")
    yield value("time of a batch, TO+UE against the baseline",
                whole_ratio(data, "to+ue", "baseline", "batch_ns"), BATCH_TIME, config="to+ue")


def why(data, _):
    """What a batch brings."""
    return [batch(data, c) for c in COMPARED.configs]


FIGURE = COMPARED.figure(
    "fig14", "Fig. 14: time of a batch", 8,
    ("UE on top of TO takes 60 % off the average time of a batch; TO+UE 27 % against the baseline "
     "(5.2).",),
    draw=draw, expect=expect, why=why)

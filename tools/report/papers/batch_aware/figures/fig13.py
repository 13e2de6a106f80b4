# SPDX-License-Identifier: GPL-2.0
"""Fig. 13: size of batches."""

from framework.compare import Comparison, Published

from ..published import BATCH_SIZE
from ..reasons import of_batches
from ..setup import BENCH

WHAT = {what: Comparison(
    ("to", "to+ue"), BENCH, f"{what} in a batch, baseline is 1", f"batch_{what}",
    title=f"Size of batches in {what}",
    published={"to": Published(BATCH_SIZE, f"{what} per batch with TO")})
    for what in ("faults", "bytes")}


def draw(data):
    """Faults, and bytes."""
    for compared in WHAT.values():
        yield from compared.draw(data)


def expect(data):
    """The same."""
    for compared in WHAT.values():
        yield from compared.expect(data)


FIGURE = WHAT["faults"].figure(
    "fig13", "Fig. 13: size of batches", 7, ("A batch has 2.27x as many faults (5.2).",),
    draw=draw, expect=expect, why=of_batches)

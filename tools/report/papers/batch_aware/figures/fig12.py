# SPDX-License-Identifier: GPL-2.0
"""Fig. 12: number of batches."""

from framework.compare import Comparison, Published

from ..published import BATCHES
from ..reasons import of_batches
from ..setup import BENCH

FIGURE = Comparison(
    ("to", "to+ue"), BENCH, "batches, baseline is 1", "batches", title="Number of batches",
    published={"to": Published(BATCHES, "batches with TO")}).figure(
        "fig12", "Fig. 12: number of batches", 6,
        ("The number of batches falls by 51 % with TO (5.2).",), why=of_batches)

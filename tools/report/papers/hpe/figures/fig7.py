# SPDX-License-Identifier: GPL-2.0
"""Fig. 7: sensitivity to the size of page sets."""

from ..published import SET_PAGES_WITHIN
from ..sensitivity import figure
from ..setup import SET_PAGES, SHAPES

FIGURE = figure(
    "fig7", "Fig. 7: sensitivity to the size of page sets", 7,
    "Sets of 8, 16 and 32 pages are within 10 % of each other, by type (V-A).",
    {f"{pages} pages": SHAPES[pages, 64] for pages in SET_PAGES}, SET_PAGES_WITHIN)

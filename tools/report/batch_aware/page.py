# SPDX-License-Identifier: GPL-2.0
"""The page that people read."""

import html

import document

from . import checks, experiments, explained, figures, published

MB = 1 << 20


def introduction(data, counts):
    """What was run, and how it differs from the paper's."""
    scale = data["scale"]
    return (
        f"<p>Every figure of the paper's evaluation, published beside measured, on the software "
        f"GPU with profile <code>asplos20</code> (the paper's Table 1), which computes.  "
        f"{counts}</p>"
        f"<p>Scale <b>{html.escape(scale['name'])}</b>: each workload has about "
        f"{scale['size'] / MB:.1f} MB (the paper's: {published.FOOTPRINT / MB:.0f} MB on "
        f"average), in what compares many policies {scale['small'] / MB:.1f} MB, a Kronecker "
        f"graph ({experiments.SHAPE} unless told otherwise); colourings end after "
        f"{scale['rounds']} rounds.  Memory holds 50 % of the footprint unless told otherwise, in "
        f"steps of 2 MB.  All eleven are verified against a plain implementation in each run.</p>"
        f"<p>The baseline evicts when an allocation finds nothing, one transfer at a time, and "
        f"prefetches by the density tree.  What the paper does not tell is assumed: a "
        f"compression of {experiments.COMPRESSION / 100:.2g}, the epochs of ETC's throttling.  "
        f"Averages are geometric.  {data['seconds'] / 60:.0f} minutes of runs.</p>")


def section(data, figure):
    """One figure."""
    name, heading, draw, uses = figure
    mine = [line for use, line in data["commands"]
            if use in uses or any(use.startswith(u) for u in uses if u.endswith(("sms", "0")))
            or ("us" in uses and use.endswith("us"))
            or any(part in uses and part in use for part in (" on ", ", grown"))]
    return document.section(name, heading, published.TEXT.get(name, []), draw(data), mine)


def build(data):
    """The whole page."""
    rows = checks.judge(data)
    judged = document.verdicts(rows, lambda name: explained.why(data, name))
    sections = [section(data, figure) for figure in figures.ALL]
    return document.build(data, published.TITLE, introduction(data, document.counted(rows)),
                          judged, sections)

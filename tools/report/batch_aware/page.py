# SPDX-License-Identifier: GPL-2.0
"""The page that people read."""

import collections
import html

import document

from . import checks, experiments, explained, figures, measure, published

MB = 1 << 20


def ran(data):
    """Which workloads there are, and whether each had the right result in all of its runs."""
    rows = collections.Counter(name for found in data["runs"].values() for name in found)
    wanted = [*data["workloads"], *(n for n in data["working_sets"] if n not in data["workloads"])]
    missing = [name for name in wanted if name not in rows]
    listed = ", ".join(f"{n} ({rows[n]})" for n in wanted if n in rows)
    return (f"<p>Workloads that ran, and how many runs each has: {listed or 'none'}.  Each run is "
            "compared with a plain implementation.  " +
            (f"Wrong results, which count nowhere: {', '.join(data['wrong'])}."
             if data["wrong"] else
             "No result is wrong." if rows else "") +
            (f"  Planned, but without any result: {', '.join(missing)}." if missing else "") +
            "</p>")


def counts(rows):
    """How many expectations hold, those of our own apart."""
    ours = [row for row in rows if checks.is_ours(row)]
    theirs = [row for row in rows if not checks.is_ours(row)]
    return (document.counted(theirs, "published expectations") + "  " +
            document.counted(ours, "expectations of our own, which begin with \"ours:\","))


def held(data):
    """Which part memory is, measured."""
    part = measure.mean(measure.held_by(data, "baseline", data["workloads"]).values())
    return f" (measured: {part:.2f})" if part else ""


def compared(scale):
    """On what many policies are compared, if that is something else."""
    size = scale["compared"]
    return (f", in what compares many policies {size / MB:.1f} MB"
            if size != scale["size"] else "")


def introduction(data, rows):
    """What was run, and how it differs from the paper's."""
    scale = data["scale"]
    return (
        f"<p>Every figure of the paper's evaluation, published beside measured, on the software "
        f"GPU with profile <code>asplos20</code> (the paper's Table 1), which computes.  "
        f"{counts(rows)}</p>"
        f"<p>Scale <b>{html.escape(scale['name'])}</b>: each workload has about "
        f"{scale['size'] / MB:.1f} MB (the paper's: {published.FOOTPRINT / MB:.0f} MB on "
        f"average){compared(scale)}, a Kronecker graph ({experiments.SHAPE} unless told "
        f"otherwise); colourings end after {scale['rounds']} rounds.  Memory holds 50 % of the "
        f"footprint unless told otherwise, in steps of 2 MB{held(data)}.</p>{ran(data)}"
        f"<p>The baseline evicts when an allocation finds nothing, one transfer at a time, and "
        f"prefetches by the density tree.  What the paper does not tell is assumed: a "
        f"compression of {experiments.COMPRESSION / 100:.2g}, the epochs of ETC's throttling.  "
        f"<code>virtual_thread</code> is 0: the paper builds on Virtual Thread and says that it "
        f"hosts no further block of most of its workloads (4.1); of ours it would.  Bars on "
        f"virtual threads are in the part that takes the figures apart, "
        f"<a href=\"#apart\">Where the time goes</a>.  "
        f"Averages are geometric.  {data['seconds'] / 60:.0f} minutes of runs.</p>")


def section(data, figure):
    """One figure."""
    name, heading, draw, uses = figure
    mine = [line for use, line in data["commands"]
            if use in uses or any(use.startswith(u) for u in uses if u.endswith(("sms", "0")))
            or ("us" in uses and use.endswith("us"))
            or any(part in uses and part in use
                   for part in (" on ", ", grown", ", fewer SMs", ", ordered"))]
    return document.section(name, heading, published.TEXT.get(name, []), draw(data), mine)


def build(data):
    """The whole page."""
    rows = checks.judge(data)
    judged = document.verdicts(rows, lambda name: explained.why(data, name))
    sections = [section(data, figure) for figure in figures.ALL
                if figure[0] not in figures.OF_SOME or data[figure[0]]]
    return document.build(data, published.TITLE, introduction(data, rows), judged, sections)

# SPDX-License-Identifier: GPL-2.0
"""The report on "HPE: Hierarchical Page Eviction Policy for Unified Memory in GPUs"."""

import collections
import html
import json
import os

from framework.paper import Paper, discover
from framework.results import result

from . import published, setup
from .inputs import INPUTS

MB = 1 << 20
# measured.json of a report with --full.  To keep a new one, copy it there.
FULL = os.path.join(os.path.dirname(os.path.realpath(__file__)), "full.json")


def full():
    """What --full gave for each expectation."""
    with open(FULL, encoding="utf-8") as f:
        return json.load(f)


def options(parser, size):
    """Of this report alone."""
    size.add_argument("--full", action="store_true",
                      help="the suites' own inputs, 35 MB on average; the comparison alone: an hour or two")
    parser.add_argument("--only", action="append", default=[], metavar="WORKLOAD",
                        help="some workloads: " + ", ".join(published.WORKLOADS))


def wanted(args, key):
    """Whether --only leaves a run."""
    return not args.only or key[1] in (*args.only, "tcad20")


def ran(data):
    """Which workloads there are, and how many runs each has."""
    rows = collections.Counter(name for found in data["runs"].values() for name in found)
    names = data["scale"]["workloads"]
    missing = [name for name in names if name not in rows]
    return (f"<p>Workloads that ran, and how many runs each has: "
            f"{', '.join(f'{n} ({rows[n]})' for n in names if n in rows) or 'none'}. Each run is "
            "compared with a plain implementation." +
            (f" Planned, but without any result: {', '.join(missing)}." if missing else "") +
            "</p>")


def inputs():
    """What the workloads run with --full."""
    items = "".join(f"<li>{name}: {html.escape(told)}</li>" for name, (_, told) in INPUTS.items())
    return ("<details><summary>The suites' own inputs</summary><p>The paper names none. These are "
            f"of the suites' run scripts and sources.</p><ul>{items}</ul></details>")


def introduction(data):
    """How it differs from the paper's machine."""
    rows = [r for n in data["scale"]["workloads"] if (r := result(data, "unlimited", n))]
    sizes = [r["footprint"] / MB for r in rows]
    told = (f" of {min(sizes):.0f} to {max(sizes):.0f} MB, {sum(sizes) / len(sizes):.1f} MB on average"
            if sizes else "")
    yield ("<p>The software GPU has the profile <code>tcad20</code>, the paper's Table I, and computes. "
           f"There are {len(data['scale']['workloads'])} workloads with footprints{told}; "
           f"the paper's are {published.FOOTPRINTS[0]} to {published.FOOTPRINTS[2]} MB, "
           f"{published.FOOTPRINTS[1]} MB on average. Memory holds 75 % or 50 % of each, to the page. "
           "A fault is one page, one service and 20 us.</p>")
    if data["scale"].get("inputs"):
        yield inputs()
    yield ("<details><summary>What is assumed, and what is counted</summary><p>LRU, RRIP and CLOCK-Pro "
           "learn of each page-walk hit in exact order and at no cost, as in the paper. HPE has its "
           "recorder; its work takes no time but in the bars that say <i>charged</i>. No "
           "constant is fitted to a workload; RRIP's second form is told which are of type II, and the "
           "bars of Figs. 7 and 8 which strategy each begins with, as in the paper. Averages are "
           f"geometric unless told otherwise.</p>{ran(data)}</details>")


PAPER = Paper(
    name="hpe", title=published.TITLE, out="report-hpe",
    doc='Reproduces the evaluation of "HPE: Hierarchical Page Eviction Policy": one page, index.html.',
    scales=setup.SCALES, options=options, wanted=wanted, schedule=setup.schedule, beside=full(),
    introduction=introduction, headline="fig10", figures=discover(f"{__name__}.figures"))

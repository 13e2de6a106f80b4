# SPDX-License-Identifier: GPL-2.0
"""The report on "Batch-Aware Unified Memory Management in GPUs for Irregular Workloads"."""

import collections

from framework import results
from framework.paper import Paper, discover

from . import numbers, published, setup

MB = 1 << 20


def options(parser, size):
    """Of this report alone."""
    size.add_argument("--small", action="store_true",
                      help="8 MB for everything")
    size.add_argument("--scaled", action="store_true",
                      help="the comparison alone, and with SMs to the scale of memory")
    size.add_argument("--paper", action="store_true",
                      help="the paper's average footprint, its comparison alone: two hours, with "
                           "a --limit to match")
    size.add_argument("--full", action="store_true",
                      help="the paper's average footprint, all sweeps on all workloads: many "
                           "hours, with a --limit to match")
    parser.add_argument("--only", action="append", default=[], metavar="WORKLOAD",
                        help="some workloads (all)")
    parser.add_argument("--config", action="append", default=[], metavar="NAME",
                        help="some runs: " + ", ".join(setup.CONFIGS))


def wanted(args, key):
    """Whether --only and --config leave a run."""
    return ((not args.only or key[1] in args.only) and
            (not args.config or key[0] in args.config))


def ran(data):
    """Which workloads there are, and how many runs each has."""
    rows = collections.Counter(name for found in data["runs"].values() for name in found)
    names = list(dict.fromkeys((*data["scale"]["workloads"], *setup.REGULAR, *setup.IRREGULAR)))
    missing = [name for name in names if name not in rows]
    listed = ", ".join(f"{n} ({rows[n]})" for n in names if n in rows)
    return (f"<p>Workloads that ran, and how many runs each has: {listed or 'none'}. Each run is "
            "compared with a plain implementation." +
            (f" Planned, but without any result: {', '.join(missing)}." if missing else "") +
            "</p>")


def held(data):
    """Which part memory is, measured."""
    part = results.average(numbers.held_by(data, "baseline", data["scale"]["workloads"]))
    return f" (measured: {part:.2f})" if part else ""


def compared(scale):
    """On what many policies are compared, if that is something else."""
    size = scale["compared"]
    return f", in what compares many policies {size / MB:.1f} MB" if size != scale["size"] else ""


def introduction(data):
    """How it differs from the paper's machine."""
    scale = data["scale"]
    yield (f"<p>The software GPU has the profile <code>asplos20</code>, the paper's Table 1, and "
           f"computes. Each workload has about {scale['size'] / MB:.1f} MB (the paper's: "
           f"{published.FOOTPRINT / MB:.0f} MB on average){compared(scale)}. Memory holds 50 % of "
           f"that unless told otherwise{held(data)}.</p>")
    yield (f"<details><summary>What is assumed, and what is counted</summary><p>The input is a "
           f"Kronecker graph ({setup.SHAPE} unless told otherwise). Colourings end after "
           f"{scale['rounds']} rounds.</p>"
           "<p>The baseline evicts when an allocation finds nothing, one transfer at a time, and "
           "prefetches by the density tree. What the paper does not tell is assumed: a "
           f"compression of {setup.COMPRESSION / 100:.2g}, the epochs of ETC's throttling. "
           "<code>virtual_thread</code> is 0: the paper builds on Virtual Thread and says that it "
           "hosts no further block of most of its workloads (4.1). Of ours it would. Bars on "
           "virtual threads are in <a href=\"#apart\">Where the time goes</a>. Averages are "
           f"geometric.</p>{ran(data)}</details>")


PAPER = Paper(
    name="batch-aware", title=published.TITLE, out="report-batch-aware",
    doc='Reproduces the evaluation of "Batch-Aware Unified Memory Management": one page, '
        'index.html.',
    scales=setup.SCALES, options=options, wanted=wanted, schedule=setup.schedule,
    introduction=introduction, headline="fig11", figures=discover(f"{__name__}.figures"))

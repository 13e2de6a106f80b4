# SPDX-License-Identifier: GPL-2.0
"""The report on "An Adaptive Framework for Oversubscription Management"."""

import collections

from framework.paper import Paper, discover

from . import published, setup


def options(parser, size):
    """Of this report alone."""
    size.add_argument("--full", action="store_true",
                      help="the authors' sizes of fdtd2d, srad_v2 and sssp, too; the comparison alone")
    parser.add_argument("--only", action="append", default=[], metavar="WORKLOAD",
                        help="some workloads: " + ", ".join(published.WORKLOADS))


def wanted(args, key):
    """Whether --only leaves a run."""
    return not args.only or key[1] in args.only


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


def introduction(data):
    """How it differs from the authors' machine."""
    less = "; ".join(f"{name}: the authors have {told}" for name, told in setup.SMALLER.items())
    sizes = "." if data["scale"]["name"] == "full" else f", but for three ({less})."
    yield ("<p>The software GPU has the profile <code>date21</code>, the GTX 1080 Ti of the "
           "authors' simulator. Work of the driver takes no time there; 45 us for each fault are "
           "added to the time of a run, as the authors do. There are "
           f"{len(data['scale']['workloads'])} workloads of the authors' footprints{sizes} "
           f"Memory, whole MB there, has the same ratio to the footprint.</p>")
    yield ("<details><summary>What is assumed</summary><p>For pathfinder and srad_v2 the "
           "authors' memory is not told; these have 125 % and 150 % as such. All arrays are "
           "managed, of srad_v2, too, where the authors manage the image alone. No constant is "
           f"fitted. Averages are geometric means of ratios of time.</p>{ran(data)}</details>")


PAPER = Paper(
    name="adaptive", title=published.TITLE, out="report-adaptive",
    doc=f'Reproduces the evaluation of "{published.TITLE}": one page, index.html.',
    scales=setup.SCALES, options=options, wanted=wanted, schedule=setup.schedule,
    introduction=introduction, headline="fig5a", figures=discover(f"{__name__}.figures"))

# SPDX-License-Identifier: GPL-2.0
"""The report on "Demystifying GPU UVM Cost"."""

import os
import re
import subprocess

from framework import command
from framework.machine import Run
from framework.paper import Paper, discover

from . import published, setup


def has_explicit():
    """Whether this tree's command can do explicit transfers; it says so anywhere."""
    tool = os.path.join(command.build_dir(), "tools", "uvm")
    done = subprocess.run([tool, "run", "--help"], capture_output=True, text=True, check=False)
    return "--explicit" in done.stdout


def prepare(x, rooms):
    """What this tree's driver can do."""
    facts = Run(setup.machine(x.scale), "list", "--json", session="facts")
    rooms.perform([facts])
    x.facts = {"explicit": has_explicit(), "policies": setup.policies_of(facts.result)}


def options(parser, size):
    """Of this report alone."""
    size.add_argument("--full", action="store_true", help="256 MB of GPU memory, more points")
    size.add_argument("--memory", type=int, metavar="MB",
                      help="usable GPU memory (64; quick: 8; full: 256)")
    parser.add_argument("--only", action="append", default=[], metavar="KIND",
                        help="some runs: off, on, batch (Figs. 1-5); app, small (Fig. 7, Table "
                        "I); over (Fig. 9); sgemm; real; prefetch_policy, ...; suggest (all)")


def wanted(args, key):
    """Whether --only leaves a run."""
    return not args.only or re.split("[-=]", key[0])[0] in args.only


def introduction(data):
    """How it differs from the paper's machine."""
    scale = data["scale"]
    memory, smaller = (f"{scale[key] >> 20} MB" for key in ("memory", "sgemm_memory"))
    yield (f"<p>The software GPU has the profile <code>titanv</code>: 80 SMs, and the costs of "
           f"<code>uvm info</code>. Its usable memory is {memory}, "
           f"{setup.factor(scale['memory']):.0f} times less than the paper's 12 GB: "
           f"{scale['memory'] >> 21} root chunks of 2 MB. For sgemm's sizes it is "
           f"{smaller}.</p>")
    yield ("<details><summary>What that changes, and what is counted</summary><p>Ratios of "
           "footprint to memory are the paper's. SMs, pages, blocks and batches are not scaled. "
           "So a problem has fewer pages and blocks for as many threads in flight.</p>"
           "<p>Times are of the virtual clock. GPU time is from launch to end. The breakdown has "
           "the driver's phases while kernels ran. Faults are records that the driver "
           "fetched.</p></details>")


PAPER = Paper(
    name="demystifying", title=published.TITLE, out="report",
    doc='Reproduces the evaluation of "Demystifying GPU UVM Cost": one page, index.html.',
    scales=setup.SCALES, scale=setup.scaled, options=options, wanted=wanted, prepare=prepare,
    introduction=introduction, headline="table1", figures=discover(f"{__name__}.figures"))

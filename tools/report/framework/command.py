# SPDX-License-Identifier: GPL-2.0
"""The command line of a report: its runs, and how they are kept and printed."""

import argparse
import json
import os
import shlex
import subprocess
import sys

from . import document, machine, verdict
from .experiment import Experiment, collect

EPILOG = """
Runs are kept in DIR/cache by their parameters and the sources they depend on, so an
interrupted report goes on where it was, and a second one is drawn at once.  data.json
has every number of the page; --draw draws from it alone.  measured.json has what was measured of
each expectation.  Exit status: 0 if every run
succeeded, whatever it measured; 1 if one failed; 2 for usage.
"""


def build_dir():
    """Where built things go."""
    return os.environ.get("SOFTUVM_BUILD", os.path.join(machine.TOP, "build"))


def parse_args(paper):
    """The options of all reports, and the paper's own."""
    p = argparse.ArgumentParser(prog=paper.name, description=paper.doc, epilog=EPILOG,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    size = p.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true",
                      help="tiny: do all generators run?  Nothing is judged")
    p.add_argument("--out", metavar="DIR", default=os.path.join(build_dir(), paper.out))
    p.add_argument("--jobs", type=int, default=2, metavar="N", help="VMs at a time (2)")
    p.add_argument("--limit", type=int, default=1800, metavar="S", help="per run (1800)")
    p.add_argument("--cached", action="store_true", help="run nothing that is not known")
    p.add_argument("--draw", action="store_true", help="only draw DIR/data.json again")
    p.add_argument("--figure", action="append", default=[], metavar="NAME",
                   choices=[f.name for f in paper.figures],
                   help="the runs of some figures: " + ", ".join(f.name for f in paper.figures))
    paper.options(p, size)
    return p.parse_args()


def laboratory(args):
    """Where runs are made, with the tools that they need."""
    subprocess.run(["make", "-s", "--no-print-directory", "-C",
                    os.path.join(machine.TOP, "tools"),
                    f"O={os.path.join(build_dir(), 'tools')}"], stdout=sys.stderr, check=True)
    return machine.Laboratory(args.out, args.jobs, args.limit, args.cached)


def measure(paper, args):
    """All runs; returns the data."""
    rooms = laboratory(args)
    x = Experiment(paper, paper.sized(args))
    args.figure = args.figure or list(getattr(x.scale, "figures", ()))
    paper.prepare(x, rooms)
    x.plan()
    keys = x.wanted(args)
    rooms.perform([x.runs[key] for key in keys])
    return {**collect(x, keys), "made_by": shlex.join([f"tools/report/{paper.name}",
                                                       *sys.argv[1:]])}


def write(path, text):
    """A file of the report."""
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main(paper):
    """Data, the page, and what is judged on stdout.  Returns the exit status."""
    args = parse_args(paper)
    path = os.path.join(args.out, "data.json")
    os.makedirs(args.out, exist_ok=True)
    if not args.draw:
        write(path, json.dumps(measure(paper, args)))
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    index = os.path.join(args.out, "index.html")
    write(index, document.build(paper, data))
    write(os.path.join(args.out, "measured.json"), verdict.kept(paper, data))
    for row in verdict.shown(paper, data):
        print(f"{row.verdict}: {row.name}: {row.measured}" +
              (f" ({row.beside})" if row.beside else "") +
              (f" (expected: {row.expected})" if row.expected else ""))
    print(index)
    return 1 if data["errors"] else 0

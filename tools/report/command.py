# SPDX-License-Identifier: GPL-2.0
"""What all reports share: their command line, tools, and how they are kept and printed."""

import argparse
import json
import os
import shlex
import subprocess
import sys

import machine

EPILOG = """
Runs are kept in DIR/cache by their parameters and the sources they depend on, so an
interrupted report goes on where it was, and a second one is drawn at once.  data.json
has every number of the page; --draw draws from it alone.  Exit status: 0 if every run
succeeded, whatever it measured; 1 if one failed; 2 for usage.
"""


def build_dir():
    """Where built things go."""
    return os.environ.get("SOFTUVM_BUILD", os.path.join(machine.TOP, "build"))


def parser(prog, doc, out):
    """A parser with the options of all reports, and its group of sizes."""
    p = argparse.ArgumentParser(prog=prog, description=doc, epilog=EPILOG,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    size = p.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="tiny: do all generators run?")
    p.add_argument("--out", metavar="DIR", default=os.path.join(build_dir(), out))
    p.add_argument("--jobs", type=int, default=2, metavar="N", help="VMs at a time (2)")
    p.add_argument("--limit", type=int, default=1800, metavar="S", help="per run (1800)")
    p.add_argument("--cached", action="store_true", help="run nothing that is not known")
    p.add_argument("--draw", action="store_true", help="only draw DIR/data.json again")
    return p, size


def laboratory(args):
    """Where runs are made, with the tools that they need."""
    subprocess.run(["make", "-s", "--no-print-directory", "-C",
                    os.path.join(machine.TOP, "tools"),
                    f"O={os.path.join(build_dir(), 'tools')}"], stdout=sys.stderr, check=True)
    return machine.Laboratory(args.out, args.jobs, args.limit, args.cached)


def publish(prog, args, measure, build, judge):
    """
    Data by measure(), the page by build(), what is judged on stdout.  Returns the exit
    status.
    """
    path = os.path.join(args.out, "data.json")
    os.makedirs(args.out, exist_ok=True)
    if args.draw:
        with open(path, encoding="utf-8") as f:
            data = json.load(f)
    else:
        data = measure(args)
        data["made_by"] = shlex.join([f"tools/report/{prog}", *sys.argv[1:]])
        with open(path, "w", encoding="utf-8") as f:
            json.dump(data, f)
    index = os.path.join(args.out, "index.html")
    with open(index, "w", encoding="utf-8") as f:
        f.write(build(data))
    for name, expected, measured, verdict in judge(data):
        print(f"{verdict}: {name}: {measured}" + (f" (expected: {expected})" if expected else ""))
    print(index)
    return 1 if data["errors"] else 0

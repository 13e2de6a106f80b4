# SPDX-License-Identifier: GPL-2.0
"""Runs of sgemm, by the paper's problem sizes."""

from framework.machine import EVENTS
from framework.results import result

from .setup import side, workload

# About 120 % of memory.
EVICTING = 35372


def plan(x, *sizes):
    """Some rows of Table II."""
    for n in sizes:
        edge = side(x.scale.sgemm_memory, n)
        workload(x, ("sgemm", n), "sgemm", "--tensor", "--m", edge, "--n", edge, "--k", edge,
                 limit=x.scale.sgemm_memory, session=f"sgemm-{n}",
                 events=EVENTS if n == EVICTING else ())


def rows(data):
    """What was measured of Table II."""
    found = []
    for n in data["scale"]["sgemm"]:
        r = result(data, "sgemm", str(n))
        if r:
            edge = side(data["scale"]["sgemm_memory"], n)
            found.append({**r, "paper_n": n, "n": edge,
                          "percent": 100 * r["footprint"] / r["memory"],
                          "gflops": 2 * edge ** 3 / r["time_ns"],
                          "per_fault": r["evicted"] / r["faults"] if r["faults"] else 0})
    return found

# SPDX-License-Identifier: GPL-2.0
"""Fig. 15: premature evictions."""

from dataclasses import replace

from framework.compare import both
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.results import result

from ..numbers import LARGE_PAGE, MB, came_again
from ..published import MORE_PREMATURE
from ..reasons import ordered
from ..setup import BENCH, CONFIGS

SHOWN = ("baseline", "to", "to+ue")


def plan(x):
    """What comes again is what unlimited memory does not bring."""
    BENCH.plan(x, ("unlimited", *SHOWN), x.scale.workloads)


def counted(data, config, name):
    """Pages of 64 KB that came again, and addresses of 4 KB that faulted again."""
    row, again = result(data, config, name), came_again(data, config, name)
    return f"{again / LARGE_PAGE:.0f} ({row['premature']})" if again is not None else ""


def share(data, config):
    """By workload: what came again, the baseline's is 1."""
    pairs = {n: [came_again(data, c, n) for c in (config, "baseline")]
             for n in data["scale"]["workloads"]}
    return {n: one / base for n, (one, base) in pairs.items() if one is not None and base}


def draw(data):
    """How many: where the baseline has none there is no bar."""
    names = data["scale"]["workloads"]
    yield from both(names, [(CONFIGS[c].title, share(data, c)) for c in ("to", "to+ue")],
                    "premature evictions, baseline is 1", "Premature evictions")
    yield ("<p>Pages of 64 KB that came to the GPU again, faulted or prefetched: what a run moves "
           "beyond what it does with unlimited memory. In brackets the driver's counter, "
           "addresses of 4 KB on evicted pages that faulted; a page can have 16. Where the "
           "baseline has none there is no bar, and with a 0 no average.</p>")
    yield Table(["", *names], [[CONFIGS[c].title, *(counted(data, c, name) for name in names)]
                               for c in SHOWN], "Pages that came again")


def expect(data):
    """From pages that came again: a ratio says nothing about none at all."""
    for name in data["scale"]["workloads"]:
        more = name == MORE_PREMATURE
        found = Expectation(f"premature evictions with TO, {name}", "more" if more else "fewer",
                            workload=name)
        before, after = (came_again(data, c, name) for c in ("baseline", "to"))
        if before is None or after is None:
            yield found
            continue
        part = f", {after / before:.2f}x" if before else ""
        # Without any in either there is nothing to compare.
        holds = (after > before if more else after < before) if before or after else None
        yield replace(found, holds=holds,
                      measured=f"{after / LARGE_PAGE:.0f} pages of 64 KB come again, "
                      f"{before / LARGE_PAGE:.0f} in the baseline{part}")


def why(data, row):
    """One workload's evictions."""
    workload = row.workload
    rows = {c: result(data, c, workload) for c in ("baseline", "to")}
    again = {c: came_again(data, c, workload) for c in rows}
    if None in again.values():
        return
    counts = ", ".join(f"{CONFIGS[c].title} evicts {run['evicted'] * 4096 / MB:.1f} MB, and "
                       f"{again[c] / MB:.1f} MB come to the GPU again, {run['htod'] / MB:.1f} MB "
                       f"in all; {run['premature']} addresses of evicted pages fault"
                       for c, run in rows.items())
    yield f"in {workload} {counts}; blocks of TO were switched in {rows['to']['switched']} times"
    if workload in data["scale"]["ordered"]:
        yield ordered(data)


FIGURE = Figure(
    "fig15", "Fig. 15: premature evictions", 9,
    ("Premature evictions fall with TO in all workloads but BFS-TWC (6.1).",),
    plan=plan, draw=draw, expect=expect, why=why)

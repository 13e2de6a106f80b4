# SPDX-License-Identifier: GPL-2.0
"""What the order of worklists makes of it."""

from framework.compare import cell
from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.results import planned, result, speedup
from framework.verdict import text

from ..reasons import ordered
from ..setup import BENCH, CONFIGS, ORDERED, usual

BOTH = ("", ", ordered")


def plan(x):
    """As it came, and put in order by the CPU."""
    compared = [name for name in x.scale.ordered if name in x.scale.workloads]
    BENCH.plan(x, (*ORDERED, *x.scale.kept), compared)
    for name in x.scale.ordered:
        words = [*usual(name, x.scale), "--sort"]
        for use in (*ORDERED, *x.scale.kept):
            BENCH.run(x, (f"{use}, ordered", name), words, CONFIGS[use])


def line(data, name, config):
    """Speedup and data moved, of both; None without a result."""
    made, bases = ([result(data, c + what, name) for what in BOTH] for c in (config, "baseline"))
    if not any(made):
        return None
    return [name, CONFIGS[config].title] + [
        cell(v) for r, b in zip(made, bases)
        for v in ((b["time_ns"] / r["time_ns"], r["htod"] / r["footprint"])
                  if r and b else (None, None))]


def draw(data):
    """A table."""
    rows = [line(data, name, config) for name in data["scale"]["ordered"]
            for config in (*ORDERED, *data["scale"]["kept"])]
    return ["<p>A worklist is in the order in which threads of the round before came to their "
            "ends. With <code>--sort</code> the CPU puts each in order of vertices.</p>",
            Table(["", "", *(f"{what}{when}" for when in ("", ", in order")
                             for what in ("speedup", "moved, times the data"))],
                  [row for row in rows if row], "By order")]


def expect(data):
    """In order, rather than as threads came to their ends."""
    for config in ("to", "to+ue") if data["scale"]["ordered"] else ():
        came, put = (speedup(data, config + what, "baseline" + what) for what in BOTH)
        names = planned(data, f"{config}, ordered")
        found = {n: (came[n], put[n]) for n in names if n in came and n in put}
        yield Expectation(
            f"{config} gains more with worklists in order", OURS + "more",
            all(a < b for a, b in found.values()) if found and len(found) == len(names) else None,
            ", ".join(f"{n}: {text(b)}, else {text(a)}" for n, (a, b) in found.items()),
            config=config)


def why(data, _):
    """By the order of worklists."""
    yield ordered(data)


FIGURE = Figure("ordered", "What the order of worklists makes of it", 19, plan=plan, draw=draw,
                expect=expect, why=why, shown=lambda data: bool(data["scale"]["ordered"]))

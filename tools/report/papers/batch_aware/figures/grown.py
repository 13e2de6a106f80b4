# SPDX-License-Identifier: GPL-2.0
"""What a larger footprint makes of it: more memory for as many SMs."""

from framework.compare import cell
from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.results import planned, result, speedup
from framework.verdict import text

from ..numbers import MB
from ..reasons import grown, lifetimes, moved
from ..setup import BENCH, CONFIGS, GROWN, arguments


def plan(x):
    """The usual, and with a larger footprint."""
    BENCH.plan(x, GROWN, x.scale.grown)
    for name in x.scale.grown:
        words = arguments(name, x.scale.grown_size, x.scale.rounds)
        for use in GROWN:
            BENCH.run(x, (f"{use}, grown", name), words, CONFIGS[use], size=x.scale.grown_size)


def draw(data):
    """By footprint."""
    rows = []
    for name in data["scale"]["grown"]:
        for config in GROWN:
            sizes = [result(data, c, name) for c in (config, f"{config}, grown")]
            bases = [result(data, c, name) for c in ("baseline", "baseline, grown")]
            if None not in sizes + bases:
                rows.append([name, CONFIGS[config].title] + [
                    cell(v) for r, b in zip(sizes, bases)
                    for v in (r["footprint"] / MB, b["time_ns"] / r["time_ns"],
                              r["htod"] / r["footprint"])])
    return [Table(["", "", *2 * ["footprint, MB", "speedup", "moved, times the data"]], rows,
                  "By footprint")]


def expect(data):
    """More gain."""
    scale = data["scale"]
    for config in ("to", "to+ue") if scale["grown"] else ():
        small, large = speedup(data, config), speedup(data, f"{config}, grown", "baseline, grown")
        names = planned(data, f"{config}, grown")
        found = {n: (small[n], large[n]) for n in names if n in small and n in large}
        yield Expectation(
            f"{config} gains more with a larger footprint",
            f"{OURS}more with {scale['grown_size'] / MB:.1f} MB than with "
            f"{scale['size'] / MB:.1f}",
            all(a < b for a, b in found.values()) if found and len(found) == len(names) else None,
            ", ".join(f"{n}: {text(b)}, {text(a)}" for n, (a, b) in found.items()), config=config)


def why(data, _):
    """The footprint, what moves, and what the monitor sees."""
    return [grown(data), moved(data, "to"), lifetimes(data)]


FIGURE = Figure("grown", "What a larger footprint makes of it", 17, plan=plan, draw=draw,
                expect=expect, why=why, shown=lambda data: bool(data["scale"]["grown"]))

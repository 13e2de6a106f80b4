# SPDX-License-Identifier: GPL-2.0
"""Fig. 9: breakdown with too little memory."""

from framework import plot
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.results import result

from .. import published, setup, touch
from ..setup import MB, PATTERNS

MODES = {"on": "prefetching on", "off": "prefetching off"}


def plan(x):
    """All percentages; and as few faults at a time for as many chunks as the paper's had."""
    touch.plan_over(x, *x.scale.percents)
    size = touch.pages_of(x.scale.memory, x.scale.percents[-1])
    for name in PATTERNS:
        setup.workload(x, ("over-scaled", name), name, "--size", size, "--set",
                       f"perf_fault_batch_count={x.scale.fault_batch()}", limit=x.scale.memory,
                       session="over")


def moved(row):
    """To the GPU, times the data."""
    return row["htod"] / row["footprint"]


def scaled_batch(data):
    """What batches in proportion to memory move, beside batches of 256."""
    scale = data["scale"]
    few = {n: result(data, "over-scaled", n) for n in PATTERNS}
    many = {n: result(data, "over-on", f"{n} {scale['percents'][-1]}") for n in PATTERNS}
    if not all([*few.values(), *many.values()]):
        return None
    return {"batch": max(4, round(256 / setup.factor(scale["memory"]))),
            "percent": scale["percents"][-1], "chunks": scale["memory"] >> 21,
            "blocks": many["random"]["footprint"] + (2 * MB - 1) >> 21,
            "few": {n: moved(r) for n, r in few.items()},
            "many": {n: moved(r) for n, r in many.items()}}


def told(s):
    """The same in words."""
    found = ", ".join(f"{n} {s['few'][n]:.2f} times its data instead of {s['many'][n]:.2f}"
                      for n in PATTERNS)
    return (f"<p>{s['blocks']} blocks in {s['chunks']} root chunks ({s['percent']} %) with "
            f"{s['batch']} faults per batch instead of 256, as the paper had 256 for 6,144 "
            f"chunks, move to the GPU: {found}.</p>")


def wanted():
    """What the paper's patterns move, times the data."""
    p = published.OVERSUBSCRIBED
    return {n: p[f"{n}_gb"] / p["problem_gb"] for n in PATTERNS}


def data_moved(data, scaled):
    """Bars of the largest problem, published beside measured."""
    rows = [touch.over(data, "on", n) for n in PATTERNS]
    measured = [r[-1]["htod"] / r[-1]["size"] if r else None for r in rows]
    groups = [("measured", measured)]
    if scaled:
        groups.append((f"measured, batches of {scaled['batch']}", list(scaled["few"].values())))
    return plot.bars("Data moved to the GPU, largest problem", PATTERNS, groups,
                     "times the footprint", base=1, published={"measured": list(wanted().values())})


def draw(data):
    """Data moved, and the breakdown of each pattern."""
    scaled = scaled_batch(data)
    yield data_moved(data, scaled)
    if scaled:
        yield told(scaled)
    for name in PATTERNS:
        for mode, title in MODES.items():
            rows = touch.over(data, mode, name)
            chart, *table = touch.drawn(f"{name}, {title}", rows, lambda r: f"{r['percent']} %")
            yield chart
            yield Table(["percent", "moved to the GPU / footprint", "pages evicted"],
                        [[r["percent"], f"{r['htod'] / r['size']:.2f}", f"{r['evicted']:,}"]
                         for r in rows], f"{name}, {title}: data")
            yield from table


def expect(data):
    """The loss of random, and what it moves."""
    rows = {n: touch.over(data, "on", n) for n in PATTERNS}
    if not all(rows.values()):
        yield Expectation("oversubscription")
        return
    regular, random = (rows[n][-1] for n in PATTERNS)
    per = [r["time_ns"] / r["size"] for r in (regular, random)]
    where = f"at {random['percent']} %"
    yield Expectation(f"random loses an order of magnitude {where}", "10 times regular's time",
                      per[1] >= 8 * per[0], f"{per[1] / per[0]:.1f} times",
                      kind="time", workload="random", config="on")
    want, found = wanted()["random"], random["htod"] / random["size"]
    yield Expectation(f"random moves many times its data {where}",
                      f"{want:.2f} times, within a factor of 2", want / 2 <= found <= want * 2,
                      f"{found:.2f} times", kind="moved", workload="random", config="on")
    found = regular["htod"] / regular["size"]
    yield Expectation(f"regular moves its data once {where}", "1.00 times", 0.95 <= found <= 1.1,
                      f"{found:.2f} times", kind="moved", workload="regular", config="on")
    off = touch.over(data, "off", "random")
    if off:
        gain = random["time_ns"] / off[-1]["time_ns"]
        yield Expectation(f"without prefetching random improves {where}", "faster", gain > 1,
                          f"{gain:.2f} times as fast",
                          kind="time", workload="random", config="off")


def why(data, row):
    """Data moved with too little memory, by faults per batch for the chunks there are."""
    pattern, s = row.workload, scaled_batch(data)
    # An explanation only if the measurement bears it out.
    if row.kind != "moved" or not s or s["few"][pattern] >= s["many"][pattern]:
        return
    yield (f"A batch of 256 faults may touch all {s['blocks']} blocks, and memory is "
           f"{s['chunks']} root chunks, so what it brings can be evicted before the replay")
    yield (f"With batches of {s['batch']} faults, nearer to the paper's 256 for 6,144 chunks, "
           f"{pattern} moves {s['few'][pattern]:.1f} times its data instead of "
           f"{s['many'][pattern]:.1f}")


FIGURE = Figure(
    "fig9", "Fig. 9: breakdown with too little memory", 8,
    ("Prefetching is on.  Patterns differ by an order of magnitude.  For a problem of 32 GB on "
     "12 GB regular moves 32 GB, random 504 GB.  Without prefetching performance improves, and "
     "the replay policy costs more as the backlog of faults grows (section V-A).",),
    plan=plan, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""Table I: faults that prefetching removes."""

from framework import plot
from framework.machine import EVENTS
from framework.paint import bytes_text
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.results import result

from ..published import TABLE1
from ..setup import OFF, SMALL_BATCH, applications, workload


def plan(x):
    """All workloads with prefetching and without, in batches as they are and in small ones."""
    small = ("--set", f"perf_fault_batch_count={SMALL_BATCH}")
    for name, words in applications(x.scale).items():
        workload(x, ("app-off", name), name, *words, *OFF, events=EVENTS, session="applications")
        workload(x, ("app-on", name), name, *words, session="applications")
        workload(x, ("small-off", name), name, *words, *OFF, *small, session="small")
        workload(x, ("small-on", name), name, *words, *small, session="small")


def reduction(off, on):
    """Of faults, percent; None without both."""
    return 100 * (1 - on["faults"] / off["faults"]) if off and on else None


def measured(data):
    """By workload: rows without prefetching, with, and the reductions."""
    found = {}
    for name in TABLE1:
        off, on, *small = (result(data, use, name)
                           for use in ("app-off", "app-on", "small-off", "small-on"))
        if off and on:
            found[name] = {"off": off, "on": on, "reduction": reduction(off, on),
                           "small": reduction(*small)}
    return found


def line(name, r):
    """Of the table."""
    off, on, wanted = TABLE1[name]
    return [name, bytes_text(r["off"]["footprint"]), f"{off:,}", f"{r['off']['faults']:,}",
            f"{on:,}", f"{r['on']['faults']:,}", f"{wanted:.2f}", f"{r['reduction']:.2f}",
            f"{r['reduction'] - wanted:+.1f}",
            "-" if r["small"] is None else f"{r['small']:.2f}", f"{r['off']['duplicates']:,}",
            f"{r['on']['duplicates']:,}"]


def draw(data):
    """Bars, published beside measured, and the table."""
    rows = measured(data)
    names = list(rows)
    few = f"measured, batches of {SMALL_BATCH}"
    yield plot.bars("Faults that prefetching removes", names, [
        ("measured", [rows[n]["reduction"] for n in names]),
        (few, [rows[n]["small"] for n in names])], "% of faults",
        published={"measured": [TABLE1[n][2] for n in names]})
    yield ("<p>Prefetching cannot remove faults of the batch that it looks at. The smaller memory "
           "is, the more of a problem is in a batch of 256. The same workloads were run in "
           f"batches of {SMALL_BATCH}, too. What that changes is due to scale.</p>")
    yield Table(
        ["workload", "footprint", "faults, published", "measured", "with prefetching, published",
         "measured", "reduction %, published", "measured", "points",
         f"in batches of {SMALL_BATCH}", "duplicates, off", "duplicates, on"],
        [line(n, r) for n, r in rows.items()], "Faults")


def expect(data):
    """Reductions."""
    rows = measured(data)
    for name, (_, _, wanted) in TABLE1.items():
        r = rows.get(name)
        if r is None:
            yield Expectation(f"Table I, {name}", f"{wanted:.1f} %", workload=name)
            continue
        yield Expectation(f"Table I, {name}: faults removed", f"{wanted:.1f} %, within 10 points",
                          abs(r["reduction"] - wanted) <= 10, f"{r['reduction']:.1f} %",
                          workload=name)
    if "random" in rows and "regular" in rows:
        yield Expectation(
            "Table I: random loses more of its faults than regular", "more",
            rows["random"]["reduction"] > rows["regular"]["reduction"],
            f"{rows['random']['reduction']:.1f} % to {rows['regular']['reduction']:.1f} %")


def why(data, row):
    """Fault reduction with fewer faults in a batch."""
    r = measured(data).get(row.workload)
    # An explanation only if the measurement bears it out.
    if r and r["small"] is not None and r["small"] > r["reduction"]:
        yield "No fault of a batch can be prefetched away"
        yield (f"256 are many for {r['off']['footprint'] >> 12:,} pages; "
               f"in batches of {SMALL_BATCH} the reduction is {r['small']:.1f} %")


FIGURE = Figure(
    "table1", "Table I: faults that prefetching removes", 1,
    ("At least 64 % of faults are eliminated in all; random loses more of its faults than "
     "regular (section IV-C).",),
    plan=plan, draw=draw, expect=expect, why=why)

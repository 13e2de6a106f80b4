# SPDX-License-Identifier: GPL-2.0
"""The true cost of this driver's code: guest instructions."""

from framework import plot
from framework.paint import bytes_text
from framework.paper import Figure
from framework.parts import MISSING, Table
from framework.results import result

from .. import touch
from ..setup import KB, MB, OFF, PATTERNS, workload

SIZES = (64 * KB, MB, 4 * MB)


def plan(x):
    """Three sizes with the real clock."""
    for size in SIZES:
        for name in PATTERNS:
            if size in x.scale.sizes:
                workload(x, ("real", name, size), name, "--size", size, *OFF, clock="real")


def measured(data):
    """By category.  The allocator apart: it clears up to 64 frames when it is asked for one."""
    found = []
    for size in SIZES:
        for name in PATTERNS:
            row = result(data, "real", f"{name} {size}")
            if row:
                groups = touch.breakdown(row, touch.GROUPS)
                pma = touch.phases(row, ("pma_alloc",))
                groups["service"] -= pma
                found.append({"workload": name, "size": size, "faults": row["faults"],
                              "groups": groups, "pma": pma})
    return found


def line(r):
    """Of the table."""
    total = sum(r["groups"].values())
    return [r["workload"], bytes_text(r["size"]), r["faults"]] + [
        f"{v / max(r['faults'], 1):,.0f}" for v in (*r["groups"].values(), total)] + [
        f"{100 * r['groups']['replay policy'] / max(total, 1):.1f}", f"{r['pma']:,}"]


def draw(data):
    """Instructions by category."""
    rows = measured(data)
    if not rows:
        return [MISSING]
    parts = [(g, [r["groups"][g] / max(r["faults"], 1) for r in rows]) for g in touch.GROUPS]
    return [
        "<p>With <code>clock=real</code> the same brackets measure this code, without waits for "
        "the device, in a VM that counts instructions: one is one nanosecond. The physical "
        "allocator stands apart: what it takes is the clearing of up to 64 frames, whenever there "
        "is none left.</p>",
        plot.stacks("Cost of a fault", [f"{r['workload']} {bytes_text(r['size'])}" for r in rows],
                    parts, "instructions per fault"),
        Table(["workload", "size", "faults", *touch.GROUPS, "sum per fault", "replay %",
               "physical allocator, in all"], [line(r) for r in rows], "Instructions per fault")]


FIGURE = Figure(
    "real", "The true cost of this driver's code", 11,
    ("(Not in the paper: the true cost of this driver's code.)",),
    plan=plan, draw=draw)

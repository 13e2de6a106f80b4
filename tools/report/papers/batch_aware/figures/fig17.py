# SPDX-License-Identifier: GPL-2.0
"""Fig. 17: by memory."""

from dataclasses import replace

from framework import plot
from framework.compare import Config, cell
from framework.paper import Figure
from framework.parts import Table
from framework.results import average, mean, ratio, result, speedup, whole
from framework.verdict import steps, value

from ..numbers import at_ratio, held_by, ratios
from ..published import UE_AT_ALL, UE_AT_TENTH
from ..reasons import listed
from ..setup import BENCH, CONFIGS, usual


def plan(x):
    """A tenth of 8 MB is less than the least memory there can be."""
    BENCH.plan(x, ("unlimited", "baseline", "ue"), x.scale.swept)
    for name in x.scale.swept:
        words = usual(name, x.scale)
        for where in x.scale.ratios:
            for use in ("baseline", "ue"):
                BENCH.run(x, (f"{use}@{where}", name), words, CONFIGS[use], where)
        BENCH.run(x, ("ue@1", name), words, Config("UE", CONFIGS["ue"].words, memory=0), 1)


def swept_mean(data, found):
    """Of those workloads that all ratios were tried with."""
    return mean(v for name, v in found.items() if name in data["scale"]["swept"])


def curves(data):
    """Measured memory by ratio, all of it; and [(title, [(memory, value), ...]), ...]."""
    asked, names = ratios(data), data["scale"]["swept"]
    parts = [average(held_by(data, at_ratio("baseline", r), names)) for r in asked]
    left = [swept_mean(data, speedup(data, at_ratio("baseline", r), "unlimited")) for r in asked]
    gain = [swept_mean(data, speedup(data, at_ratio("ue", r), at_ratio("baseline", r)))
            for r in asked]
    every = 1 if any(result(data, "unlimited", name) for name in names) else None
    with_all = swept_mean(data, speedup(data, "ue@1", "unlimited"))
    return parts, every, [("performance of the baseline, unlimited memory is 1",
                           [*zip(parts, left), (1, every)]),
                          ("speedup by UE", [*zip(parts, gain), (1, with_all)])]


def draw(data):
    """Against the memory that there was, beside the ratio that was asked for."""
    parts, every, shown = curves(data)
    known = [("speedup by UE, published", [(0.1, UE_AT_TENTH), (1, UE_AT_ALL)])]
    yield plot.lines("By memory", [
        (title, [p for p in points if None not in p]) for title, points in shown],
        "measured memory / footprint", "performance; speedup", log="", published=known)
    yield Table(["memory / footprint, asked for", *ratios(data), "unlimited"], [
        ["measured memory / footprint", *map(cell, parts), cell(every)]] + [
        [title, *(cell(v) for _, v in points)] for title, points in shown], "By memory")
    yield f"<p>Average of {', '.join(data['scale']['swept'])}.</p>"


def by_memory(data, config, base):
    """[(ratio and what the memory really holds, mean speedup), ...], least first."""
    found, names = [], data["scale"]["swept"]
    for where in ratios(data):
        one = at_ratio(config, where)
        other = base if base == "unlimited" else at_ratio(base, where)
        part = whole(held_by(data, one, names), names)
        label = f"{where}" + (f" (measured {part:.2f})" if part else "")
        found.append((label, whole(speedup(data, one, other), names)))
    return found


def expect(data):
    """Less memory costs more, and UE gains more."""
    left = by_memory(data, "baseline", "unlimited")
    gain = by_memory(data, "ue", "baseline")
    yield steps("the less memory, the slower", "at every ratio", left, "", lambda a, b: a <= b)
    yield steps("the less memory, the more UE gains", "at every ratio", gain, "",
                lambda a, b: a >= b)
    tenth = dict(zip(ratios(data), gain)).get(0.1, ("0.1", None))
    found = value("UE at a tenth of the memory", tenth[1], UE_AT_TENTH)
    yield replace(found, measured=f"{found.measured}, at {tenth[0]}" if found.measured else "")
    yield value("UE with all memory",
                whole(speedup(data, "ue@1", "unlimited"), data["scale"]["swept"]), UE_AT_ALL)


def moved(data):
    """What moves at each ratio."""
    for where in ratios(data):
        name, names = at_ratio("baseline", where), data["scale"]["swept"]
        times = {n: r["htod"] / r["footprint"] for n, r in data["runs"].get(name, {}).items()}
        less = whole(ratio(data, at_ratio("ue", where), name, "htod"), names)
        times = whole(times, names)
        if times and less:
            yield (f"at {where} the baseline moves its data {times:.1f} times to the GPU, "
                   f"UE {less:.2f} times that")


def why(data, _):
    """What moves, and what each workload gains."""
    gained = [f"at {where} " + listed({n: v for n, v in speedup(
        data, at_ratio("ue", where), at_ratio("baseline", where)).items()
        if n in data["scale"]["swept"]})
        for where in ratios(data) if data["runs"].get(at_ratio("ue", where))]
    everything = speedup(data, "ue@1", "unlimited")
    return ["; ".join(moved(data)), "UE gains " + "; ".join(gained) if gained else "",
            "with all memory " + listed(everything) if everything else ""]


FIGURE = Figure(
    "fig17", "Fig. 17: by memory", 11,
    ("The less memory, the more oversubscription costs and the more UE gains: 1.63x at a tenth of "
     "the footprint, nothing at all of it (6.3).",),
    plan=plan, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""The report's figures, drawn from its data alone."""

import plot
from document import table

from . import published
from .experiments import (APART, CONFIGS, FEWER, GROWN, KEPT, ON_SHAPES, ORDERED, OURS, PAPER,
                          SHAPES)
from .measure import (at_ratio, average, came_again, held, held_by, mean, ratio, ratios, result,
                      speedup)
from .published import LINK_BYTES_PER_NS

MB = 1 << 20
# The paper's.
PAGE = 65536

# What the reference stands for.
IDEAL = ("<p>Ideal eviction is the baseline in which copies out take no time, as in the paper.  "
         "It is not pipelined, and still unmaps pages and invalidates TLBs when an allocation "
         "finds nothing.  UE does that beside copies, so it may exceed \"ideal\".  In the paper "
         "ideal eviction gains 16 % over the baseline, UE 61 % over TO; it does not tell UE "
         "alone.</p>")


def cell(value, form="{:.2f}"):
    """Of a table."""
    return "" if value is None else form.format(value)


def bars(data, groups, ylabel):
    """By workload and on average: groups is [(title, {workload: value}), ...]."""
    names = data["workloads"]
    return plot.bars([*names, "average"], [(title, [*map(found.get, names), average(found)])
                                           for title, found in groups], ylabel)


def values(data, groups, unit=""):
    """The same as a table."""
    names = data["workloads"]
    return table(["", *names, "average"], [
        [title, *(cell(found.get(n)) + (unit if n in found else "") for n in names),
         cell(average(found))] for title, found in groups])


def both(data, groups, ylabel):
    """Drawn and told."""
    return bars(data, groups, ylabel) + values(data, groups)


def speedups(data, configs, base="baseline", prefix=""):
    """Groups for bars(); where many are compared with a "~"."""
    return [(CONFIGS[c].title, speedup(data, prefix + c, prefix + base)) for c in configs]


def of_what(data, names, size="compared"):
    """Which runs these are."""
    return f"<p>Data of {data['scale'][size] / MB:.1f} MB; {', '.join(names)}.</p>"


def told_apart(data):
    """What the runs were that many are compared of."""
    return of_what(data, data["apart"])


def fig1(data):
    """Data moved, against SMs."""
    series, sms = [], data["scale"]["sms"]
    for name in data["working_sets"]:
        rows = [(n, result(data, f"sms@{n}", name)) for n in sms]
        points = [(n, r["htod"] / r["footprint"]) for n, r in rows if r]
        if points:
            series.append((name, points))
    return ("<p>Our stand-in for the working set: how often its data a workload moves to the GPU "
            "with half of the memory it needs.  If fewer SMs need less at a time, less comes "
            "back.</p>" + of_what(data, data["working_sets"]) + plot.lines(
                series, "SMs", "data moved / footprint", log=""))


def fig3(data):
    """Time per page against the size of a batch."""
    rows = data["spread"].get("baseline", {})
    points = [(int(b) / MB, 1 / r["rate"]) for b, r in rows.items()]
    text = plot.lines([("baseline, all workloads", points)] if points else [],
                      "MB in a batch", "us per page of 4 KB", log="xy")
    told = data["batches"].get("baseline")
    if told:
        text += (f"<p>{told['moving']} of {told['count']} batches of the baseline migrate.  "
                 f"These take {told['least_ns'] / 1000:.0f} to {told['most_ns'] / 1000:.0f} "
                 f"us, median {told['median_ns'] / 1000:.0f}; handling before the first migration "
                 f"is {100 * told['handling']:.0f} % of that on average.</p>")
    return text


def fig5(data):
    """Performance with an additional block and nothing but memory to wait for."""
    return of_what(data, data["workloads"], "switched") + both(
        data, [("with an additional block", speedup(data, "switching", "alone")),
               ("with close-to-ideal switches", speedup(data, "switching, ideal", "alone"))],
        "performance, alone is 1")


def fig8(data):
    """Unlimited memory is 1."""
    return IDEAL + both(data, speedups(data, ("baseline", "ideal"), "unlimited"),
                        "performance, unlimited memory is 1")


def fig11(data):
    """Speedups."""
    return both(data, speedups(data, PAPER[2:7]), "speedup over the baseline")


def fig12(data):
    """Batches."""
    return both(data, [(CONFIGS[c].title, ratio(data, c, "baseline", "batches"))
                       for c in ("to", "to+ue")], "batches, baseline is 1")


def fig13(data):
    """Faults and bytes in a batch."""
    return "".join(both(data, [(CONFIGS[c].title, ratio(data, c, "baseline", f"batch_{what}"))
                               for c in ("to", "to+ue")], f"{what} in a batch, baseline is 1")
                   for what in ("faults", "bytes"))


def fig14(data):
    """Time of a batch."""
    return both(data, [(CONFIGS[c].title, ratio(data, c, "baseline", "batch_ns"))
                       for c in ("to", "to+ue")], "time of a batch, baseline is 1")


def counted(data, config, name):
    """Pages of 64 KB that came again, and addresses of 4 KB that faulted again."""
    row, again = result(data, config, name), came_again(data, config, name)
    return f"{again / PAGE:.0f} ({row['premature']})" if again is not None else ""


def again(data, config):
    """By workload: what came again, the baseline's is 1."""
    pairs = {n: [came_again(data, c, n) for c in (config, "baseline")] for n in data["workloads"]}
    return {n: one / base for n, (one, base) in pairs.items() if one is not None and base}


def fig15(data):
    """Premature evictions, and how many: where the baseline has none there is no bar."""
    rows = [[CONFIGS[c].title, *(counted(data, c, name) for name in data["workloads"])]
            for c in ("baseline", "to", "to+ue")]
    return both(data, [(CONFIGS[c].title, again(data, c)) for c in ("to", "to+ue")],
                "premature evictions, baseline is 1") + (
        "<p>Pages of 64 KB that came to the GPU again, faulted or prefetched: what a run moves "
        "beyond what it does with unlimited memory.  In brackets the driver's counter, addresses "
        "of 4 KB on evicted pages that faulted; a page can have 16.  Where the baseline has none "
        "there is no bar, and with a 0 no average.</p>") + table(["", *data["workloads"]], rows)


def fig16(data):
    """Distribution of batches by size, and how fast they are."""
    drawn = ""
    for what, ylabel in (("share", "% of batches"), ("rate", "pages per us")):
        drawn += plot.lines([(CONFIGS[c].title, [(int(b) / MB, r[what]) for b, r in rows.items()])
                             for c, rows in data["spread"].items() if rows],
                            "MB in a batch", ylabel, log="x")
    return drawn


def swept_mean(data, found):
    """Of those workloads that all ratios were tried with."""
    return mean(v for name, v in found.items() if name in data["swept"])


def fig17(data):
    """Against the memory that there was, beside the ratio that was asked for."""
    asked, names = ratios(data), data["swept"]
    parts = [mean(held_by(data, at_ratio("baseline", r), names).values()) for r in asked]
    left = [swept_mean(data, speedup(data, at_ratio("baseline", r), "unlimited")) for r in asked]
    gain = [swept_mean(data, speedup(data, at_ratio("ue", r), at_ratio("baseline", r)))
            for r in asked]
    all_of_it = 1 if any(result(data, "unlimited", name) for name in names) else None
    with_all = swept_mean(data, speedup(data, "ue@1", "unlimited"))
    shown = [("performance of the baseline, unlimited memory is 1",
              [*zip(parts, left), (1, all_of_it)]),
             ("speedup by UE", [*zip(parts, gain), (1, with_all)])]
    drawn = [(title, [p for p in points if None not in p]) for title, points in shown]
    rows = [["measured memory / footprint", *map(cell, parts), cell(all_of_it)]] + [
        [title, *(cell(v) for _, v in points)] for title, points in shown]
    return plot.lines([curve for curve in drawn if curve[1]],
                      "measured memory / footprint", "", log="") + table(
        ["memory / footprint, asked for", *asked, "unlimited"], rows) + (
        f"<p>Average of {', '.join(names)}.  Memory goes in steps of 2 MB, so there may "
        "be more than was asked for.</p>")


def fig18(data):
    """Against the time of handling."""
    groups = []
    for config in ("to", "to+ue"):
        found = []
        for us in published.HANDLING:
            found.append(average(speedup(data, f"{config}@{us}us", f"baseline@{us}us")))
        groups.append((CONFIGS[config].title, found))
    labels = [f"{us} us" for us in published.HANDLING]
    return of_what(data, data["swept"]) + plot.bars(
        labels, groups, "speedup over the baseline with the same") + table(
        ["", *labels], [[t, *map(cell, found)] for t, found in groups])


def apart(data):
    """What is left, and where it goes."""
    shown = ("to+ue", *APART, "ideal", "unlimited")
    return told_apart(data) + both(data, speedups(data, shown, prefix="~"),
                                   "speedup over the baseline") + IDEAL


def left(data):
    """What TO+UE does that unlimited memory does not: bytes at the link's speed."""
    rows = []
    for name in data["workloads"]:
        for config in ("baseline", "to+ue", "unlimited"):
            r = result(data, config, name)
            if r:
                shares = [r["htod"] / LINK_BYTES_PER_NS, r["dtoh"] / LINK_BYTES_PER_NS,
                          r["batches"] * r["handling_ns"]]
                rows.append([name, CONFIGS[config].title, cell(r["time_ns"] / 1e6),
                             cell(r["htod"] / r["footprint"], "{:.1f}"),
                             *(cell(100 * s / r["time_ns"], "{:.0f}") for s in shares)])
    return table(["", "", "ms", "to the GPU / footprint", "copies in, % of the time",
                  "copies out, %", "before first copies, %"], rows)


def shapes(data):
    """By graph."""
    groups = [(CONFIGS[c].title, [average(speedup(data, f"{c} on {s}", f"baseline on {s}"))
                                  for s in SHAPES]) for c in ON_SHAPES if c != "baseline"]
    told = (f"<p>Graphs of {data['scale']['compared'] / MB:.1f} MB; "
            f"{', '.join(data['shaped'])}.  The vertex with most neighbours has, of 2^16, about "
            "0.03 % of all edges in RMAT-G, 0.3 % in RMAT-B, 1.2 % in Graph 500; of 2^17 0.02, "
            "0.2 and 0.9 %.</p>")
    return told + plot.bars(list(SHAPES), groups, "speedup over the baseline") + table(
        ["", *SHAPES], [[t, *map(cell, found)] for t, found in groups])


def grown(data):
    """By footprint."""
    rows = []
    for name in data["grown"]:
        for config in GROWN:
            sizes = [result(data, c, name) for c in (config, f"{config}, grown")]
            bases = [result(data, c, name) for c in ("baseline", "baseline, grown")]
            if None in sizes + bases:
                continue
            rows.append([name, CONFIGS[config].title] + [
                cell(v) for r, b in zip(sizes, bases)
                for v in (r["footprint"] / MB, b["time_ns"] / r["time_ns"],
                          r["htod"] / r["footprint"])])
    return table(["", "", *2 * ["footprint, MB", "speedup", "moved, times the data"]], rows)


def fewer(data):
    """By SMs."""
    shown = [c for c in FEWER if c != "baseline"]
    names = data["fewer"]
    sms = (published.SMS, data["scale"]["fewer_sms"])
    groups = [(f"{CONFIGS[c].title}, {n} SMs", speedup(data, c + what, "baseline" + what))
              for c in shown for n, what in zip(sms, ("", ", fewer SMs"))]
    groups = [(title, {n: v for n, v in found.items() if n in names}) for title, found in groups]
    return (f"<p>Data of {data['scale']['size'] / MB:.1f} MB.</p>" +
            both(data, groups, "speedup over the baseline"))


def ordered(data):
    """By the order of worklists."""
    rows = []
    for name in data["ordered"]:
        for config in (*ORDERED, *data["kept"]):
            made = [result(data, config + what, name) for what in ("", ", ordered")]
            bases = [result(data, "baseline" + what, name) for what in ("", ", ordered")]
            if any(made):
                rows.append([name, CONFIGS[config].title] + [
                    cell(v) for r, b in zip(made, bases)
                    for v in ((b["time_ns"] / r["time_ns"], r["htod"] / r["footprint"])
                              if r and b else (None, None))])
    return ("<p>A worklist is in the order in which threads of the round before came to their "
            "ends.  With <code>--sort</code> the CPU puts each in order of vertices.</p>" +
            table(["", "", *(f"{what}{when}" for when in ("", ", in order")
                             for what in ("speedup", "moved, times the data"))], rows))


def runs(data):
    """The numbers behind Figs. 8 and 11 to 15."""
    rows = []
    for name in data["workloads"]:
        for config in ("unlimited", "baseline", "ue", "to", "to+ue", "ideal"):
            r = result(data, config, name)
            if r:
                rows.append([name, CONFIGS[config].title, cell(held(r)), cell(r["time_ns"] / 1e6),
                             r["batches"], cell(r["distinct"] / max(r["batches"], 1), "{:.1f}"),
                             cell(r["batch_bytes"] / MB), cell(r["batch_ns"] / 1000, "{:.0f}"),
                             cell(r["htod"] / r["footprint"], "{:.1f}"),
                             cell(r["dtoh"] / r["footprint"], "{:.1f}"), r["switched"]])
    return table(["", "", "memory / footprint", "ms", "batches", "faults in each", "MB in each",
                  "us each", "to the GPU / footprint", "back / footprint", "switches"], rows)


def ours(data):
    """Improvements of ours."""
    shown = ("ue", "to+ue", *OURS, "to+ideal", "unlimited")
    moved = [(CONFIGS[c].title, ratio(data, f"~{c}", "~baseline", "htod")) for c in shown[:-1]]
    kept = ("to+ue", *data["kept"])
    return both(data, speedups(data, kept), "speedup over the baseline") + told_apart(data) + both(
        data, speedups(data, shown, prefix="~"), "speedup over the baseline") + (
        "<p>Data moved to the GPU, baseline is 1:</p>") + values(data, moved)


ALL = (
    ("fig1", "Fig. 1: working set by active SMs", fig1, ("sms",)),
    ("fig3", "Fig. 3: time per page by size of the batch", fig3, ("baseline",)),
    ("fig5", "Fig. 5: an additional block without page migration", fig5,
     ("alone", "switching", "switching, ideal")),
    ("fig8", "Fig. 8: half of the memory, ideal eviction", fig8,
     ("unlimited", "baseline", "ideal")),
    ("fig11", "Fig. 11: performance", fig11, PAPER[1:7]),
    ("fig12", "Fig. 12: number of batches", fig12, ("baseline", "to", "to+ue")),
    ("fig13", "Fig. 13: size of batches", fig13, ("baseline", "to", "to+ue")),
    ("fig14", "Fig. 14: time of a batch", fig14, ("baseline", "to", "to+ue")),
    ("fig15", "Fig. 15: premature evictions", fig15, ("baseline", "to", "to+ue")),
    ("fig16", "Fig. 16: distribution of batch sizes", fig16, ("baseline", "to", "to+ue")),
    ("fig17", "Fig. 17: by memory", fig17,
     ("unlimited", "baseline", "ue", "ue@1", "baseline@0", "ue@0")),
    ("fig18", "Fig. 18: by handling time", fig18, ("us",)),
    ("runs", "The numbers behind Figs. 8 and 11 to 15", runs, PAPER),
    ("apart", "Where the time goes", apart, [f"~{c}" for c in APART]),
    ("left", "What is left to unlimited memory", left, ("baseline", "to+ue", "unlimited")),
    ("shaped", "Which graph it is", shapes, (" on ",)),
    ("grown", "What a larger footprint makes of it", grown, (", grown",)),
    ("fewer", "What SMs to the scale of memory make of it", fewer, (", fewer SMs",)),
    ("ordered", "What the order of worklists makes of it", ordered, (", ordered",)),
    ("ours", "Improvements of ours", ours, [*KEPT, *(f"~{c}" for c in OURS)]),
)
# Each is of the workloads that the scale has under the same name, and drawn if there are any.
OF_SOME = ("apart", "shaped", "grown", "fewer", "ordered")

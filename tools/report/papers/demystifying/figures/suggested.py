# SPDX-License-Identifier: GPL-2.0
"""The paper's suggestions on all workloads: which pays, on which, by how much."""

import html

from framework import plot
from framework.paper import Expectation, Figure
from framework.parts import MISSING, Fold, Table

from .. import touch
from ..setup import MB
from ..tried import BASE, ENOUGH, PERCENT, PREFETCHERS, TOO_LITTLE, TRIED, by_workload, origins
from ..tried import plan as plan_tried


def gain(row, what):
    """Speed-up over the driver as it is, or None."""
    return row[BASE]["time_ns"] / row[what]["time_ns"] if what in row else None


def winner(row):
    """What is fastest, by how much."""
    best = max(row, key=lambda what: gain(row, what))
    return f"{best}, {gain(row, best):.2f}x" if gain(row, best) > 1.005 else "nothing"


def cell(value):
    """A speed-up."""
    return f"{value:.2f}x" if value else "-"


def each(name, row):
    """Time and data of each setting."""
    base = row[BASE]
    return [[name, f"{base['memory'] >> 21}", what, touch.us(r["time_ns"]),
             f"{base['time_ns'] / r['time_ns']:.2f}x", f"{r['faults']:,}",
             f"{r['htod'] / MB:,.1f}", f"{r['htod'] / base['footprint']:.2f}",
             f"{r['dtoh'] / MB:,.1f}", f"{r['evicted']:,}", f"{r['premature']:,}"]
            for what, r in row.items()]


def drawn(title, rows, what):
    """Bars of speed-ups, who wins, and a table with the data moved."""
    if not rows:
        return [MISSING]
    tried = [w for w in what if w != BASE]
    return [
        plot.bars(title, list(rows), [(w, [gain(r, w) for r in rows.values()]) for w in tried],
                  "speed-up", base=1),
        Table(["workload", "pays most", *tried],
              [[n, winner(r), *(cell(gain(r, w)) for w in tried)] for n, r in rows.items()],
              title),
        Fold("Time and data of each", [Table(
            ["workload", "root chunks", "with", "GPU time, us", "gains", "faults",
             "to the GPU, MB", "of footprint", "back, MB", "pages evicted", "evicted too early"],
            [line for n, r in rows.items() for line in each(n, r)], title)])]


def origin(data):
    """What the fault origin tells, and what it costs."""
    rows = origins(data)
    if not rows:
        return [MISSING]
    words = ("<p>Who made each fault, with prefetching: what a prefetcher could learn from. The "
             "extension takes no time by its model; a real one would have larger records.</p>")
    return [words, Table(
        ["workload", "faults", "different instructions", "SMs", "warps", "time without / with"],
        [[n, f"{r['origin']['faults']:,}", r["origin"]["instructions"], r["origin"]["sms"],
          f"{r['origin']['warps']:,}", f"{base['time_ns'] / r['time_ns']:.2f}"]
         for n, (r, base) in rows.items()], "Fault origin")]


def draw(data):
    """Enough memory, too little, and who faults."""
    words = "; ".join(f"{w}: {html.escape(' '.join(words)).replace('--set ', '')}"
                      for w, words in TRIED.items() if words)
    yield ("<p>Speed-up over this driver as nvidia-uvm is (prefetching at 51 %, 2 MB, lru). "
           f"{words}.</p>")
    yield from drawn("Enough memory", by_workload(data, ENOUGH), PREFETCHERS)
    yield from drawn(f"Too little memory: footprint {PERCENT} % of it",
                     by_workload(data, TOO_LITTLE), TRIED)
    yield from origin(data)


def ratios(rows, what, than):
    """By workload: how many times as fast one is as the other."""
    return {n: r[than]["time_ns"] / r[what]["time_ns"]
            for n, r in rows.items() if what in r and than in r}


def told(found):
    """Ratios for people."""
    return ", ".join(f"{n}: {r:.2f}x" for n, r in found.items())


def expect(data):
    """Each pays where it should."""
    little = by_workload(data, TOO_LITTLE)
    r = ratios(by_workload(data, ENOUGH), "adaptive prefetching", "1 % threshold")
    yield Expectation("adaptive prefetching is as fast as 1 % when all fits",
                      "for all workloads", min(r.values()) >= 0.98 if r else None, told(r))
    r = ratios(little, "adaptive prefetching", BASE)
    yield Expectation("adaptive prefetching is faster on random with too little memory", "faster",
                      r["random"] > 1 if "random" in r else None, told(r))
    yield Expectation("adaptive prefetching costs no workload a tenth with too little memory",
                      "0.9 times or more", min(r.values()) >= 0.9 if r else None, told(r))
    r = ratios(little, "access-aware eviction", BASE)
    yield Expectation("access-aware eviction pays for some workload", "1.05 times or more",
                      max(r.values()) >= 1.05 if r else None, told(r))
    moved = {n: row[BASE]["htod"] / max(row["64 KB granularity"]["htod"], 1)
             for n, row in little.items() if "64 KB granularity" in row}
    yield Expectation("64 KB granularity moves less data for random with too little memory",
                      "less", moved["random"] > 1 if "random" in moved else None, told(moved))


FIGURE = Figure(
    "suggested", "The paper's suggestions on all workloads", 12,
    ("Prefetching and eviction have related costs.  The more of what leaves is wanted again, the "
     "less should be fetched ahead; lru does not know what is used and resident; 2 MB may be too "
     "coarse; the driver does not know who faults (sections V-A and VI).",),
    plan=plan_tried, draw=draw, expect=expect)

# SPDX-License-Identifier: GPL-2.0
"""The paper's suggestions: which pays, on which workload, by how much."""

import html
import json

import document
import experiments as ex
import figures
import plot
import published
from machine import EVENTS, Machine, Run

MB = 1 << 20
PERCENT = 150
BASE = "as nvidia-uvm"


def settings(**parameters):
    """Words that set them."""
    return [word for name, value in parameters.items() for word in ("--set", f"{name}={value}")]


# What is tried with too little memory; with enough, only what prefetches differs.
TRIED = {
    BASE: [],
    "1 % threshold": settings(perf_prefetch_threshold=1),
    "adaptive prefetching": settings(prefetch_policy="adaptive"),
    "64 KB granularity": settings(root_chunk_granularity="64k"),
    "access-aware eviction": settings(eviction_policy="accessed"),
    "all but the first": settings(prefetch_policy="adaptive", root_chunk_granularity="64k",
                                  eviction_policy="accessed"),
}
# Of these the page of policies need not say more.
COVERED = (("prefetch_policy", "adaptive"), ("root_chunk_granularity", "64k"),
           ("eviction_policy", "accessed"))
PREFETCHERS = (BASE, "1 % threshold", "adaptive prefetching")
ENOUGH, TOO_LITTLE = "enough", "too little"


class OriginMachine(Machine):
    """One whose faults say who made them."""

    def options(self):
        """Words for qemu-tests/vm."""
        return [*super().options(), "--uvm", "fault_origin=1"]


class OriginRun(Run):
    """Of the faults, only who made them is kept."""

    def take(self, lines):
        """Output of the run, line by line."""
        faults = [json.loads(line) for line in lines if line.startswith('{"event":"gpu_fault"')]
        super().take([line for line in lines if not line.startswith('{"event"')])
        if self.result is not None:
            self.result["origin"] = {
                "faults": sum("pc" in f for f in faults),
                "instructions": len({f["pc"] for f in faults if "pc" in f}),
                "sms": len({f["sm"] for f in faults if "sm" in f}),
                "warps": len({(f["block"], f["warp"]) for f in faults if "warp" in f})}


def plan(x):
    """All runs: of experiment x, with keys that begin with "suggest"."""
    machine = OriginMachine("fault origin", x.machine.softgpu, x.machine.memory)
    for name, words in ex.applications(x.scale).items():
        for what, changes in TRIED.items():
            if what in PREFETCHERS:
                x.workload((f"suggest-{ENOUGH}-{what}", name), name, *words, *changes,
                           session="suggest-enough")
            x.workload((f"suggest-{TOO_LITTLE}-{what}", name), name, *words,
                       "--oversubscription", PERCENT, *changes, session=f"suggest-{name}")
        x.runs[("suggest-origin", name)] = OriginRun(
            machine, "run", name, *words, "--json", "--quiet", events=EVENTS)


def numbers(result):
    """Of one run."""
    return {"time_ns": result["gpu_time_ns"], "faults": ex.faults(result),
            "htod": result["execution"]["migrated_bytes"]["htod"],
            "dtoh": result["execution"]["migrated_bytes"]["dtoh"],
            "evicted": result["execution"]["evictions"]["pages"],
            "premature": result["execution"]["evictions"]["premature"]}


def collect(x):
    """For JSON: by memory, by workload, by what was tried; and the origins."""
    found = {ENOUGH: {}, TOO_LITTLE: {}, "origin": {}}
    for memory in (ENOUGH, TOO_LITTLE):
        for name in published.TABLE1:
            base = x.result(f"suggest-{memory}-{BASE}", name)
            if not base:
                continue
            row = {"footprint": base["footprint_bytes"], "memory": base["vram_bytes"],
                   "tried": {}}
            for what in TRIED:
                result = x.result(f"suggest-{memory}-{what}", name)
                if result:
                    row["tried"][what] = numbers(result)
            found[memory][name] = row
    for name in published.TABLE1:
        result = x.result("suggest-origin", name)
        base = x.result(f"suggest-{ENOUGH}-{BASE}", name)
        if result and base:
            found["origin"][name] = {**result["origin"], "time_ns": result["gpu_time_ns"],
                                     "base_ns": base["gpu_time_ns"]}
    return found


# ---- the page ----------------------------------------------------------------

def gain(row, what):
    """Speed-up over the driver as it is, or None."""
    tried = row["tried"].get(what)
    return tried and row["tried"][BASE]["time_ns"] / tried["time_ns"]


def winner(row):
    """What is fastest, by how much."""
    best = max(row["tried"], key=lambda what: gain(row, what))
    return f"{best}, {gain(row, best):.2f}x" if gain(row, best) > 1.005 else "nothing"


def draw_memory(rows, what):
    """Bars of speed-ups, who wins, and a table with the data moved."""
    if not rows:
        return "<p class=gap>No run succeeded.</p>"
    names = list(rows)
    drawn = plot.bars(names, [(w, [gain(rows[n], w) for n in names])
                              for w in what if w != BASE], "speed-up", "y")
    drawn += document.table(
        ["workload", "pays most", *(w for w in what if w != BASE)],
        [[n, winner(rows[n]), *(f"{gain(rows[n], w):.2f}x" if gain(rows[n], w) else "-"
                                for w in what if w != BASE)] for n in names])
    shown = []
    for name, row in rows.items():
        base = row["tried"][BASE]
        for w, r in row["tried"].items():
            shown.append([name, f"{row['memory'] >> 21}", w, figures.us(r["time_ns"]),
                          f"{base['time_ns'] / r['time_ns']:.2f}x", f"{r['faults']:,}",
                          f"{r['htod'] / MB:,.1f}", f"{r['htod'] / row['footprint']:.2f}",
                          f"{r['dtoh'] / MB:,.1f}", f"{r['evicted']:,}", f"{r['premature']:,}"])
    return drawn + "<details><summary>Time and data of each</summary>" + document.table(
        ["workload", "root chunks", "with", "GPU time, us", "gains", "faults",
         "to the GPU, MB", "of footprint", "back, MB", "pages evicted", "evicted too early"],
        shown) + "</details>"


def draw_origin(rows):
    """What the fault origin tells, and what it costs."""
    if not rows:
        return "<p class=gap>No run succeeded.</p>"
    return ("<p>Who made each fault, with prefetching: what a prefetcher could learn from. The "
            "extension takes no time by its model; a real one would have larger records.</p>" +
            document.table(
                ["workload", "faults", "different instructions", "SMs", "warps",
                 "time without / with"],
                [[n, f"{r['faults']:,}", r["instructions"], r["sms"], f"{r['warps']:,}",
                  f"{r['base_ns'] / r['time_ns']:.2f}"] for n, r in rows.items()]))


def draw(data):
    """The section."""
    found = data.get("suggested") or {ENOUGH: {}, TOO_LITTLE: {}, "origin": {}}
    explained = "; ".join(f"{w}: {html.escape(' '.join(words)).replace('--set ', '')}"
                          for w, words in TRIED.items() if words)
    return (f"<p>Speed-up over this driver as nvidia-uvm is (prefetching at 51 %, 2 MB, lru). "
            f"{explained}.</p><h3>Enough memory</h3>" + draw_memory(found[ENOUGH], PREFETCHERS) +
            f"<h3>Too little memory: footprint {PERCENT} % of it</h3>" +
            draw_memory(found[TOO_LITTLE], TRIED) +
            "<h3>Fault origin</h3>" + draw_origin(found["origin"]))


# As figures.ALL.
FIGURES = (("suggested", "The paper's suggestions on all workloads", draw, ("suggest",)),)


# ---- what is expected to hold ------------------------------------------------

def ratios(rows, what, than):
    """By workload: how many times as fast one is as the other."""
    return {n: r["tried"][than]["time_ns"] / r["tried"][what]["time_ns"]
            for n, r in rows.items() if what in r["tried"] and than in r["tried"]}


def told(found):
    """Ratios for people."""
    return ", ".join(f"{n}: {r:.2f}x" for n, r in found.items())


def expectations(data):
    """As the checks of checks.ALL."""
    found = data.get("suggested") or {ENOUGH: {}, TOO_LITTLE: {}}
    little = found[TOO_LITTLE]
    r = ratios(found[ENOUGH], "adaptive prefetching", "1 % threshold")
    yield ("adaptive prefetching is as fast as 1 % when all fits", "for all workloads",
           min(r.values()) >= 0.98 if r else None, told(r))
    r = ratios(little, "adaptive prefetching", BASE)
    yield ("adaptive prefetching is faster on random with too little memory", "faster",
           r["random"] > 1 if "random" in r else None, told(r))
    yield ("adaptive prefetching costs no workload a tenth with too little memory",
           "0.9 times or more", min(r.values()) >= 0.9 if r else None, told(r))
    r = ratios(little, "access-aware eviction", BASE)
    yield ("access-aware eviction pays for some workload", "1.05 times or more",
           max(r.values()) >= 1.05 if r else None, told(r))
    moved = {n: row["tried"][BASE]["htod"] / max(row["tried"]["64 KB granularity"]["htod"], 1)
             for n, row in little.items() if "64 KB granularity" in row["tried"]}
    yield ("64 KB granularity moves less data for random with too little memory", "less",
           moved["random"] > 1 if "random" in moved else None, told(moved))

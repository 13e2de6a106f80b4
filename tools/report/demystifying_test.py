# SPDX-License-Identifier: GPL-2.0
"""The judge alone: data as the paper has it passes, each way to be wrong does not.
And the page of a report whose runs all failed."""

import copy
import sys

import judging
from framework import document, verdict
from papers.demystifying import PAPER, published, setup
from papers.demystifying.tried import ENOUGH, TOO_LITTLE, TRIED

KB, MB = 1 << 10, 1 << 20


def row(size, time_us, pre=0, service=0, replay=0, pma=0):
    """One run, as results.row(): times in microseconds."""
    phases = dict.fromkeys(("preprocess", "populate", "cpu_unmap", "copy", "evict"), 0)
    phases.update(fetch=1000 * pre, replay=1000 * replay, pma_alloc=1000 * pma, map=1000,
                  service=1000 * (service - pma - 1))
    return {"time_ns": 1000 * time_us, "footprint": size, "memory": 32 * MB,
            "faults": size // 4096, "duplicates": 0, "replays": 1, "phases": phases,
            "htod": size, "dtoh": 0, "evicted": 0, "premature": 0}


def over(time_us, moved):
    """Too little memory: so many times the data are moved."""
    return {**row(MB, time_us), "htod": moved * MB}


def tried(**times):
    """One workload by what was tried: times in us, 1 MB moved per us."""
    return {what: {**row(MB, time_us), "htod": time_us * MB}
            for what, time_us in zip(TRIED, times.values())}


def suggested():
    """Each pays where it should."""
    little = {"regular": tried(base=100, one=100, adaptive=100, fine=100, accessed=100),
              "random": tried(base=100, one=150, adaptive=80, fine=50, accessed=100),
              "sgemm": tried(base=100, one=100, adaptive=100, fine=90, accessed=80)}
    runs = {}
    for memory, found in ((ENOUGH, {"regular": tried(base=100, one=80, adaptive=80)}),
                          (TOO_LITTLE, little)):
        for name, by_what in found.items():
            for what, r in by_what.items():
                runs.setdefault(f"suggest-{memory}-{what}", {})[name] = r
    runs["suggest-origin"] = {"regular": {**row(MB, 1), "origin": {
        "faults": 9, "instructions": 1, "sms": 8, "warps": 9}}}
    return runs


def pages():
    """Page touch."""
    regular = [row(4 * KB, 420, 10, 300, 20, 200), row(64 * KB, 500, 10, 350, 30, 200),
               row(4 * MB, 10000, 100, 8000, 500, 200),
               row(64 * MB, 160000, 1600, 120000, 8000, 200)]
    random = [row(4 * KB, 430, 10, 300, 25, 200), row(64 * KB, 590, 10, 350, 40, 200),
              row(4 * MB, 14000, 100, 8000, 2000, 200),
              row(64 * MB, 230000, 1600, 120000, 40000, 200)]
    batch = copy.deepcopy(regular)
    for r in batch:
        r["phases"]["fetch"] *= 5
        r["phases"]["replay"] /= 8
    curves = {"off": (regular, random), "batch": (batch, ()),
              "on": [[dict(r, time_ns=r["time_ns"] / 5) for r in regular]] * 2,
              "explicit": [[dict(r, time_ns=r["time_ns"] / 20) for r in regular]] * 2}
    return {mode: {f"{name} {r['footprint']}": dict(r) for name, rows in
                   zip(setup.PATTERNS, both) for r in rows} for mode, both in curves.items()}


def sgemm(memory):
    """Table II, by the paper's sizes."""
    found = {}
    for (n, _, _, evicted), percent, rate in zip(
            published.TABLE2, (84, 93, 103, 113, 123, 134, 146, 224),
            (100, 99, 97, 90, 40, 35, 20, 10)):
        time = 2 * setup.side(memory, n) ** 3 / rate
        found[str(n)] = {**row(percent, 1), "memory": 100, "time_ns": time, "faults": 1000,
                         "evicted": 1000 * evicted}
    return found


def good():
    """What the paper tells."""
    runs = {**pages(), **suggested(), "sgemm": sgemm(64 * MB)}
    for use, at, time in (("app-off", 0, 10), ("app-on", 1, 5), ("app-1", 1, 4)):
        runs[use] = {n: {**row(MB, time), "faults": found[at]}
                     for n, found in published.TABLE1.items()}
    runs["over-on"] = {"regular 267": over(100, 1), "random 267": over(1500, 16)}
    runs["over-off"] = {"regular 267": over(100, 1), "random 267": over(700, 4)}
    # Smaller batches, by which deviations are explained.
    runs["over-scaled"] = {"regular": over(100, 1), "random": over(700, 2)}
    runs["small-off"] = runs["app-off"]
    runs["small-on"] = {n: {**r, "faults": r["faults"] // 10} for n, r in runs["app-on"].items()}
    return {"scale": {"name": "none", "memory": 64 * MB, "sgemm_memory": 64 * MB,
                      "sizes": [4 * KB, 64 * KB, 4 * MB, 64 * MB], "percents": [267],
                      "sgemm": [r[0] for r in published.TABLE2]},
            "facts": {"explicit": True, "policies": []}, "smoke": False, "runs": runs,
            "planned": {}, "wrong": [], "seconds": 1, "commands": {}, "errors": [],
            "made_by": "", "patterns": {}, "fig8": None, "fig8_refaulted": {}}


def put(path, value):
    """A change of the good data."""
    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value
    return change


# A change, and the beginning of the expectation that it must break.
CASES = (
    (put(("runs", "off", "regular 4096", "time_ns"), 100000), "floor, regular"),
    (put(("runs", "off", "random 67108864", "time_ns"), 10), "random is slower"),
    (put(("runs", "off", "random 67108864", "phases", "replay"), 1), "random's replay share"),
    (put(("runs", "off", "regular 67108864", "time_ns"), 10 ** 9), "growth, regular"),
    (put(("runs", "off", "regular 4194304", "phases", "fetch"), 10 ** 9),
     "pre/post-processing"),
    (put(("runs", "off", "regular 4096", "phases", "pma_alloc"), 1), "PMA allocation"),
    (put(("runs", "off", "regular 67108864", "phases", "pma_alloc"), 10 ** 9), "and negligible"),
    (put(("runs", "batch", "regular 4194304", "phases", "replay"), 10 ** 9),
     "batch policy: cheaper"),
    (put(("runs", "batch", "regular 4194304", "phases", "fetch"), 1), "batch policy: dearer"),
    (put(("runs", "app-on", "hpgmg", "faults"), 27957), "Table I, hpgmg"),
    (put(("runs", "app-on", "regular", "faults"), 24936), "Table I: random"),
    (put(("runs", "app-on", "cufft", "time_ns"), 11000), "prefetching pays"),
    (put(("runs", "app-1", "cufft", "time_ns"), 6000), "a threshold of 1 %"),
    (put(("runs", "over-on", "random 267", "time_ns"), 200000), "random loses an order"),
    (put(("runs", "over-on", "random 267", "htod"), 4 * MB), "random moves many"),
    (put(("runs", "over-on", "regular 267", "htod"), 4 * MB), "regular moves"),
    (put(("runs", "over-off", "random 267", "time_ns"), 10 ** 9), "without prefetching random"),
    (put(("runs", "sgemm", "47660", "time_ns"), 10 ** 12), "sgemm's knee"),
    (put(("runs", "sgemm", "36908", "evicted"), 0), "sgemm: evictions"),
    (put(("runs", "explicit", "regular 4194304", "time_ns"), 10 ** 9), "UVM is an order"),
    (put(("runs", "on", "regular 67108864", "time_ns"), 1), "with prefetching several"),
    (put(("runs", "suggest-enough-adaptive prefetching", "regular", "time_ns"), 90000),
     "adaptive prefetching is as fast as 1 %"),
    (put(("runs", "suggest-too little-adaptive prefetching", "random", "time_ns"),
         100000), "adaptive prefetching is faster on random"),
    (put(("runs", "suggest-too little-adaptive prefetching", "sgemm", "time_ns"),
         120000), "adaptive prefetching costs no workload"),
    (put(("runs", "suggest-too little-access-aware eviction", "sgemm", "time_ns"),
         98000), "access-aware eviction pays"),
    (put(("runs", "suggest-too little-64 KB granularity", "random", "htod"), 100 * MB),
     "64 KB granularity moves less"),
)


def main():
    """Entry point."""
    rows = verdict.judge(PAPER, good())
    wrong = [f"the paper's own numbers: {r}" for r in rows if r.verdict != verdict.PASS]
    unnoticed, changed = judging.broken(PAPER, good, CASES)
    wrong += unnoticed + judging.wordless(PAPER, changed)
    # And it can be told: a page without a single number.
    wrong += judging.unmeasured(PAPER, {**good(), "runs": {}, "errors": [["command", "why"]]})
    text = document.build(PAPER, good())
    wrong += [f"{what} is not told" for what in ("pays most", "1.25x", "instructions")
              if what not in text]
    print("\n".join(wrong) if wrong else f"{len(CASES)} cases, {len(rows)} expectations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-2.0
"""The judge alone: data as the paper has it passes, each way to be wrong does not.
And the page of a report whose runs all failed."""

import copy
import sys

import checks
import figures
import page
import published
import suggested
import verdict

KB, MB = 1 << 10, 1 << 20


def row(size, time_us, pre, service, replay, pma):
    """One size of page touch, times in microseconds."""
    return {"size": size, "time_ns": 1000 * time_us, "faults": size // 4096, "replays": 1,
            "groups": {"pre/post-processing": 1000 * pre, "service": 1000 * service,
                       "replay policy": 1000 * replay},
            "service": {"PMA alloc pages": 1000 * pma, "map pages": 1000,
                        "migrate pages": 1000 * (service - pma)}}


def over(percent, time_us, moved):
    """One oversubscription."""
    return {"percent": percent, "size": MB, "time_ns": 1000 * time_us, "faults": 256,
            "htod": moved * MB, "evicted_pages": 0, "groups": {}}


def tried(**times):
    """One workload of the suggestions, by what was tried: times in us, 1 MB moved per us."""
    return {"footprint": MB, "memory": 32 * MB, "tried": {
        what: {"time_ns": 1000 * time_us, "faults": 1, "htod": time_us * MB, "dtoh": 0,
               "evicted": 0, "premature": 0}
        for what, time_us in zip(suggested.TRIED, times.values())}}


def good_suggestions():
    """Each pays where it should."""
    return {suggested.ENOUGH: {"regular": tried(base=100, one=80, adaptive=80)},
            suggested.TOO_LITTLE: {
                "regular": tried(base=100, one=100, adaptive=100, fine=100, accessed=100),
                "random": tried(base=100, one=150, adaptive=80, fine=50, accessed=100),
                "sgemm": tried(base=100, one=100, adaptive=100, fine=90, accessed=80)},
            "origin": {"regular": {"faults": 9, "instructions": 1, "sms": 8, "warps": 9,
                                   "time_ns": 1, "base_ns": 1}}}


def good():
    """What the paper tells."""
    regular = [row(4 * KB, 420, 10, 300, 20, 200), row(64 * KB, 500, 10, 350, 30, 200),
               row(4 * MB, 10000, 100, 8000, 500, 200),
               row(64 * MB, 160000, 1600, 120000, 8000, 200)]
    random = [row(4 * KB, 430, 10, 300, 25, 200), row(64 * KB, 590, 10, 350, 40, 200),
              row(4 * MB, 14000, 100, 8000, 2000, 200),
              row(64 * MB, 230000, 1600, 120000, 40000, 200)]
    batch = [row(r["size"], 1, 5 * r["groups"]["pre/post-processing"] / 1000,
                 r["groups"]["service"] / 1000, r["groups"]["replay policy"] / 8000, 200)
             for r in regular]
    explicit = [dict(r, time_ns=r["time_ns"] / 20) for r in regular]
    prefetched = [dict(r, time_ns=r["time_ns"] / 5) for r in regular]
    table1 = {name: {"reduction": reduction, "off": off, "on": on, "time_off": 10, "time_on": 5,
                     "time_one": 4} for name, (off, on, reduction) in published.TABLE1.items()}
    table2 = [{"percent": percent, "gflops": rate, "per_fault": evicted} for
              (_, _, _, evicted), percent, rate in zip(
                  published.TABLE2, (84, 93, 103, 113, 123, 134, 146, 224),
                  (100, 99, 97, 90, 40, 35, 20, 10))]
    return {"pages": {"off": {"regular": regular, "random": random},
                      "on": {"regular": prefetched, "random": prefetched},
                      "explicit": {"regular": explicit, "random": explicit}},
            "batch": batch, "table1": table1, "table2": table2,
            "suggested": good_suggestions(),
            "over": {"on": {"regular": [over(267, 100, 1)], "random": [over(267, 1500, 16)]},
                     "off": {"regular": [over(267, 100, 1)], "random": [over(267, 700, 4)]}}}


def put(path, value):
    """A change of the good data."""
    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value
    return change


# A change, and the beginning of the expectation that it must break.
CASES = (
    (put(("pages", "off", "regular", 0, "time_ns"), 100000), "floor, regular"),
    (put(("pages", "off", "random", 3, "time_ns"), 10), "random is slower"),
    (put(("pages", "off", "random", 3, "groups", "replay policy"), 1), "random's replay share"),
    (put(("pages", "off", "regular", 3, "time_ns"), 10 ** 9), "growth, regular"),
    (put(("pages", "off", "regular", 2, "groups", "pre/post-processing"), 10 ** 9),
     "pre/post-processing"),
    (put(("pages", "off", "regular", 0, "service", "PMA alloc pages"), 1), "PMA allocation"),
    (put(("pages", "off", "regular", 3, "service", "PMA alloc pages"), 10 ** 9), "and negligible"),
    (put(("batch", 2, "groups", "replay policy"), 10 ** 9), "batch policy: cheaper"),
    (put(("batch", 2, "groups", "pre/post-processing"), 1), "batch policy: dearer"),
    (put(("table1", "hpgmg", "reduction"), 80), "Table I, hpgmg"),
    (put(("table1", "regular", "reduction"), 99), "Table I: random"),
    (put(("table1", "cufft", "time_on"), 11), "prefetching pays"),
    (put(("table1", "cufft", "time_one"), 6), "a threshold of 1 %"),
    (put(("over", "on", "random", 0, "time_ns"), 200000), "random loses an order"),
    (put(("over", "on", "random", 0, "htod"), 4 * MB), "random moves many"),
    (put(("over", "on", "regular", 0, "htod"), 4 * MB), "regular moves"),
    (put(("over", "off", "random", 0, "time_ns"), 10 ** 9), "without prefetching random"),
    (put(("table2", 7, "gflops"), 1), "sgemm's knee"),
    (put(("table2", 5, "per_fault"), 0), "sgemm: evictions"),
    (put(("pages", "explicit", "regular", 3, "time_ns"), 10 ** 9), "UVM is an order"),
    (put(("pages", "on", "regular", 3, "time_ns"), 1), "with prefetching several"),
    (put(("suggested", "enough", "regular", "tried", "adaptive prefetching", "time_ns"), 90000),
     "adaptive prefetching is as fast as 1 %"),
    (put(("suggested", "too little", "random", "tried", "adaptive prefetching", "time_ns"),
         100000), "adaptive prefetching is faster on random"),
    (put(("suggested", "too little", "sgemm", "tried", "adaptive prefetching", "time_ns"),
         120000), "adaptive prefetching costs no workload"),
    (put(("suggested", "too little", "sgemm", "tried", "access-aware eviction", "time_ns"),
         98000), "access-aware eviction pays"),
    (put(("suggested", "too little", "random", "tried", "64 KB granularity", "htod"), 100 * MB),
     "64 KB granularity moves less"),
)


def main():
    """Entry point."""
    wrong = []
    rows = checks.judge(good())
    wrong += [f"the paper's own numbers: {r}" for r in rows if r[3] != verdict.PASS]
    covered = set()
    for change, name in CASES:
        data = copy.deepcopy(good())
        change(data)
        broken = [r[0] for r in checks.judge(data) if r[3] == verdict.DEVIATION]
        covered.update(r for r in broken if r.startswith(name))
        if not any(r.startswith(name) for r in broken):
            wrong.append(f"{name}: not noticed, only {broken}")
    empty = {"pages": {mode: {"regular": [], "random": []} for mode in ("off", "on", "explicit")},
             "over": {"on": {"regular": [], "random": []}, "off": {"random": []}},
             "batch": [], "table1": {}, "table2": []}
    wrong += [f"nothing measured: {r}" for r in checks.judge(empty) if r[3] != verdict.UNKNOWN]
    # And it can be told: a page without a single number.
    empty.update(explicit=False, policies=[], real=[], fig8=None, fig8_refaulted={}, patterns={},
                 errors=[["command", "why"]], commands=[], made_by="",
                 scale={"name": "none", "memory": MB, "factor": 1, "sgemm_memory": MB,
                        "vram": MB})
    empty["over"]["off"]["regular"] = []
    text = page.build(empty)
    wrong += [f"no section {f[0]}" for f in (*figures.ALL, *suggested.FIGURES)
              if f'id="{f[0]}"' not in text]
    text = suggested.draw(good())
    wrong += [f"{what} is not told" for what in ("pays most", "1.25x", "instructions")
              if what not in text]
    print("\n".join(wrong) if wrong else f"{len(CASES)} cases, {len(rows)} expectations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-2.0
"""The judge of batch-aware alone: data as the paper has it passes, each way to be wrong does
not, nor does what lacks a run.  And the page of a report whose runs all failed."""

import copy
import sys

import judging
from framework import document, experiment, results, verdict
from papers.batch_aware import PAPER, numbers, published, reasons, setup

MS = 1000000
NAMES = list(setup.WORKLOADS)
# Parts of a scale that have workloads.
OF_SOME = ("workloads", "swept", "shaped", "apart", "grown", "fewer", "ordered")


def run(time, batches=100, faults=10, batch_us=100.0, premature=100, moved=10):
    """One run of a workload, as results.row()."""
    return {"time_ns": time * MS, "footprint": 1 << 20, "memory": 1 << 19,
            "batches": batches, "faults": 2 * faults * batches, "distinct": faults * batches,
            "duplicates": faults * batches, "replays": 1, "phases": {},
            "batch_bytes": 65536 * faults, "batch_ns": batch_us * 1000, "handling_ns": 20000,
            "htod": moved << 20, "dtoh": moved << 20, "evicted": 1, "premature": premature,
            "switched": 1, "switch_ns": 1000}


def everywhere(*args, **more):
    """The same for all workloads."""
    return {name: run(*args, **more) for name in NAMES}


def good():
    """What the paper tells."""
    runs = {"unlimited": everywhere(54, moved=1), "baseline": everywhere(100),
            "link": everywhere(90.5), "etc": everywhere(89.5), "ideal": everywhere(100 / 1.16),
            "to": everywhere(82, batches=49, faults=22.7, batch_us=182.5, moved=9),
            "ue": everywhere(78), "to+ue": everywhere(50, batch_us=73.0),
            "alone": everywhere(51), "switching": everywhere(100),
            "switching, ideal": everywhere(51), "ue@1": everywhere(54),
            "best+to": everywhere(49), "best+flush": everywhere(51)}
    runs["ue"]["bfs-dwc"] = run(100 / 4.13)
    runs["to"]["bfs-twc"]["htod"] = 11 << 20
    for i, share in enumerate((0.1, 0.25, 0.75)):
        runs[f"baseline@{share}"] = everywhere((400, 200, 70)[i])
        runs[f"ue@{share}"] = everywhere((400 / 1.63, 137, 68)[i])
    for i, us in enumerate(published.HANDLING):
        runs[f"baseline@{us}us"] = everywhere(100)
        runs[f"to@{us}us"] = everywhere(80 - i)
        runs[f"to+ue@{us}us"] = everywhere(45 - i)
    for sms in (4, 8, 16):
        runs[f"sms@{sms}"] = {name: run(1, moved=sms) for name in setup.REGULAR}
        runs[f"sms@{sms}"].update({name: run(1) for name in setup.IRREGULAR})
    for i, shape in enumerate(("Graph 500", "RMAT-B", "RMAT-G")):
        runs[f"baseline on {shape}"] = everywhere(100)
        runs[f"to on {shape}"] = everywhere(95 - 10 * i)
        runs[f"to+ue on {shape}"] = everywhere(90 - 10 * i)
    for config in (*setup.PAPER, *setup.APART, *setup.OURS):
        runs[f"~{config}"] = everywhere(90)
    for i, config in enumerate(("baseline", "to", "to+ue")):
        runs[f"{config}, grown"] = everywhere((400, 200, 100)[i])
        runs[f"{config}, fewer SMs"] = everywhere((400, 400 / 1.22, 200)[i])
        runs[f"{config}, ordered"] = everywhere((400, 200, 100)[i])
    spread = {"65536": {"share": 50, "count": 9, "bytes": 9 << 16, "rate": 1},
              "1048576": {"share": 50, "count": 9, "bytes": 9 << 20, "rate": 4}}
    larger = {"65536": {"share": 10, "count": 5, "bytes": 5 << 16, "rate": 1},
              "4194304": {"share": 90, "count": 45, "bytes": 45 << 22, "rate": 5}}
    return {"scale": {"name": "none", "size": 1 << 20, "compared": 1 << 20,
                      "switched": 1 << 20, "rounds": 1, "grown_size": 4 << 20, "fewer_sms": 4,
                      "ratios": [0.1, 0.25, 0.75], "sms": [4, 8, 16], "kept": list(setup.KEPT),
                      **dict.fromkeys(OF_SOME, NAMES)},
            "smoke": False, "facts": {}, "runs": runs,
            "planned": {config: list(found) for config, found in runs.items()},
            "spread": {"baseline": spread, "to": larger, "to+ue": larger},
            "batches": {"baseline": numbers.told([[1, 4096, 300000, 140000]])},
            "wrong": [], "seconds": 1, "commands": {}, "errors": [], "made_by": ""}


def all_of(config, key, value):
    """A change of every workload's run."""
    def change(data):
        for row in data["runs"][config].values():
            row[key] = value
    return change


def of_one(config, name, key, value):
    """A change of one run."""
    def change(data):
        data["runs"][config][name][key] = value
    return change


def ours_take(ms):
    """A change of all that is ours."""
    def change(data):
        for config in setup.KEPT:
            all_of(config, "time_ns", ms * MS)(data)
    return change


def slow(data):
    """Large batches are slower."""
    data["spread"]["baseline"]["1048576"]["rate"] = 0.5


def small(data):
    """TO has small batches."""
    data["spread"]["to"] = {"4096": {"share": 100, "count": 9, "bytes": 9 << 12, "rate": 1}}


def slow_start(data):
    """Handling is most of a batch."""
    data["batches"]["baseline"]["handling"] = 0.6


def nothing_falls(data):
    """The regular ones move as much with few SMs."""
    for sms in (4, 8, 16):
        for name in setup.REGULAR:
            data["runs"][f"sms@{sms}"][name] = run(1)


# A change, and the beginning of the expectation that it must break.
CASES = (
    (all_of("to+ue", "time_ns", 60 * MS), "TO+UE: 1.8x or more"),
    (all_of("to+ue", "time_ns", 60 * MS), "speedup over the baseline, to+ue"),
    (all_of("to+ue", "time_ns", 85 * MS), "UE on top of TO"),
    (all_of("to+ue", "time_ns", 85 * MS), "to gains less than to+ue"),
    (all_of("link", "time_ns", 40 * MS), "link gains less than to+ue"),
    (all_of("etc", "time_ns", 40 * MS), "etc gains less than to+ue"),
    (all_of("link", "time_ns", 85 * MS), "link gains less than etc"),
    (all_of("link", "time_ns", 80 * MS), "link gains less than to"),
    (all_of("etc", "time_ns", 80 * MS), "etc gains less than to"),
    (all_of("ideal", "time_ns", 80 * MS), "ideal gains less than to"),
    (all_of("ideal", "time_ns", 40 * MS), "ideal gains less than to+ue"),
    (ours_take(51), "the best of ours gains more"),
    (ours_take(56), "the best of ours: 1.8x or more"),
    (all_of("ue@1", "time_ns", 40 * MS), "UE with all memory"),
    (all_of("~ideal switch", "time_ns", 70 * MS), "close-to-ideal context switches"),
    (slow_start, "handling before the first migration"),
    (all_of("etc", "time_ns", 140 * MS), "etc gains on average"),
    (of_one("ue", "bfs-dwc", "time_ns", 80 * MS), "UE alone, bfs-dwc"),
    (all_of("to", "batches", 90), "batches with TO"),
    (all_of("to", "distinct", 500), "faults per batch with TO"),
    (all_of("to", "batch_bytes", 655360), "bytes per batch with TO"),
    (all_of("to+ue", "batch_ns", 170000), "time of a batch, TO+UE against TO"),
    (all_of("to+ue", "batch_ns", 170000), "time of a batch, TO+UE against the baseline"),
    (of_one("to", "kcore", "htod", 12 << 20), "premature evictions with TO, kcore"),
    (of_one("to", "bfs-twc", "htod", 8 << 20), "premature evictions with TO, bfs-twc"),
    (of_one("to", "bfs-twc", "htod", 1 << 20), "premature evictions with TO, bfs-twc"),
    (of_one("baseline", "kcore", "htod", 1 << 20), "premature evictions with TO, kcore"),
    (all_of("unlimited", "time_ns", 5 * MS), "what 50 % of the memory leaves"),
    (all_of("ideal", "time_ns", 50 * MS), "ideal eviction"),
    (all_of("switching", "time_ns", 52 * MS), "an additional block"),
    (all_of("baseline@0.1", "time_ns", 90 * MS), "the less memory, the slower"),
    (all_of("ue@0.25", "time_ns", 190 * MS), "the less memory, the more UE gains"),
    (all_of("ue@0.1", "time_ns", 390 * MS), "UE at a tenth"),
    (all_of("to@50us", "time_ns", 100 * MS), "the longer the handling, the more to gains"),
    (all_of("to+ue@40us", "time_ns", 99 * MS), "the longer the handling, the more to+ue"),
    (all_of("to on RMAT-G", "time_ns", 99 * MS), "the fewer edges one vertex has, the more to g"),
    (all_of("to, grown", "time_ns", 350 * MS), "to gains more with a larger footprint"),
    (all_of("to+ue, grown", "time_ns", 250 * MS), "to+ue gains more with a larger footprint"),
    (all_of("to, fewer SMs", "time_ns", 400 * MS), "with SMs to the scale of memory, to"),
    (all_of("to+ue, fewer SMs", "time_ns", 300 * MS), "with SMs to the scale of memory, to+ue"),
    (all_of("to, ordered", "time_ns", 350 * MS), "to gains more with worklists in order"),
    (all_of("to+ue, ordered", "time_ns", 250 * MS), "to+ue gains more with worklists in order"),
    (slow, "a page takes less time"),
    (small, "batches are larger with TO"),
    (of_one("sms@4", "triad", "htod", 16 << 20), "working set by SMs, triad"),
    (of_one("sms@4", "pagerank", "htod", 1 << 20), "working set by SMs, pagerank"),
)


# A run that has no result, and the beginnings of all that then is not measured.
MISSING = (
    (("to+ue", "gc-dtc"), ("TO+UE: 1.8x", "speedup over the baseline, to+ue", "UE on top of TO",
                           "to gains less", "link gains less than to+ue",
                           "time of a batch, TO+UE")),
    (("to", "kcore"), ("UE on top of TO", "to gains less", "to gains on average", "batches ",
                       "faults per batch", "bytes per batch", "premature evictions with TO, kcore",
                       "batches are larger")),
    (("best+to", "bc"), ("the best of ours",)),
    (("best+flush", "kcore"), ("the best of ours",)),
    (("to, ordered", "bc"), ("to gains more with worklists",)),
    (("ue@1", "kcore"), ("UE with all memory",)),
    (("unlimited", "kcore"), ("premature evictions with TO, kcore", "UE with all memory")),
    (("baseline", "bc"), ("speedup over the baseline", "what 50 %", "ideal eviction",
                          "a page takes less time", "batches are larger",
                          "premature evictions with TO, bc")),
    (("ue", "bfs-dwc"), ("UE alone", "ue gains on average")),
    (("switching", "bc"), ("an additional block",)),
    (("~to+ue", "bc"), ("close-to-ideal context switches",)),
    (("baseline@0.25", "kcore"), ("the less memory, the slower", "the less memory, the more UE")),
    (("ue@0.1", "kcore"), ("UE at a tenth", "the less memory, the more UE")),
    (("to@30us", "bc"), ("the longer the handling, the more to gains",)),
    (("to on RMAT-B", "bc"), ("the fewer edges one vertex has, the more to gains",)),
    (("to, grown", "bc"), ("to gains more with a larger",)),
    (("to+ue, fewer SMs", "bc"), ("with SMs to the scale of memory, to+ue",)),
    (("sms@4", "triad"), ("working set by SMs, triad",)),
)


def none_back():
    """Nothing that comes back with TO is fewer than something, and tells nothing without."""
    wrong = []
    for before, wanted in ((100, verdict.PASS), (0, verdict.UNKNOWN)):
        data = copy.deepcopy(good())
        data["runs"]["to"]["kcore"]["htod"] = 1 << 20
        data["runs"]["baseline"]["kcore"]["htod"] = (1 + before) << 20
        found = [r.verdict for r in verdict.judge(PAPER, data)
                 if (r.figure, r.workload) == ("fig15", "kcore")]
        if found != [wanted]:
            wrong.append(f"0 rather than {before} premature evictions: {found}")
        document.build(PAPER, data)
    return wrong


def told():
    """Each expectation has something that belongs to it, and none crashes on odd data."""
    data = good()
    wrong = [f"nothing told: {r.name}" for r in verdict.judge(PAPER, data)
             if not verdict.reasons(PAPER, data, r)]
    for row in data["runs"]["switching"].values():
        row["switched"] = 0
    row = next(r for r in verdict.judge(PAPER, data) if r.name.startswith("an additional block"))
    if "No block was switched in." not in verdict.reasons(PAPER, data, row):
        wrong.append("no switches: nothing told")
    for evicted, wanted in ((1, "does not notice"), (100, "more than the 1.25")):
        data = good()
        data["runs"]["to"]["gc-dtc"].update(time_ns=500 * MS, evicted=6 * evicted)
        if wanted not in reasons.lifetimes(data):
            wrong.append(f"lifetimes: {reasons.lifetimes(data)}")
    return wrong


def none_planned():
    """What a scale has none of is neither expected nor drawn."""
    wrong = []
    for what, names in (("grown", ("to gains more with a l", "to+ue gains more with a l")),
                        ("fewer", ("with SMs to the scale",)), ("shaped", ("the fewer edges",)),
                        ("ordered", ("to gains more with w", "to+ue gains more with w"))):
        data = good()
        data["scale"][what] = []
        wrong += [f"no {what} planned: {r}" for r in verdict.judge(PAPER, data)
                  if r.name.startswith(names)]
        if f'id="{what}"' in document.build(PAPER, data):
            wrong.append(f"no {what} planned, but a section")
    return wrong


def none_falls():
    """Where the regular do not fall, the irregular tell nothing."""
    data = copy.deepcopy(good())
    nothing_falls(data)
    found = {r.workload: r.verdict for r in verdict.judge(PAPER, data) if r.figure == "fig1"}
    wanted = {**dict.fromkeys(setup.REGULAR, verdict.DEVIATION),
              **dict.fromkeys(setup.IRREGULAR, verdict.UNKNOWN)}
    document.build(PAPER, data)
    return [] if found == wanted else [f"nothing falls: {found}"]


def result(verified):
    """What the command prints, as far as it is read."""
    return {"gpu_time_ns": 1, "footprint_bytes": 1, "vram_bytes": 1, "verified": verified,
            "thread_blocks": {"switched_in": 0, "switch_ns": 0},
            "execution": {"batches": {"count": 1, "mean_bytes": 1, "mean_time_ns": 1,
                                      "mean_handling_ns": 1},
                          "faults": {"fetched": 1, "duplicate": 0},
                          "migrated_bytes": {"htod": 1, "dtoh": 1},
                          "evictions": {"pages": 1, "premature": 0}}}


def wrong_result():
    """A run with a wrong result is named and counts nowhere."""
    x = judging.planned(PAPER, setup.SCALES["quick"])
    for run_of in x.runs.values():
        run_of.result = result(True)
    before = len(x.runs)
    x.runs["to", "bfs-ttc"].result = result(False)
    x.runs["to", "bfs-ttc"].batches = [[1, 4096, 300000, 140000]]
    data = {**experiment.collect(x, list(x.runs)), "made_by": ""}
    text = document.build(PAPER, data)
    found = {"named": "bfs-ttc (to)" in text,
             "no result": not results.result(data, "to", "bfs-ttc"),
             "no batches": not data["spread"]["to"],
             "the others": sum(map(len, data["runs"].values())) == before - 1}
    return [f"wrong result: {what}" for what, holds in found.items() if not holds]


def main():
    """Entry point."""
    rows = verdict.judge(PAPER, good())
    wrong = [f"the paper's own numbers: {r}" for r in rows if r.verdict != verdict.PASS]
    unnoticed, changed = judging.broken(PAPER, good, CASES)
    wrong += unnoticed + judging.wordless(PAPER, changed)
    if "Deviations first" not in document.build(PAPER, changed[-1][0]):
        wrong.append(f"no page with {CASES[-1][1]}")
    empty = dict(good(), runs={}, spread={}, batches={}, errors=[["command", "why"]])
    wrong += judging.unmeasured(PAPER, empty)
    wrong += judging.partial(PAPER, good, MISSING, len(MISSING))
    wrong += none_back() + none_falls() + none_planned() + told() + wrong_result()
    wrong += judging.boots(PAPER, setup.SCALES)
    print("\n".join(wrong) if wrong else
          f"{len(CASES)} cases, {len(MISSING)} without a run, {len(rows)} expectations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-2.0
"""The judge of adaptive alone: data as the paper has it passes, each way to be wrong does not, nor
does what lacks a run."""

import dataclasses
import sys

import judging
from framework import document, verdict
from papers.adaptive import PAPER, numbers, published, setup
from papers.adaptive.published import (COPIED, DETECTED, FAULT_NS, RATES, STREAMING,
                                       WORKLOADS, at_rate)
from papers.adaptive.setup import at

NAMES = list(WORKLOADS)
PIECES = 20
MB = 1 << 20


def detected(name, rate):
    """The recorder is read where an allocation is in no order; else patterns tell."""
    choice = numbers.CHOICE[DETECTED.get((name, rate), WORKLOADS[name].kind)]
    return {"policy": {"recorder_fetches": int(choice == numbers.DELAYED)},
            "patterns": [["a", "linear_reuse" if choice == numbers.TBNE else "linear"]]}


def run(time_us, returned=0, **found):
    """One run of a workload, as results.row(); its time has that of its faults."""
    return {"time_ns": int(1000 * time_us) - PIECES * FAULT_NS, "pieces": PIECES, "policy": {},
            "footprint": 10 * MB, "memory": 8 * MB, "returned": returned, "faults": 100,
            "batches": 9, "evicted": 9, "htod": 20 * MB, "dtoh": 10 * MB, "remote": 0, **found}


def of_rate(runs, name, rate):
    """The bars of Fig. 5, and what takes them apart."""
    told = WORKLOADS[name]
    (before, after), (many, few) = at_rate(told.time, rate), at_rate(told.thrash, rate)
    reads = detected(name, rate)
    found = {"default": run(before, many), "smart": run(after, few, **reads),
             "tbne": run(after, few), "paper": run(0.95 * after, few / 2, htod=10 * MB)}
    for how in ("in the driver", "real costs"):
        found[f"default, {how}"], found[f"smart, {how}"] = run(before), run(after)
    for how in ("lenient", "any", "one"):
        found[f"smart, {how}"] = run(after, few, **reads)
    found["default, one"] = run(before, many)
    for how in ("in turn", "unflushed"):
        found[f"default, {how}"], found[f"smart, {how}"] = run(before, many), run(after, few)
    for how, slow in (("told", 1.1), ("2m", 1), ("256 requests", 0.9), ("256 requests, 2m", 0.9)):
        found[f"smart, {how}"] = run(slow * after, few)
    found["default, half"] = run(published.HALF_LINK * before)
    for config, row in found.items():
        runs.setdefault(at(rate, config), {})[name] = row
    runs.setdefault(f"own {rate}%", {})[name] = run(
        2000 * rate if told.kind != STREAMING else 1100 * rate)


def of_sizes(runs, name):
    """A larger footprint gains less."""
    for i, _ in enumerate(setup.FOOTPRINTS[name]):
        for config, time in (("default", 10000), ("smart", 5000 + 1000 * i)):
            use = f"{at(RATES[1], config)}, size {i}"
            runs.setdefault(use, {})[name] = run(time, 10, footprint=(10 + i) * MB)


def good():
    """What the paper tells."""
    runs = {}
    for name in NAMES:
        for rate in RATES:
            of_rate(runs, name, rate)
        runs.setdefault("own 100%", {})[name] = run(100000)
        for config, slow in (("default", 1), ("default, half", published.HALF_LINK)):
            runs.setdefault(f"unlimited {config}", {})[name] = run(slow * 5000)
    for name in setup.FOOTPRINTS:
        of_sizes(runs, name)
    for name in setup.VARIED:
        for percent in setup.PERCENTS:
            for config, time in (("default", 10000), ("smart", 5000)):
                runs.setdefault(f"{config}, {percent} % exactly", {})[name] = run(time)
    return {"scale": {**dataclasses.asdict(setup.SCALES["default"]), "workloads": NAMES},
            "smoke": False, "facts": {}, "runs": runs,
            "planned": {use: list(found) for use, found in runs.items()},
            "wrong": [], "seconds": 1, "commands": {}, "errors": [], "made_by": ""}


def change(use, *names, **values):
    """Other numbers of some workloads' runs, or of all; a function makes one of the old."""
    def changed(data):
        for name, row in data["runs"][use].items():
            if name in names or not names:
                for key, value in values.items():
                    row[key] = value(row[key]) if callable(value) else value
    return changed


def times(factor):
    """Of all the time, and the faults' part of it."""
    return {"time_ns": lambda old: int(old * factor), "pieces": int(PIECES * factor)}


def of_kind(kind):
    """Workloads of a class."""
    return [n for n in NAMES if WORKLOADS[n].kind == kind]


def stays(name, allowed):
    """What may not stay with LRU does, and what must does not."""
    def changed(data):
        row = data["runs"]["150% smart"][name]
        row["policy"] = {"recorder_fetches": int(allowed == numbers.LRU)}
        row["patterns"] = [["a", "linear"]]
    return changed


def by_rate(rate):
    """A change, and the beginning of the expectation that it must break."""
    smart, default = at(rate, "smart"), at(rate, "default")
    yield change(smart, **times(1.5)), f"time, mean of all, {rate} %"
    yield change(smart, *NAMES[:8], **times(0.5)), f"time, mean of all, {rate} %"
    yield (change(smart, "triad", time_ns=lambda t: t + 1),
           f"streaming is exactly the default, {rate} %")
    for kind in published.CLASSES[1:]:
        yield (change(smart, *of_kind(kind), **times(3)),
               f"{kind} takes less time on average, {rate} %")
        yield change(smart, *of_kind(kind), **times(0.5)), f"time, {kind}, {rate} %"
    for name in NAMES:
        if (name, rate) != COPIED:
            yield change(smart, name, **times(1.4)), f"time of {name}, {rate} %"
            if at_rate(WORKLOADS[name].thrash, rate)[0]:
                yield (change(smart, name, returned=lambda n: n + 99999),
                       f"thrashed pages of {name}, {rate} %")
    yield change(at(rate, "tbne"), **times(1.4)), f"all that is gained is TBNe's, {rate} %"
    yield change(default, "backprop", returned=1), f"what streams does not thrash, {rate} %"
    yield change(smart, "sssp", returned=999999), f"thrashing falls wherever time falls, {rate} %"
    yield from by_rate_more(rate, smart)


def by_rate_more(rate, smart):
    """Likewise, of what takes Fig. 5 apart."""
    yield (change(f"own {rate}%", "triad", "2dconv", "backprop", time_ns=10 ** 12),
           f"what streams is slowed least, {rate} %")
    for use, title in ((", in the driver", "45 us for each record, in the driver"),
                       (", real costs", "profile gtx1080ti")):
        if use == ", in the driver" or rate == setup.APART:
            yield change(at(rate, f"smart{use}"), **times(2)), f"it gains, {title}, {rate} %"
    yield change(smart, **times(2)), f"it gains, no time for faults, {rate} %"
    yield (change(at(rate, "smart, in turn"), **times(2)),
           f"the mean does not hang on which fault is first, {rate} %")
    yield (change(smart, "ra", remote=published.DIRECT + 1),
           f"the authors' code hardly accesses anything over the link, {rate} %")
    yield (change(at(rate, "paper"), **times(1.5)),
           f"access over the link takes less time than the authors' code, {rate} %")
    yield (change(at(rate, "paper"), "nw", htod=90 * MB),
           f"less is copied than with the authors' code, {rate} %")


def once():
    """Those that have no rate."""
    for use, what in (("", "64 KB"), (", 2m", "2 MB")):
        yield (change(at(setup.APART, f"smart, 256 requests{use}"), **times(2)),
               f"kernels take less with 256 reads under way, one read under way, counters of {what}")
    yield (change(at(setup.APART, "smart, told"), **times(0.5)),
           "kernels take less where accesses wait for their counter")
    yield change("125% default, half", **times(1.4)), "time with half the bandwidth"
    yield change("125% default, half", "ra", time_ns=1), "kernels with half the bandwidth"
    yield change("125% default, half", "ra", time_ns=10 ** 9), "kernels with half the bandwidth"
    yield change("own 150%", **times(0.5)), "less memory is slower, on average"
    for name in NAMES:
        yield stays(name, numbers.CHOICE[WORKLOADS[name].kind]), f"choice for {name}"
    for use, what in (("smart, lenient", "with 10 % out"), ("smart, any", "with any order"),
                      ("smart, one", "with batches of one")):
        yield (change(at(setup.APART, use), "triad", policy={"recorder_fetches": 1}),
               f"what streams stays with LRU {what}")
    for name in setup.VARIED:
        yield (change("smart, 130 % exactly", name, **times(2)),
               f"a step of memory hardly moves the ratio, {name}")
    for name, sizes in setup.FOOTPRINTS.items():
        yield (change(f"150% smart, size {len(sizes) - 1}", name, **times(0.2)),
               f"the largest footprint gains least, {name}")


CASES = [case for rate in RATES for case in by_rate(rate)] + list(once())

# A run that has no result, and the beginnings of all that then is not measured.
MISSING = (
    (("125% smart", "triad"), ("time, mean of all, 125", "streaming is exactly the default, 125",
                               "time of triad, 125", "thrashing falls wherever time falls, 125",
                               "choice for triad", "all that is gained is TBNe's, 125",
                               "it gains, no time for faults, 125",
                               "the authors' code hardly accesses anything over the link, 125",
                               "access over the link takes less time than the authors' code, 125",
                               "less is copied than with the authors' code, 125")),
    (("150% default", "ra"), ("time, mean of all, 150", "random takes less time on average, 150",
                              "time, random, 150", "time of ra, 150",
                              "thrashed pages of ra, 150")),
    (("125% default", "backprop"), ("what streams does not thrash, 125",)),
    (("125% tbne", "nw"), ("all that is gained is TBNe's, 125",)),
    (("125% default, half", "nw"), ("time with half the bandwidth",
                                    "kernels with half the bandwidth")),
    (("own 100%", "nw"), ("less memory is slower", "what streams is slowed least, 150")),
    (("125% smart, 256 requests", "ra"), ("kernels take less with 256 reads under way, one read "
                                          "under way, counters of 64 KB",)),
    (("125% smart, told", "ra"), ("kernels take less where accesses wait",)),
    (("125% smart, lenient", "triad"), ("what streams stays with LRU with 10 % out",)),
    (("125% smart, any", "triad"), ("what streams stays with LRU with any order",)),
    (("125% smart, one", "triad"), ("what streams stays with LRU with batches of one",)),
    (("150% smart, in the driver", "nw"), ("it gains, 45 us for each record, in the driver, 150",)),
    (("125% smart, real costs", "nw"), ("it gains, profile gtx1080ti, 125",)),
    (("150% default, unflushed", "nw"), ("the mean does not hang on which fault is first, 150",)),
    (("default, 130 % exactly", "nw"), ("a step of memory hardly moves the ratio, nw",)),
    (("150% smart, size 1", "ra"), ("the largest footprint gains least, ra",)),
)


def untold(changed):
    """Each deviation has a reason."""
    return [f"nothing told: {r.name}" for data, rows in changed for r in rows
            if not verdict.reasons(PAPER, data, r)]


def choices():
    """What the engine chose, from what a run tells; a time that is the default's says nothing."""
    wrong = []
    for patterns, read, wanted in ((["linear", "linear"], 0, numbers.LRU), ([], 0, numbers.LRU),
                                   (["linear", "linear_reuse"], 0, numbers.TBNE),
                                   (["linear_reuse", "mixed"], 3, numbers.DELAYED),
                                   (["linear"], 3, numbers.DELAYED)):
        data = good()
        data["runs"]["125% smart"]["triad"].update(
            policy={"recorder_fetches": read}, patterns=[["a", pattern] for pattern in patterns])
        if (found := numbers.choice(data, 125)["triad"]) != wanted:
            wrong.append(f"{patterns}, {read} fetches: {found}")
    return wrong


def shares():
    """Memory has the authors' ratio, or the plain one where they do not tell it."""
    wanted = {("2dconv", 125): 0.75, ("pathfinder", 125): 0.8, ("nw", 150): 5 / 8.13,
              ("bfs-rodinia", 150): 6 / 9.75, ("srad_v2", 150): 100 / 150}
    x = judging.planned(PAPER, setup.SCALES["default"])
    words = x.runs["150% smart", "bfs-rodinia"].words
    return [f"share of {key}: {setup.share(*key)}" for key, value in wanted.items()
            if abs(setup.share(*key) - value) > 1e-9] + (
        [] if words[words.index("--oversubscription") + 1] == "162.5" else [f"words: {words}"])


def numbers_agree():
    """The published means are those of the published bars."""
    wrong = []
    for rate in RATES:
        bars = {n: published.ratio(n, rate) for n in NAMES}
        means = {**numbers.by_class(bars), "all": numbers.mean(bars.values())}
        for kind, value in means.items():
            told = published.MEAN[rate] if kind == "all" else published.MEANS[kind][rate]
            if abs(told - value) > 0.0006:
                wrong.append(f"published, {kind}, {rate} %: {told}, the bars have {value:.4f}")
    return wrong


def main():
    """Entry point."""
    rows = verdict.judge(PAPER, good())
    wrong = [f"the paper's own numbers: {r}" for r in rows if r.verdict != verdict.PASS]
    unnoticed, changed = judging.broken(PAPER, good, CASES)
    wrong += unnoticed + untold(changed) + judging.wordless(PAPER, changed)
    names = [name for _, name in CASES]
    wrong += [f"no case for {r.name}" for r in rows
              if not any(r.name.startswith(n) for n in names)]
    empty = dict(good(), runs={}, errors=[["command", "why"]])
    # Drawing takes most of the time.
    wrong += judging.unmeasured(PAPER, empty) + judging.partial(PAPER, good, MISSING, 2)
    wrong += choices() + shares() + numbers_agree()
    document.build(PAPER, good())
    wrong += judging.boots(PAPER, setup.SCALES)
    print("\n".join(wrong) if wrong else
          f"{len(CASES)} cases, {len(MISSING)} without a run, {len(rows)} expectations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

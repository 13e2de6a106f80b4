# SPDX-License-Identifier: GPL-2.0
"""Fig. 5a: time with the framework, the default's is 1."""

from framework import plot
from framework.compare import both, cell
from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.results import average, result, whole
from framework.verdict import by_kind, text

from .. import reasons
from ..numbers import (close, every, classed, label, later, listed, smart, whole_kind)
from ..published import (CLASSES, COPIED, FAULTS, MEAN, MEANS, RATES, STREAMING, WORKLOADS, at_rate,
                         ratio)
from ..setup import CONFIGS, at
from ..setup import plan as plan_of

SHOWN = ("smart", "paper", "tbne")
UNIT = "time, the default is 1"
# Of TBNe alone: it is all that the code's framework gains.
SAME = 0.05


def plan(x):
    """What the authors have, what the paper says, and its half that is in both."""
    plan_of(x, "default", *SHOWN)


def bars(data, rate):
    """Each workload, and the mean, beside the authors'."""
    names = data["scale"]["workloads"]
    found = {CONFIGS[c].title: smart(data, rate, c) for c in SHOWN}
    told = [ratio(n, rate) for n in names]
    return plot.bars(f"Time at {rate} %", [*names, "mean"],
                     [(title, [*map(v.get, names), average(v)]) for title, v in found.items()],
                     UNIT, 1, {CONFIGS["smart"].title: [*told, MEAN[rate]]})


def line(data, name, rate):
    """One workload in us, and what it is made of."""
    told, found = WORKLOADS[name], [result(data, at(rate, c), name) for c in ("default", *SHOWN)]
    faults = at_rate(FAULTS[name], rate) if name in FAULTS else ""
    return [name, told.kind, label(rate), *at_rate(told.time, rate),
            cell(ratio(name, rate), "{:.3f}"), faults,
            *(cell(later(row) / 1000 if row else None, "{:.1f}") for row in found),
            cell(smart(data, rate).get(name), "{:.3f}"),
            *(row["pieces"] if row else "" for row in found[:2]),
            *(cell(row["time_ns"] / 1000 if row else None, "{:.1f}") for row in found[:2])]


def draw(data):
    """By workload, by class, and as numbers."""
    for rate in RATES:
        yield bars(data, rate)
    for rate in RATES:
        groups = [(CONFIGS[c].title, smart(data, rate, c)) for c in SHOWN]
        told = {n: ratio(n, rate) for n in WORKLOADS}
        yield classed([*groups, ("published", told)], f"{UNIT}, at {label(rate)}, by class")
    yield ("<p>Time is as the authors have it: what the kernels take, and 45 us for each fault "
           "beside. A fault counts here if its 64 KB were not asked for since they last left. The "
           "authors count none either whose 64 KB are on their way because the tree has them come, "
           "so that they have fewer.</p>")
    yield Table(["", "class", "", "published: default, us", "the framework, us", "ratio",
                 "default's faults", *(f"{CONFIGS[c].title}, us" for c in ("default", *SHOWN)),
                 "ratio, the authors' code", "faults, default", "faults, the authors' code",
                 "kernels alone, default, us", "kernels alone, the authors' code, us"],
                [line(data, n, r) for r in RATES for n in data["scale"]["workloads"]],
                "Time and faults")
    yield from both(data["scale"]["workloads"],
                    [(f"{CONFIGS[c].title}, {r} %", smart(data, r, c)) for r in RATES
                     for c in SHOWN], UNIT, "All of it")


def streams(data, rate):
    """The class whose policy stays: the same, to the nanosecond."""
    rows = {n: [result(data, at(rate, c), n) for c in ("default", "smart")]
            for n in whole_kind(STREAMING)}
    found = {n: [r["time_ns"] for r in two] for n, two in rows.items() if all(two)}
    other = {n: b / a for n, (a, b) in found.items() if a != b}
    return Expectation(f"streaming is exactly the default, {rate} %", "the same nanoseconds",
                       not other if len(found) == len(rows) else None,
                       listed(other, "{:.3f}x") or ("all of them" if found else ""),
                       kind="same", rate=rate, group=(STREAMING,))


def expect(data):
    """Means, classes, bars."""
    for rate in RATES:
        found = smart(data, rate)
        yield close(f"time, mean of all, {rate} %", every(data, found), MEAN[rate],
                    kind="mean", rate=rate, group=CLASSES)
        yield streams(data, rate)
        for kind in CLASSES[1:]:
            value = whole(found, whole_kind(kind))
            yield Expectation(f"{kind} takes less time on average, {rate} %", "below 1x",
                              None if value is None else value < 1, text(value),
                              kind="mean", rate=rate, group=(kind,))
            yield close(f"time, {kind}, {rate} %", value, MEANS[kind][rate],
                        kind="mean", rate=rate, group=(kind,))
        for name in WORKLOADS:
            if (name, rate) != COPIED:
                yield close(f"time of {name}, {rate} %", found.get(name), ratio(name, rate),
                            kind="one", rate=rate, workload=name)
        alone = every(data, smart(data, rate, "tbne"))
        both_ = every(data, found)
        yield Expectation(
            f"all that is gained is TBNe's, {rate} %", f"{OURS}within {SAME:.2f} of TBNe alone",
            None if None in (alone, both_) else abs(alone - both_) <= SAME,
            "" if None in (alone, both_) else f"{both_:.2f}x, TBNe alone {alone:.2f}x",
            kind="alone", rate=rate)


FIGURE = Figure(
    "fig5a", "Fig. 5a: time with the framework, the default's is 1", 5,
    ("The framework takes 0.822 of the default's time at 125 % and 0.704 at 150 %, on average of "
     "twelve. What streams takes the same; the others 0.822, 0.617 and 0.855 by class at 125 %, "
     "0.829, 0.582 and 0.365 at 150 % (the authors' numbers behind the figure).",),
    plan=plan, draw=draw, expect=expect,
    why=by_kind({"same": reasons.of_streams, "mean": reasons.of_class, "one": reasons.of_one,
                 "alone": reasons.of_tbne}))

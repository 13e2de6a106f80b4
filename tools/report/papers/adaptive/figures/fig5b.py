# SPDX-License-Identifier: GPL-2.0
"""Fig. 5b: thrashed pages: those that come again after they were evicted."""

from framework import plot
from framework.compare import cell
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.results import result
from framework.verdict import by_kind

from .. import reasons
from ..numbers import close, known, label, listed, over, smart
from ..published import COPIED, RATES, STREAMING, WORKLOADS, at_rate, ratio
from ..setup import CONFIGS, at
from ..setup import plan as plan_of

SHOWN = ("default", "smart", "paper", "tbne")
UNIT = "thrashed pages, the default is 1"
# So far a share of pages may be from the published one.
WITHIN = 0.15


def plan(x):
    """The runs of Fig. 5a."""
    plan_of(x, *SHOWN)


def returned(row):
    """Pages."""
    return row["returned"]


def thrash(data, rate, config="smart"):
    """Of the default's."""
    return over(data, at(rate, config), at(rate, "default"), returned)


def draw(data):
    """Beside the authors'."""
    names = data["scale"]["workloads"]
    for rate in RATES:
        found = {CONFIGS[c].title: thrash(data, rate, c) for c in SHOWN[1:]}
        yield plot.bars(f"Thrashed pages at {rate} %", names,
                        [(title, [*map(v.get, names)]) for title, v in found.items()], UNIT, 1,
                        {CONFIGS["smart"].title: [ratio(n, rate, "thrash") for n in names]})
    rows = []
    for rate in RATES:
        for name in names:
            found = [result(data, at(rate, c), name) for c in SHOWN]
            rows.append([name, label(rate), *at_rate(WORKLOADS[name].thrash, rate),
                         cell(ratio(name, rate, "thrash")),
                         *(returned(r) if r else "" for r in found),
                         cell(thrash(data, rate).get(name))])
    yield Table(["", "", "published: default", "the framework", "ratio",
                 *(CONFIGS[c].title for c in SHOWN), "ratio, the authors' code"], rows,
                "Pages of 4 KB that came again")


def streams(data, rate):
    """What streams brings nothing twice."""
    names = [n for n, w in WORKLOADS.items() if w.kind == STREAMING]
    found = known(data, at(rate, "default"), returned)
    again = {n: found[n] for n in names if found.get(n)}
    return Expectation(f"what streams does not thrash, {rate} %", "no page comes again",
                       not again if set(names) <= set(found) else None,
                       listed(again, "{} pages") or ("none" if found else ""),
                       kind="streams", rate=rate, group=STREAMING)


def falls(data, rate):
    """Where less time is taken by kernels and faults fewer pages come again."""
    times = smart(data, rate)
    pages = {c: known(data, at(rate, c), returned) for c in ("default", "smart")}
    less = [n for n, v in times.items() if v < 1]
    wrong = {n: pages["smart"][n] / max(pages["default"][n], 1)
             for n in less if pages["smart"][n] >= pages["default"][n] and pages["smart"][n]}
    return Expectation(f"thrashing falls wherever time falls, {rate} %",
                       "all, but hotspot at 125 %",
                       all(n == "hotspot" and rate == RATES[0] for n in wrong)
                       if set(WORKLOADS) <= set(times) else None,
                       listed(wrong) or ("all of them" if times else ""), kind="falls", rate=rate)


def expect(data):
    """Streams, the sign, and each that thrashes."""
    for rate in RATES:
        yield streams(data, rate)
        yield falls(data, rate)
        found = thrash(data, rate)
        for name in WORKLOADS:
            told = ratio(name, rate, "thrash")
            if told and (name, rate) != COPIED:
                yield close(f"thrashed pages of {name}, {rate} %", found.get(name), told, WITHIN,
                            kind="one", rate=rate, workload=name)


FIGURE = Figure(
    "fig5b", "Fig. 5b: thrashed pages", 5.5,
    ("Thrashed pages fall with time: by 28 % to 59 % for those that thrash at 125 %, but for "
     "srad_v2, 14 %, bfs, 19 %, and hotspot, which has 6 % more. What streams has none.",),
    plan=plan, draw=draw, expect=expect,
    why=by_kind({"streams": reasons.of_again, "falls": reasons.of_falls,
                 "one": reasons.of_thrash}))

# SPDX-License-Identifier: GPL-2.0
"""The paper's suggestions on page touch, and its threshold on all workloads."""

from framework import plot
from framework.machine import EVENTS
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.results import result

from .. import touch
from ..published import TABLE1
from ..setup import MB, OFF, PATTERNS, applications, middle, workload


def plan(x):
    """Three ways to prefetch with enough memory; every policy with too little."""
    for name, words in applications(x.scale).items():
        more = {"session": "applications"}
        workload(x, ("app-off", name), name, *words, *OFF, events=EVENTS, **more)
        workload(x, ("app-on", name), name, *words, **more)
        workload(x, ("app-1", name), name, *words, "--set", "perf_prefetch_threshold=1", **more)
    percent = x.scale.middle()
    touch.plan_over(x, percent)
    size = touch.pages_of(x.scale.memory, percent)
    for param, choice in x.facts["policies"]:
        for name in PATTERNS:
            workload(x, (f"{param}={choice}", name), name, "--size", size, "--set",
                     f"{param}={choice}", limit=x.scale.memory, session="over")


def thresholds(data):
    """Times by workload: prefetching off, at 51 % and at 1 %."""
    rows = {n: [result(data, use, n) for use in ("app-off", "app-on", "app-1")] for n in TABLE1}
    return {n: [r["time_ns"] for r in some] for n, some in rows.items() if all(some)}


def policies(data):
    """Page touch by policy, the default first: [(label, {pattern: row})]."""
    percent = middle(data["scale"]["percents"])
    found = [("default", [result(data, "over-on", f"{n} {percent}") for n in PATTERNS]),
             ("perf_prefetch_enable=0",
              [result(data, "over-off", f"{n} {percent}") for n in PATTERNS])]
    found += [(f"{param}={choice}", [result(data, f"{param}={choice}", n) for n in PATTERNS])
              for param, choice in data["facts"]["policies"]]
    return [(label, dict(zip(PATTERNS, rows))) for label, rows in found if all(rows)]


def enough(data):
    """The threshold of the prefetcher."""
    rows = thresholds(data)
    yield plot.bars("Enough memory: threshold of the prefetcher", list(rows), [
        (title, [row[i] / row[1] for row in rows.values()])
        for i, title in enumerate(("off", "51 %", "1 %"))], "GPU time, 1 is that at 51 %", base=1)
    yield Table(["workload", "off, us", "51 %, us", "1 %, us", "1 % gains"],
                [[n, *map(touch.us, row), f"{row[1] / row[2]:.2f}x"] for n, row in rows.items()],
                "Enough memory")


def too_little(data):
    """Policies."""
    found = policies(data)
    percent = middle(data["scale"]["percents"])
    base = found[0][1] if found else None
    gains = {n: [base[n]["time_ns"] / rows[n]["time_ns"] for _, rows in found] for n in PATTERNS}
    yield plot.bars(f"Too little memory ({percent} %): policies", [label for label, _ in found],
                    list(gains.items()), "speed-up over the default", base=1)
    yield Table(["policy", "workload", "GPU time, us", "gains", "faults", "moved to the GPU",
                 "pages evicted"],
                [[label, f"{n}, {percent} %", touch.us(rows[n]["time_ns"]), f"{gains[n][i]:.2f}x",
                  f"{rows[n]['faults']:,}", f"{rows[n]['htod'] / MB:,.1f} MB",
                  f"{rows[n]['evicted']:,}"]
                 for i, (label, rows) in enumerate(found) for n in PATTERNS],
                "Too little memory")


def draw(data):
    """Both, and where the choices are from."""
    yield from enough(data)
    yield from too_little(data)
    yield "<p>Policies are those that the driver of this tree lists.</p>"


def expect(data):
    """Prefetching when all fits."""
    rows = thresholds(data)
    if not rows:
        yield Expectation("prefetching pays when all fits")
        return
    yield Expectation("prefetching pays when all fits", "for all workloads",
                      all(on < off for off, on, _ in rows.values()),
                      ", ".join(f"{n}: {off / on:.1f}x" for n, (off, on, _) in rows.items()))
    yield Expectation("a threshold of 1 % is no slower than 51 % when all fits",
                      "for all workloads", all(one <= 1.02 * on for _, on, one in rows.values()),
                      ", ".join(f"{n}: {on / one:.2f}x" for n, (_, on, one) in rows.items()))


FIGURE = Figure(
    "suggestions", "The paper's suggestions, measured", 10,
    ("A 1 % threshold rivals explicit transfer of the whole data set when memory suffices "
     "(section IV-C).  Proposed for the rest: adaptive prefetching, flexible allocation "
     "granularity, access-aware eviction, fault origin (section VI-B).",),
    plan=plan, draw=draw, expect=expect)

# SPDX-License-Identifier: GPL-2.0
"""What real access over the link does: the paper's text beside the authors' code."""

from framework.compare import both, cell
from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.results import result
from framework.verdict import order

from ..numbers import MB, classed, every, label, listed, smart, time_of
from ..published import DIRECT, RATES, WORKLOADS
from ..setup import CONFIGS, at
from ..setup import plan as plan_of

SHOWN = ("default", "smart", "paper")


def plan(x):
    """The runs of Fig. 5a."""
    plan_of(x, *SHOWN)


def moved(row):
    """Copied, both ways, MB."""
    return (row["htod"] + row["dtoh"]) / MB


def draw(data):
    """What is copied, and what is accessed over the link."""
    yield ("<p>Accesses over the link are counted by the GPU: one for each line of 128 bytes of a "
           "warp instruction, read or written. Copies are not among them.</p>")
    rows = []
    for rate in RATES:
        for name in data["scale"]["workloads"]:
            found = [result(data, at(rate, c), name) for c in SHOWN]
            rows.append([name, WORKLOADS[name].kind, label(rate),
                         *(cell(moved(r), "{:.1f}") if r else "" for r in found),
                         *(r["remote"] if r else "" for r in found[1:]),
                         *(r["returned"] if r else "" for r in found)])
    titles = [CONFIGS[c].title for c in SHOWN]
    yield Table(["", "class", "", *(f"copied, MB, {t}" for t in titles),
                 *(f"accesses over the link, {t}" for t in titles[1:]),
                 *(f"pages that came again, {t}" for t in titles)], rows, "Over the link")
    for rate in RATES:
        found = [(CONFIGS[c].title, smart(data, rate, c)) for c in SHOWN[1:]]
        yield from both(data["scale"]["workloads"], found, "time, the default is 1",
                        f"Time at {rate} %")
        yield classed(found + [(f"{t}, kernels alone", smart(data, rate, c, time_of))
                               for (t, _), c in zip(found, SHOWN[1:])], f"By class, {rate} %")


def expect(data):
    """Who accesses over the link, and what becomes of it."""
    for rate in RATES:
        rows = data["runs"].get(at(rate, "smart"), {})
        far = {n: r["remote"] for n, r in rows.items() if r["remote"] > DIRECT}
        yield Expectation(
            f"the authors' code hardly accesses anything over the link, {rate} %",
            f"at most {DIRECT} accesses", not far if set(WORKLOADS) <= set(rows) else None,
            listed(far, "{}") or (f"at most {max(r['remote'] for r in rows.values())}" if rows
                                  else ""), rate=rate)
        means = [every(data, smart(data, rate, c)) for c in ("paper", "smart")]
        yield order(f"access over the link takes less time than the authors' code, {rate} %",
                    f"{OURS}less, the default is 1x", *means,
                    ("the paper's text", "the authors' code"), rate=rate)
        yield copied(data, rate)


def copied(data, rate):
    """What is pinned is not copied."""
    rows = {n: [result(data, at(rate, c), n) for c in ("smart", "paper")]
            for n in WORKLOADS}
    found = {n: moved(b) / moved(a) for n, (a, b) in rows.items() if a and b and moved(a)}
    more = {n: v for n, v in found.items() if v > 1}
    return Expectation(f"less is copied than with the authors' code, {rate} %",
                       f"{OURS}no more for any", not more if len(found) == len(rows) else None,
                       listed(more) or ("all of them" if found else ""), rate=rate)


def why(data, row):
    """By workload."""
    rate = row.rate
    for config in SHOWN[1:]:
        if found := smart(data, rate, config):
            yield f"{CONFIGS[config].title} at {rate} %: {listed(found)}"
        rows = data["runs"].get(at(rate, config), {})
        used = {n: r["remote"] for n, r in rows.items() if r["remote"]}
        if used:
            yield f"accesses over the link, {CONFIGS[config].title}: {listed(used, '{}')}"
        if rows:
            yield (f"copied, MB, {CONFIGS[config].title}: "
                   f"{listed({n: moved(r) for n, r in rows.items()}, '{:.1f}')}")


FIGURE = Figure("remote", "Access over the link", 8, (
    "By the text the part of a random allocation that does not fit stays in system memory, and of "
    "a mixed one what is cold (III-C). In the authors' logs there are at most 488 accesses over "
    "the link in a run, and none in most.",), plan=plan, draw=draw, expect=expect, why=why)

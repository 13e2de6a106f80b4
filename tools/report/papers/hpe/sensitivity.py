# SPDX-License-Identifier: GPL-2.0
"""Figs. 7 and 8: performance by type, without adjustment, the first of a row is 1."""

from framework import plot
from framework.compare import cell
from framework.paper import Expectation, Figure, nothing
from framework.parts import Table
from framework.results import speedup

from .numbers import by_type, listed, whole_types
from .published import TYPES, WORKLOADS
from .setup import at
from .setup import plan as plan_of

RATE = 75


def of(data, use, base):
    """By workload."""
    return speedup(data, at(RATE, use), at(RATE, base))


def figure(name, title, order, told, uses, within, more=nothing, why_more=nothing):
    """
    @uses are names of configurations, by what they are called; @more expects more, and @why_more
    tells why not.
    """
    first = next(iter(uses.values()))

    def plan(x):
        plan_of(x, *uses.values(), rates=(RATE,))

    def draw(data):
        found = {what: by_type(of(data, use, first)) for what, use in uses.items()}
        yield plot.bars(title.split(": ")[1].capitalize(), [f"type {t}" for t in TYPES],
                        [(what, [v.get(t) for t in TYPES]) for what, v in found.items()],
                        f"performance, {next(iter(uses))} are 1", 1)
        yield Table(["", *data["scale"]["workloads"]],
                    [[what, *(cell(of(data, use, first).get(n))
                              for n in data["scale"]["workloads"])]
                     for what, use in uses.items()], "By workload")
        yield ("<p>As in the paper the adjustment is off, and each workload has the strategy that "
               "it begins with there. Hits come from the recorder, which is read at each fault: "
               "the paper has an ideal model without it.</p>")

    def spread(data):
        """By type, the best over the worst; None unless all was measured."""
        each = {use: of(data, use, first) for use in uses.values()}
        if any(n not in found for found in each.values() for n in WORKLOADS):
            return None
        means = [by_type(found) for found in each.values()]
        return {t: max(m[t] for m in means) / min(m[t] for m in means) for t in TYPES}

    def expect(data):
        found = spread(data)
        yield Expectation(
            f"{name.replace('fig', 'Fig. ')}: by type all are within {100 * within:.0f} %",
            f"at most {1 + within:.2f}x apart",
            None if found is None else all(v <= 1 + within for v in found.values()),
            listed(found) if found else "", kind="spread", group=TYPES)
        yield from more(data)

    def why(data, row):
        found = spread(data)
        if row.kind != "spread":
            yield from why_more(data, row)
            return
        for t in TYPES if found else ():
            if found[t] > 1 + within:
                for what, use in list(uses.items())[1:]:
                    each = of(data, use, first)
                    yield (f"type {t}, {what} over {next(iter(uses))}: " +
                           listed({n: each[n] for n in whole_types((t,))}))

    return Figure(name, title, order, (told,), plan=plan, draw=draw, expect=expect, why=why)

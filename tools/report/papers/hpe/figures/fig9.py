# SPDX-License-Identifier: GPL-2.0
"""Fig. 9: ratio 1 and ratio 2 when memory is first full."""

from framework import plot
from framework.compare import cell
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.verdict import by_kind, value

from .. import reasons
from ..numbers import category, of, plain, ratios, shares, whole_types
from ..published import (IRREGULAR1, IRREGULAR2, RATES, RATIO1, RATIO2, REGULAR, WORKLOADS)
from ..setup import plan as plan_of

RATE = RATES[0]
FIRST = whole_types(("I", "II", "III"), but=("KMN", "SAD"))
LAST = whole_types(("IV", "V", "VI"), but=("SGM",))
# Shares of page sets: small of the first, large or irregular of the last.
SMALL, LARGE, IRREGULAR = 0.95, 0.914, 0.799
# Of each of these groups, its place in what shares() gives.
PART = {REGULAR: 0, IRREGULAR1: 1, IRREGULAR2: 2}
# In a drawing a ratio without a denominator ends here.
TOP = 20


def plan(x):
    """HPE."""
    plan_of(x, "hpe")


def draw(data):
    """Both ratios, and shares of page sets."""
    names = data["scale"]["workloads"]
    for rate in RATES:
        found = of(data, "hpe", rate, ratios)
        yield plot.bars(f"Ratios at {rate} %", names,
                        [(f"ratio {i + 1}", [min(found[n][i], TOP) if n in found else None
                                             for n in names]) for i in (0, 1)],
                        f"ratio, at most {TOP}; the threshold of ratio 1 is marked", RATIO1)
    yield Table(["", "type", *(f"{what}, {r} %" for r in RATES for what in
                               ("ratio 1", "ratio 2", "small", "large", "irregular"))],
                [[n, WORKLOADS[n].type,
                  *(cell(v) for r in RATES for v in (
                      *(of(data, "hpe", r, ratios).get(n) or (None, None)),
                      *(of(data, "hpe", r, shares).get(n) or (None, None, None))))]
                 for n in names], "Ratios, and shares of page sets")


def fits(name, both):
    """One of types I to III has both small, of IV to VI one large; four are the other way round."""
    small = both[0] <= RATIO1 and both[1] < RATIO2
    return small if name in FIRST or name == "SGM" else not small


def expect(data):
    """By types, and shares."""
    found = of(data, "hpe", RATE, ratios)
    for title, names in ((f"types I to III but KMN and SAD: both ratios are small, {RATE} %", FIRST),
                         (f"types IV to VI but SGM: a ratio is large, {RATE} %", LAST),
                         (f"KMN and SAD: ratio 1 is large, {RATE} %", ("KMN", "SAD")),
                         (f"SGM: ratio 1 is small, {RATE} %", ("SGM",))):
        known = all(n in found for n in names)
        wrong = [n for n in names if n in found and not fits(n, found[n])]
        yield Expectation(title, "all of them", not wrong if known else None,
                          f"not {', '.join(wrong)}" if wrong else "all of them" if known else "",
                          kind="ratios", rate=RATE, workload=tuple(names))
    parts, kinds = of(data, "hpe", RATE, shares), of(data, "hpe", RATE, category)
    yield value(f"share of small page sets, types I to III, {RATE} %",
                plain({n: v[PART[REGULAR]] for n, v in parts.items()}, FIRST), SMALL, "",
                kind="share", rate=RATE, group=REGULAR)
    for title, kind, wanted in (("large", IRREGULAR1, LARGE), ("irregular", IRREGULAR2, IRREGULAR)):
        known = all(n in parts for n in LAST)
        mine = [n for n in LAST if kinds.get(n) == kind] if known else []
        yield value(f"share of {title} page sets, those of types IV to VI that are {kind}, {RATE} %",
                    plain({n: v[PART[kind]] for n, v in parts.items()}, mine), wanted, "",
                    kind="share", rate=RATE, group=kind)


def of_ratios(data, row):
    """Each that is not as in the paper."""
    found = of(data, "hpe", RATE, ratios)
    for n in row.workload:
        if n in found and not fits(n, found[n]):
            yield from (reasons.counted(data, n, RATE), *reasons.elsewhere(data, n, RATE),
                        reasons.other_readings(data, n))


def of_shares(data, row):
    """By workload."""
    parts, kinds = of(data, "hpe", RATE, shares), of(data, "hpe", RATE, category)
    names = FIRST if row.group == REGULAR else [n for n in LAST if kinds.get(n) == row.group]
    told = ", ".join(f"{n} {100 * parts[n][PART[row.group]]:.0f} %" for n in names if n in parts)
    yield told or f"no workload of types IV to VI is {IRREGULAR1}"
    yield reasons.unclassified(data, RATE)


FIGURE = Figure(
    "fig9", "Fig. 9: ratio 1 and ratio 2", 9,
    (f"Types I to III have both below {RATIO1} but for KMN and SAD, of which ratio 1 is large.  Types IV "
     "to VI have a large one but for SGM.  Of the former 95 % of page sets are small and regular; of "
     f"the latter 91.4 % are large and regular or 79.9 % irregular (IV-D, V-A).  {REGULAR.capitalize()}"
     " is what has both small.",),
    plan=plan, draw=draw, expect=expect,
    why=by_kind({"share": of_shares, "ratios": of_ratios}))

# SPDX-License-Identifier: GPL-2.0
"""Fig. 11: evictions of HPE, LRU's are 1."""

from framework.compare import both
from framework.paper import Expectation, Figure
from framework.results import ratio
from framework.verdict import text

from .. import reasons
from ..numbers import EVICTIONS as NEAR
from ..numbers import close, every, label, some, typed, whole_types
from ..published import EVICTIONS, RATES
from ..setup import at
from ..setup import plan as plan_of

UNIT = "evictions, LRU's are 1"
# "A similar quantity."
SIMILAR = 0.05


def plan(x):
    """Both."""
    plan_of(x, "lru", "hpe")


def of_lru(data, rate):
    """By workload."""
    return ratio(data, at(rate, "hpe"), at(rate, "lru"), "evicted")


def draw(data):
    """By workload and by type."""
    groups = [(label(r), of_lru(data, r)) for r in RATES]
    yield from both(data["scale"]["workloads"], groups, UNIT, "Evictions of HPE",
                    {label(r): EVICTIONS[r] for r in RATES})
    yield typed(groups, UNIT, "Evictions of HPE by type")


def expect(data):
    """Averages, and types."""
    for rate in RATES:
        found = of_lru(data, rate)
        yield close(f"evictions of HPE, {rate} %", every(data, found), EVICTIONS[rate], NEAR, "",
                    rate=rate)
        yield from by_types(found, rate)


def by_types(found, rate):
    """What the text tells of types."""
    outer, inner = ("I", "VI"), ("III", "IV", "V")
    friendly = some(found, whole_types(outer))
    yield Expectation(f"types I and VI evict as with LRU, {rate} %",
                      f"within {100 * SIMILAR:.0f} %",
                      None if friendly is None else abs(friendly - 1) <= SIMILAR,
                      text(friendly, ""), rate=rate, group=outer)
    middle = some(found, whole_types(inner))
    yield Expectation(f"types III to V evict slightly fewer, {rate} %", "0.85 to 1",
                      None if middle is None else 0.85 <= middle <= 1, text(middle, ""),
                      rate=rate, group=inner)
    second = some(found, whole_types(("II",)))
    yield Expectation(f"type II evicts much fewer, {rate} %", "below 0.8",
                      None if second is None else second < 0.8, text(second, ""),
                      rate=rate, group=("II",))


def why(data, row):
    """What is evicted, and by which strategy."""
    return [reasons.evicted(data, row.rate), reasons.unclassified(data, row.rate),
            reasons.strategies(data, row.rate)]


FIGURE = Figure(
    "fig11", "Fig. 11: evictions of HPE, LRU's are 1", 11,
    ("HPE evicts 18 % fewer pages than LRU at 75 %, 12 % fewer at 50 %: as many for types I and VI, "
     "slightly fewer for III to V, much fewer for II (V-B).",),
    plan=plan, draw=draw, expect=expect, why=why)

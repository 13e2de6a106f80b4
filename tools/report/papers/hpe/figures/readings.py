# SPDX-License-Identifier: GPL-2.0
"""What the paper does not tell, read the other way round."""

from framework.compare import cell
from framework.paper import OURS, Expectation, Figure
from framework.parts import Table

from ..numbers import category, every, label, listed, of, policy, typed
from ..published import SPEEDUP
from ..reasons import gain
from ..setup import APART, READINGS
from ..setup import plan as plan_of

RATE = APART
USES = ("hpe", *READINGS)
# The headline does not hang on a reading.
HANGS = 0.1


def plan(x):
    """Each reading."""
    plan_of(x, "lru", *USES, rates=(RATE,))


def title(use):
    """For people."""
    return READINGS[use][0] if use in READINGS else "HPE"


def hits(row):
    """Page-walk hits that the recorder was told of."""
    return policy(row, "recorder_hits")


def draw(data):
    """By type, categories, and what the recorder hears."""
    yield typed([(title(u), gain(data, RATE, u)) for u in USES], "LRU is 1",
                f"Readings at {label(RATE)}")
    names = data["scale"]["workloads"]
    yield Table(["", *names], [[title(u), *(cell(gain(data, RATE, u).get(n)) for n in names)]
                               for u in USES], "Readings by workload, LRU is 1")
    yield Table(["", *names], [[title(u), *(of(data, u, RATE, category).get(n, "") for n in names)]
                               for u in USES], "Categories by reading")
    yield Table(["", *names, "all"], [
        [title(u), *(found.get(n, "") for n in names), sum(found.values())]
        for u in USES for found in (of(data, u, RATE, hits),)], "Page-walk hits that are recorded")


def expect(data):
    """How far each is from what is adopted."""
    base = every(data, gain(data, RATE))
    for use in READINGS:
        found = every(data, gain(data, RATE, use))
        yield Expectation(
            f"reading: {title(use)}", f"{OURS}within {100 * HANGS:.0f} % of what is adopted",
            None if None in (found, base) else abs(found / base - 1) <= HANGS,
            "" if None in (found, base) else
            f"{found:.2f}x over LRU, adopted {base:.2f}x, published {SPEEDUP[RATE]:.2f}x",
            config=use)


def why(data, row):
    """What differs."""
    one, other = gain(data, RATE), gain(data, RATE, row.config)
    far = {n: other[n] for n in one if n in other and abs(other[n] / one[n] - 1) > HANGS}
    if far:
        yield (f"with that over LRU: {listed(far)}; as adopted: "
               f"{listed({n: one[n] for n in far})}")
    kinds, now = of(data, row.config, RATE, category), of(data, "hpe", RATE, category)
    moved = {n: k for n, k in kinds.items() if k != now.get(n)}
    if moved:
        yield "other categories: " + ", ".join(f"{n} is {k}" for n, k in moved.items())


FIGURE = Figure("readings", "What the paper does not tell", 21, plan=plan, draw=draw, expect=expect,
                why=why)

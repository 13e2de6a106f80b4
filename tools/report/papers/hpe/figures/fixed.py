# SPDX-License-Identifier: GPL-2.0
"""What the choice of a strategy makes of it: HPE as it is, and with one of the two throughout."""

from framework.compare import both
from framework.paper import Figure

from ..numbers import label, typed
from ..published import RATES
from ..reasons import as_begun, better_of, gain
from ..setup import plan as plan_of


def plan(x):
    """Three, and LRU."""
    plan_of(x, "lru", "hpe", "always lru", "always mru-c")


def groups(data, rate):
    """Over LRU."""
    return [("HPE", gain(data, rate)), ("always LRU", gain(data, rate, "always lru")),
            ("always MRU-C", gain(data, rate, "always mru-c")),
            ("as the paper's begins", as_begun(data, rate)),
            ("the better of the two", better_of(data, rate))]


def draw(data):
    """By type and by workload."""
    yield ("<p>HPE with LRU or with MRU-C throughout, never adjusted; <i>as the paper's begins</i> has "
           "for each workload the strategy of the category that the paper has it in. What lies between "
           "that and HPE is what other categories cost.</p>")
    for rate in RATES:
        found = groups(data, rate)
        yield typed(found, "LRU is 1", f"Strategies at {label(rate)}")
        yield from both(data["scale"]["workloads"], found, "speedup over LRU",
                        f"Strategies at {label(rate)}")


FIGURE = Figure("fixed", "What the choice of a strategy makes of it", 20, plan=plan, draw=draw)

# SPDX-License-Identifier: GPL-2.0
"""What fewer SMs make of it: footprints are smaller than the paper's, SMs are not."""

from framework.compare import both
from framework.paper import Figure

from .. import reasons
from ..numbers import GAIN, close, every, label, typed
from ..published import RATES, SPEEDUP
from ..reasons import gain
from ..setup import plan as plan_of


def plan(x):
    """15 SMs, and 4."""
    plan_of(x, "lru", "hpe", "lru, 4 SMs", "hpe, 4 SMs")


def few(data, rate):
    """Over LRU with as many."""
    return gain(data, rate, "hpe, 4 SMs", "lru, 4 SMs")


def draw(data):
    """By SMs."""
    for rate in RATES:
        groups = [("15 SMs", gain(data, rate)), ("4 SMs", few(data, rate))]
        yield typed(groups, "LRU with as many is 1", f"HPE by SMs at {label(rate)}")
        yield from both(data["scale"]["workloads"], groups, "speedup over LRU",
                        f"HPE by SMs at {label(rate)}", {"15 SMs": SPEEDUP[rate]})


def expect(data):
    """What is published, of SMs to the scale of memory."""
    for rate in RATES:
        yield close(f"with 4 SMs, HPE over LRU, {rate} %", every(data, few(data, rate)),
                    SPEEDUP[rate], GAIN)


def why(data, name):
    """The same as of all of them."""
    rate = reasons.rate_of(name)
    return [reasons.scale(data, rate), reasons.faults(data, rate)]


FIGURE = Figure("fewer", "What fewer SMs make of it", 22, plan=plan, draw=draw, expect=expect, why=why)

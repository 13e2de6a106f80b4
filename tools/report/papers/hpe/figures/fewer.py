# SPDX-License-Identifier: GPL-2.0
"""What fewer SMs make of it: footprints are smaller than the paper's, SMs are not."""

from framework.compare import both
from framework.paper import Figure

from .. import reasons
from ..numbers import GAIN, close, every, label, typed
from ..published import SPEEDUP
from ..reasons import gain
from ..setup import APART
from ..setup import plan as plan_of


def plan(x):
    """15 SMs, and 4."""
    plan_of(x, "lru", "hpe", "lru, 4 SMs", "hpe, 4 SMs", rates=(APART,))


def few(data):
    """Over LRU with as many."""
    return gain(data, APART, "hpe, 4 SMs", "lru, 4 SMs")


def draw(data):
    """By SMs."""
    groups = [("15 SMs", gain(data, APART)), ("4 SMs", few(data))]
    yield typed(groups, "LRU with as many is 1", f"HPE by SMs at {label(APART)}")
    yield from both(data["scale"]["workloads"], groups, "speedup over LRU",
                    f"HPE by SMs at {label(APART)}", {"15 SMs": SPEEDUP[APART]})


def expect(data):
    """What is published, of SMs to the scale of memory."""
    yield close(f"with 4 SMs, HPE over LRU, {APART} %", every(data, few(data)), SPEEDUP[APART], GAIN)


def why(data, _):
    """The same as of all of them."""
    return [reasons.scale(data, APART), reasons.faults(data, APART)]


FIGURE = Figure("fewer", "What fewer SMs make of it", 22, plan=plan, draw=draw, expect=expect, why=why)

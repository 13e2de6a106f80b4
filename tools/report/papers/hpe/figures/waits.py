# SPDX-License-Identifier: GPL-2.0
"""Other machines: an L2 TLB that is indexed otherwise, faults that all try again, or overlap."""

from framework.compare import both
from framework.paper import OURS, Expectation, Figure

from .. import reasons
from ..numbers import every, label, typed
from ..published import SPEEDUP
from ..reasons import gain, on
from ..setup import APART, MACHINE_BARS, MACHINES
from ..setup import plan as plan_of

# The headline does not hang on the machine.
HANGS = 0.1


def plan(x):
    """As it is, and each other one."""
    plan_of(x, "lru", "hpe", *MACHINE_BARS, rates=(APART,))


def groups(data):
    """HPE over LRU on each."""
    return [("as it is", gain(data, APART)),
            *((title, on(data, APART, which)) for which, (title, *_) in MACHINES.items())]


def draw(data):
    """By type, and by workload."""
    yield ("<p>The paper does not tell how its L2 TLB is indexed.  Its far faults wait for their page; on "
           "NVIDIA's hardware a replay has all of them try again, and what is not there writes another "
           "record.  Nor does it tell whether the 20 us of several faults overlap: adopted is that "
           "the driver handles one after the other.  LRU on the same machine is 1.</p>")
    yield typed(groups(data), "LRU is 1", f"HPE on other machines at {label(APART)}")
    yield from both(data["scale"]["workloads"], groups(data), "speedup over LRU",
                    f"HPE on other machines at {label(APART)}", {"as it is": SPEEDUP[APART]})


def expect(data):
    """How far each is from what is adopted."""
    base = every(data, gain(data, APART))
    for which, (title, *_) in MACHINES.items():
        found = every(data, on(data, APART, which))
        known = None not in (found, base)
        yield Expectation(
            f"machine: {title}", f"{OURS}within {100 * HANGS:.0f} % of what is adopted",
            abs(found / base - 1) <= HANGS if known else None,
            f"{found:.2f}x over LRU, adopted {base:.2f}x, published {SPEEDUP[APART]:.2f}x"
            if known else "", config=which)


def why(data, _):
    """What moves."""
    return reasons.machines(data, APART)


FIGURE = Figure("waits", "How a far fault waits, and how the L2 TLB is indexed", 22, plan=plan, draw=draw,
                expect=expect, why=why)

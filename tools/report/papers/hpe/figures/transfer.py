# SPDX-License-Identifier: GPL-2.0
"""The transfer interval: at each how-many-th fault the recorder is read."""

from framework.compare import both
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.verdict import text

from ..numbers import every, of, policy, plain
from ..reasons import gain
from ..setup import APART, TRANSFERS
from ..setup import plan as plan_of

RATE = APART
# What is nearly the best is the better for fewer transfers.
NEARLY = 0.98
CHOSEN = 16
USES = {n: "hpe" if n == CHOSEN else f"transfer {n}" for n in TRANSFERS}


def plan(x):
    """Five intervals."""
    plan_of(x, "lru", *USES.values(), rates=(RATE,))


def fetches(data, use):
    """Transfers, on average over workloads."""
    found = of(data, use, RATE, lambda row: policy(row, "recorder_fetches"))
    return plain(found, data["scale"]["workloads"])


def draw(data):
    """Performance, and how many transfers."""
    yield from both(data["scale"]["workloads"],
                    [(f"{n} faults", gain(data, RATE, use)) for n, use in USES.items()],
                    "speedup over LRU", "HPE by transfer interval")
    rows = [[n, text(every(data, gain(data, RATE, use))), f"{count:,.0f}"]
            for n, use in USES.items() if (count := fetches(data, use)) is not None]
    yield Table(["read at each how-many-th fault", "over LRU", "transfers"], rows,
                "Performance and transfers")


def expect(data):
    """The choice."""
    found = {n: every(data, gain(data, RATE, use)) for n, use in USES.items()}
    known = None not in found.values()
    yield Expectation(f"a transfer at each {CHOSEN}th fault is the best tradeoff",
                      f"within {100 * (1 - NEARLY):.0f} % of the best of five",
                      found[CHOSEN] >= NEARLY * max(found.values()) if known else None,
                      ", ".join(f"{n}: {v:.2f}x" for n, v in found.items()) if known else "")


def why(data, _):
    """By workload."""
    best = {n: every(data, gain(data, RATE, use)) for n, use in USES.items()}
    if None in best.values():
        return
    most = max(best, key=best.get)
    one, other = gain(data, RATE), gain(data, RATE, USES[most])
    yield (f"read at each {most}th fault HPE is best; what differs by 5 % or more: " +
           ", ".join(f"{n} {other[n]:.2f}x rather than {one[n]:.2f}x" for n in one
                     if abs(other[n] / one[n] - 1) >= 0.05))


FIGURE = Figure(
    "transfer", "The transfer interval", 16,
    ("Of 1, 8, 16, 32 and 64 faults 16 is the best tradeoff between frequency and performance (V-A; no "
     "figure).",), plan=plan, draw=draw, expect=expect, why=why)

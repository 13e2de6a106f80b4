# SPDX-License-Identifier: GPL-2.0
"""What decides which fault is first, where the authors' simulator and a driver differ."""

from framework.paper import OURS, Expectation, Figure
from framework.verdict import text

from ..numbers import classed, every, later, listed, over
from ..published import MEAN, RATES
from ..setup import READINGS, at
from ..setup import plan as plan_of

WITHIN = 0.1


def plan(x):
    """The default and the authors' code, by each."""
    plan_of(x, *(f"{config}{end}" for end in READINGS for config in ("default", "smart")))


def of(data, rate, end):
    """By workload: the authors' code over the default, both by this reading."""
    return over(data, at(rate, f"smart{end}"), at(rate, f"default{end}"), later)


def draw(data):
    """Means by class."""
    yield ("<p>In the authors' simulator each SM takes a block in each cycle, and nothing is "
           "flushed. A driver flushes the fault buffer before it replays "
           "(<code>replay_policy=batch_flush</code>). Which fault is first decides what comes in "
           "order, and what leaves.</p>")
    for rate in RATES:
        yield classed([(what, of(data, rate, end)) for end, what in READINGS.items()],
                      f"Time, the default is 1, {rate} % (published: {MEAN[rate]:.2f})")


def expect(data):
    """The mean does not hang on it."""
    for rate in RATES:
        found = {what: every(data, of(data, rate, end)) for end, what in READINGS.items()}
        known = None not in found.values()
        far = max(found.values()) - min(found.values()) if known else None
        yield Expectation(f"the mean does not hang on which fault is first, {rate} %",
                          f"{OURS}means within {WITHIN:.1f}x",
                          None if far is None else far <= WITHIN, text(far), rate=rate)


def why(data, row):
    """Each mean, and each workload that moves."""
    for end, what in READINGS.items():
        yield f"{what}: {listed(of(data, row.rate, end))}"


FIGURE = Figure("readings", "Which fault is first", 8.8, plan=plan, draw=draw, expect=expect,
                why=why)

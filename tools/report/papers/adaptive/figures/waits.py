# SPDX-License-Identifier: GPL-2.0
"""What waits: the link's part in it and the counters', each without the other."""

from framework.paper import OURS, Expectation, Figure
from framework.verdict import text

from ..numbers import classed, every, smart, time_of
from ..setup import APART, WAITS
from ..setup import plan as plan_of


def plan(x):
    """The default, and the authors' code with either changed, and with both."""
    plan_of(x, "default", *WAITS, rates=(APART,))


def draw(data):
    """Means by class."""
    yield ("<p>With the authors one read over the link is under way at a time, and the accesses of "
           "64 KB are counted. A GPU has a tag for each of 256 reads, and nvidia-uvm has it count "
           "by 2 MB: these come at the eighth access to any of them. The authors look at the counter "
           "at each access, and the eighth waits. Where a counter only tells, as NVIDIA's do, "
           "accesses go on over the link until the driver has acted.</p>")
    yield classed([(what, smart(data, APART, c, time_of)) for c, what in WAITS.items()],
                  f"Time of kernels alone, the default is 1, {APART} %")
    yield classed([(what, smart(data, APART, c)) for c, what in WAITS.items()],
                  f"Time with 45 us for each fault, the default is 1, {APART} %")


def expect(data):
    """More reads at a time take less."""
    pair = [every(data, smart(data, APART, c, time_of)) for c in ("smart", "smart, told")]
    yield Expectation("kernels take less where accesses wait for their counter",
                      f"{OURS}less than where it only tells",
                      None if None in pair else pair[0] < pair[1],
                      " against ".join(text(v) for v in pair if v is not None), config="smart, told")
    for one, many in (("smart", "smart, 256 requests"), ("smart, 2m", "smart, 256 requests, 2m")):
        found = [every(data, smart(data, APART, c, time_of)) for c in (many, one)]
        yield Expectation(f"kernels take less with 256 reads under way, {WAITS[one]}",
                          f"{OURS}less than with one",
                          None if None in found else found[0] < found[1],
                          " against ".join(text(v) for v in found if v is not None), config=many)


def why(data, _):
    """By what is changed."""
    for config, what in WAITS.items():
        if (value := every(data, smart(data, APART, config, time_of))) is not None:
            yield f"{what}: kernels take {value:.2f}x of the default's time"


FIGURE = Figure("waits", "What waits", 8.2, (
    "In the authors' simulator a read over the link holds it for 200 core cycles, and migrations "
    "come after it; accesses are counted by 64 KB.",), plan=plan, draw=draw, expect=expect, why=why)

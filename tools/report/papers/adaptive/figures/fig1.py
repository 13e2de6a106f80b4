# SPDX-License-Identifier: GPL-2.0
"""Fig. 1: time with half the bandwidth of the link."""

from framework.compare import both
from framework.paper import OURS, Expectation, Figure
from framework.verdict import text

from ..numbers import close, every, later, listed, over, time_of
from ..published import FAULT_NS, HALF_LINK
from ..setup import APART, at, plan_unlimited
from ..setup import plan as plan_of

ALL = "unlimited "
GROUPS = ((f"at {APART} %, with 45 us a fault", at(APART, ""), later),
          (f"at {APART} %, kernels alone", at(APART, ""), time_of),
          ("all memory, with 45 us a fault", ALL, later))
# Faults take what they take, so that time less than doubles.
TWICE = 2


def plan(x):
    """With the default."""
    plan_of(x, "default", "default, half", rates=(APART,))
    plan_unlimited(x, "default", "default, half")


def of(data, before, read):
    """By workload."""
    return over(data, f"{before}default, half", f"{before}default", read)


def draw(data):
    """By workload, and on average."""
    yield ("<p>Both ways of the link have half of 12850 MB/s. The paper does not say how much "
           f"memory there is; {APART} % is judged.</p>")
    yield from both(data["scale"]["workloads"],
                    [(title, of(data, before, read)) for title, before, read in GROUPS],
                    "time, with all the bandwidth 1", "Time with half the bandwidth",
                    {GROUPS[0][0]: HALF_LINK})


def expect(data):
    """The mean, and its bounds."""
    yield close("time with half the bandwidth", every(data, of(data, *GROUPS[0][1:])), HALF_LINK)
    found = of(data, *GROUPS[1][1:])
    far = {n: v for n, v in found.items() if not 1 < v <= TWICE}
    whole = every(data, found)
    yield Expectation("kernels with half the bandwidth", f"{OURS}more than 1x, at most 2x each",
                      None if whole is None else not far, listed(far, "{:.3f}x") or text(whole))


def why(data, _):
    """How much of the time is what."""
    for title, before, read in GROUPS:
        if (value := every(data, of(data, before, read))) is not None:
            yield f"{title}: {value:.2f}x"
    rows = data["runs"].get(at(APART, "default"), {})
    parts = {n: 100 * FAULT_NS * r["pieces"] / later(r) for n, r in rows.items()}
    if parts:
        yield ("faults, of which each takes 45 us whatever the link, are of the time " +
               listed(parts, "{:.0f} %"))
    evicted = over(data, at(APART, "default, half"), at(APART, "default"), lambda r: r["evicted"])
    if evicted:
        yield "pages that are evicted, with all the bandwidth 1: " + listed(evicted, "{:.3f}")
    yield "by workload: " + listed(of(data, *GROUPS[0][1:])) if rows else ""


FIGURE = Figure("fig1", "Fig. 1: half the bandwidth", 1, (
    "Programs take 1.29 times as long on average when the link has half the bandwidth (I).",),
    plan=plan, draw=draw, expect=expect, why=why)

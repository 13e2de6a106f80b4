# SPDX-License-Identifier: GPL-2.0
"""Improvements of ours."""

from dataclasses import replace

from framework.compare import Comparison, values
from framework.paper import OURS as MINE
from framework.paper import Expectation
from framework.results import speedup, whole_speedup
from framework.verdict import by_workload, order, text

from ..numbers import MB, best
from ..reasons import moved, others
from ..setup import APART, BENCH, CONFIGS, OURS, PAPER, plan_compared

TRIED = ("ue", "to+ue", *OURS, "to+ideal", "unlimited")
COMPARED = Comparison(TRIED, BENCH, names="apart", prefix="~", title="Speedup of all that is tried")
MOVED = replace(COMPARED, configs=TRIED[:-1], metric="htod")


def kept(data):
    """What gains most, on all workloads."""
    return Comparison(("to+ue", *data["scale"]["kept"]), BENCH, title="Speedup of what gains most")


def plan(x):
    """What is kept, on all workloads; all that is tried, on a few."""
    BENCH.plan(x, ("baseline", "to+ue", *x.scale.kept), x.scale.workloads)
    plan_compared(x, (*PAPER, *APART, *OURS), x.scale.apart)


def draw(data):
    """Both, and what they move."""
    names = data["scale"]["apart"]
    yield from kept(data).draw(data)
    yield f"<p>Data of {data['scale']['compared'] / MB:.1f} MB; {', '.join(names)}.</p>"
    yield from COMPARED.draw(data)
    yield values(names, MOVED.groups(data), title="Data moved to the GPU, baseline is 1")


def expect(data):
    """More than the paper's."""
    which, gain = best(data), whole_speedup(data, "to+ue")
    most = whole_speedup(data, which) if which else None
    yield order("the best of ours gains more than to+ue", MINE + "more", gain, most,
                ("to+ue", CONFIGS[which].title if which else ""), config=which)
    yield Expectation("the best of ours: 1.8x or more over the baseline", MINE + "1.8x or more",
                      None if most is None else most >= 1.8,
                      f"{text(most)}: {by_workload(speedup(data, which))}" if which else "",
                      config=which)


def why(data, _):
    """What it moves, and where TO loses."""
    which = best(data)
    return [moved(data, which) if which else "", others(data)]


FIGURE = COMPARED.figure("ours", "Improvements of ours", 20, plan=plan, draw=draw, expect=expect,
                         why=why)

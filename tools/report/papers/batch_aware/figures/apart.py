# SPDX-License-Identifier: GPL-2.0
"""Where the time goes: what takes the figures apart."""

from framework.compare import Comparison
from framework.results import whole_speedup
from framework.verdict import value

from ..numbers import MB
from ..published import SWITCH_GAIN
from ..reasons import IDEAL_IS, limits
from ..setup import APART, BENCH, PAPER, plan_compared

COMPARED = Comparison(("to+ue", *APART, "ideal", "unlimited"), BENCH, names="apart", prefix="~",
                      title="Speedup of what takes it apart")


def plan(x):
    """The paper's bars, and parts of them."""
    plan_compared(x, (*PAPER, *APART), x.scale.apart)


def draw(data):
    """What is left, and where it goes."""
    yield (f"<p>Data of {data['scale']['compared'] / MB:.1f} MB; "
           f"{', '.join(data['scale']['apart'])}.</p>")
    yield from COMPARED.draw(data)
    yield IDEAL_IS


def expect(data):
    """6.5."""
    yield value("close-to-ideal context switches, TO+UE is 1",
                whole_speedup(data, "~ideal switch", "~to+ue"), SWITCH_GAIN,
                config="ideal switch")


def why(data, _):
    """What there is to gain at all."""
    yield limits(data)


FIGURE = COMPARED.figure("apart", "Where the time goes", 14, plan=plan, draw=draw, expect=expect,
                         why=why, shown=lambda data: bool(data["scale"]["apart"]))

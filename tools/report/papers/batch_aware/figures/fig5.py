# SPDX-License-Identifier: GPL-2.0
"""Fig. 5: an additional block without page migration."""

from framework.compare import Config, both
from framework.paper import Figure
from framework.results import speedup, whole_speedup
from framework.verdict import value

from ..numbers import MB
from ..published import SMS, SWITCHING
from ..setup import BENCH, IDEAL_SWITCH, arguments

BLOCKS = "extra_blocks:1,switch_on_memory:1"
DEVICES = {"alone": "", "switching": BLOCKS, "switching, ideal": f"{BLOCKS},{IDEAL_SWITCH}"}


def plan(x):
    """All memory is there; blocks that wait for it give way, or there are none."""
    for name in x.scale.workloads:
        words = [*arguments(name, x.scale.switched, x.scale.rounds), "--explicit"]
        for which, device in DEVICES.items():
            BENCH.run(x, (which, name), words, Config(which, device=device, memory=0), 1,
                      size=x.scale.switched)


def draw(data):
    """Performance with nothing but memory to wait for."""
    names = data["scale"]["workloads"]
    yield f"<p>Data of {data['scale']['switched'] / MB:.1f} MB; {', '.join(names)}.</p>"
    first = "with an additional block"
    yield from both(names, [(first, speedup(data, "switching", "alone")),
                            ("with close-to-ideal switches",
                             speedup(data, "switching, ideal", "alone"))],
                    "performance, alone is 1", "Performance with another block",
                    {first: SWITCHING})


def expect(data):
    """What switching costs."""
    yield value("an additional block that is switched in for memory",
                whole_speedup(data, "switching", "alone"), SWITCHING)


def switches(data, config):
    """What the switches themselves take, and what they leave."""
    rows = data["runs"].get(config, {}).values()
    switched, left = sum(r["switched"] for r in rows), whole_speedup(data, config, "alone")
    if not switched or not left:
        return ""
    ns = sum(r["switch_ns"] for r in rows)
    share = ns / SMS / sum(r["time_ns"] for r in rows)
    return (f"a switch takes {ns / switched / 1000:.1f} us, all of them {100 * share:.0f} % of "
            f"the time, and {left:.2f}x is left")


def why(data, _):
    """With the modelled switches, and with the paper's close-to-ideal ones."""
    found = [switches(data, config) for config in ("switching", "switching, ideal")]
    if not found[0]:
        return ["no block was switched in"] if data["runs"].get("switching") else []
    return ["whenever all warps wait for memory, registers are saved and restored: " + found[0],
            "with switches through a shared memory, the paper's close to ideal: " + found[1]
            if found[1] else ""]


FIGURE = Figure(
    "fig5", "Fig. 5: an additional block without page migration", 3,
    ("Without page migration an additional block per SM, which requires context switching, costs "
     "49 % on average (4.1).",),
    plan=plan, draw=draw, expect=expect, why=why)

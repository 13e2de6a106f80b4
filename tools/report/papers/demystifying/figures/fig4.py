# SPDX-License-Identifier: GPL-2.0
"""Fig. 4: breakdown of fault service."""

from framework.paper import Expectation, Figure

from .. import touch
from ..setup import KB, MB, PATTERNS


def plan(x):
    """Without prefetching."""
    touch.plan(x, "off")


def draw(data):
    """Service alone, small sizes."""
    for name in PATTERNS:
        rows = [r for r in touch.curve(data, "off", name) if r["size"] <= 4 * MB]
        yield from touch.drawn(f"{name}: fault service", rows, touch.by_size, "service")


def pma(row):
    """The physical allocator's share of service, percent."""
    return 100 * row["service"]["PMA alloc pages"] / (sum(row["service"].values()) or 1)


def expect(data):
    """The physical allocator dominates small sizes."""
    rows = touch.curve(data, "off", "regular")
    small = [r for r in rows if r["size"] < 100 * KB]
    large = [r for r in rows if r["size"] >= 4 * MB]
    if not small or not large:
        yield Expectation("PMA allocation dominates small sizes")
        return
    service = small[0]["service"]
    yield Expectation("PMA allocation is the largest part of service at 4 KB", "largest",
                      service["PMA alloc pages"] == max(service.values()),
                      f"{pma(small[0]):.1f} %")
    yield Expectation("and negligible at large sizes", "at most 5 %", pma(large[-1]) <= 5,
                      f"{pma(large[-1]):.1f} % at {large[-1]['size'] // MB} MB")


FIGURE = Figure(
    "fig4", "Fig. 4: breakdown of fault service", 4,
    ("Physical allocation is a call into the resource manager whose cost is large, variable, and "
     "nearly constant: it dominates at small sizes and is negligible at large ones (section "
     "III-D).",),
    plan=plan, draw=draw, expect=expect)

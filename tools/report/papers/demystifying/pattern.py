# SPDX-License-Identifier: GPL-2.0
"""Faults and evictions in the driver's order against pages: from the events of a run."""

from framework import plot
from framework.parts import MISSING


def layout(run):
    """First page of each allocation, without gaps, from the faults seen."""
    size = {}
    for name, offset, _ in run.faults:
        size[name] = max(size.get(name, 0), offset // 4096 + 1)
    for _, name, offset, length in run.evictions:
        size[name] = max(size.get(name, 0), (offset + length) // 4096)
    first, at = {}, 0
    for name in sorted(size):
        first[name] = at
        at += size[name]
    return first


def pattern(run):
    """Faults in the driver's order against the page, and evictions among them."""
    first = layout(run)
    return {"allocations": first,
            "faults": [first[name] + offset // 4096 for name, offset, _ in run.faults],
            "evictions": [[at, first[name] + offset // 4096]
                          for at, name, offset, _ in run.evictions]}


def refaulted(run):
    """Of pages evicted, those that fault again, by allocation."""
    out, again = {}, {}
    evictions = sorted(run.evictions)
    at = 0
    for index, (name, offset, _) in enumerate(run.faults):
        while at < len(evictions) and evictions[at][0] <= index:
            _, who, start, length = evictions[at]
            for page in range(start // 4096, (start + length) // 4096):
                out.setdefault(who, set()).add(page)
            at += 1
        if offset // 4096 in out.get(name, ()):
            out[name].discard(offset // 4096)
            again[name] = again.get(name, 0) + 1
    return again


def drawn(title, found, evictions=False):
    """A picture, with a line between allocations."""
    if not found:
        return MISSING
    clouds = [("fault", list(enumerate(found["faults"])))]
    clouds += [("eviction", found["evictions"])] if evictions else []
    return plot.scatter(title, clouds, list(found["allocations"].values())[1:],
                        "fault, in the driver's order", "page of 4 KB")

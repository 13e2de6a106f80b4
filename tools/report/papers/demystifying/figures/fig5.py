# SPDX-License-Identifier: GPL-2.0
"""Fig. 5: the batch replay policy beside batch-flush."""

from framework import plot
from framework.paper import Expectation, Figure
from framework.parts import Table
from framework.verdict import by_kind

from .. import touch
from ..setup import MB

SHORT = {"replay policy": "replay", "pre/post-processing": "pre/post", "service": "service"}
POLICIES = ("flush", "batch")


def plan(x):
    """Both policies."""
    touch.plan(x, "off", "batch")


def pairs(data):
    """Rows of batch-flush and batch."""
    return touch.pairs(data, ("off", "regular"), ("batch", "regular"))


def draw(data):
    """Breakdown of batch, and both side by side."""
    yield from touch.drawn("regular, batch policy: what the driver does",
                           touch.curve(data, "batch", "regular"), touch.by_size)
    both = pairs(data)
    yield plot.bars("Time by policy", [touch.by_size(flush) for flush, _ in both], [
        (f"{SHORT[g]}, {policy}", [pair[i]["groups"][g] / 1000 for pair in both])
        for g in ("replay policy", "pre/post-processing")
        for i, policy in enumerate(POLICIES)], "us")
    head = ["size"] + [f"{g}, {p}, us" for g in SHORT.values() for p in POLICIES]
    yield Table(head + ["faults, flush", "faults, batch"], [
        [touch.by_size(pair[0])] + [touch.us(r["groups"][g]) for g in SHORT for r in pair] +
        [r["faults"] for r in pair] for pair in both], "Both policies")


def expect(data):
    """Cheaper in replay, dearer in preprocessing."""
    found = [pair for pair in pairs(data) if pair[0]["size"] >= 4 * MB]
    if not found:
        yield Expectation("batch policy", kind="replay policy")
        return
    for group, what, wanted in (("replay policy", "cheaper in replay", -1),
                                ("pre/post-processing", "dearer in preprocessing", 1)):
        yield Expectation(
            f"batch policy: {what}", "than batch-flush",
            all((b["groups"][group] - a["groups"][group]) * wanted > 0 for a, b in found),
            ", ".join(f"{a['size'] // MB} MB: {b['groups'][group] / 1000:.0f} us for "
                      f"{a['groups'][group] / 1000:.0f} us" for a, b in found), kind=group)


def equal(data, _):
    """Preprocessing, where the problem is small."""
    same = [a["size"] for a, b in pairs(data) if a["faults"] == b["faults"]]
    if same and max(same) >= MB:
        yield (f"Up to {max(same) // MB} MB no fault comes twice under either policy, so there is "
               "nothing more to preprocess")


def replayed(data, _):
    """Replays, where they cost more in all."""
    for a, b in pairs(data):
        costs = [r["groups"]["replay policy"] for r in (a, b)]
        if costs[1] > costs[0]:
            yield (f"At {a['size'] // MB} MB one costs {costs[1] / b['replays'] / 1000:.1f} us "
                   f"instead of {costs[0] / a['replays'] / 1000:.1f}, but there are "
                   f"{b['replays']:,} for {a['replays']:,}")


FIGURE = Figure(
    "fig5", "Fig. 5: the batch replay policy", 5,
    ("With the batch policy the replay cost is severely diminished, while the preprocessing cost "
     "is greatly increased: the buffer is not flushed, so duplicates are fetched (section "
     "III-E).",),
    plan=plan, draw=draw, expect=expect,
    why=by_kind({"replay policy": replayed, "pre/post-processing": equal}))

# SPDX-License-Identifier: GPL-2.0
"""Fig. 3: total time and breakdown over sizes, prefetching off."""

from framework import plot
from framework.paper import Expectation, Figure, nothing
from framework.verdict import by_kind

from .. import published, touch
from ..setup import KB, MB, PATTERNS


def plan(x):
    """Without prefetching."""
    touch.plan(x, "off")


def draw(data):
    """Totals, and the breakdown of each pattern."""
    rows = {name: touch.curve(data, "off", name) for name in PATTERNS}
    yield plot.lines("Total time", [(n, touch.latency(r)) for n, r in rows.items()],
                     "bytes touched", "GPU time, us", bytes=True,
                     band=(*published.FLOOR_US, "published below 100 KB"))
    for name in PATTERNS:
        yield from touch.drawn(f"{name}: what the driver does", rows[name], touch.by_size)


def floor(data):
    """The constant floor."""
    for name in PATTERNS:
        rows = touch.curve(data, "off", name)
        small = [r["time_ns"] / 1000 for r in rows if r["size"] < 100 * KB]
        if len(small) < 2 or not any(r["size"] >= 4 * MB for r in rows):
            yield Expectation(f"floor, {name}", kind="floor", workload=name)
            continue
        low, high = min(small), max(small)
        yield Expectation(f"floor, {name}: nearly constant below 100 KB",
                          "400-600 us, a ratio of 1.5", high / low <= 1.5,
                          f"{low:.0f}-{high:.0f} us, a ratio of {high / low:.2f}",
                          kind="floor", workload=name)
        yield Expectation(f"floor, {name}: its height", "400-600 us",
                          published.FLOOR_US[0] <= low and high <= published.FLOOR_US[1],
                          f"{low:.0f}-{high:.0f} us", kind="floor", workload=name)


def growth(data):
    """Linear above the floor."""
    for name in PATTERNS:
        rows = [r for r in touch.curve(data, "off", name) if r["size"] >= 4 * MB]
        if len(rows) < 2:
            yield Expectation(f"growth, {name}", "linear in size", kind="growth", workload=name)
            continue
        first, last = rows[0], rows[-1]
        ratio = (last["time_ns"] / first["time_ns"]) / (last["size"] / first["size"])
        yield Expectation(f"growth, {name}: linear in size", "roughly", 0.5 <= ratio <= 2,
                          f"from {first['size'] // MB} to {last['size'] // MB} MB time grows "
                          f"{ratio:.2f} times as fast as size", kind="growth", workload=name)


def large(data):
    """Regular and random from 1 MB on."""
    return [p for p in touch.pairs(data, ("off", "regular"), ("off", "random"))
            if p[0]["size"] >= MB]


def random_slower(data):
    """Random against regular."""
    pairs = large(data)
    if not pairs:
        yield Expectation("random is slower than regular", kind="random")
        return
    yield Expectation("random is slower than regular (1 MB and more)", "slower",
                      all(b["time_ns"] > a["time_ns"] for a, b in pairs),
                      ", ".join(f"{b['size'] // MB} MB: {b['time_ns'] / a['time_ns']:.2f}x"
                                for a, b in pairs), kind="random")
    shares = [(touch.share(a, "replay policy"), touch.share(b, "replay policy")) for a, b in pairs]
    yield Expectation("random's replay share is larger", "larger", all(b > a for a, b in shares),
                      ", ".join(f"{r['size'] // MB} MB: {b:.1f} % to {a:.1f} %"
                                for (r, _), (a, b) in zip(pairs, shares)), kind="random")


def preprocessing(data):
    """Pre- and post-processing is negligible."""
    rows = [r for n in PATTERNS for r in touch.curve(data, "off", n) if r["size"] >= MB]
    if not rows:
        yield Expectation("pre/post-processing is negligible", kind="preprocessing")
        return
    most = max(touch.share(r, "pre/post-processing") for r in rows)
    yield Expectation("pre/post-processing is negligible", "at most 10 %", most <= 10,
                      f"up to {most:.1f} %", kind="preprocessing")


def expect(data):
    """All of these."""
    for some in (floor, growth, random_slower, preprocessing):
        yield from some(data)


def migration(row):
    """Driver time, ns per page."""
    return row["service"]["migrate pages"] * 4096 / row["size"]


def grown(data, row):
    """Time over size: once there are more blocks than a batch can touch, it is linear."""
    rows = [r for r in touch.curve(data, "off", row.workload) if r["size"] >= 4 * MB]
    if len(rows) < 3:
        return
    first, before, last = rows[0], rows[-2], rows[-1]
    ratio = (last["time_ns"] / before["time_ns"]) / (last["size"] / before["size"])
    yield ("Each batch serves all blocks that its 256 faults are in, and a small problem has few: "
           f"migration takes {migration(first):.0f} ns a page at {first['size'] // MB} MB, "
           f"{migration(before):.0f} at {before['size'] // MB} MB")
    yield f"From there to {last['size'] // MB} MB time grows {ratio:.2f} times as fast as size"


def slower(data, _):
    """Random beside regular: in how few blocks both are."""
    found = [(b["size"], b["time_ns"] / a["time_ns"]) for a, b in large(data)]
    if found:
        size, ratio = found[-1]
        yield (f"A batch of random cannot touch more blocks than there are: {max(1, size >> 21)} "
               f"of 2 MB at {size // MB} MB, where random takes {ratio:.2f} times as long")


FIGURE = Figure(
    "fig3", "Fig. 3: total time and breakdown over sizes", 3,
    ("Prefetching is disabled.  Below 100 KB the total is nearly constant, 400-600 us; above, "
     "cost is roughly linear in size (section III-C).",
     "Pre- and post-processing is negligible.  Random tends to be slower, and there the replay "
     "policy takes a significant proportion."),
    plan=plan, draw=draw, expect=expect,
    why=by_kind({"floor": nothing, "growth": grown, "random": slower, "preprocessing": nothing}))

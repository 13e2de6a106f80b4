# SPDX-License-Identifier: GPL-2.0
"""
Why an expectation does not hold: sentences with the measurement that shows it.  What the
numbers do not show is not said, or said to be a guess.
"""

from .experiments import COMPRESSION, CONFIGS, REGULAR, SHAPES
from .measure import (at_ratio, mean, planned, ratio, ratios, result, speedup, whole, whole_ratio,
                      whole_speedup)
from .published import ETC_OWN, FOOTPRINT, HANDLING, LINK_BYTES_PER_NS, SMS

MB = 1 << 20
# The paper's monitor tolerates lifetimes that are shorter by 20 %: evictions 1.25 times as fast.
SEEN = 1 / 0.8


def listed(found, form="{:.2f}x"):
    """By workload."""
    return ", ".join(f"{name} " + form.format(value) for name, value in found.items())


# ---- Fig. 11 -----------------------------------------------------------------


def gains(data, *configs):
    """References over the baseline."""
    titles = {"unlimited": "with unlimited memory", "ideal": "with ideal eviction",
              "no handling": "with handling in no time", "to+ideal": "with TO and ideal eviction",
              "ideal switch": "as TO+UE with ideal context switches"}
    found = [(titles[c], whole_speedup(data, f"~{c}", "~baseline")) for c in configs]
    return ", ".join(f"{value:.2f}x {title}" for title, value in found if value)


def moved(data, config):
    """What more or less comes."""
    found = whole_ratio(data, config, "baseline", "htod")
    if found is None:
        return ""
    return f"{CONFIGS[config].title} moves {found:.2f} times the baseline's data to the GPU"


def lifetimes(data):
    """Whether the monitor can see where TO loses."""
    lost = [n for n, gain in speedup(data, "to").items() if gain < 0.9]
    count, took = ratio(data, "to", "baseline", "evicted"), ratio(data, "to", "baseline")
    faster = {n: count[n] / took[n] for n in lost if n in count}
    hidden = {n: v for n, v in faster.items() if v < SEEN}
    seen = {n: v for n, v in faster.items() if v >= SEEN}
    told = []
    if hidden:
        told.append("TO loses where its monitor cannot see it: the average lifetime of pages is "
                    "memory over evictions per time, and these are " + listed(hidden, "{:.2f}") +
                    f" times the baseline's, less than the {SEEN:.2f} that it tolerates")
    if seen:
        told.append("TO loses although its monitor could see it: evictions per time are " +
                    listed(seen, "{:.2f}") + f" times the baseline's, {SEEN:.2f} or more")
    return ".  ".join(told)


def grown(data):
    """What more memory for as many SMs makes of it."""
    small = {c: speedup(data, c) for c in ("to", "to+ue")}
    large = {c: speedup(data, f"{c}, grown", "baseline, grown") for c in small}
    names = [n for n in data["grown"] if all(n in found for c in small
                                             for found in (small[c], large[c]))]
    if not names:
        return ""
    size, larger = data["scale"]["size"], data["scale"]["grown_size"]
    told = ", ".join(f"{n}: TO {large['to'][n]:.2f}x rather than {small['to'][n]:.2f}x, "
                     f"TO+UE {large['to+ue'][n]:.2f}x rather than {small['to+ue'][n]:.2f}x"
                     for n in names)
    return (f"there are {SMS} SMs as in the paper, but {100 * size / FOOTPRINT:.0f} % of its "
            f"footprint and of the memory that goes with it.  With {larger / MB:.1f} MB rather "
            f"than {size / MB:.1f} MB {told}")


def limits(data):
    """What there is to gain at all."""
    found = gains(data, "ideal", "no handling", "to+ideal", "ideal switch", "unlimited")
    return f"on small graphs the baseline would be {found}" if found else ""


def left_to_others(data):
    """Unlimited memory's share of the baseline's time, by shape: what memory has no part in."""
    found = {s: whole_ratio(data, f"unlimited on {s}", f"baseline on {s}") for s in SHAPES}
    return {} if None in found.values() else found


def alone(data):
    """What memory has no part in, and whether that is one thread's work."""
    found = {n: v for n, v in ratio(data, "unlimited", "baseline").items() if v > 0.4}
    if not found:
        return ""
    told = ("of the baseline's time unlimited memory takes " +
            ", ".join(f"{n} {100 * v:.0f} % ({1 / v:.2f}x is all that memory can give)"
                      for n, v in found.items()))
    shares = left_to_others(data)
    values = list(shares.values())
    if values and all(a < b for a, b in zip(values, values[1:])):
        told += (".  That share rises with the edges that one vertex has (" +
                 ", ".join(f"{s} {100 * v:.0f} %" for s, v in shares.items()) +
                 "), as it would if that vertex's thread is the critical path")
    return told


def graph(data):
    """What another graph makes of it."""
    found = {s: whole_speedup(data, f"to+ue on {s}", f"baseline on {s}") for s in SHAPES}
    left = {s: whole_speedup(data, f"baseline on {s}", f"unlimited on {s}") for s in SHAPES}
    if None in found.values() or None in left.values():
        return ""
    return "it differs with the graph: " + ", ".join(
        f"on {s} half of the memory leaves {100 * left[s]:.0f} % and TO+UE gains {v:.2f}x"
        for s, v in found.items())


def of_gains(data, _):
    """Speedups of TO and UE."""
    return [limits(data), moved(data, "ue"), moved(data, "to"), lifetimes(data), grown(data),
            graph(data), alone(data)]


def link(data):
    """How much of the time is copying."""
    rows = {n: result(data, "baseline", n) for n in data["workloads"]}
    if None in rows.values():
        return ""
    share = mean((r["htod"] + r["dtoh"]) / LINK_BYTES_PER_NS / r["time_ns"]
                 for r in rows.values())
    times = mean(r["htod"] / r["footprint"] for r in rows.values())
    if share is None or times is None:
        return ""
    return (f"the baseline moves its data {times:.1f} times to the GPU, and copies in both "
            f"directions, one after the other, are {100 * share:.0f} % of its time")


def of_link(data, _):
    """The compressed link."""
    return [link(data)]


def etc(data):
    """Which of ETC's parts it is."""
    found, both = (whole_speedup(data, f"~{c}", "~baseline") for c in ("throttling", "etc"))
    if found is None or both is None:
        return ""
    return (f"on small graphs throttling without compression is {found:.2f}x and ETC {both:.2f}x; "
            f"what lies between them is a compression of {COMPRESSION / 100:.2g}, which is "
            f"assumed; ETC's authors have {ETC_OWN:.1f}x for irregular applications")


def of_etc(data, _):
    """ETC."""
    return [etc(data)]


# ---- Figs. 3 and 12 to 16 ----------------------------------------------------


def batch(data, config):
    """Bytes and handling of a batch, which its time is made of."""
    larger = whole_ratio(data, config, "baseline", "batch_bytes")
    rows = [result(data, config, n) for n in planned(data, config)]
    if larger is None or not all(row and row["batch_ns"] for row in rows):
        return ""
    share = sum(row["handling_ns"] / row["batch_ns"] for row in rows) / len(rows)
    return (f"a batch of {CONFIGS[config].title} moves {larger:.2f} times the baseline's bytes; "
            f"handling is {100 * share:.0f} % of the time")


def of_batches(data, _):
    """How many, and how large."""
    return [batch(data, "to"), moved(data, "to"), lifetimes(data), grown(data)]


def of_batch_time(data, _):
    """Fig. 14."""
    return [batch(data, c) for c in ("to", "to+ue")]


def page_time(data):
    """Fig. 3: what a page takes in each size of batch, and how many batches there are."""
    rows = data["spread"].get("baseline", {})
    return "by bytes in the batch: " + ", ".join(
        f"{int(b) >> 10} KB {1 / r['rate']:.2f} us a page ({r['count']} batches)"
        for b, r in rows.items()) if rows else ""


def handled(data):
    """Fig. 3: what is shared by the pages of a batch."""
    told = data["batches"].get("baseline")
    return (f"handling, which all pages of a batch share, is {100 * told['handling']:.0f} % of a "
            "batch of the baseline" if told else "")


def of_page_time(data, _):
    """Figs. 3 and 16."""
    return [page_time(data), handled(data)]


def of_premature(data, name):
    """Fig. 15: one workload's evictions."""
    workload = name.rsplit(", ", 1)[1]
    rows = {c: result(data, c, workload) for c in ("baseline", "to")}
    if None in rows.values():
        return []
    counts = ", ".join(f"{CONFIGS[c].title} evicts {row['evicted']} pages, of which "
                       f"{row['premature']} come back, and moves "
                       f"{row['htod'] / row['footprint']:.1f} times its data"
                       for c, row in rows.items())
    return [f"in {workload} {counts}; blocks of TO were switched in {rows['to']['switched']} times"]


# ---- the others --------------------------------------------------------------


def of_memory_left(data, _):
    """Fig. 8, the baseline."""
    return [link(data), graph(data)]


def of_ideal(data, _):
    """Fig. 8, the reference."""
    return [link(data), graph(data),
            "it is the baseline in which copies out take no time; it is not pipelined, and keeps "
            "unmapping and TLB invalidation"]


def of_switching(data, _):
    """Fig. 5: what the switches themselves take."""
    rows = data["runs"].get("switching", {}).values()
    switched = sum(r["switched"] for r in rows)
    if not rows:
        return []
    if not switched:
        return ["no block was switched in"]
    ns = sum(r["switch_ns"] for r in rows)
    share = ns / SMS / sum(r["time_ns"] for r in rows)
    return ["whenever all warps wait for memory, registers are saved and restored: a switch takes "
            f"{ns / switched / 1000:.1f} us, and all of them {100 * share:.0f} % of the time"]


def of_memory(data, _):
    """Fig. 17: what moves at each ratio."""
    found = []
    for where in ratios(data):
        name = at_ratio("baseline", where)
        times = {n: r["htod"] / r["footprint"] for n, r in data["runs"].get(name, {}).items()}
        less = whole(ratio(data, at_ratio("ue", where), name, "htod"), data["swept"])
        times = whole(times, data["swept"])
        if times and less:
            found.append(f"at {where} the baseline moves its data {times:.1f} times to the GPU, "
                         f"UE {less:.2f} times that")
    gained = [f"at {where} " + listed({n: v for n, v in speedup(
        data, at_ratio("ue", where), at_ratio("baseline", where)).items() if n in data["swept"]})
        for where in ratios(data) if data["runs"].get(at_ratio("ue", where))]
    return ["; ".join(found), "UE gains " + "; ".join(gained) if gained else ""]


def of_handling(data, name):
    """Fig. 18: handling's share of a batch, and what each workload gains."""
    config = "to+ue" if "to+ue" in name else "to"
    shares, gained = [], []
    for us in HANDLING:
        rows = [r for r in data["runs"].get(f"baseline@{us}us", {}).values() if r["batch_ns"]]
        if rows:
            share = sum(r["handling_ns"] / r["batch_ns"] for r in rows) / len(rows)
            shares.append(f"with {us} us {100 * share:.0f} %")
        found = speedup(data, f"{config}@{us}us", f"baseline@{us}us")
        if found:
            gained.append(f"with {us} us {listed(found)}")
    return ["of the time of the baseline's batches handling is " + ", ".join(shares)
            if shares else "",
            f"{CONFIGS[config].title} gains " + "; ".join(gained) if gained else ""]


def of_working_set(data, name):
    """Fig. 1: what our stand-in for working sets can see."""
    workload = name.rsplit(", ", 1)[1]
    rows = {n: result(data, f"sms@{n}", workload) for n in data["scale"]["sms"]}
    times = {n: r["htod"] / r["footprint"] for n, r in rows.items() if r}
    if not times:
        return []
    told = (f"we measure what comes back; {workload} moves its data " +
            ", ".join(f"{v:.2f} times with {n} SMs" for n, v in times.items()))
    if workload in REGULAR and max(times.values()) < 1.25:
        told += (".  So next to nothing comes back: what streams in order needs few pages at a "
                 "time, less than memory holds with any of these numbers of SMs")
    return [told]


def of_shapes(data, _):
    """By graph."""
    return [graph(data), alone(data)]


def of_grown(data, _):
    """By footprint."""
    return [grown(data), moved(data, "to"), lifetimes(data)]


# How the names of expectations begin, the first that fits, and what belongs to them.
BEGINNINGS = (
    ("TO+UE: ", of_gains),
    ("speedup over the baseline, link", of_link),
    ("speedup over the baseline, etc", of_etc),
    ("speedup over the baseline, ", of_gains),
    ("UE on top of TO", of_gains),
    ("UE alone, ", of_gains),
    ("to gains less", of_gains),
    ("link gains", of_link),
    ("etc gains", of_etc),
    ("to gains on average", of_gains),
    ("ue gains on average", of_gains),
    ("batches ", of_batches),
    ("faults per batch", of_batches),
    ("bytes per batch", of_batches),
    ("time of a batch", of_batch_time),
    ("premature evictions", of_premature),
    ("what 50 % of the memory leaves", of_memory_left),
    ("ideal eviction", of_ideal),
    ("an additional block", of_switching),
    ("the less memory", of_memory),
    ("UE at a tenth", of_memory),
    ("the longer the handling", of_handling),
    ("a page takes less time", of_page_time),
    ("working set", of_working_set),
    ("the fewer edges", of_shapes),
    ("to gains more", of_grown),
    ("to+ue gains more", of_grown),
)


def sentences(data, name):
    """By the name of the expectation; none fits one that is not known."""
    return next((told(data, name) for beginning, told in BEGINNINGS
                 if name.startswith(beginning)), [])


def why(data, name):
    """For the page; empty without data."""
    found = [s for s in sentences(data, name) if s]
    return ". ".join(s[0].upper() + s[1:] for s in found) + ("." if found else "")

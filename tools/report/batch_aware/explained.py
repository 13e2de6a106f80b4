# SPDX-License-Identifier: GPL-2.0
"""
Why an expectation does not hold: sentences with the measurement that shows it.  What the
numbers do not show is not said, or said to be a guess.
"""

from .experiments import COMPRESSION, CONFIGS, REGULAR, SHAPES
from .measure import (at_ratio, best, came_again, mean, planned, ratio, ratios, result, speedup,
                      whole, whole_ratio, whole_speedup)
from .published import ETC_OWN, FOOTPRINT, HANDLING, LINK_BYTES_PER_NS, SMS

MB = 1 << 20
# The paper's monitor tolerates lifetimes that are shorter by 20 %: evictions 1.25 times as fast.
SEEN = 1 / 0.8


def listed(found, form="{:.2f}x"):
    """By workload."""
    return ", ".join(f"{name} " + form.format(value) for name, value in found.items())


# ---- Fig. 11 -----------------------------------------------------------------


def where_compared(data):
    """On what many policies are compared, where that is not what the figures have."""
    size = data["scale"]["compared"]
    return f"with data of {size / MB:.1f} MB " if size != data["scale"]["size"] else ""


def of_some(data):
    """The workloads that take the figures apart, where these are not all."""
    return f" ({', '.join(data['apart'])})" if data["apart"] != data["workloads"] else ""


def gains(data, *configs):
    """References over the baseline."""
    titles = {"to": "with TO", "to+ue": "with TO+UE",
              "unlimited": "with unlimited memory", "ideal": "with ideal eviction",
              "no handling": "with handling in no time", "to+ideal": "with TO and ideal eviction",
              "ideal switch": "as TO+UE with close-to-ideal context switches"}
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
        told.append("where TO loses there are " + listed(hidden, "{:.2f}") + " times as many "
                    "evictions per time as in the baseline.  The average lifetime of pages is "
                    f"memory over these, and the monitor tolerates {SEEN:.2f} times those of the "
                    "window before: a guess is that it does not notice")
    if seen:
        told.append("where TO loses there are " + listed(seen, "{:.2f}") + " times as many "
                    f"evictions per time as in the baseline, more than the {SEEN:.2f} times those "
                    "of the window before that the monitor tolerates")
    return ".  ".join(told)


def others(data):
    """TO and TO+UE without the workloads that lose much."""
    lost = [n for n, gain in speedup(data, "to").items() if gain < 0.9]
    names = [n for n in data["workloads"] if n not in lost]
    found = {c: whole({n: v for n, v in speedup(data, c).items() if n in names}, names)
             for c in ("to", "to+ue")}
    if not lost or None in found.values():
        return ""
    return (f"without {' and '.join(lost)} TO is {found['to']:.2f}x and TO+UE "
            f"{found['to+ue']:.2f}x")


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


def fewer(data):
    """What SMs to the scale of memory make of it."""
    found = {c: whole_speedup(data, f"{c}, fewer SMs", "baseline, fewer SMs")
             for c in ("to", "to+ue")}
    count = whole_ratio(data, "to, fewer SMs", "baseline, fewer SMs", "batches")
    few, many = (speedup(data, "to" + what, "baseline" + what) for what in (", fewer SMs", ""))
    lost = ", ".join(f"{n} {few[n]:.2f}x rather than {many[n]:.2f}x"
                     for n in few if many.get(n, 1) < 0.9)
    if None in found.values():
        return ""
    return (f"with {data['scale']['fewer_sms']} SMs, to the scale of memory, TO is "
            f"{found['to']:.2f}x and TO+UE {found['to+ue']:.2f}x" +
            (f", batches with TO {count:.2f}x" if count else "") +
            (f" ({', '.join(data['fewer'])})" if data["fewer"] != data["workloads"] else "") +
            (f"; TO in {lost}" if lost else ""))


def ordered(data):
    """What worklists in order make of it, in these workloads and in all."""
    told = []
    for config in ("to", "to+ue"):
        came, put = (speedup(data, config + what, "baseline" + what) for what in ("", ", ordered"))
        names = [n for n in data["ordered"] if n in came and n in put]
        for name in names:
            times = [r["htod"] / r["footprint"] for r in
                     (result(data, config + what, name) for what in ("", ", ordered"))]
            told.append(f"{CONFIGS[config].title} in {name} {put[name]:.2f}x rather than "
                        f"{came[name]:.2f}x, and moves the data {times[1]:.1f} times rather than "
                        f"{times[0]:.1f}")
        every = whole({**came, **{n: put[n] for n in names}}, data["workloads"])
        if names and every:
            told.append(f"all workloads with that {every:.2f}x")
    return ("with worklists put in order by the CPU, so that timing has no part in their order, " +
            ", ".join(told)) if told else ""


def limits(data):
    """What there is to gain at all."""
    found = gains(data, "to", "to+ue", "ideal", "no handling", "to+ideal", "ideal switch",
                  "unlimited")
    return (f"{where_compared(data)}the baseline would be {found}{of_some(data)}"
            if found else "")


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
        told += (f".  In {', '.join(data['shaped'])} that share rises with the edges that one "
                 "vertex has (" +
                 ", ".join(f"{s} {100 * v:.0f} %" for s, v in shares.items()) +
                 "), as it would if that vertex's thread is the critical path")
    return told


def graph(data):
    """What another graph makes of it."""
    found = {s: whole_speedup(data, f"to+ue on {s}", f"baseline on {s}") for s in SHAPES}
    left = {s: whole_speedup(data, f"baseline on {s}", f"unlimited on {s}") for s in SHAPES}
    if None in found.values() or None in left.values():
        return ""
    return f"it differs with the graph ({', '.join(data['shaped'])}): " + ", ".join(
        f"on {s} half of the memory leaves {100 * left[s]:.0f} % and TO+UE gains {v:.2f}x"
        for s, v in found.items())


def of_gains(data, _):
    """Speedups of TO and UE."""
    return [others(data), ordered(data), limits(data), moved(data, "ue"), moved(data, "to"),
            lifetimes(data), grown(data), fewer(data), graph(data), alone(data)]


def of_one(data, name):
    """What one workload's time is made of, and how far overlapping copies can get."""
    workload = name.rsplit(", ", 1)[1]
    base, ue = (result(data, c, workload) for c in ("baseline", "ue"))
    if not base or not ue or not base["htod"]:
        return []
    shares = [base["htod"] / LINK_BYTES_PER_NS, base["dtoh"] / LINK_BYTES_PER_NS,
              base["batches"] * base["handling_ns"]]
    told = [f"{100 * s / base['time_ns']:.0f} %" for s in shares]
    return [f"of the baseline's time in {workload} copies in take {told[0]}, copies out "
            f"{told[1]}, what comes before the first copies of batches {told[2]}.  UE moves "
            f"{ue['htod'] / base['htod']:.2f} times the baseline's data to the GPU, so that "
            "without moving less nothing could be more than "
            f"{base['time_ns'] / shares[0]:.2f}x"]


def of_ours(data, _):
    """The best of ours."""
    kept = best(data)
    return [moved(data, kept) if kept else "", others(data)]


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
    return (f"{where_compared(data)}throttling without compression is {found:.2f}x and ETC "
            f"{both:.2f}x{of_some(data)}; what lies between them is a compression of "
            f"{COMPRESSION / 100:.2g}, which is assumed; ETC's authors have "
            f"{ETC_OWN:.1f}x for irregular applications")


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
    return [batch(data, "to"), moved(data, "to"), lifetimes(data), ordered(data), grown(data),
            fewer(data)]


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
            f"batch of the baseline that migrates, whose median takes "
            f"{told['median_ns'] / 1000:.0f} us" if told else "")


def of_page_time(data, _):
    """Figs. 3 and 16."""
    return [page_time(data), handled(data)]


def of_premature(data, name):
    """Fig. 15: one workload's evictions."""
    workload = name.rsplit(", ", 1)[1]
    rows = {c: result(data, c, workload) for c in ("baseline", "to")}
    again = {c: came_again(data, c, workload) for c in rows}
    if None in again.values():
        return []
    counts = ", ".join(f"{CONFIGS[c].title} evicts {row['evicted'] * 4096 / MB:.1f} MB, and "
                       f"{again[c] / MB:.1f} MB come to the GPU again, {row['htod'] / MB:.1f} MB "
                       f"in all; {row['premature']} addresses of evicted pages fault"
                       for c, row in rows.items())
    return [f"in {workload} {counts}; blocks of TO were switched in {rows['to']['switched']} times",
            ordered(data) if workload in data["ordered"] else ""]


# ---- the others --------------------------------------------------------------


def of_memory_left(data, _):
    """Fig. 8, the baseline."""
    return [link(data), graph(data)]


def of_ideal(data, _):
    """Fig. 8, the reference."""
    return [link(data), graph(data),
            "it is the baseline in which copies out take no time; it is not pipelined, and keeps "
            "unmapping and TLB invalidation"]


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


def of_switching(data, _):
    """Fig. 5: with the modelled switches, and with the paper's close-to-ideal ones."""
    found = [switches(data, config) for config in ("switching", "switching, ideal")]
    if not found[0]:
        rows = data["runs"].get("switching", {}).values()
        return ["no block was switched in"] if rows else []
    return ["whenever all warps wait for memory, registers are saved and restored: " + found[0],
            "with switches through a shared memory, the paper's close to ideal: " + found[1]
            if found[1] else ""]


def of_switches(data, _):
    """6.5: TO+UE's own."""
    return [limits(data)]


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
    everything = speedup(data, "ue@1", "unlimited")
    return ["; ".join(found), "UE gains " + "; ".join(gained) if gained else "",
            "with all memory " + listed(everything) if everything else ""]


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
    if workload in REGULAR and 1.25 <= max(times.values()) < 1.05 * min(times.values()):
        told += (".  Each pass streams all of it, so it comes back in the next, whatever the "
                 "number of SMs")
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


def of_ordered(data, _):
    """By the order of worklists."""
    return [ordered(data)]


def of_fewer(data, name):
    """By SMs: what there is to gain, and what moves."""
    config = name.rsplit(", ", 1)[1]
    moves = {n: r["htod"] / r["footprint"]
             for n in data["fewer"] if (r := result(data, f"{config}, fewer SMs", n))}
    return [fewer(data), (f"{CONFIGS[config].title} moves the data to the GPU " +
                          listed(moves, "{:.1f} times")) if moves else ""]


# How the names of expectations begin, the first that fits, and what belongs to them.
BEGINNINGS = (
    ("TO+UE: ", of_gains),
    ("speedup over the baseline, link", of_link),
    ("speedup over the baseline, etc", of_etc),
    ("speedup over the baseline, ", of_gains),
    ("UE on top of TO", of_gains),
    ("UE alone, ", of_one),
    ("UE with all memory", of_memory),
    ("the best of ours", of_ours),
    ("to gains less", of_gains),
    ("ideal gains", of_ideal),
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
    ("close-to-ideal", of_switches),
    ("the less memory", of_memory),
    ("UE at a tenth", of_memory),
    ("the longer the handling", of_handling),
    ("a page takes less time", of_page_time),
    ("handling before", of_page_time),
    ("working set", of_working_set),
    ("the fewer edges", of_shapes),
    ("with SMs to the scale", of_fewer),
    ("to gains more with worklists", of_ordered),
    ("to+ue gains more with worklists", of_ordered),
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

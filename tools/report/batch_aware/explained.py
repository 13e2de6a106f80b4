# SPDX-License-Identifier: GPL-2.0
"""Why an expectation does not hold: sentences with the measurement that shows it."""

from .experiments import COMPRESSION, CONFIGS, REGULAR, SHAPES
from .measure import average, mean, ratio, speedup
from .published import ETC_OWN, LINK_BYTES_PER_NS, SMS


def gains(data, *configs):
    """References over the baseline."""
    titles = {"unlimited": "with unlimited memory", "ideal": "with ideal eviction",
              "no handling": "with handling in no time", "to+ideal": "with TO and ideal eviction",
              "ideal switch": "as TO+UE with ideal context switches"}
    found = [(titles[c], average(speedup(data, f"~{c}", "~baseline")))
             for c in configs]
    return ", ".join(f"{value:.2f}x {title}" for title, value in found if value)


def moved(data, config):
    """What more or less comes."""
    found = average(ratio(data, config, "baseline", "htod"))
    if found is None:
        return ""
    return f"{CONFIGS[config].title} moves {found:.2f} times the baseline's data to the GPU"


def lifetimes(data):
    """Why the monitor does not keep TO from losing."""
    lost = [n for n, gain in speedup(data, "to").items() if gain < 0.9]
    moved_by, took = ratio(data, "to", "baseline", "evicted"), ratio(data, "to", "baseline")
    found = {n: moved_by[n] / took[n] for n in lost if n in moved_by}
    if not found:
        return ""
    return ("where TO loses, its monitor cannot see it: the average lifetime of pages is memory "
            "over evictions per time, which the link bounds, and these are " +
            ", ".join(f"{v:.2f} times the baseline's in {n}" for n, v in found.items()))


def grown(data):
    """What more memory for as many SMs makes of it."""
    found = {c: speedup(data, f"{c}, grown", "baseline, grown") for c in ("to", "to+ue")}
    listed = ", ".join(f"{n}: TO {v:.2f}x, TO+UE {found['to+ue'].get(n, 0):.2f}x"
                       for n, v in found["to"].items())
    if not listed:
        return ""
    return ("the 16 SMs are the paper's, and with a quarter of its memory what additional blocks "
            f"wait for does not fit; at the paper's footprint {listed}")


def limits(data):
    """What there is to gain at all."""
    found = gains(data, "ideal", "no handling", "to+ideal", "ideal switch", "unlimited")
    return f"on small graphs the baseline would be {found}" if found else ""


def alone(data):
    """What TO can add to: how much of the work is one thread's."""
    found = {n: v for n, v in ratio(data, "unlimited", "baseline").items() if v > 0.4}
    if not found:
        return ""
    listed = ", ".join(f"{n} {100 * v:.0f} %" for n, v in found.items())
    return (f"of the baseline's time unlimited memory takes {listed}: there the threads of the "
            "vertices with most neighbours are the critical path, and a block that has given "
            "way to another waits for its turn")


def graph(data):
    """What another graph makes of it."""
    found = {s: average(speedup(data, f"to+ue on {s}", f"baseline on {s}")) for s in SHAPES}
    left = {s: average(speedup(data, f"baseline on {s}", f"unlimited on {s}")) for s in SHAPES}
    if None in found.values() or None in left.values():
        return ""
    return "which graph it is counts most: " + ", ".join(
        f"on {s} half of the memory leaves {100 * left[s]:.0f} % and TO+UE gains {v:.2f}x"
        for s, v in found.items())


def link(data):
    """How much of the time is copying."""
    rows = data["runs"].get("baseline", {})
    if not rows:
        return ""
    share = {n: (r["htod"] + r["dtoh"]) / LINK_BYTES_PER_NS / r["time_ns"]
             for n, r in rows.items()}
    times = mean(r["htod"] / r["footprint"] for r in rows.values())
    return (f"the baseline moves its data {times:.1f} times to the GPU, and copies in both "
            f"directions, one after the other, are {100 * average(share):.0f} % of its time")


def etc(data):
    """Which of ETC's parts it is."""
    found = average(speedup(data, "~throttling", "~baseline"))
    if found is None:
        return ""
    return (f"on small graphs throttling without compression is {found:.2f}x, so the rest is the "
            f"memory that a compression of {COMPRESSION / 100:.2g} stands for, which is assumed; "
            f"ETC's authors have {ETC_OWN:.1f}x for irregular applications")


def switching(data):
    """What the switches themselves take."""
    rows = data["runs"].get("switching", {}).values()
    if not rows:
        return ""
    share = sum(r["switch_ns"] for r in rows) / SMS / sum(r["time_ns"] for r in rows)
    each = sum(r["switch_ns"] for r in rows) / sum(r["switched"] for r in rows)
    return (f"whenever all warps wait for memory, 200 cycles, registers are saved and restored: "
            f"a switch takes {each / 1000:.1f} us, and all of them {100 * share:.0f} % of the time")


def streaming(data):
    """What our stand-in for working sets cannot see."""
    times = [data["runs"].get(f"sms@{max(data['scale']['sms'])}", {}).get(n) for n in REGULAR]
    if None in times:
        return ""
    told = ", ".join(f"{n} {r['htod'] / r['footprint']:.2f} times" for n, r in zip(REGULAR, times))
    return ("we measure what comes back, and what streams with blocks in order has a window of "
            f"few pages, far less than half of its data, with any number of SMs: {told} the data "
            "moves in all")


def sentences(data, name):
    """By the name of the expectation."""
    if "working set" in name:
        return [streaming(data)]
    if "etc" in name:
        return [etc(data)]
    if "link" in name:
        return [link(data)]
    if "additional block" in name:
        return [switching(data)]
    if "TO+UE" in name or "to+ue" in name or "UE" in name or "speedup" in name:
        return [limits(data), moved(data, "ue"), moved(data, "to"), lifetimes(data), grown(data),
                graph(data), alone(data)]
    if "batch" in name or "premature" in name or "to gains" in name:
        return [moved(data, "to"), lifetimes(data), grown(data)]
    return [link(data), graph(data)]


def why(data, name):
    """For the page; empty without data."""
    found = [s for s in sentences(data, name) if s]
    return ". ".join(s[0].upper() + s[1:] for s in found) + ("." if found else "")

# SPDX-License-Identifier: GPL-2.0
"""
What is expected to hold, judged from the report's data.  Means are over all workloads that
were planned: where one lacks a result, nothing is said.
"""

import verdict

from . import published
from .experiments import REGULAR
from .measure import (at_ratio, complete, held_by, planned, ratios, result, speedup, whole,
                      whole_ratio, whole_speedup)

MB = 1 << 20
# A figure may be so far from the published one.
NEAR = 0.15
# Begins what is expected of our own, and not published.
OURS = "ours: "


def near(measured, wanted):
    """True, False, or None without a measurement."""
    return None if measured is None else abs(measured / wanted - 1) <= NEAR


def text(value, unit="x"):
    """For people."""
    return "" if value is None else f"{value:.2f}{unit}"


def by_workload(found, unit="x"):
    """One after the other."""
    return ", ".join(f"{name} {value:.2f}{unit}" for name, value in found.items())


def value(name, measured, wanted, unit="x"):
    """A published number."""
    return name, f"{wanted:.2f}{unit}, within 15 %", near(measured, wanted), text(measured, unit)


def order(name, expected, smaller, larger, names, unit="x"):
    """One is less than the other."""
    if smaller is None or larger is None:
        return name, expected, None, ""
    return (name, expected, smaller < larger,
            f"{names[0]} {text(smaller, unit)}, {names[1]} {text(larger, unit)}")


def steps(name, expected, found, unit, holds):
    """Each of the values, in order, and the next: found is [(label, value), ...]."""
    values = [v for _, v in found]
    return (name, expected,
            None if None in values else all(holds(a, b) for a, b in zip(values, values[1:])),
            ", ".join(f"{label}{unit}: {text(v) or 'not measured'}" for label, v in found))


def performance(data):
    """Fig. 11."""
    mean = {c: whole_speedup(data, c) for c in ("to", "ue", "to+ue", "link", "etc")}
    gain = mean["to+ue"]
    yield ("TO+UE: 1.8x or more over the baseline", OURS + "1.8x or more, where 2.00x is published",
           None if gain is None else gain >= 1.8, text(gain))
    for config, wanted in published.SPEEDUP.items():
        yield value(f"speedup over the baseline, {config}", mean[config], wanted)
    yield value("UE on top of TO", whole_speedup(data, "to+ue", "to"), published.UE_ON_TO)
    for one in ("to", "link", "etc"):
        wanted = [published.SPEEDUP[c] for c in (one, "to+ue")]
        yield order(f"{one} gains less than to+ue", f"less: {wanted[0]:.2f}x, {wanted[1]:.2f}x",
                    mean[one], mean["to+ue"], (one, "to+ue"))
    for config in ("to", "ue", "link", "etc"):
        wanted = published.SPEEDUP.get(config)
        yield (f"{config} gains on average",
               f"more than 1: {wanted:.2f}x" if wanted else OURS + "more than 1",
               None if mean[config] is None else mean[config] > 1,
               by_workload(speedup(data, config)))
    yield value("UE alone, bfs-dwc", speedup(data, "ue").get("bfs-dwc"), published.UE_DWC)


def batches(data):
    """Figs. 12 to 14."""
    yield value("batches with TO", whole_ratio(data, "to", "baseline", "batches"),
                published.BATCHES)
    for what, key in (("faults", "batch_faults"), ("bytes", "batch_bytes")):
        yield value(f"{what} per batch with TO", whole_ratio(data, "to", "baseline", key),
                    published.BATCH_SIZE)
    yield value("time of a batch, TO+UE against TO",
                whole_ratio(data, "to+ue", "to", "batch_ns"), published.BATCH_TIME_ON_TO)
    yield value("time of a batch, TO+UE against the baseline",
                whole_ratio(data, "to+ue", "baseline", "batch_ns"), published.BATCH_TIME)


def premature(data):
    """Fig. 15, from the numbers themselves: a ratio says nothing about none at all."""
    for name in data["workloads"]:
        more = name == published.MORE_PREMATURE
        title, expected = f"premature evictions with TO, {name}", "more" if more else "fewer"
        rows = [result(data, c, name) for c in ("baseline", "to")]
        if None in rows:
            yield title, expected, None, ""
            continue
        before, after = (row["premature"] for row in rows)
        share = f", {after / before:.2f}x" if before else ""
        # Without any in either there is nothing to compare.
        holds = (after > before if more else after < before) if before or after else None
        yield title, expected, holds, f"{after} pages, {before} in the baseline{share}"


def limits(data):
    """Figs. 5 and 8."""
    yield value("what 50 % of the memory leaves", whole_speedup(data, "baseline", "unlimited"),
                published.LEFT)
    yield value("ideal eviction", whole_speedup(data, "ideal"), published.IDEAL)
    yield value("an additional block that is switched in for memory",
                whole_speedup(data, "switching", "alone"), published.SWITCHING)


def by_memory(data, config, base):
    """Fig. 17: [(ratio and what the memory really holds, mean speedup), ...], least first."""
    found = []
    for where in ratios(data):
        one = at_ratio(config, where)
        other = base if base == "unlimited" else at_ratio(base, where)
        part = whole(held_by(data, one, data["swept"]), data["swept"])
        label = f"{where}" + (f" (measured {part:.2f})" if part else "")
        found.append((label, whole(speedup(data, one, other), data["swept"])))
    return found


def memory(data):
    """Fig. 17."""
    left = by_memory(data, "baseline", "unlimited")
    gain = by_memory(data, "ue", "baseline")
    yield steps("the less memory, the slower", "at every ratio", left, "", lambda a, b: a <= b)
    yield steps("the less memory, the more UE gains", "at every ratio", gain, "",
                lambda a, b: a >= b)
    tenth = dict(zip(ratios(data), gain)).get(0.1, ("0.1", None))
    name, expected, holds, measured = value("UE at a tenth of the memory", tenth[1],
                                            published.UE_AT_TENTH)
    yield name, expected, holds, f"{measured}, at {tenth[0]}" if measured else ""


def handling(data):
    """Fig. 18."""
    for config in ("to", "to+ue"):
        gains = [(us, whole_speedup(data, f"{config}@{us}us", f"baseline@{us}us"))
                 for us in published.HANDLING]
        yield steps(f"the longer the handling, the more {config} gains", "at every step", gains,
                    " us", lambda a, b: a <= b)


def rising(rows):
    """Does the rate rise from the smallest to the largest bins?  Those of some batches."""
    rates = [r["rate"] for r in rows.values() if r["count"] >= 5]
    return None if len(rates) < 2 else rates[-1] > rates[0], rates


def spread(data, config):
    """Batches of all workloads by size; of some workloads alone they tell nothing."""
    return data["spread"].get(config, {}) if complete(data, config) else {}


def sizes(data):
    """Figs. 3 and 16."""
    holds, rates = rising(spread(data, "baseline"))
    yield ("a page takes less time in a larger batch", "less (Fig. 3)", holds,
           "" if not rates else f"from {rates[0]:.2f} to {rates[-1]:.2f} pages per us")
    mean = {}
    for config in ("baseline", "to"):
        rows = spread(data, config)
        if rows:
            mean[config] = sum(int(b) * r["share"] for b, r in rows.items()) / 100 / MB
    yield order("batches are larger with TO", "larger (Fig. 16)", mean.get("baseline"),
                mean.get("to"), ("MB in a batch: baseline", "TO"), "")


def working_sets(data):
    """Fig. 1."""
    least, most = min(data["scale"]["sms"]), max(data["scale"]["sms"])
    for name in data["working_sets"]:
        title = f"working set by SMs, {name}"
        expected = "falls with them" if name in REGULAR else "does not fall with them"
        few, many = (result(data, f"sms@{n}", name) for n in (least, most))
        if not few or not many or not many["htod"]:
            yield title, expected, None, ""
            continue
        share = (few["htod"] / few["footprint"]) / (many["htod"] / many["footprint"])
        yield (title, expected, share <= 0.75 if name in REGULAR else share > 0.75,
               f"with {least} of {most} SMs {text(share)} of the data moves")


def shapes(data):
    """By graph: the smaller the share of one vertex."""
    for config in ("to", "to+ue"):
        gains = [(shape, whole_speedup(data, f"{config} on {shape}", f"baseline on {shape}"))
                 for shape in ("Graph 500", "RMAT-B", "RMAT-G")]
        yield steps(f"the fewer edges one vertex has, the more {config} gains",
                    OURS + "more at every step", gains, "", lambda a, b: a < b)


def grown(data):
    """More memory for as many SMs."""
    scale = data["scale"]
    for config in ("to", "to+ue"):
        small, large = speedup(data, config), speedup(data, f"{config}, grown", "baseline, grown")
        names = planned(data, f"{config}, grown")
        found = {n: (small[n], large[n]) for n in names if n in small and n in large}
        yield (f"{config} gains more with a larger footprint",
               f"{OURS}more with {scale['grown_size'] / MB:.1f} MB than with "
               f"{scale['size'] / MB:.1f}",
               all(a < b for a, b in found.values()) if found and len(found) == len(names)
               else None, ", ".join(f"{n}: {text(b)}, {text(a)}" for n, (a, b) in found.items()))


ALL = (performance, batches, premature, limits, memory, handling, sizes, working_sets, shapes,
       grown)


def judge(data):
    """[name, expected, measured, verdict], deviations first."""
    return verdict.judge(data, ALL)


def is_ours(row):
    """Whether what is expected there is not published."""
    return row[1].startswith(OURS)

# SPDX-License-Identifier: GPL-2.0
"""
What is expected to hold, judged from the report's data.  Means are over all workloads that
were planned: where one lacks a result, nothing is said.  What a scale has none of, beyond the
paper's figures, is not expected either.
"""

import verdict

from . import published
from .experiments import CONFIGS, REGULAR
from .measure import (at_ratio, best, came_again, complete, held_by, planned, ratios, result,
                      speedup, whole, whole_ratio, whole_speedup)

MB = 1 << 20
# A page of the paper's.
PAGE = 65536
# Fig. 11, and 4.2 for ideal eviction: what is published, least first.
ORDER = (("link", "etc"), ("link", "to"), ("etc", "to"), ("ideal", "to"),
         ("link", "to+ue"), ("etc", "to+ue"), ("to", "to+ue"), ("ideal", "to+ue"))
# A figure may be so far from the published one.
NEAR = 0.15
# So little of the data moves with few SMs where the working set falls.
FALLS = 0.75
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


def ours(data, gain):
    """What we add to it."""
    kept = best(data)
    most = whole_speedup(data, kept) if kept else None
    yield order("the best of ours gains more than to+ue", OURS + "more", gain, most,
                ("to+ue", f"{CONFIGS[kept].title}" if kept else ""))
    yield ("the best of ours: 1.8x or more over the baseline", OURS + "1.8x or more",
           None if most is None else most >= 1.8,
           f"{text(most)}: {by_workload(speedup(data, kept))}" if kept else "")


def performance(data):
    """Fig. 11."""
    mean = {c: whole_speedup(data, c) for c in ("to", "ue", "to+ue", "link", "etc", "ideal")}
    known = {**published.SPEEDUP, "ideal": published.IDEAL}
    gain = mean["to+ue"]
    yield ("TO+UE: 1.8x or more over the baseline", OURS + "1.8x or more, where 2.00x is published",
           None if gain is None else gain >= 1.8, text(gain))
    for config, wanted in published.SPEEDUP.items():
        yield value(f"speedup over the baseline, {config}", mean[config], wanted)
    yield value("UE on top of TO", whole_speedup(data, "to+ue", "to"), published.UE_ON_TO)
    for one, other in ORDER:
        yield order(f"{one} gains less than {other}",
                    f"less: {known[one]:.2f}x, {known[other]:.2f}x",
                    mean[one], mean[other], (one, other))
    for config in ("to", "ue", "link", "etc"):
        wanted = published.SPEEDUP.get(config)
        yield (f"{config} gains on average",
               f"more than 1: {wanted:.2f}x" if wanted else OURS + "more than 1",
               None if mean[config] is None else mean[config] > 1,
               text(mean[config]) + ": " + by_workload(speedup(data, config)))
    yield from ours(data, gain)
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
    """Fig. 15, from pages that came again: a ratio says nothing about none at all."""
    for name in data["workloads"]:
        more = name == published.MORE_PREMATURE
        title, expected = f"premature evictions with TO, {name}", "more" if more else "fewer"
        before, after = (came_again(data, c, name) for c in ("baseline", "to"))
        if before is None or after is None:
            yield title, expected, None, ""
            continue
        share = f", {after / before:.2f}x" if before else ""
        # Without any in either there is nothing to compare.
        holds = (after > before if more else after < before) if before or after else None
        yield (title, expected, holds, f"{after / PAGE:.0f} pages of 64 KB come again, "
               f"{before / PAGE:.0f} in the baseline{share}")


def limits(data):
    """Figs. 5 and 8."""
    yield value("what 50 % of the memory leaves", whole_speedup(data, "baseline", "unlimited"),
                published.LEFT)
    yield value("ideal eviction", whole_speedup(data, "ideal"), published.IDEAL)
    yield value("an additional block that is switched in for memory",
                whole_speedup(data, "switching", "alone"), published.SWITCHING)
    yield value("close-to-ideal context switches, TO+UE is 1",
                whole_speedup(data, "~ideal switch", "~to+ue"), published.SWITCH_GAIN)


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
    yield value("UE with all memory", whole(speedup(data, "ue@1", "unlimited"), data["swept"]),
                published.UE_AT_ALL)


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
    told = data["batches"].get("baseline") if complete(data, "baseline") else None
    yield value("handling before the first migration, of a batch that migrates",
                told and told["handling"], published.HANDLED)
    mean = {}
    for config in ("baseline", "to"):
        rows = spread(data, config).values()
        if rows:
            mean[config] = sum(r["bytes"] for r in rows) / sum(r["count"] for r in rows) / MB
    yield order("batches are larger with TO", "larger (Fig. 16)", mean.get("baseline"),
                mean.get("to"), ("MB in a batch: baseline", "TO"), "")


def working_sets(data):
    """Fig. 1."""
    least, most = min(data["scale"]["sms"]), max(data["scale"]["sms"])
    shares = {}
    for name in data["working_sets"]:
        few, many = (result(data, f"sms@{n}", name) for n in (least, most))
        if few and many and many["htod"]:
            shares[name] = (few["htod"] / few["footprint"]) / (many["htod"] / many["footprint"])
    # What falls for nothing does not tell what is irregular.
    tells = any(shares.get(name, 1) <= FALLS for name in REGULAR)
    for name in data["working_sets"]:
        share = shares.get(name)
        measured = "" if share is None else (f"with {least} of {most} SMs {text(share)} of the "
                                             "data moves")
        if name in REGULAR:
            yield (f"working set by SMs, {name}", "falls with them",
                   None if share is None else share <= FALLS, measured)
        else:
            yield (f"working set by SMs, {name}", "does not fall with them",
                   None if share is None or not tells else share > FALLS,
                   measured + ("" if tells or not measured else
                               "; so of the regular, so that this tells nothing"))


def shapes(data):
    """By graph: the smaller the share of one vertex."""
    if not data["shaped"]:
        return
    for config in ("to", "to+ue"):
        gains = [(shape, whole_speedup(data, f"{config} on {shape}", f"baseline on {shape}"))
                 for shape in ("Graph 500", "RMAT-B", "RMAT-G")]
        yield steps(f"the fewer edges one vertex has, the more {config} gains",
                    OURS + "more at every step", gains, "", lambda a, b: a < b)


def grown(data):
    """More memory for as many SMs."""
    if not data["grown"]:
        return
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


def ordered(data):
    """Worklists in order, rather than as threads came to their ends."""
    if not data["ordered"]:
        return
    for config in ("to", "to+ue"):
        as_it_came, sorted_ = (speedup(data, config + what, "baseline" + what)
                               for what in ("", ", ordered"))
        names = planned(data, f"{config}, ordered")
        found = {n: (as_it_came[n], sorted_[n]) for n in names
                 if n in as_it_came and n in sorted_}
        yield (f"{config} gains more with worklists in order", OURS + "more",
               all(a < b for a, b in found.values()) if found and len(found) == len(names)
               else None, ", ".join(f"{n}: {text(b)}, else {text(a)}"
                                    for n, (a, b) in found.items()))


def fewer(data):
    """SMs to the scale of memory."""
    if not data["fewer"]:
        return
    for config in ("to", "to+ue"):
        runs = f"{config}, fewer SMs", "baseline, fewer SMs"
        name, expected, holds, measured = value(
            f"with SMs to the scale of memory, {config}", whole_speedup(data, *runs),
            published.SPEEDUP[config])
        each = by_workload(speedup(data, *runs))
        yield name, expected, holds, f"{measured}: {each}" if measured else each


ALL = (performance, batches, premature, limits, memory, handling, sizes, working_sets, shapes,
       grown, fewer, ordered)


def judge(data):
    """[name, expected, measured, verdict], deviations first."""
    return verdict.judge(data, ALL)


def is_ours(row):
    """Whether what is expected there is not published."""
    return row[1].startswith(OURS)

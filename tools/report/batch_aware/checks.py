# SPDX-License-Identifier: GPL-2.0
"""What is expected to hold, judged from the report's data."""

import verdict

from . import published
from .experiments import IRREGULAR, REGULAR
from .measure import average, ratio, speedup

# A figure may be so far from the published one.
NEAR = 0.15


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


def order(name, smaller, larger, names):
    """One is less than the other."""
    holds = None if smaller is None or larger is None else smaller < larger
    return name, "less", holds, f"{names[0]} {text(smaller)}, {names[1]} {text(larger)}"


def performance(data):
    """Fig. 11."""
    mean = {c: average(speedup(data, c)) for c in ("to", "ue", "to+ue", "link", "etc")}
    gain = mean["to+ue"]
    yield ("TO+UE: 1.8x or more over the baseline", "2.00x", None if gain is None else gain >= 1.8,
           text(gain))
    for config, wanted in published.SPEEDUP.items():
        yield value(f"speedup over the baseline, {config}", mean[config], wanted)
    yield value("UE on top of TO", average(speedup(data, "to+ue", "to")), published.UE_ON_TO)
    for one, other in (("to", "to+ue"), ("link", "to+ue"), ("etc", "to+ue")):
        yield order(f"{one} gains less than {other}", mean[one], mean[other], (one, other))
    for config in ("to", "ue", "link", "etc"):
        yield (f"{config} gains on average", "more than 1",
               None if mean[config] is None else mean[config] > 1,
               by_workload(speedup(data, config)))
    yield value("UE alone, bfs-dwc", speedup(data, "ue").get("bfs-dwc"), published.UE_DWC)


def batches(data):
    """Figs. 12 to 15."""
    yield value("batches with TO", average(ratio(data, "to", "baseline", "batches")),
                published.BATCHES)
    faults = {c: {name: r["distinct"] / r["batches"] for name, r in
                  data["runs"].get(c, {}).items() if r["batches"]} for c in ("to", "baseline")}
    both = {n: faults["to"][n] / faults["baseline"][n] for n in faults["to"]
            if faults["baseline"].get(n)}
    yield value("faults per batch with TO", average(both), published.BATCH_SIZE)
    yield value("time of a batch, TO+UE against TO",
                average(ratio(data, "to+ue", "to", "batch_ns")), published.BATCH_TIME_ON_TO)
    yield value("time of a batch, TO+UE against the baseline",
                average(ratio(data, "to+ue", "baseline", "batch_ns")), published.BATCH_TIME)
    for name, change in ratio(data, "to", "baseline", "premature").items():
        more = name == published.MORE_PREMATURE
        yield (f"premature evictions with TO, {name}", "more" if more else "fewer",
               change > 1 if more else change < 1, text(change))


def limits(data):
    """Figs. 5 and 8."""
    yield value("what 50 % of the memory leaves", average(speedup(data, "baseline", "unlimited")),
                published.LEFT)
    yield value("ideal eviction", average(speedup(data, "ideal")), published.IDEAL)
    yield value("an additional block that is switched in for memory",
                average(speedup(data, "switching", "alone")), published.SWITCHING)


def sweeps(data):
    """Figs. 17 and 18."""
    scale = data["scale"]
    ratios = sorted([*scale["ratios"], 0.5])

    def at(config, where):
        return config if where == 0.5 else f"{config}@{where}"

    def swept(found):
        return average({n: v for n, v in found.items() if n in data["swept"]})
    left = [swept(speedup(data, at("baseline", r), "unlimited")) for r in ratios]
    gain = [swept(speedup(data, at("ue", r), at("baseline", r))) for r in ratios]
    line = ", ".join(f"{r}: {text(v)}" for r, v in zip(ratios, left))
    yield ("the less memory, the slower", "at every ratio",
           None if None in left else all(a <= b for a, b in zip(left, left[1:])), line)
    line = ", ".join(f"{r}: {text(v)}" for r, v in zip(ratios, gain))
    yield ("the less memory, the more UE gains", "at every ratio",
           None if None in gain else all(a >= b for a, b in zip(gain, gain[1:])), line)
    if 0.1 in ratios:
        yield value("UE at a tenth of the memory", gain[0], published.UE_AT_TENTH)
    for config in ("to", "to+ue"):
        gains = [average(speedup(data, f"{config}@{us}us", f"baseline@{us}us"))
                 for us in published.HANDLING]
        line = ", ".join(f"{us} us: {text(v)}" for us, v in zip(published.HANDLING, gains))
        yield (f"the longer the handling, the more {config} gains", "at every step",
               None if None in gains else all(a <= b for a, b in zip(gains, gains[1:])), line)


def rising(rows):
    """Does the rate rise from the smallest to the largest bins?  Those of some batches."""
    rates = [r["rate"] for r in rows.values() if r["count"] >= 5]
    return None if len(rates) < 2 else rates[-1] > rates[0], rates


def sizes(data):
    """Figs. 3 and 16."""
    holds, rates = rising(data["spread"].get("baseline", {}))
    yield ("a page takes less time in a larger batch", "less", holds,
           "" if not rates else f"from {rates[0]:.2f} to {rates[-1]:.2f} pages per us")
    mean = {}
    for config in ("baseline", "to"):
        rows = data["spread"].get(config, {})
        if rows:
            mean[config] = sum(int(b) * r["share"] for b, r in rows.items()) / 100 / (1 << 20)
    yield order("batches are larger with TO", mean.get("baseline"), mean.get("to"),
                ("MB in a batch of the baseline", "of TO"))


def working_sets(data):
    """Fig. 1."""
    least, most = min(data["scale"]["sms"]), max(data["scale"]["sms"])
    for name in (*REGULAR, *IRREGULAR):
        few, many = (data["runs"].get(f"sms@{n}", {}).get(name) for n in (least, most))
        if not few or not many:
            yield f"working set by SMs, {name}", "", None, ""
            continue
        share = (few["htod"] / few["footprint"]) / (many["htod"] / many["footprint"])
        holds = share <= 0.75 if name in REGULAR else share > 0.75
        yield (f"working set by SMs, {name}", "falls with them" if name in REGULAR else
               "does not fall with them", holds,
               f"with {least} of {most} SMs {text(share)} of the data moves")


def shapes(data):
    """By graph: the smaller the share of one vertex."""
    for config in ("to", "to+ue"):
        gains = {shape: average(speedup(data, f"{config} on {shape}", f"baseline on {shape}"))
                 for shape in ("Graph 500", "RMAT-B", "RMAT-G")}
        found = list(gains.values())
        yield (f"the fewer edges one vertex has, the more {config} gains", "",
               None if None in found else all(a < b for a, b in zip(found, found[1:])),
               ", ".join(f"{shape}: {text(v)}" for shape, v in gains.items()))


def grown(data):
    """More memory for as many SMs."""
    for config in ("to", "to+ue"):
        small, large = speedup(data, config), speedup(data, f"{config}, grown", "baseline, grown")
        found = {n: (small[n], v) for n, v in large.items() if n in small}
        yield (f"{config} gains more at the paper's footprint", "more",
               all(a < b for a, b in found.values()) if found else None,
               ", ".join(f"{n}: {text(a)}, {text(b)}" for n, (a, b) in found.items()))


ALL = (performance, batches, limits, sweeps, sizes, working_sets, shapes, grown)


def judge(data):
    """[name, expected, measured, verdict], deviations first."""
    return verdict.judge(data, ALL)

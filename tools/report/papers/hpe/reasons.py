# SPDX-License-Identifier: GPL-2.0
"""
Why an expectation does not hold: sentences with the measurement that shows it, which several
figures need.  What the numbers do not show is not said, or said to be a guess.
"""

from framework.results import ratio, result, speedup

from .numbers import (category, every, gone, least, listed, load, names_of, of, pages, policy,
                      ratios, some, strategy, without_best)
from .published import FAULT_NS, LOAD, RATES, REGULAR, SPEEDUP, WORKLOADS
from .setup import MACHINES, READINGS, at

TYPE2 = tuple(n for n, w in WORKLOADS.items() if w.type == "II")


def gain(data, rate, config="hpe", base="lru"):
    """By workload."""
    return speedup(data, at(rate, config), at(rate, base))


def unclassified(data, rate):
    """What is in another category than in the paper."""
    found = {n: c for n, c in of(data, "hpe", rate, category).items()
             if c not in WORKLOADS[n].categories}
    each = of(data, "hpe", rate, ratios)
    if not found:
        return ""
    return (f"at {rate} % {len(found)} workloads are in another category than in the paper: " +
            ", ".join(f"{n} is {c} (ratio 1 {each[n][0]:.2f}, ratio 2 {each[n][1]:.2f})"
                      for n, c in found.items()))


def as_begun(data, rate):
    """HPE with the strategy that the paper says each begins with, never adjusted, over LRU."""
    each = {"MRU-C": gain(data, rate, "always mru-c"), "LRU": gain(data, rate, "always lru")}
    return {n: v for n in data["scale"]["workloads"]
            if (v := each["MRU-C" if WORKLOADS[n].categories == (REGULAR,) else "LRU"].get(n))}


def better_of(data, rate):
    """HPE with the better of two strategies, over LRU."""
    one, other = (gain(data, rate, c) for c in ("always mru-c", "always lru"))
    return {n: max(v, other[n]) for n, v in one.items() if n in other}


def strategies(data, rate):
    """What the choice of a strategy costs."""
    found = [every(data, f) for f in (gain(data, rate), as_begun(data, rate),
                                      better_of(data, rate))]
    if None in found:
        return ""
    return (f"at {rate} % HPE is {found[0]:.2f}x; with the strategy that each workload begins with in "
            f"the paper, never adjusted, it is {found[1]:.2f}x, with the better of the two "
            f"{found[2]:.2f}x")


def faults(data, rate):
    """What takes the time."""
    found = of(data, "lru", rate, load)
    whole = every(data, found)
    if whole is None:
        return ""
    return (f"faults take more of the time than in the paper: of LRU's time at {rate} % the driver is "
            f"busy for {whole:.0f} % (published: {LOAD['lru'][rate]:.1f} %).  So what evictions save "
            "is saved nearly in full, and what they cost costs as much")


def evicted(data, rate):
    """What HPE has to save."""
    found = ratio(data, at(rate, "hpe"), at(rate, "lru"), "evicted")
    whole = every(data, found)
    return whole and (f"at {rate} % HPE evicts {whole:.2f} times what LRU evicts: "
                      f"{listed(found, '{:.2f}')}")


def on(data, rate, machine):
    """HPE over LRU on another machine."""
    return gain(data, rate, f"hpe, {machine}", f"lru, {machine}")


def machines(data, rate):
    """What other machines make of it."""
    here = gain(data, rate)
    for which, (title, *_) in MACHINES.items():
        other = on(data, rate, which)
        both = every(data, here), every(data, other)
        if None in both:
            continue
        moved = {n: other[n] for n in other if abs(other[n] / here[n] - 1) > 0.2}
        yield (f"if {title} HPE is {both[1]:.2f}x over LRU at {rate} % rather than {both[0]:.2f}x" +
               (": " + ", ".join(f"{n} {v:.2f}x rather than {here[n]:.2f}x"
                                 for n, v in moved.items()) if moved else ""))


def longer(data, config, rate):
    """Over LRU, with more passes."""
    return gain(data, rate, f"longer, {config}", "longer, lru")


def passes(data, rate, *names):
    """What more of them make of type II."""
    now, more = gain(data, rate), longer(data, "hpe", rate)
    both = [gain(data, rate, "always mru-c"), longer(data, "always mru-c", rate)]
    told = [f"{n} {more[n]:.2f}x rather than {now[n]:.2f}x (always MRU-C {both[1][n]:.2f}x rather "
            f"than {both[0][n]:.2f}x)" for n in names or more
            if all(n in found for found in (now, more, *both))]
    if not told:
        return ""
    return ("no policy saves anything of a first pass, and runs here are short; with four times as "
            f"many passes HPE over LRU at {rate} % is {', '.join(told)}")


def best(data, rate):
    """How much hangs on one."""
    found = gain(data, rate)
    if every(data, found) is None:
        return ""
    most = max(found, key=found.get)
    return (f"{most} gains most, {found[most]:.2f}x; without it the average is "
            f"{without_best(found):.2f}x")


def of_gains(data, row):
    """Speedups."""
    rate = row.rate
    return [unclassified(data, rate), strategies(data, rate), passes(data, 75, *TYPE2),
            best(data, rate), evicted(data, rate), faults(data, rate), *machines(data, rate)]


def counted(data, name, rate):
    """How a workload's page sets were counted."""
    row = result(data, at(rate, "hpe"), name)
    if not row or not ratios(row):
        return ""
    first, second = ratios(row)
    old, divided, hits = policy(row, "old_sets", "divided_sets", "recorder_hits")
    return (f"at {rate} % {name} has ratio 1 {first:.2f} and ratio 2 {second:.2f} when memory is "
            f"first full, with {old} page sets old; {divided} are divided in all; "
            f"{hits / pages(row):.2f} hits for each page of its footprint")


def one(data, name, rate):
    """One workload under either strategy, over LRU."""
    found = [gain(data, rate, c).get(name) for c in ("hpe", "always lru", "always mru-c")]
    row = result(data, at(rate, "hpe"), name)
    if None in found or not row:
        return ""
    return (f"{name} at {rate} % is {found[0]:.2f}x over LRU ({strategy(row)}), with always LRU "
            f"{found[1]:.2f}x, with always MRU-C {found[2]:.2f}x")


def elsewhere(data, name, rate):
    """One workload on other machines: its category, and what it gains."""
    for which, (title, *_) in MACHINES.items():
        row = result(data, at(rate, f"hpe, {which}"), name)
        value = on(data, rate, which).get(name)
        if row and value is not None and ratios(row):
            yield (f"if {title} {name} is {category(row)} at {rate} % (ratio 1 {ratios(row)[0]:.2f}, "
                   f"ratio 2 {ratios(row)[1]:.2f}), and {value:.2f}x over LRU")


def other_readings(data, name, rate=75):
    """Which reading of what the paper does not tell moves a workload's category."""
    row = result(data, at(rate, "hpe"), name)
    now = category(row) if row else None
    found = []
    for which, (title, _) in READINGS.items():
        other = result(data, at(rate, which), name)
        if now and other and category(other) != now:
            found.append(f"it is {category(other)} if {title}")
    return f"at {rate} % " + ", ".join(found) if found else ""


def of_workload(data, name, *rates):
    """All of that."""
    found = []
    for rate in rates or RATES:
        found += [counted(data, name, rate), one(data, name, rate), *elsewhere(data, name, rate)]
    return [*found, other_readings(data, name)]


def of_types(data, rate, *types, but=()):
    """Over LRU, by workload."""
    found = gain(data, rate)
    names = names_of(data, *types, but=but)
    value = some(found, names)
    return value and (f"{', '.join(types)} at {rate} %: {value:.2f}x, " +
                      listed({n: found[n] for n in names}))


def off_line(data, rate):
    """What MIN evicts off line, of what a run with all memory accesses."""
    found = least(data, rate)
    lru = of(data, "lru", rate, gone)
    ideal = of(data, "ideal", rate, gone)
    if not found:
        return ""
    return (f"MIN off line evicts at {rate} %, LRU's evictions are 1: " + ", ".join(
        f"{n} {found[n] / lru[n]:.2f} (as a policy {ideal[n] / lru[n]:.2f})"
        for n in found if lru.get(n) and n in ideal))


def bound(data, name, rate):
    """How much all that faults cost comes to."""
    row, least = result(data, at(rate, "lru"), name), result(data, "unlimited", name)
    if not row or not least:
        return ""
    return (f"{name} takes {row['time_ns'] / 1e6:.1f} ms with LRU at {rate} %, of which "
            f"{row['evicted'] * FAULT_NS / 1e6:.1f} ms are faults on what was evicted, and "
            f"{least['time_ns'] / 1e6:.1f} ms with all memory: nothing gains more than "
            f"{row['time_ns'] / least['time_ns']:.2f}x")


def published_order():
    """For people."""
    return ", ".join(f"{v:.2f}x at {r} %" for r, v in SPEEDUP.items())

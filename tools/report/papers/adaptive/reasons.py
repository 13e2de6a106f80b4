# SPDX-License-Identifier: GPL-2.0
"""
Why an expectation does not hold: sentences with the measurement that shows it, which several
figures need.  What the numbers do not show is not said, or said to be a guess.
"""

from framework.results import result

from .numbers import CHOICE, LRU, choice, known, listed, names_of, over, smart
from .published import FAULT_NS, FAULTS, STREAMING, WORKLOADS, at_rate, ratio
from .setup import APART, LENIENT, PERCENTS, at


def gains(data, rate, names):
    """By workload, beside the authors'."""
    found = smart(data, rate)
    told = [f"{n} {found[n]:.2f}x (published: {ratio(n, rate):.2f}x)" for n in names if n in found]
    return f"at {rate} %: " + ", ".join(told) if told else ""


def chosen(data, rate, names):
    """What the engine chose, where that is not by the paper's class."""
    found = choice(data, rate)
    other = {n: found[n] for n in names if n in found and found[n] != CHOICE[WORKLOADS[n].kind]}
    return (f"at {rate} % the choice is another than that of the paper's class: " +
            ", ".join(f"{n} has {what}, its class {CHOICE[WORKLOADS[n].kind]}"
                      for n, what in other.items())) if other else ""


def alone(data, rate, names):
    """TBNe without detection."""
    found, both = smart(data, rate, "tbne"), smart(data, rate)
    names = [n for n in names if n in found and n in both]
    return (f"TBNe alone at {rate} %: " +
            ", ".join(f"{n} {found[n]:.2f}x (the authors' code {both[n]:.2f}x)" for n in names)
            if names else "")


def of_faults(data, rate, name):
    """What 45 us for each fault make of it."""
    one, other = (result(data, at(rate, c), name) for c in ("default", "smart"))
    if not one or not other:
        return ""
    told = at_rate(FAULTS[name], rate) if name in FAULTS else 0
    parts = [f"{100 * FAULT_NS * r['pieces'] / (r['time_ns'] + FAULT_NS * r['pieces']):.0f} %"
             for r in (one, other)]
    kernels = [r["time_ns"] / 1000 for r in (one, other)]
    return (f"{name} at {rate} % has {one['pieces']} faults with the default" +
            (f" (published: {told})" if told else "") +
            f" and {other['pieces']} with the framework, which are {parts[0]} and {parts[1]} of "
            f"the time; kernels alone take {kernels[0]:.0f} us and {kernels[1]:.0f} us, "
            f"{kernels[1] / kernels[0]:.2f}x")


def by_memory(data, name):
    """Time, the default is 1, by the footprint in percent of memory."""
    found = {p: over(data, f"smart, {p} % exactly", f"default, {p} % exactly").get(name)
             for p in PERCENTS}
    return {p: v for p, v in found.items() if v}


def of_memory(data, name):
    """The same in words."""
    found = by_memory(data, name)
    return found and (f"{name} hangs on how much memory there is: " +
                      listed({f"{p} %:": v for p, v in found.items()}))


def of_pages(data, rate, name):
    """What came again."""
    one, other = (result(data, at(rate, c), name) for c in ("default", "smart"))
    if not one or not other:
        return ""
    before, after = at_rate(WORKLOADS[name].thrash, rate)
    return (f"in {name} at {rate} % {one['returned']} pages come again with the default and "
            f"{other['returned']} with the framework (published: {before} and {after}); memory is "
            f"{one['memory'] / 2 ** 20:.1f} MB of {one['footprint'] / 2 ** 20:.1f} MB")


def of_stream(data, rate, name):
    """One that streams and does not stay with LRU, or takes another time."""
    found, one = choice(data, rate), result(data, at(rate, "smart"), name)
    base = result(data, at(rate, "default"), name)
    if not base or not one or (found[name] == LRU and one["time_ns"] == base["time_ns"]):
        return ""
    told = [f"{name} at {rate} % has {found[name]}, and takes "
            f"{one['time_ns'] / base['time_ns']:.3f}x of the default's kernel time"]
    for use, what in (("smart, lenient", f"with {LENIENT} % out of order allowed"),
                      ("smart, any", "with any order allowed"),
                      ("smart, one", "with batches of one fault")):
        which = choice(data, APART, use)
        if rate == APART and name in which:
            told.append(f"{what} it has {which[name]}")
    return "; ".join(told)


def of_streams(data, row):
    """Those that do not."""
    for n in names_of(data, STREAMING):
        if told := of_stream(data, row.rate, n):
            yield told


def of_tbne(data, row):
    """Where detection makes a difference."""
    both, found = smart(data, row.rate), smart(data, row.rate, "tbne")
    return [alone(data, row.rate,
                  [n for n in both if n in found and abs(both[n] - found[n]) > 0.05])]


def of_one(data, row):
    """One bar."""
    rate, name = row.rate, row.workload
    return [of_faults(data, rate, name), of_pages(data, rate, name), chosen(data, rate, [name]),
            alone(data, rate, [name]), of_memory(data, name)]


def of_class(data, row):
    """A mean."""
    names = names_of(data, *row.group)
    return [gains(data, row.rate, names), chosen(data, row.rate, names),
            alone(data, row.rate, names)]


def of_thrash(data, row):
    """Numbers of pages of one."""
    return [of_pages(data, row.rate, row.workload), chosen(data, row.rate, [row.workload]),
            alone(data, row.rate, [row.workload])]


def of_again(data, row):
    """What streams and brings pages again."""
    again = known(data, at(row.rate, "default"), lambda r: r["returned"])
    return [of_pages(data, row.rate, n) for n in names_of(data, STREAMING) if again.get(n)]


def of_falls(data, row):
    """Numbers of pages of all that take less time."""
    found = {n: v for n, v in smart(data, row.rate).items() if v < 1}
    return [of_pages(data, row.rate, n) for n in found] + [f"times below 1: {listed(found)}"]

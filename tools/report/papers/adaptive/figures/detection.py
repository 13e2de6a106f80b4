# SPDX-License-Identifier: GPL-2.0
"""What the detector makes of each workload."""

from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.results import result

from ..numbers import CHOICE, LRU, choice, label, names_of
from ..published import DETECTED, RATES, STREAMING, WORKLOADS
from ..setup import APART, LENIENT, at
from ..setup import plan as plan_of


def plan(x):
    """With order as it is, with some disorder allowed, and with one fault at a time."""
    plan_of(x, "default", "smart")
    plan_of(x, "smart, lenient", "smart, any", "smart, one", rates=(APART,))


def told(name, rate):
    """What may be chosen: by the paper's class, or by what the authors' detector said."""
    kinds = (WORKLOADS[name].kind, DETECTED.get((name, rate), WORKLOADS[name].kind))
    return sorted({CHOICE[k] for k in kinds})


def ways(data):
    """Choices at one rate, by what is varied."""
    return {f"with {LENIENT} % out of order allowed": choice(data, APART, "smart, lenient"),
            "with any order allowed": choice(data, APART, "smart, any"),
            "with batches of one fault": choice(data, APART, "smart, one")}


def patterns(data, name, rate):
    """Of each allocation that was used: its name, and what the detection saw."""
    row = result(data, at(rate, "smart"), name)
    return [f"{which} {pattern}" for which, pattern in (row or {}).get("patterns", ())
            if pattern != "undecided"]


def draw(data):
    """Choices beside the class."""
    found = {r: choice(data, r) for r in RATES}
    rows = []
    for name in data["scale"]["workloads"]:
        row = result(data, at(APART, "smart"), name)
        rows.append([name, WORKLOADS[name].kind, *(" or ".join(told(name, r)) for r in RATES),
                     *(found[r].get(name, "") for r in RATES),
                     *(f.get(name, "") for f in ways(data).values()),
                     row["batches"] if row else ""])
    yield ("<p>Chosen is what the driver tells. The recorder is read from the moment when some "
           "allocation is random or mixed; else an allocation that is linear and used again has "
           "TBNe, and LRU is what remains.</p>")
    yield Table(["", "class", *(f"expected, {r} %" for r in RATES),
                 *(f"chosen, {r} %" for r in RATES), *(f"{what}, {APART} %" for what in ways(data)),
                 f"batches, {APART} %"], rows, "Choices")
    yield ("<p>The choice is one for all allocations, by the worst pattern of any. These are the "
           "patterns when the kernels have ended.</p>")
    yield Table(["", *(f"{label(r)}" for r in RATES)],
                [[name, *(", ".join(patterns(data, name, r)) for r in RATES)]
                 for name in data["scale"]["workloads"]], "Patterns by allocation")


def expect(data):
    """Each, and what would mend the streams."""
    for name in WORKLOADS:
        found = [choice(data, r).get(name) for r in RATES]
        yield Expectation(
            f"choice for {name}",
            "; ".join(f"{label(r)}: {' or '.join(told(name, r))}" for r in RATES),
            None if None in found else all(f in told(name, r) for f, r in zip(found, RATES)),
            "; ".join(f"{label(r)}: {f}" for f, r in zip(found, RATES) if f), workload=name)
    names = [n for n, w in WORKLOADS.items() if w.kind == STREAMING]
    for what, found in ways(data).items():
        stay = [n for n in names if found.get(n) == LRU]
        yield Expectation(f"what streams stays with LRU {what}", f"{OURS}all four",
                          len(stay) == len(names) if set(names) <= set(found) else None,
                          ", ".join(stay) or ("none" if found else ""), group=STREAMING)


def why(data, row):
    """What moves the choice."""
    found = ways(data)
    which = [row.workload] if row.workload else names_of(data, row.group)
    base = choice(data, APART)
    for n in which:
        if n in base and all(n in f for f in found.values()):
            yield (f"{n} at {APART} %: {base[n]}; " +
                   "; ".join(f"{what} {f[n]}" for what, f in found.items()))


FIGURE = Figure("detection", "What is detected", 6, (
    "A launch is linear for an allocation if its 64 KB come in the order of addresses, and random "
    "else (III-A). What streams keeps LRU by 2 MB, what is regular has TBNe, what is random or "
    "mixed TBNe and migration that waits; in the authors' logs FDTD-2D and, at 125 %, hotspot have "
    "that, too, and RA streams at 125 %.",), plan=plan, draw=draw, expect=expect, why=why)

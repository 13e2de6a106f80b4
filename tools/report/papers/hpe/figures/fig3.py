# SPDX-License-Identifier: GPL-2.0
"""Fig. 3: evictions of LRU and RRIP, Ideal's are 1."""

from framework.compare import both
from framework.paper import Expectation, Figure
from framework.results import ratio
from framework.verdict import text

from .. import reasons
from ..numbers import listed, some, whole_types
from ..published import RRIP_TYPE2
from ..setup import CONFIGS, at
from ..setup import plan as plan_of

RATE = 75
WELL = 1.1
POOR = 1.2


def plan(x):
    """Plain RRIP: the enhancement comes with V-B."""
    plan_of(x, "lru", "rrip", "ideal", rates=(RATE,))


def of(data, config, base="ideal"):
    """By workload."""
    return ratio(data, at(RATE, config), at(RATE, base), "evicted")


def draw(data):
    """Both."""
    yield from both(data["scale"]["workloads"],
                    [(CONFIGS[c].title, of(data, c)) for c in ("lru", "rrip")],
                    "evictions, Ideal's are 1", "Evictions of LRU and RRIP")


def poor(name, found, workloads, config):
    """They evict much more than Ideal."""
    mine = {n: found.get(n) for n in workloads}
    return Expectation(name, f"{POOR:.1f} times Ideal's or more",
                       None if None in mine.values() else all(v >= POOR for v in mine.values()),
                       listed({n: v for n, v in mine.items() if v}, "{:.2f}"),
                       workload=workloads, config=config)


def expect(data):
    """III-B."""
    lru, rrip, both_of = of(data, "lru"), of(data, "rrip"), of(data, "rrip", "lru")
    for name, least in RRIP_TYPE2.items():
        yield Expectation(f"RRIP evicts 50 % more than Ideal, {name}", f"{least:.1f} or more",
                          rrip[name] >= least if name in rrip else None, text(rrip.get(name), ""),
                          workload=name, config="rrip")
        yield Expectation(f"RRIP evicts fewer than LRU, {name}", "fewer",
                          both_of[name] < 1 if name in both_of else None,
                          f"{both_of[name]:.3f}" if name in both_of else "",
                          workload=name, config="rrip")
    yield poor("RRIP thrashes: SRD, HSD", rrip, ("SRD", "HSD"), "rrip")
    friendly = [n for n in whole_types(("I", "VI")) if n != "GEM"]
    mean = some(lru, friendly)
    yield Expectation("LRU is near Ideal for types I (without GEM) and VI", f"below {WELL:.1f}",
                      None if mean is None else mean < WELL,
                      listed({n: lru[n] for n in friendly if n in lru}, "{:.2f}"),
                      group=("I", "VI"), config="lru")
    yield poor("LRU evicts more than Ideal: GEM", lru, ("GEM",), "lru")
    last = some(both_of, whole_types(("VI",)))
    yield Expectation("RRIP evicts more than LRU for type VI", "more",
                      None if last is None else last > 1, "" if last is None else f"{last:.3f}",
                      group="VI", config="rrip")
    for config, found in (("lru", lru), ("rrip", rrip)):
        yield poor(f"{config.upper()} is poor for BFS, HIS and SPV", found, ("BFS", "HIS", "SPV"),
                   config)


def why(data, _):
    """What both evict."""
    yield reasons.off_line(data, RATE)
    found = of(data, "rrip", "lru")
    if found:
        yield f"RRIP's evictions, LRU's are 1: {listed(found, '{:.2f}')}"
    yield reasons.faults(data, RATE)


FIGURE = Figure(
    "fig3", "Fig. 3: evictions of LRU and RRIP, Ideal's are 1", 3,
    ("RRIP thrashes on SRD and HSD; on MRQ and STN it is better than LRU and evicts 50 % more than "
     "Ideal.  LRU is near Ideal for types I (without GEM) and VI, RRIP poor for VI; both are poor for "
     "BFS, HIS and SPV (III-B).",),
    plan=plan, draw=draw, expect=expect, why=why)

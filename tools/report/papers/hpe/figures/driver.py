# SPDX-License-Identifier: GPL-2.0
"""HPE in a driver like nvidia-uvm: batches of 256 faults, units of 64 KB, the tree prefetcher."""

from framework.compare import both
from framework.paper import OURS, Expectation, Figure
from framework.results import result, speedup
from framework.verdict import text

from ..numbers import category, every, label, listed, pages, policy, typed
from ..setup import APART, REAL, at, plan_driver

SHOWN = ("walk", "hpe")
# It is not worth its while.
GAINS = 1.02


def of(data, config, base="lru"):
    """By workload."""
    return speedup(data, at(APART, f"driver, {config}"), at(APART, f"driver, {base}"))


def draw(data):
    """Over the driver's own LRU."""
    yield ("<p>Profile <code>gtx1080ti</code> as it is, with <code>root_chunk_granularity=64k</code>: a "
           "batch has up to 256 faults, which are four of HPE's intervals, the density tree prefetches, "
           "and a page set is one unit. LRU is in the order of migration, which is what a driver can "
           "know; LRU by walks has all page-walk hits at no cost.</p>")
    groups = [(REAL[c].title, of(data, c)) for c in SHOWN]
    yield typed(groups, "LRU by migration is 1", f"In a real driver at {label(APART)}")
    yield from both(data["scale"]["workloads"], groups, "speedup over LRU by migration",
                    f"In a real driver at {label(APART)}")


def expect(data):
    """CPPE (Yu et al., IPDPS 2020) says that prefetching and HPE do not go together."""
    found = every(data, of(data, "hpe"))
    yield Expectation(f"in a real driver HPE gains little, {APART} %",
                      f"{OURS}at most {GAINS:.2f}x", None if found is None else found <= GAINS,
                      text(found), rate=APART)


def why(data, _):
    """What its page sets are like there."""
    found = of(data, "hpe")
    far = {n: v for n, v in found.items() if abs(v - 1) > 0.1}
    if far:
        yield f"HPE over LRU by migration: {listed(far)}"
    rows = {n: result(data, at(APART, "driver, hpe"), n) for n in data["scale"]["workloads"]}
    kinds = {n: category(r) for n, r in rows.items() if r and category(r)}
    counts = {k: [n for n, v in kinds.items() if v == k] for k in set(kinds.values())}
    yield "; ".join(f"{k}: {', '.join(v)}" for k, v in sorted(counts.items()))
    hits = {n: policy(r, "recorder_hits") / pages(r) for n, r in rows.items() if r and n in far}
    if hits:
        yield f"hits for each page: {listed(hits, '{:.2f}')}"


FIGURE = Figure("driver", "HPE in a real driver", 23, plan=plan_driver, draw=draw, expect=expect, why=why)

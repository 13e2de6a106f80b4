# SPDX-License-Identifier: GPL-2.0
"""What the recorder saves against a list of addresses."""

from framework import plot
from framework.paper import Figure
from framework.parts import Table
from framework.results import result
from framework.verdict import value

from ..numbers import label, listed, of, pages, plain, policy
from ..published import ADDRESS_BYTES, ENTRY_BYTES, HIR_SAVES, RATES
from ..setup import at
from ..setup import plan as plan_of


def plan(x):
    """HPE."""
    plan_of(x, "hpe")


def saved(row):
    """Of the bytes of a list of addresses, those that entries do not take; None without hits."""
    records, hits = policy(row, "records", "recorder_hits") or (0, 0)
    return 1 - ENTRY_BYTES * records / (ADDRESS_BYTES * hits) if hits else None


def pooled(data, rate):
    """The same of all workloads' bytes."""
    found = of(data, "hpe", rate, lambda row: policy(row, "records", "recorder_hits"))
    records, hits = (sum(v[i] for v in found.values()) for i in (0, 1))
    return 1 - ENTRY_BYTES * records / (ADDRESS_BYTES * hits) if hits else None


def draw(data):
    """By workload."""
    names = data["scale"]["workloads"]
    found = {r: of(data, "hpe", r, saved) for r in RATES}
    yield plot.bars("Storage that the recorder saves", names,
                    [(label(r), [max(0, 100 * found[r][n]) if n in found[r] else None
                                 for n in names]) for r in RATES],
                    "% of a list of addresses, 0 where it takes more")
    yield Table(["", "hits", "entries", "hits for each entry", "saved, %"], [
        [f"{n} {r} %", hits, records, f"{hits / max(records, 1):.1f}", f"{100 * found[r][n]:.0f}"]
        for n in names for r in RATES if n in found[r]
        for records, hits in [policy(result(data, at(r, "hpe"), n), "records", "recorder_hits")]],
        f"Entries of {ENTRY_BYTES} bytes, addresses of {ADDRESS_BYTES}")


def expect(data):
    """The average of what is saved."""
    for rate in RATES:
        found = of(data, "hpe", rate, saved)
        yield value(f"storage that the recorder saves, {rate} %",
                    plain(found, data["scale"]["workloads"]), HIR_SAVES[rate], "", rate=rate)


def why(data, row):
    """Hits for each entry."""
    rate = row.rate
    found, all_of = of(data, "hpe", rate, saved), pooled(data, rate)
    if all_of is None:
        return
    yield (f"of all workloads together it saves {100 * all_of:.0f} % at {rate} %; an entry of "
           f"{ENTRY_BYTES} bytes saves something from two hits on, of {ADDRESS_BYTES} bytes each")
    few = {n: v for n, v in found.items() if v < 0}
    rows = {n: result(data, at(rate, "hpe"), n) for n in few}
    hits = {n: policy(r, "recorder_hits") / pages(r) for n, r in rows.items()}
    yield (f"in {', '.join(few)} an entry has hardly more than one hit, and takes more than "
           f"addresses: there are few hits, for each page {listed(hits, '{:.2f}')}" if few else "")


FIGURE = Figure(
    "storage", "What the recorder saves", 18,
    ("On average the recorder needs 63 % less storage than a list of addresses at 75 %, 53 % less at "
     "50 % (IV-B; no figure).",), plan=plan, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""What the paper suggests, as settings of the driver, and its runs."""

import json

from framework.machine import EVENTS, Machine, Run
from framework.results import result

from .published import TABLE1
from .setup import applications, machine, workload

PERCENT = 150
BASE = "as nvidia-uvm"


def settings(**parameters):
    """Words that set them."""
    return [word for name, value in parameters.items() for word in ("--set", f"{name}={value}")]


# What is tried with too little memory; with enough, only what prefetches differs.
TRIED = {
    BASE: [],
    "1 % threshold": settings(perf_prefetch_threshold=1),
    "adaptive prefetching": settings(prefetch_policy="adaptive"),
    "64 KB granularity": settings(root_chunk_granularity="64k"),
    "access-aware eviction": settings(eviction_policy="accessed"),
    "all but the first": settings(prefetch_policy="adaptive", root_chunk_granularity="64k",
                                  eviction_policy="accessed"),
}
PREFETCHERS = (BASE, "1 % threshold", "adaptive prefetching")
ENOUGH, TOO_LITTLE = "enough", "too little"


class OriginMachine(Machine):
    """One whose faults say who made them."""

    def options(self):
        """Words for qemu-tests/vm."""
        return [*super().options(), "--uvm", "fault_origin=1"]


class OriginRun(Run):
    """Of the faults, only who made them is kept."""

    def take(self, lines):
        """Output of the run, line by line."""
        faults = [json.loads(line) for line in lines if line.startswith('{"event":"gpu_fault"')]
        super().take([line for line in lines if not line.startswith('{"event"')])
        if self.result is not None:
            self.result["origin"] = {
                "faults": sum("pc" in f for f in faults),
                "instructions": len({f["pc"] for f in faults if "pc" in f}),
                "sms": len({f["sm"] for f in faults if "sm" in f}),
                "warps": len({(f["block"], f["warp"]) for f in faults if "warp" in f})}


def plan(x):
    """All runs, with keys that begin with "suggest"."""
    usual = machine(x.scale)
    origin = OriginMachine("fault origin", usual.softgpu, usual.memory)
    for name, words in applications(x.scale).items():
        for what, changes in TRIED.items():
            if what in PREFETCHERS:
                workload(x, (f"suggest-{ENOUGH}-{what}", name), name, *words, *changes,
                         session="suggest-enough")
            workload(x, (f"suggest-{TOO_LITTLE}-{what}", name), name, *words,
                     "--oversubscription", PERCENT, *changes, session=f"suggest-{name}")
        x.add(("suggest-origin", name),
              OriginRun(origin, "run", name, *words, "--json", "--quiet", events=EVENTS))


def by_workload(data, memory):
    """Rows by workload, by what was tried; without those that lack the base."""
    found = {}
    for name in TABLE1:
        rows = {what: result(data, f"suggest-{memory}-{what}", name) for what in TRIED}
        if rows[BASE]:
            found[name] = {what: row for what, row in rows.items() if row}
    return found


def origins(data):
    """Who made the faults; and the row without that."""
    pairs = {n: (result(data, "suggest-origin", n), result(data, f"suggest-{ENOUGH}-{BASE}", n))
             for n in TABLE1}
    return {n: pair for n, pair in pairs.items() if all(pair)}

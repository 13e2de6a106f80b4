# SPDX-License-Identifier: GPL-2.0
"""How large everything is, and on what machines it runs."""

import math
from dataclasses import dataclass

from framework.machine import PRIORITY, Machine, Run

from . import published

KB, MB = 1 << 10, 1 << 20
OFF = ("--set", "perf_prefetch_enable=0")
# What is read need not be copied back: one way, as with pages that migrate.
EXPLICIT = ("--explicit", "--access", "read")
# Of 256: what Table I is run with once more.
SMALL_BATCH = 64
# Parameters whose other choices are tried with too little memory.
POLICIES = ("prefetch_policy", "eviction_policy", "root_chunk_granularity")
PATTERNS = ("regular", "random")
# Of these the page of policies need not say more: they are among the suggestions.
COVERED = (("prefetch_policy", "adaptive"), ("root_chunk_granularity", "64k"),
           ("eviction_policy", "accessed"))


@dataclass(frozen=True)
class Scale:
    """How large everything is."""

    name: str
    memory: int             # usable GPU memory, bytes
    sgemm_memory: int
    sizes: tuple            # of Figs. 3 to 5, bytes
    percents: tuple         # of Figs. 1 and 9
    sgemm: tuple            # rows of Table II

    def vram(self):
        """MB that the GPU has."""
        return max(2 * self.memory, 2 * max(self.sizes)) // MB

    def fault_batch(self):
        """The driver's batch of 256 in our memory; less than 4 would show nothing more."""
        return max(4, round(256 / factor(self.memory)))

    def middle(self):
        """The oversubscription at which policies are compared."""
        return middle(self.percents)


SMALL = (4 * KB, 16 * KB, 64 * KB, 96 * KB, 256 * KB, MB, 4 * MB, 16 * MB)
SCALES = {
    "quick": Scale("quick", 8 * MB, 4 * MB, (4 * KB, 64 * KB, 4 * MB), (200,), (29228, 35372)),
    "default": Scale("default", 64 * MB, 64 * MB, (*SMALL, 64 * MB, 128 * MB),
                     (100, 125, 150, 200, 267), (29228, 33836, 35372, 36908, 38444)),
    "full": Scale("full", 256 * MB, 128 * MB, (*SMALL, 64 * MB, 128 * MB, 256 * MB, 512 * MB),
                  (100, 110, 125, 150, 175, 200, 267),
                  tuple(row[0] for row in published.TABLE2)),
}


def factor(memory):
    """How many times smaller than the paper's GPU."""
    return published.MEMORY / memory


def middle(percents):
    """150 % if that is measured."""
    return 150 if 150 in percents else percents[0]


def side(sgemm_memory, n):
    """The paper's problem size in our memory: a multiple of sgemm's tile."""
    return round(n * math.sqrt(sgemm_memory / published.MEMORY) / 64) * 64


def scaled(args):
    """What the command line asks for; --memory is a scale between."""
    like = SCALES["quick" if args.quick else "full" if args.full else "default"]
    if not args.memory:
        return like
    like = SCALES["default"]
    memory = args.memory * MB
    return Scale(f"default, {args.memory} MB", memory, min(memory, like.sgemm_memory),
                 tuple(s for s in like.sizes if s <= 2 * memory), like.percents, like.sgemm)


def machine(scale, clock=""):
    """The paper's GPU; the real clock counts instructions."""
    profile = f"profile=titanv vram_mb={scale.vram()}"
    memory = 640 + scale.vram() + 3 * scale.memory // MB
    if clock == "real":
        return Machine("real clock, counted", f"{profile} clock=real", memory, "icount",
                       PRIORITY, ("chrt",))
    return Machine("virtual clock", profile, memory)


def workload(x, key, name, *words, limit=None, session="pages", clock="", **more):
    """Plan one run of a workload; the sessions are boots that can run side by side."""
    words = ["run", name, *words, "--json", "--quiet"]
    if limit:
        words += ["--vram", limit]
    x.add(key, Run(machine(x.scale, clock), *words,
                   session="" if x.scale.name == "quick" else session, **more))


def applications(scale):
    """Arguments of the eight workloads, sized as Table I's faults tell, where it can be done."""
    m = scale.memory
    edge = max(256, int(math.sqrt(m * 0.19 / 12)) // 64 * 64)
    cube = 64 if m >= 32 * MB else 32
    pages = m * 79 // 100 // 4096 * 4096
    return {
        "regular": ["--size", pages],
        "random": ["--size", pages],
        "sgemm": ["--tensor", "--m", edge, "--n", edge, "--k", edge],
        "triad": ["--size", m * 60 // 100],
        "cufft": ["--size", m // 16],
        "tealeaf": ["--size", m * 38 // 100, "--iterations", 2],
        "hpgmg": ["--cells", cube],
        "cusparse": ["--size", m * 40 // 100],
    }


def policies_of(facts):
    """Policies beside the defaults, of `uvm list --json`: what suggestions can be tried."""
    found = []
    for parameter in (facts or {}).get("parameters", []):
        name = parameter["name"]
        if name not in POLICIES:
            continue
        choices = parameter.get("choices", "").split("|")
        found += [(name, c) for c in choices if c != str(parameter.get("value"))]
    return [choice for choice in found if choice not in COVERED]

# SPDX-License-Identifier: GPL-2.0
"""Which runs each figure needs, at each scale, and what is computed from them."""

import math

import published
from machine import EVENTS, PRIORITY, Machine, Run

MB = 1 << 20
OFF = ("--set", "perf_prefetch_enable=0")
# What is read need not be copied back: one way, as with pages that migrate.
EXPLICIT = ("--explicit", "--access", "read")
# Of 256: what Table I is run with once more, see explained.reduction().
SMALL_BATCH = 64
# Parameters whose other choices are tried with too little memory.
POLICIES = ("prefetch_policy", "eviction_policy", "root_chunk_granularity")
PATTERNS = ("regular", "random")
# Phases of the driver by the paper's categories.
PREPROCESS = ("fetch", "preprocess")
SERVICE = ("service", "pma_alloc", "populate", "cpu_unmap", "copy", "map", "evict")
GROUPS = {"pre/post-processing": PREPROCESS, "service": SERVICE, "replay policy": ("replay",)}
# Fig. 4: zeroing is part of migration there.
SERVICE_GROUPS = {"PMA alloc pages": ("pma_alloc",),
                  "migrate pages": ("service", "populate", "cpu_unmap", "copy", "evict"),
                  "map pages": ("map",)}


class Scale:
    """How large everything is."""

    def __init__(self, name, memory, sgemm_memory, sizes, percents, sgemm):
        self.name = name
        self.memory = memory            # usable GPU memory, bytes
        self.sgemm_memory = sgemm_memory
        self.sizes = sizes              # of Figs. 3 to 5, bytes
        self.percents = percents        # of Figs. 1 and 9
        self.sgemm = sgemm              # rows of Table II
        self.vram = max(2 * memory, 2 * max(sizes)) // MB

    def factor(self):
        """How many times smaller than the paper's GPU."""
        return published.MEMORY / self.memory

    def fault_batch(self):
        """The driver's batch of 256 in our memory; less than 4 would show nothing more."""
        return max(4, round(256 / self.factor()))

    def side(self, n):
        """The paper's problem size in our memory: a multiple of sgemm's tile."""
        return round(n * math.sqrt(self.sgemm_memory / published.MEMORY) / 64) * 64


SMALL = [4 << 10, 16 << 10, 64 << 10, 96 << 10, 256 << 10, MB, 4 * MB, 16 * MB]
ROWS = [row[0] for row in published.TABLE2]
SCALES = {
    "quick": Scale("quick", 8 * MB, 4 * MB, [4 << 10, 64 << 10, 4 * MB], [200],
                   [29228, 35372]),
    "default": Scale("default", 64 * MB, 64 * MB, [*SMALL, 64 * MB, 128 * MB],
                     [100, 125, 150, 200, 267],
                     [29228, 33836, 35372, 36908, 38444]),
    "full": Scale("full", 256 * MB, 128 * MB, [*SMALL, 64 * MB, 128 * MB, 256 * MB, 512 * MB],
                  [100, 110, 125, 150, 175, 200, 267], ROWS),
}


def scaled(name, megabytes):
    """A scale between: --memory."""
    like = SCALES[name]
    memory = megabytes * MB
    return Scale(f"{name}, {megabytes} MB", memory, min(memory, like.sgemm_memory),
                 [s for s in like.sizes if s <= 2 * memory], like.percents, like.sgemm)


def phases(result, names):
    """Driver time in some phases while kernels ran, ns."""
    return sum(result["execution"]["phases_ns"][name] for name in names)


def faults(result):
    """GPU fault records fetched."""
    return result["execution"]["faults"]["fetched"]


def applications(scale):
    """Arguments of the eight workloads, sized as Table I's faults tell, where it can be done."""
    m = scale.memory
    side = max(256, int(math.sqrt(m * 0.19 / 12)) // 64 * 64)
    cube = 64 if m >= 32 * MB else 32
    pages = m * 79 // 100 // 4096 * 4096
    return {
        "regular": ["--size", pages],
        "random": ["--size", pages],
        "sgemm": ["--tensor", "--m", side, "--n", side, "--k", side],
        "triad": ["--size", m * 60 // 100],
        "cufft": ["--size", m // 16],
        "tealeaf": ["--size", m * 38 // 100, "--iterations", 2],
        "hpgmg": ["--cells", cube],
        "cusparse": ["--size", m * 40 // 100],
    }


class Experiment:
    """All runs, by what they are for."""

    def __init__(self, scale, explicit):
        self.scale = scale
        self.explicit = explicit
        vm_memory = 640 + scale.vram + 3 * scale.memory // MB
        profile = f"profile=titanv vram_mb={scale.vram}"
        self.machine = Machine("virtual clock", profile, vm_memory)
        self.real = Machine("real clock, counted", f"{profile} clock=real", vm_memory, "icount",
                            PRIORITY, ("chrt",))
        self.facts = Run(self.machine, "list", "--json", session="facts")
        self.runs = {}

    def workload(self, key, name, *words, limit=None, session="pages", **more):
        """Plan one run of a workload; the sessions are boots that can run side by side."""
        words = ["run", name, *words, "--json", "--quiet"]
        if limit:
            words += ["--vram", limit]
        self.runs[key] = Run(more.pop("machine", self.machine), *words,
                             session="" if self.scale.name == "quick" else session, **more)

    def plan(self, policies):
        """Everything; @policies of plan_policies()."""
        self.plan_pages()
        self.plan_applications()
        self.plan_oversubscribed(policies)
        self.plan_real()
        self.plan_sgemm()
        return list(self.runs.values())

    def plan_pages(self):
        """Figs. 1, 3, 4, 5: page touch over sizes, all in memory."""
        for size in self.scale.sizes:
            for name in PATTERNS:
                self.workload(("off", name, size), name, "--size", size, *OFF)
                self.workload(("on", name, size), name, "--size", size)
                if self.explicit and size <= self.scale.memory:
                    self.workload(("explicit", name, size), name, "--size", size, *EXPLICIT)
            self.workload(("batch", "regular", size), "regular", "--size", size, *OFF,
                          "--set", "replay_policy=batch")
        if self.explicit:
            self.workload(("explicit-refused",), "regular", "--size",
                          f"{self.scale.vram + 2}M", *EXPLICIT, refused=True)

    def plan_applications(self):
        """Fig. 7, Table I, and the 1 % threshold."""
        for name, words in applications(self.scale).items():
            session = {"session": "applications"}
            self.workload(("app-off", name), name, *words, *OFF, events=EVENTS, **session)
            self.workload(("app-on", name), name, *words, **session)
            self.workload(("app-1", name), name, *words, "--set", "perf_prefetch_threshold=1",
                          **session)
            small = ("--set", f"perf_fault_batch_count={SMALL_BATCH}")
            self.workload(("small-off", name), name, *words, *OFF, *small, session="small")
            self.workload(("small-on", name), name, *words, *small, session="small")

    def plan_oversubscribed(self, policies):
        """Figs. 1 and 9: page touch in too little memory; each policy at one size."""
        memory = self.scale.memory
        for percent in self.scale.percents:
            size = memory * percent // 100 // 4096 * 4096
            for name in PATTERNS:
                for mode, words in (("on", ()), ("off", OFF)):
                    self.workload((f"over-{mode}", name, percent), name, "--size", size, *words,
                                  limit=memory, session="over")
        # As few faults at a time for as many root chunks as the paper's machine had.
        for name in PATTERNS:
            self.workload(("over-scaled", name), name, "--size", size, "--set",
                          f"perf_fault_batch_count={self.scale.fault_batch()}", limit=memory,
                          session="over")
        percent = self.middle()
        size = memory * percent // 100 // 4096 * 4096
        for param, choice in policies:
            for name in PATTERNS:
                self.workload((f"{param}={choice}", name), name, "--size", size, "--set",
                              f"{param}={choice}", limit=memory, session="over")

    def middle(self):
        """The oversubscription at which policies are compared."""
        return 150 if 150 in self.scale.percents else self.scale.percents[0]

    def plan_sgemm(self):
        """Figs. 8 and 10, Table II."""
        for n in self.scale.sgemm:
            side = self.scale.side(n)
            self.workload(("sgemm", n), "sgemm", "--tensor", "--m", side, "--n", side,
                          "--k", side, limit=self.scale.sgemm_memory, session=f"sgemm-{n}",
                          events=EVENTS if n == 35372 else ())

    def plan_real(self):
        """The true cost of the code: guest instructions."""
        for size in [s for s in self.scale.sizes if s in (64 << 10, MB, 4 * MB)]:
            for name in PATTERNS:
                self.workload(("real", name, size), name, "--size", size, *OFF,
                              machine=self.real)

    def result(self, *key):
        """The JSON of a run, or None."""
        run = self.runs.get(key)
        return run.result if run else None


def policies_of(facts):
    """Policies beside the defaults, of `uvm list --json`: what suggestions can be tried."""
    found = []
    for parameter in (facts or {}).get("parameters", []):
        name = parameter["name"]
        if name not in POLICIES:
            continue
        choices = parameter.get("choices", "").split("|")
        found += [(name, c) for c in choices if c != str(parameter.get("value"))]
    return found

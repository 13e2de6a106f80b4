# SPDX-License-Identifier: GPL-2.0
"""Which policies there are, how large everything is, and on what machines it runs."""

from dataclasses import dataclass, field, replace

from framework.compare import Bench, Config, sets
from framework.machine import Machine, Run

from .inputs import INPUTS
from .published import RATES, REGULAR, WORKLOADS

# Of a virtual machine, MB: the largest workload has 130 MB, and is checked.
MEMORY = 1500
# Where what takes figures apart is measured.
APART = RATES[0]

# Of every bar: one fault, one page, one service, and no copy that is not within its 20 us.
COMMON = sets(prefetch_policy="none", thrashing_policy="none", replay_policy="batch",
              eviction_timing="ideal")
# In the paper HPE's work is off the critical path of a fault (V-C).
OFF_PATH = "cost_policy_compare:0,cost_policy_record:0,cost_policy_classify:0"


# A machine on which HPE's work takes the time that the profile says.
CHARGED = "charged"


def policy(title, name, device="", **params):
    """An eviction policy with its parameters."""
    return Config(title, sets(eviction_policy=name, **params), device)


CONFIGS = {
    "unlimited": replace(policy("unlimited memory", "lru_walk"), memory=0),
    "lru": policy("LRU", "lru_walk"),
    "migrated": policy("LRU by migration, the driver's own", "lru"),
    "random": policy("random", "random"),
    "rrip": policy("RRIP", "rrip"),
    # V-B: it is told which applications are of type II.
    "rrip+": policy("RRIP, enhanced", "rrip"),
    "clock-pro": policy("CLOCK-Pro", "clock_pro"),
    "hpe": policy("HPE", "hpe"),
    "ideal": policy("Ideal", "min"),
    "always lru": policy("HPE, always LRU", "hpe", hpe_strategy=1),
    "always mru-c": policy("HPE, always MRU-C", "hpe", hpe_strategy=2),
    "lru, 20 cycles": policy("LRU, a walk takes 20 cycles", "lru_walk", "walk_cycles:20"),
    "hpe, 20 cycles": policy("HPE, a walk takes 20 cycles", "hpe", "walk_cycles:20"),
    "hpe, charged": policy("HPE, its work charged", "hpe", CHARGED),
}

# Other machines: which, a title, keys of the profile, and parameters that go with them.
MACHINES = {
    "modulo": ("the L2 TLB's set is the page number modulo sets", "l2tlb_index:modulo", {}),
    "replays": ("each replay has all far faults try again", "far_faults:replay",
                {"replay_policy": "batch_flush"}),
    # Of each fault all but its transfer, which the link has one after the other.
    "overlap": ("the 20 us of faults overlap", "cost_map_page:0,fault_write_ns:20000", {}),
}
CONFIGS.update({f"{which}, {machine}": policy(f"{CONFIGS[which].title}, {title}", name, device, **params)
                for machine, (title, device, params) in MACHINES.items()
                for which, name in (("lru", "lru_walk"), ("hpe", "hpe"))})
MACHINE_BARS = tuple(f"{which}, {machine}" for machine in MACHINES for which in ("lru", "hpe"))

# What the paper compares with.
RIVALS = ("random", "rrip+", "clock-pro")

# V-A: without adjustment, with the strategy that each begins with in the paper, and with hits that
# come at once: the recorder is read at each fault.
SET_PAGES = (8, 16, 32)
INTERVALS = (32, 64, 128)
SHAPES = {(size, 64): f"set {size}" for size in SET_PAGES}
SHAPES.update({(16, length): f"interval {length}" for length in INTERVALS if length != 64})
SHAPES[16, 64] = "as it is"
for (pages, interval), which in SHAPES.items():
    CONFIGS[which] = policy(f"sets of {pages}, intervals of {interval}", "hpe", hpe_transfer=1,
                            hpe_set_pages=pages, hpe_interval=interval)

TRANSFERS = (1, 8, 16, 32, 64)
CONFIGS.update({f"transfer {n}": policy(f"read at each {n}th fault", "hpe", hpe_transfer=n)
                for n in TRANSFERS if n != 16})

# What the paper does not tell, each the other way round.
READINGS = {
    "each jump": ("MRU-C moves on at each trigger, not once", {"hpe_readings": "each_jump"}),
    "in all": ("strategies compare how long they lasted in all, not the last time",
               {"hpe_readings": "in_all"}),
    "least": ("MRU-C takes sets that are not full, too, as the least", {"hpe_readings": "least"}),
    "anew": ("each victim is searched anew", {"hpe_readings": "anew"}),
    "replays": ("the walk after a fault is a hit, too", {"hpe_readings": "replays"}),
    "every walk": ("walks of several SMs for a page are several hits", {"hpe_readings": "every_walk"}),
}
CONFIGS.update({which: policy(title, "hpe", **params)
                for which, (title, params) in READINGS.items()})

# Batches of 256 faults, units of 64 KB, the tree prefetcher.
REAL = {"lru": policy("LRU by migration, the driver's own", "lru", "gtx1080ti"),
        "walk": policy("LRU by walks", "lru_walk", "gtx1080ti"),
        "hpe": policy("HPE", "hpe", "gtx1080ti")}

NAMES = {"2DC": "2dconv", "GEM": "gemm", "MRQ": "mri-q", "STN": "stencil3d", "HSD": "hotspot3d",
         "BFS": "bfs-rodinia", "MVT": "mvt"}


# Four times as many passes of type II; and of MVT the original's matrix of 4096 rows.
LONGER = {"SRD": ("--iterations", 8), "HSD": ("--steps", 16), "MRQ": ("--launches", 12),
          "STN": ("--sweeps", 24), "MVT": ("--size", 64 << 20)}

# The option that decides of what type a workload's string is, with another value than its own.
OTHER = {"HOT": ("--steps", 2), "GEM": ("--inner", 512), "SRD": ("--iterations", 1),
         "HSD": ("--steps", 1), "MRQ": ("--launches", 1), "STN": ("--sweeps", 1),
         "PAT": ("--columns", "192K"), "DWT": ("--levels", 1), "BKP": ("--epochs", 2),
         "KMN": ("--iterations", 1), "NW": ("--columns", 1024), "MVT": ("--repeat", 2),
         "HWL": ("--frames", 1), "HIS": ("--iterations", 1), "SPV": ("--iterations", 1),
         "B+T": ("--ranges", 1), "HYB": ("--buckets", 32)}


@dataclass(frozen=True)
class Scale:
    """How large everything is."""

    name: str
    size: int                       # of each workload; 0: its own
    workloads: tuple = tuple(WORKLOADS)
    matrix: int = 1024              # of SGM
    longer: tuple = tuple(LONGER)   # these with more passes, or larger, too
    other: tuple = tuple(OTHER)     # of these another string, too
    inputs: dict = field(default_factory=dict)      # options of workloads
    figures: tuple = ()             # these alone


SCALES = {
    "quick": Scale("quick", 2 << 20, ("HOT", "HSD", "KMN", "MVT", "SGM", "B+T"), 256,
                   ("HSD",), ("HSD",)),
    # Rodinia's search begins at node 0.
    "default": Scale("default", 0, inputs={"BFS": ("--start", 0)}),
    "full": Scale("full", 0, inputs={name: words for name, (words, _) in INPUTS.items()},
                  other=(), figures=("strings", "fig9", "fig10", "fig11", "fig12", "fig13")),
}


def machine_for(device, _):
    """The paper's GPU, with another key, or the driver's usual one."""
    if device in (CHARGED, "gtx1080ti"):
        return Machine(device, f"profile={'tcad20' if device == CHARGED else device}", MEMORY, cpus=1)
    keys = f"{OFF_PATH},{device}" if device else OFF_PATH
    return Machine(device or "tcad20", f"profile=tcad20 set={keys}", MEMORY, cpus=1)


def arguments(name, scale):
    """Of a workload."""
    if name == "SGM":
        sides = ([f"--{side}", scale.matrix] for side in "mnk")
        return ["sgemm", "--tensor", *(word for pair in sides for word in pair)]
    words = [NAMES.get(name, WORKLOADS[name].title), *scale.inputs.get(name, ())]
    return words + (["--size", scale.size] if scale.size else [])


BENCH = Bench(CONFIGS, machine_for, arguments, COMMON, digits=1)
DRIVER = Bench(REAL, machine_for, arguments, sets(root_chunk_granularity="64k"), digits=1)


def at(rate, config):
    """The name of runs with so much memory."""
    return f"{rate}% {config}"


def told(config, name):
    """What the paper's oracles tell a policy of the workload."""
    if config.startswith("rrip+"):
        second = WORKLOADS[name].type == "II"
        return sets(rrip_distant=int(second), rrip_delay=128 if second else 0)
    if config in SHAPES.values():
        return sets(hpe_strategy=2 if WORKLOADS[name].categories == (REGULAR,) else 1)
    return ()


def plan(x, *configs, rates=RATES):
    """All workloads."""
    for name in x.scale.workloads:
        for config in configs:
            how = CONFIGS[config]
            how = replace(how, words=how.words + told(config, name))
            for rate in rates:
                BENCH.run(x, (at(rate, config), name), arguments(name, x.scale), how, rate / 100)


def plan_longer(x, rate, *configs):
    """More passes, or a larger one."""
    for name in x.scale.longer:
        words = [*arguments(name, x.scale), *LONGER[name]]
        for config in configs:
            how = CONFIGS[config]
            BENCH.run(x, (at(rate, f"longer, {config}"), name), words,
                      replace(how, words=how.words + told(config, name)), rate / 100)


def unlimited(x, key, words):
    """
    With all memory there is: which pages are touched, and in what order.  Hits are read when there
    are faults or the recorder's ring is half full, so that it is a short one.
    """
    words = ["run", *words, "--json", "--quiet", *COMMON, *CONFIGS["unlimited"].words]
    x.add(key, Run(machine_for("recorder_ring_entries:64", 0), *words,
                   events=("walk_hit", "gpu_fault")))


def plan_unlimited(x):
    """All workloads as they are."""
    for name in x.scale.workloads:
        unlimited(x, ("unlimited", name), arguments(name, x.scale))


def plan_other(x):
    """With another value of the option that decides of the string."""
    for name in x.scale.other:
        unlimited(x, ("unlimited, other", name), [*arguments(name, x.scale), *OTHER[name]])


def plan_driver(x):
    """What nvidia-uvm is like."""
    for name in x.scale.workloads:
        for config, how in REAL.items():
            DRIVER.run(x, (at(APART, f"driver, {config}"), name), arguments(name, x.scale), how,
                       APART / 100)


def schedule(key):
    """One boot has all runs on another device: it comes first, for no machine to be idle."""
    return not any(part in key[0] for part in ("driver", "charged", *MACHINES, "cycles", "unlimited")), key[1] not in (
        "HIS", "HYB", "SGM")

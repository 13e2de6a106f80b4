# SPDX-License-Identifier: GPL-2.0
"""Which policies there are, how large everything is, and on what machines it runs."""

from dataclasses import dataclass, field, replace

from framework.compare import Bench, Config, sets
from framework.machine import Machine

from .published import FAULT_NS, RATES, WORKLOADS, at_rate

MB = 1 << 20
# Where what takes figures apart is measured.
APART = RATES[0]

# Of every run: memory goes in pieces of 64 KB, and a batch has the faults that wait, up to 256.
COMMON = sets(root_chunk_granularity="64k", perf_fault_batch_count=256)

IN_DRIVER = f"cost_fetch_fault:{FAULT_NS}"
HALF = "copy_htod_mbps:6425,copy_dtoh_mbps:6425"    # of date21's 12850
REAL = "gtx1080ti"

DEFAULT = sets(eviction_policy="lru_block", prefetch_policy="tbn")
SMART = sets(policy="adaptive_global")
TAGS = "remote_requests:256"    # as profile gtx1080ti
BY_BLOCK = sets(perf_access_counter_granularity="2m")   # as nvidia-uvm
LENIENT = 10    # percent of 64 KB that may be out of order
TOLD = "access_counter_stall:0"     # accesses go on until the driver has acted
IN_TURN = "block_dispatch_cycles:20"    # as profile gtx1080ti
UNFLUSHED = sets(replay_policy="batch")

CONFIGS = {
    "default": Config("default: LRU 2 MB", DEFAULT),
    "smart": Config("the authors' code", SMART),
    "paper": Config("the paper's text", sets(policy="adaptive")),
    "tbne": Config("TBNe alone", sets(eviction_policy="tbne", prefetch_policy="tbn")),
    "default, in the driver": Config("default", DEFAULT, IN_DRIVER),
    "smart, in the driver": Config("the authors' code", SMART, IN_DRIVER),
    "default, real costs": Config("default", DEFAULT, REAL),
    "smart, real costs": Config("the authors' code", SMART, REAL),
    "default, half": Config("default, half the bandwidth", DEFAULT, HALF),
    "smart, lenient": Config(f"{LENIENT} % may be out of order",
                             SMART + sets(adaptive_inversions=LENIENT)),
    "smart, any": Config("any order", SMART + sets(adaptive_inversions=100)),
    "default, one": Config("default, batches of one", DEFAULT + sets(perf_fault_batch_count=1)),
    "smart, one": Config("batches of one fault", SMART + sets(perf_fault_batch_count=1)),
    "smart, told": Config("counters that only tell", SMART, TOLD),
    "smart, 2m": Config("counters of 2 MB", SMART + BY_BLOCK),
    "smart, 256 requests": Config("256 reads under way", SMART, TAGS),
    "smart, 256 requests, 2m": Config("256 reads under way, counters of 2 MB", SMART + BY_BLOCK,
                                      TAGS),
    "default, in turn": Config("default, blocks in turn", DEFAULT, IN_TURN),
    "smart, in turn": Config("blocks in turn", SMART, IN_TURN),
    "default, unflushed": Config("default, nothing is flushed", DEFAULT + UNFLUSHED),
    "smart, unflushed": Config("nothing is flushed", SMART + UNFLUSHED),
}

# What decides which fault is first, by the end of a configuration's name.
READINGS = {
    "": "as it is",
    ", in turn": "blocks go to SMs in turn, 20 cycles apart",
    ", unflushed": "a replay leaves the faults that wait in the buffer",
    ", one": "batches of one fault",
}

# The authors' code with what makes data wait changed, one by one.
WAITS = {
    "smart": "one read under way, counters of 64 KB",
    "smart, told": "the same, but counters only tell, and accesses go on",
    "smart, 2m": "one read under way, counters of 2 MB",
    "smart, 256 requests": "256 reads under way, counters of 64 KB",
    "smart, 256 requests, 2m": "256 reads under way, counters of 2 MB",
}

# The driver's own settings, on its usual profile.
OWN = Config("nvidia-uvm's settings", sets(policy="nvidia"), REAL)

# The authors' sizes; where a run would take too long, as much less as the options say.
SIZES = {
    "2dconv": ("--size", "8M"), "backprop": ("--copy", "--size", 27783872),
    "pathfinder": ("--columns", 50000, "--height", 10, "--size", 40200000),
    "triad": ("--size", "12M"),
    "fdtd2d": ("--size", "7507K", "--steps", 5),
    "hotspot": ("--size", "12M", "--steps", 4),
    "srad_v2": ("--size", "12M", "--iterations", 2),
    "bfs-rodinia": ("--size", 10196316, "--start", 0),
    "nw": ("--columns", 1024, "--size", 8413200),
    "sssp": ("--size", "7424K", "--block", 16),
    "atax": ("--size", "5640K"), "ra": ("--size", "12M"),
}
# Of these the authors' are larger: theirs, and which.
SMALLER = {"fdtd2d": "1200 x 1200, here 800 x 800",
           "srad_v2": "1024 x 1024 and 4 iterations, here 724 x 724 and 2",
           "sssp": "2^20 vertices, here 2^18"}

# The authors' own.
FULL = {"fdtd2d": ("--size", "16885K", "--steps", 5),
        "srad_v2": ("--size", "24M", "--iterations", 4),
        "sssp": ("--size", "29696K", "--block", 16)}

# Other footprints, by workload: the first is the usual one, the last the largest.
FOOTPRINTS = {
    "fdtd2d": (SIZES["fdtd2d"], FULL["fdtd2d"]),
    "sssp": (SIZES["sssp"], ("--size", "14848K", "--block", 16), FULL["sssp"]),
    "ra": (SIZES["ra"], ("--size", "24M"), ("--size", "48M")),
}

# How much memory there is, the footprint in percent of it, of workloads that hang on it.
PERCENTS = (110, 115, 120, 125, 130, 140, 150, 160, 180, 200)
VARIED = ("nw", "atax", "ra")


@dataclass(frozen=True)
class Scale:
    """How large everything is."""

    name: str
    size: int                       # of each workload; 0: as in SIZES
    workloads: tuple = tuple(WORKLOADS)
    larger: tuple = tuple(FOOTPRINTS)
    varied: tuple = VARIED
    inputs: dict = field(default_factory=dict)      # other options than in SIZES, by workload
    figures: tuple = ()             # these alone


SCALES = {
    "quick": Scale("quick", 3 * MB, ("2dconv", "triad", "hotspot", "nw", "atax", "ra"), ("ra",),
                   ("ra",)),
    "default": Scale("default", 0),
    "full": Scale("full", 0, inputs=FULL, figures=("fig5a", "fig5b", "remote")),
}


def machine_for(device, _):
    """The authors' GPU, with other keys, or the driver's usual one."""
    if device in ("", REAL):
        return Machine(device or "date21", f"profile={device or 'date21'}", 600, cpus=1)
    return Machine(device, f"profile=date21 set={device}", 600, cpus=1)


def arguments(name, scale):
    """Of a workload."""
    own = scale.inputs.get(name, SIZES[name])
    return [name, *(("--size", scale.size) if scale.size else own)]


def counted(*_):
    """Which events are kept."""
    return "gpu_fault", "eviction"


BENCH = Bench(CONFIGS, machine_for, arguments, COMMON, digits=1)
# With the faults that the authors add to the time.
COUNTING = replace(BENCH, events=counted, counted=True)


def share(name, rate):
    """Memory over footprint: as the authors have it, whose memory is whole MB, where they tell."""
    memory = at_rate(WORKLOADS[name].memory, rate)
    return memory / WORKLOADS[name].footprint if memory else 100 / rate


def at(rate, config):
    """The name of runs with so much memory."""
    return f"{rate}% {config}"


def plan(x, *configs, rates=RATES):
    """All workloads; faults are counted where the time of faults is not in that of the run."""
    for name in x.scale.workloads:
        for config in configs:
            bench = BENCH if CONFIGS[config].device in (IN_DRIVER, REAL) else COUNTING
            for rate in rates:
                bench.run(x, (at(rate, config), name), arguments(name, x.scale), CONFIGS[config],
                          share(name, rate))


def plan_unlimited(x, *configs):
    """With all memory there is."""
    for name in x.scale.workloads:
        for config in configs:
            COUNTING.run(x, (f"unlimited {config}", name), arguments(name, x.scale),
                         replace(CONFIGS[config], memory=0))


def plan_own(x):
    """The driver's own settings, with all memory and with less."""
    for name in x.scale.workloads:
        BENCH.run(x, ("own 100%", name), arguments(name, x.scale), replace(OWN, memory=0))
        for rate in RATES:
            BENCH.run(x, (f"own {rate}%", name), arguments(name, x.scale), OWN, share(name, rate))


def sizes_of(name, scale):
    """The footprints of a workload; tiny ones in a smoke run."""
    if scale.size:
        return [("--size", scale.size * n) for n in (1, 2)]
    return FOOTPRINTS[name]


def plan_footprints(x, rate, *configs):
    """Larger ones; the usual is there."""
    for name in x.scale.larger:
        for i, words in enumerate(sizes_of(name, x.scale)):
            for config in configs:
                COUNTING.run(x, (f"{at(rate, config)}, size {i}", name), [name, *words],
                             CONFIGS[config], share(name, rate))


def plan_memory(x, *configs):
    """From a little too small on."""
    for name in x.scale.varied:
        for percent in PERCENTS:
            for config in configs:
                COUNTING.run(x, (f"{config}, {percent} % exactly", name), arguments(name, x.scale),
                             CONFIGS[config], 100 / percent)


def schedule(key):
    """One boot has all runs on another device: it comes first, then what takes long."""
    other = any(part in key[0]
                for part in ("driver", "real", "half", "own", "requests", "told", "turn"))
    return not other, key[1] not in ("fdtd2d", "pathfinder", "sssp", "srad_v2", "hotspot")

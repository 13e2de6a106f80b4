#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Every policy at home: experiments/home-*.toml have the very runs of the papers' reports, on the virtual
clock to the nanosecond, so that what a report says of a policy holds for the arena's row.
"""

import os
import sys
from types import SimpleNamespace

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "report")]

# pylint: disable=wrong-import-position
import experiment  # noqa: E402
from papers.adaptive import setup as adaptive  # noqa: E402
from papers.batch_aware import setup as batch_aware  # noqa: E402
from papers.hpe import setup as hpe  # noqa: E402

# By experiment: the report's bench, its names of workloads, and of the rows its configurations.
HOMES = {
    "home-hpe": (hpe, tuple(hpe.WORKLOADS), {
        "lru_walk": "lru", "random": "random", "rrip": "rrip", "clock_pro": "clock-pro",
        "hpe": "hpe", "min": "ideal"}),
    "home-adaptive": (adaptive, tuple(adaptive.WORKLOADS), {
        "lru_block": "default", "tbne": "tbne", "adaptive": "paper",
        "adaptive_global": "smart"}),
    "home-batch-aware": (batch_aware, batch_aware.WORKLOADS, {
        "serial": "baseline", "TO": "to", "UE": "ue", "TO_UE": "to+ue",
        "fitting": "best+flush"}),
}


def settled(words):
    """What a run is, whatever the order: its workload's words, and its parameters."""
    words, found, rest = [*map(str, words)], {}, []
    while words:
        word = words.pop(0)
        if word == "--set":
            name, value = words.pop(0).split("=")
            found[name] = value
        elif word == "--oversubscription":
            found[word] = float(words.pop(0))
        elif word == "--seed":
            found[word] = words.pop(0)
        elif word in ("--events", "--event-types"):     # takes no simulated time
            words.pop(0)
        elif word not in ("--json", "--quiet"):
            rest.append(word)
    found.setdefault("--seed", "1")     # the command's own
    return tuple(rest), tuple(sorted(found.items()))


def keys(options):
    """Of the device; how much memory a GPU has at most does not tell below its limit."""
    return {word for word in options.split() if not word.startswith("vram_mb=")}


def of_report(setup, names, ratio, configuration):
    """Runs of a report: (device, run) of each workload."""
    made = {}
    plan = SimpleNamespace(scale=setup.SCALES["default"], add=made.__setitem__)
    for name in names:
        setup.BENCH.run(plan, (configuration, name), setup.BENCH.arguments(name, plan.scale),
                        setup.CONFIGS[configuration], ratio)
    return [(keys(run.machine.softgpu), settled(run.words)) for run in made.values()]


def differences(name):
    """Cells of an experiment that are no runs of the report, and the other way round."""
    setup, names, rows = HOMES[name]
    x = experiment.load(os.path.join(HERE, "experiments", f"{name}.toml"))
    found = [] if set(x.policies) == set(rows) else [f"{name}: other rows than {sorted(rows)}"]
    for policy, configuration in rows.items():
        ours = [(keys(cell.run.machine.softgpu), settled(cell.words))
                for cell in experiment.cells(x) if cell.policy == policy]
        theirs = [run for percent in x.oversubscription
                  for run in of_report(setup, names, 100 / percent, configuration)]
        found += [f"{name}, {policy}: {run} is not the report's" for run in ours if run not in theirs]
        found += [f"{name}, {policy}: the report has {run}" for run in theirs if run not in ours]
    return found


def main():
    """Returns the exit status."""
    wrong = [line for name in HOMES for line in differences(name)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

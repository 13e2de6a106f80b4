# SPDX-License-Identifier: GPL-2.0
"""
An experiment: policies x workloads x how much memory there is x parameters x seeds, as a TOML file.

    base = "other.toml"                     # what this file does not say is there
    name = "smoke"
    profile = "gtx1080ti"
    oversubscription = [133.3, 200]         # percent; 100: all memory that there is
    seeds = [1]
    bounds = true                           # what no policy can do without (bounds.py)

    [settings]                              # of each run
    root_chunk_granularity = "64k"

    [policies.tbne]                         # a row: its parameters
    prefetch_policy = "tbn"
    eviction_policy = "tbne"

    [workloads]                             # a column: words of "uvm run"
    triad = "triad --size 12M"

    [workloads.nw]                          # with keys of the profile, and a name for --group
    run = "nw --size 4M"
    device = "sm_count:1"
    group = "held-out"

    [parameters]                            # a grid: each value with each other one
    perf_prefetch_threshold = [25, 51]
"""

import difflib
import itertools
import os
import re
import shlex
import tomllib
from dataclasses import dataclass, field, replace

from framework.machine import Machine, Run

# Longer than any run of the experiments here on an idle machine.
LIMIT = 1800


class Mistake(Exception):
    """In an experiment, for whoever has written it."""


@dataclass(frozen=True)
class Experiment:
    """What a file says; everything but policies and workloads has a default."""

    policies: dict
    workloads: dict
    name: str = "experiment"
    profile: str = "gtx1080ti"
    device: str = ""            # keys of the profile: "sm_count:4"
    oversubscription: tuple = (100,)
    seeds: tuple = (1,)
    settings: dict = field(default_factory=dict)
    parameters: dict = field(default_factory=dict)
    bounds: bool = False        # what no policy can do without, too


TYPES = {"policies": dict, "workloads": dict, "name": str, "profile": str, "device": str,
         "oversubscription": list, "seeds": list, "settings": dict, "parameters": dict, "bounds": bool}


def nearest(word, words):
    """For a hint."""
    found = difflib.get_close_matches(word, words, 1)
    return f"; did you mean '{found[0]}'?" if found else ""


def one_of(word, words, what):
    """Refuse a name that there is not."""
    if word not in words:
        raise Mistake(f"no such {what} '{word}'{nearest(word, words)}")


@dataclass(frozen=True)
class Workload:
    """A column."""

    run: str                    # words of "uvm run"
    device: str = ""            # keys of the profile, of this one alone: "sm_count:1"
    group: str = ""             # for --group


def check_workload(name, column):
    """Refuse a column that is not understood."""
    if not re.fullmatch(r"[\w.+-]+", name):
        raise Mistake(f"workloads.{name}: a name has letters, digits and . + - _")
    told = column if isinstance(column, dict) else {"run": column}
    for key, value in told.items():
        one_of(key, ("run", "device", "group"), f"key of workloads.{name}")
        if key != "run" and not isinstance(value, str):
            raise Mistake(f"workloads.{name}.{key} is to be text, not {value!r}")
    words = told.get("run")
    if not isinstance(words, str) or not shlex.split(words):
        raise Mistake(f"workloads.{name} is to be words of 'uvm run', not {words!r}")


def workload(x, name):
    """A column of the experiment by its name."""
    column = x.workloads[name]
    return Workload(**column) if isinstance(column, dict) else Workload(column)


def part(x, names=(), groups=()):
    """Of an experiment some workloads: these, and those of these groups; all if there are neither."""
    for name in names:
        one_of(name, x.workloads, "workload in the experiment")
    all_groups = {workload(x, name).group for name in x.workloads} - {""}
    for group in groups:
        one_of(group, all_groups, "group in the experiment")
    if not names and not groups:
        return x
    return replace(x, workloads={name: column for name, column in x.workloads.items()
                                 if name in names or workload(x, name).group in groups})


def checked(told):
    """Refuse what is not understood."""
    for name, value in told.items():
        one_of(name, TYPES, "key")
        if not isinstance(value, TYPES[name]):
            raise Mistake(f"{name} is to be a {TYPES[name].__name__}, not {value!r}")
    for name in ("policies", "workloads"):
        if not told.get(name):
            raise Mistake(f"there are no {name}: give at least one")
    for name, settings in told["policies"].items():
        if not isinstance(settings, dict):
            raise Mistake(f"policies.{name} is to be a table of parameters, not {settings!r}")
    for name, column in told["workloads"].items():
        check_workload(name, column)
    for name, values in told.get("parameters", {}).items():
        if not isinstance(values, list) or not values:
            raise Mistake(f"parameters.{name} is to be a list of values, not {values!r}")
    for percent in told.get("oversubscription", []):
        if isinstance(percent, bool) or not isinstance(percent, (int, float)) or percent < 100:
            raise Mistake(f"oversubscription is in percent, 100 or more, not {percent!r}")
    return told


def read(path, is_base=False):
    """What a file says, and where it says nothing the file that it names as its base."""
    try:
        with open(path, "rb") as f:
            told = tomllib.load(f)
    except OSError as e:
        raise Mistake(f"{path}: {e.strerror}") from e
    except tomllib.TOMLDecodeError as e:
        raise Mistake(f"{path}: {e}") from e
    base = told.pop("base", None)
    if base is None:
        return told
    if not isinstance(base, str) or is_base:
        raise Mistake(f"{path}: base is to be the name of a file that has no base")
    return {**read(os.path.join(os.path.dirname(path), base), True), **told}


def load(path):
    """From a file."""
    told = read(path)
    try:
        return Experiment(**checked(told))
    except Mistake as e:
        raise Mistake(f"{path}: {e}") from e


def known(x, workloads):
    """Refuse workloads that the command has not; @workloads are its names."""
    for name in x.workloads:
        one_of(shlex.split(workload(x, name).run)[0], workloads, "workload")
    return x


@dataclass
class Cell:
    """One run of it."""

    policy: str
    workload: str
    device: str                 # keys of the profile
    percent: float
    seed: int
    parameters: dict            # of the grid
    settings: tuple             # all: (parameter, value)
    words: list
    run: Run


def text(value):
    """As a parameter of the driver."""
    return str(int(value)) if isinstance(value, bool) else str(value)


def device_of(x, name):
    """Keys of the profile for a workload, each once, as softgpu wants them: the experiment's hold."""
    pairs = ",".join((workload(x, name).device, x.device)).split(",")
    values = dict(pair.partition(":")[::2] for pair in pairs if pair)
    return ",".join(f"{key}:{value}" for key, value in values.items())


def machine_of(x, device):
    """A virtual machine."""
    keys = f" set={device}" if device else ""
    return Machine(x.profile, f"profile={x.profile}{keys}", 900, cpus=1)


def cell(x, policy, name, percent, seed, parameters):
    """One of them."""
    settings = tuple((key, text(value)) for key, value in
                     {**x.settings, **x.policies[policy], **parameters}.items())
    words = ["run", *shlex.split(workload(x, name).run), "--seed", seed, "--json", "--quiet"]
    # the default seed of policies, too, is 1
    if seed != 1 and "eviction_seed" not in dict(settings):
        words += ["--set", f"eviction_seed={seed}"]
    words += [w for key, value in settings for w in ("--set", f"{key}={value}")]
    if percent > 100:
        words += ["--oversubscription", percent]
    device = device_of(x, name)
    return Cell(policy, name, device, percent, seed, parameters, settings, words,
                Run(machine_of(x, device), *words, session=name))


def cells(x):
    """All of them; what takes long together comes together, so that a machine boots once for it."""
    names = list(x.parameters)
    grid = [dict(zip(names, values)) for values in itertools.product(*x.parameters.values())]
    return [cell(x, policy, name, percent, seed, parameters)
            for name, percent, policy, parameters, seed in itertools.product(
                x.workloads, x.oversubscription, x.policies, grid, x.seeds)]

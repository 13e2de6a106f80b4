# SPDX-License-Identifier: GPL-2.0
"""
An experiment: policies x workloads x how much memory there is x parameters x seeds, as a TOML file.

    name = "smoke"
    profile = "gtx1080ti"
    oversubscription = [133.3, 200]         # percent; 100: all memory that there is
    seeds = [1]

    [settings]                              # of each run
    root_chunk_granularity = "64k"

    [policies.tbne]                         # a row: its parameters
    prefetch_policy = "tbn"
    eviction_policy = "tbne"

    [workloads]                             # a column: words of "uvm run"
    triad = "triad --size 12M"

    [parameters]                            # a grid: each value with each other one
    perf_prefetch_threshold = [25, 51]
"""

import difflib
import itertools
import re
import shlex
import tomllib
from dataclasses import dataclass, field

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


TYPES = {"policies": dict, "workloads": dict, "name": str, "profile": str, "device": str,
         "oversubscription": list, "seeds": list, "settings": dict, "parameters": dict}


def nearest(word, words):
    """For a hint."""
    found = difflib.get_close_matches(word, words, 1)
    return f"; did you mean '{found[0]}'?" if found else ""


def one_of(word, words, what):
    """Refuse a name that there is not."""
    if word not in words:
        raise Mistake(f"no such {what} '{word}'{nearest(word, words)}")


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
    for name, words in told["workloads"].items():
        if not re.fullmatch(r"[\w.+-]+", name):
            raise Mistake(f"workloads.{name}: a name has letters, digits and . + - _")
        if not isinstance(words, str) or not shlex.split(words):
            raise Mistake(f"workloads.{name} is to be words of 'uvm run', not {words!r}")
    for name, values in told.get("parameters", {}).items():
        if not isinstance(values, list) or not values:
            raise Mistake(f"parameters.{name} is to be a list of values, not {values!r}")
    for percent in told.get("oversubscription", []):
        if isinstance(percent, bool) or not isinstance(percent, (int, float)) or percent < 100:
            raise Mistake(f"oversubscription is in percent, 100 or more, not {percent!r}")
    return told


def load(path):
    """From a file."""
    try:
        with open(path, "rb") as f:
            return Experiment(**checked(tomllib.load(f)))
    except OSError as e:
        raise Mistake(f"{path}: {e.strerror}") from e
    except tomllib.TOMLDecodeError as e:
        raise Mistake(f"{path}: {e}") from e
    except Mistake as e:
        raise Mistake(f"{path}: {e}") from e


def known(x, workloads):
    """Refuse workloads that the command has not; @workloads are its names."""
    for words in x.workloads.values():
        one_of(shlex.split(words)[0], workloads, "workload")
    return x


@dataclass
class Cell:
    """One run of it."""

    policy: str
    workload: str
    percent: float
    seed: int
    parameters: dict            # of the grid
    settings: tuple             # all: (parameter, value)
    words: list
    run: Run


def text(value):
    """As a parameter of the driver."""
    return str(int(value)) if isinstance(value, bool) else str(value)


def machine_of(x):
    """A virtual machine."""
    device = f" set={x.device}" if x.device else ""
    return Machine(x.profile, f"profile={x.profile}{device}", 900, cpus=1)


def cell(x, policy, workload, percent, seed, parameters):
    """One of them."""
    settings = tuple((name, text(value)) for name, value in
                     {**x.settings, **x.policies[policy], **parameters}.items())
    words = ["run", *shlex.split(x.workloads[workload]), "--seed", seed, "--json", "--quiet"]
    words += [w for name, value in settings for w in ("--set", f"{name}={value}")]
    if percent > 100:
        words += ["--oversubscription", percent]
    return Cell(policy, workload, percent, seed, parameters, settings, words,
                Run(machine_of(x), *words, session=workload))


def cells(x):
    """All of them; what takes long together comes together, so that a machine boots once for it."""
    names = list(x.parameters)
    grid = [dict(zip(names, values)) for values in itertools.product(*x.parameters.values())]
    return [cell(x, policy, workload, percent, seed, parameters)
            for workload, percent, policy, parameters, seed in itertools.product(
                x.workloads, x.oversubscription, x.policies, grid, x.seeds)]

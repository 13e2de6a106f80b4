# SPDX-License-Identifier: GPL-2.0
"""Table I: the machine."""

from framework.machine import Run
from framework.paper import Expectation, Figure
from framework.parts import Table

from ..published import TABLE1
from ..setup import machine_for

KEY = ("profile", "tcad20")


def plan(x):
    """What the device says of itself."""
    x.add(KEY, Run(machine_for("", 0), "info", "--json"))


def collect(x):
    """Values by key of the profile, and where each is from."""
    printed = x.result(*KEY)
    values = printed["gpus"][0]["profile_values"] if printed else []
    return {"profile": {v["name"]: [v["value"], v["source"]] for v in values}}


def draw(data):
    """Printed beside set."""
    found = data["profile"]
    yield Table(["", "published", "key of the profile", "measured", "source"],
                [[what, told, key, *found.get(key, ("", ""))] for what, told, key, _ in TABLE1],
                "Table I and profile tcad20")
    yield ("<p>Not modelled: L1 and L2 data caches, DRAM channels and their scheduler. An access takes "
           "400 cycles and 4 more for each line.</p>")


def expect(data):
    """They agree."""
    found = data["profile"]
    wrong = [f"{key} {found[key][0]}, not {wanted}" for _, _, key, wanted in TABLE1
             if key in found and found[key][0] != wanted]
    known = all(key in found for _, _, key, _ in TABLE1)
    yield Expectation("the profile has Table I's values", "all of them",
                      not wrong if known else None,
                      "; ".join(wrong) or (f"all {len(TABLE1)}" if known else ""))


def why(data, _):
    """Where values are from."""
    return [f"{key} is {data['profile'][key][0]}: {data['profile'][key][1]}"
            for _, _, key, wanted in TABLE1
            if key in data["profile"] and data["profile"][key][0] != wanted]


FIGURE = Figure("table1", "Table I: the machine", 1, (
    "15 SMs at 1.4 GHz, an L1 TLB of 128 entries each, an L2 TLB of 512 with 16 ways, 8 cycles for a "
    "walk, 16 GB/s, 20 us for a fault (III).",),
    plan=plan, collect=collect, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""Verdicts on what is expected to hold."""

import json
from dataclasses import dataclass, replace

from .paper import OURS, Expectation

PASS, DEVIATION, UNKNOWN, SMOKE = "pass", "deviation", "not measured", "not judged"
# On the page.
ORDER = (DEVIATION, UNKNOWN, PASS, SMOKE)
# A figure may be so far from the published one.
NEAR = 0.15


@dataclass(frozen=True, kw_only=True)
class Row(Expectation):
    """An expectation that was judged."""

    figure: str
    verdict: str
    beside: str = ""        # what another scale gave

    def is_ours(self):
        """Whether what is expected there is not published."""
        return self.expected.startswith(OURS)


def verdict(holds):
    """True, False or None."""
    return UNKNOWN if holds is None else PASS if holds else DEVIATION


def judge(paper, data):
    """All expectations, deviations first."""
    rows = [Row(**vars(found), figure=figure.name, verdict=verdict(found.holds))
            for figure in paper.figures for found in figure.expect(data)]
    return sorted(rows, key=lambda row: ORDER.index(row.verdict))


def shown(paper, data):
    """The same for people: a smoke run has sizes that the paper tells nothing about."""
    rows = judge(paper, data)
    if not data["smoke"]:
        return [replace(r, beside=beside(paper, data, r)) for r in rows]
    return [replace(r, verdict=SMOKE if r.measured else UNKNOWN) for r in rows]


def beside(paper, data, row):
    """What the paper's kept scale gave for the same expectation, if this is another one."""
    found = paper.beside.get("rows", {}).get(row.name)
    which = paper.beside.get("scale")
    return f"--{which}: {found}" if found and which != data["scale"]["name"] else ""


def kept(paper, data):
    """What was measured of each expectation, to stand beside another scale's: JSON, for a file."""
    rows = {r.name: r.measured for r in judge(paper, data) if r.measured}
    return json.dumps({"scale": data["scale"]["name"], "made_by": data.get("made_by", ""),
                       "rows": dict(sorted(rows.items()))}, indent=1) + "\n"


def reasons(paper, data, row):
    """Sentences that explain a row, each with its full stop."""
    figure = next(f for f in paper.figures if f.name == row.figure)
    found = (s.rstrip(". ") for s in figure.why(data, row) if s)
    return [s[0].upper() + s[1:] + "." for s in found]


def by_kind(table):
    """A why() for a figure: reasons(data, row) by the kind of expectation; each has to be there."""
    return lambda data, row: table[row.kind](data, row)


# ---- expectations that many figures have --------------------------------------


def text(number, unit="x"):
    """For people."""
    return "" if number is None else f"{number:.2f}{unit}"


def by_workload(found, unit="x"):
    """One after the other."""
    return ", ".join(f"{name} {number:.2f}{unit}" for name, number in found.items())


def near(measured, wanted):
    """True, False, or None without a measurement."""
    return None if measured is None else abs(measured / wanted - 1) <= NEAR


def value(name, measured, wanted, unit="x", **about):
    """A published number."""
    return Expectation(name, f"{wanted:.2f}{unit}, within {100 * NEAR:.0f} %",
                       near(measured, wanted), text(measured, unit), **about)


def order(name, expected, smaller, larger, names, unit="x", **about):
    """One is less than the other."""
    if smaller is None or larger is None:
        return Expectation(name, expected, **about)
    return Expectation(name, expected, smaller < larger,
                       f"{names[0]} {text(smaller, unit)}, {names[1]} {text(larger, unit)}",
                       **about)


def steps(name, expected, found, unit, holds, **about):
    """Each of the values, in order, and the next: found is [(label, value), ...]."""
    values = [v for _, v in found]
    return Expectation(
        name, expected,
        None if None in values else all(holds(a, b) for a, b in zip(values, values[1:])),
        ", ".join(f"{label}{unit}: {text(v) or 'not measured'}" for label, v in found), **about)

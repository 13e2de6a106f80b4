# SPDX-License-Identifier: GPL-2.0
"""Verdicts on what is expected to hold."""

from dataclasses import dataclass

from .paper import OURS

PASS, DEVIATION, UNKNOWN, SMOKE = "pass", "deviation", "not measured", "not judged"
# On the page.
ORDER = (DEVIATION, UNKNOWN, PASS, SMOKE)
# A figure may be so far from the published one.
NEAR = 0.15


@dataclass(frozen=True)
class Row:
    """An expectation that was judged."""

    figure: str
    name: str
    expected: str
    measured: str
    verdict: str

    def is_ours(self):
        """Whether what is expected there is not published."""
        return self.expected.startswith(OURS)


def verdict(holds):
    """True, False or None."""
    return UNKNOWN if holds is None else PASS if holds else DEVIATION


def judge(paper, data):
    """All expectations, deviations first."""
    rows = [Row(figure.name, name, expected, measured, verdict(holds))
            for figure in paper.figures
            for name, expected, holds, measured in figure.expect(data)]
    return sorted(rows, key=lambda row: ORDER.index(row.verdict))


def shown(paper, data):
    """The same for people: a smoke run has sizes that the paper tells nothing about."""
    rows = judge(paper, data)
    if not data["smoke"]:
        return rows
    return [Row(r.figure, r.name, r.expected, r.measured, SMOKE if r.measured else UNKNOWN)
            for r in rows]


def reasons(paper, data, row):
    """Sentences that explain a row, each with its full stop."""
    figure = next(f for f in paper.figures if f.name == row.figure)
    found = (s.rstrip(". ") for s in figure.why(data, row.name) if s)
    return [s[0].upper() + s[1:] + "." for s in found]


def by_name(table):
    """A why() for a figure: [(how names begin, reasons(data, name)), ...], the first that fits."""
    return lambda data, name: next((told(data, name) for beginning, told in table
                                    if name.startswith(beginning)), [])


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


def value(name, measured, wanted, unit="x"):
    """A published number."""
    return (name, f"{wanted:.2f}{unit}, within {100 * NEAR:.0f} %", near(measured, wanted),
            text(measured, unit))


def order(name, expected, smaller, larger, names, unit="x"):
    """One is less than the other."""
    if smaller is None or larger is None:
        return name, expected, None, ""
    return (name, expected, smaller < larger,
            f"{names[0]} {text(smaller, unit)}, {names[1]} {text(larger, unit)}")


def steps(name, expected, found, unit, holds):
    """Each of the values, in order, and the next: found is [(label, value), ...]."""
    values = [v for _, v in found]
    return (name, expected,
            None if None in values else all(holds(a, b) for a, b in zip(values, values[1:])),
            ", ".join(f"{label}{unit}: {text(v) or 'not measured'}" for label, v in found))

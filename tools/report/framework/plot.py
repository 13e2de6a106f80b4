# SPDX-License-Identifier: GPL-2.0
"""
Charts, by kind.  Each function takes numbers and gives a parts.Chart; drawing is paint.py's.
None is a gap.  Bars lie, for names to have room; where one value is far beyond the others the
axis is logarithmic.
"""

import statistics

from . import paint
from .parts import MISSING, Chart

# So many times the median is an outlier.
FAR = 6


def is_stretched(values):
    """Whether a linear axis would flatten most of the values for the sake of one."""
    values = [v for v in values if v is not None]
    middle = statistics.median(values) if values else 0
    return middle > 0 and min(values) > 0 and max(values) > FAR * middle


def chart(kind, title, spec, head, rows):
    """One that is drawn when the page is written."""
    return Chart(title, kind, spec, head, rows, paint.render)


def bars(title, labels, groups, unit, base=None, published=None):
    """
    Groups of bars: [(title, [value per label]), ...].  Beside them what is published, by title
    of the group: [value per label].  A base of 1 is marked: longer bars are better than it.
    """
    groups = [(name, list(values)) for name, values in groups
              if any(v is not None for v in values)]
    if not groups:
        return MISSING
    beside = {name: list(values) for name, values in (published or {}).items()
              if name in [g for g, _ in groups]}
    every = [v for _, values in groups for v in values] + [v for p in beside.values() for v in p]
    columns = groups + [(f"{name}, published", values) for name, values in beside.items()]
    return chart("bars", title, {
        "labels": list(labels), "groups": groups, "published": beside, "unit": unit,
        "base": base, "log": is_stretched(every)},
        ["", *(f"{name} ({unit})" for name, _ in columns)],
        [[label, *(values[i] for _, values in columns)] for i, label in enumerate(labels)])


def dots(title, labels, series, unit, base=None, summary=None):
    """
    A line per label with a marker per series, [(title, [value per label]), ...], and a bar for
    what sums them up: (title, [value per label]).
    """
    series = [(name, list(values)) for name, values in series
              if any(v is not None for v in values)]
    if not series:
        return MISSING
    summed = (summary[0], list(summary[1])) if summary else None
    columns = [*series, *([summed] if summed else [])]
    return chart("dots", title, {
        "labels": list(labels), "series": series, "summary": summed, "unit": unit, "base": base,
        "log": is_stretched([v for _, values in columns for v in values])},
        ["", *(f"{name} ({unit})" for name, _ in columns)],
        [[label, *(values[i] for _, values in columns)] for i, label in enumerate(labels)])


def stacks(title, labels, parts, unit):
    """Bars made of parts: [(title, [value per label]), ...]."""
    if not labels:
        return MISSING
    return chart("stacks", title, {"labels": list(labels), "parts": [*parts], "unit": unit},
                 ["", *(f"{name} ({unit})" for name, _ in parts)],
                 [[label, *(values[i] for _, values in parts)] for i, label in enumerate(labels)])


def lines(title, series, xlabel, ylabel, log="xy", **more):
    """
    Curves: [(title, [(x, y), ...]), ...].  mark=(x, words) is a line across.  What is published:
    band=(low, high, words), or published=[(title, [(x, y), ...]), ...].
    """
    series = [(name, list(points)) for name, points in series if points]
    if not series:
        return MISSING
    return chart("lines", title, {"series": series, "xlabel": xlabel, "ylabel": ylabel,
                                  "log": log, **more},
                 ["curve", xlabel, ylabel or "value"],
                 [[name, x, y] for name, points in [*series, *more.get("published", ())]
                  for x, y in points])


def scatter(title, clouds, edges, xlabel, ylabel):
    """Points, [(title, [(x, y), ...]), ...], and a line at each edge between allocations."""
    if not any(points for _, points in clouds):
        return MISSING
    spec = {"clouds": [*clouds], "edges": [*edges], "xlabel": xlabel, "ylabel": ylabel}
    if len(clouds) == 1:
        return chart("scatter", title, spec, [xlabel, ylabel], clouds[0][1])
    return chart("scatter", title, spec, ["kind", xlabel, ylabel],
                 [[name, x, y] for name, points in clouds for x, y in points])


def multiples(title, panels, xlabel, ylabel):
    """Many small drawings side by side: [(title, group, [(x, y), ...]), ...]; a colour a group."""
    panels = [(name, group, list(points)) for name, group, points in panels if points]
    if not panels:
        return MISSING
    return chart("multiples", title, {"panels": panels, "xlabel": xlabel, "ylabel": ylabel},
                 ["drawing", "group", xlabel, ylabel],
                 [[name, group, x, y] for name, group, points in panels for x, y in points])

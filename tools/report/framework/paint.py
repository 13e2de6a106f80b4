# SPDX-License-Identifier: GPL-2.0
"""
Drawings by matplotlib, as SVG that goes into the page.  Text and lines have the colour of the
page's text, so that they are right in its dark mode, too.
"""

import functools
import html
import io
import json
import re
import sys
import textwrap

try:
    import matplotlib
except ImportError:
    sys.exit("report: this Python has no matplotlib: run 'make packages' and use Debian's Python")

matplotlib.use("svg")

from matplotlib import ticker  # noqa: E402  pylint: disable=wrong-import-position
from matplotlib.colors import to_rgba  # noqa: E402  pylint: disable=wrong-import-position
from matplotlib.figure import Figure  # noqa: E402  pylint: disable=wrong-import-position
from matplotlib.patches import Patch  # noqa: E402  pylint: disable=wrong-import-position

# Stand for what the page decides.
INK, GRID, PAPER = "#010203", "#030201", "#020103"
PAGE = {INK: "currentColor", GRID: "var(--grid)", PAPER: "var(--paper)"}
# Of Okabe and Ito, those that stand out from white and from black first.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", INK, "#f0e442")
MARKERS = "osD^vPX*<>hp"
HATCHES = ("", "///", "xxx", "\\\\")
WIDTH = 5.0     # inches; of 72 points, and the page scales it
BAR = 0.14      # inches

STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "softuvm", "font.family": "sans-serif",
    "font.size": 9, "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "grid.color": GRID, "grid.linewidth": 0.6,
    "axes.grid": True, "axes.axisbelow": True, "axes.spines.top": False,
    "axes.spines.right": False, "legend.frameon": False, "legend.fontsize": 8.5,
    "hatch.linewidth": 0.8, "figure.constrained_layout.use": True, "figure.facecolor": "none",
    "axes.facecolor": "none", "savefig.facecolor": "none", "path.simplify": False,
}


def colour(i):
    """Of the i-th series."""
    return COLOURS[i % len(COLOURS)]


def marker(i):
    """The same; colour and marker together come again late."""
    return MARKERS[i % len(MARKERS)]


def number(value):
    """At the end of a bar."""
    if value >= 100:
        return f"{value:,.0f}"
    if 0 < value < 0.095:
        return f"{value:.2g}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def columns(names, room):
    """Of a legend, as many as there is room for, in letters."""
    for count in (4, 3, 2):
        rows = -(-len(names) // count)
        parts = [names[i:i + rows] for i in range(0, len(names), rows)]
        if sum(max(map(len, part)) + 6 for part in parts) <= room:
            return count
    return 1


def legend(ax, handles, names, labels=()):
    """Above the drawing, right of the labels at its side."""
    room = 60 - max(map(len, labels), default=0)
    ax.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1.0), ncol=columns(names, room),
              borderaxespad=0.3, handlelength=1.4, columnspacing=1.2)


def plain_ticks(axis):
    """Numbers for people on a logarithmic axis, and not too many."""
    low, high = axis.get_view_interval()
    steps = (1, 2, 5) if high / low < 300 else (1,)
    axis.set_major_locator(ticker.LogLocator(10, subs=steps, numticks=12))
    axis.set_minor_locator(ticker.NullLocator())
    axis.set_major_formatter(ticker.FuncFormatter(lambda v, _: f"{v:g}"))


def bytes_text(value, _=None):
    """4096 as 4K."""
    for unit, name in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if value >= unit:
            return f"{value / unit:.4g}{name}"
    return f"{value:g}"


def categories(ax, spec, at, values):
    """Names at the side; the axis of values; its base."""
    ax.set_yticks(at, spec["labels"])
    ax.tick_params(axis="y", length=0)
    ax.grid(False, axis="y")
    ax.invert_yaxis()
    ax.set_xlabel(spec["unit"])
    if spec.get("base"):
        ax.axvline(spec["base"], color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
    if spec.get("log"):
        ax.set_xscale("log")
        least = min([v for v in values if v] + [spec.get("base") or max(values)])
        ax.set_xlim(least / 1.6, max(values) * 2.2)
        plain_ticks(ax.xaxis)
        ax.set_xlabel(f"{spec['unit']} (logarithmic axis)")


def spans(spec):
    """Where bars are: [(y, value, group, published?)], the middle of each label, the height."""
    found, middles, y = [], [], 0.0
    for i, _ in enumerate(spec["labels"]):
        first = y
        for g, (name, values) in enumerate(spec["groups"]):
            for told, source in ((False, values), (True, spec["published"].get(name))):
                if source and source[i] is not None:
                    found.append((y + 0.5, source[i], g, told))
                    y += 1
        middles.append((first + max(y, first + 1)) / 2)
        y = max(y, first + 1) + 0.8
    return found, middles, y


def draw_bars(spec):
    """Groups side by side; what is published is hatched."""
    found, middles, height = spans(spec)
    values = [v for _, v, _, _ in found]
    rows = 1 + len(spec["groups"]) // 2
    fig = Figure(figsize=(WIDTH, 0.75 + 0.16 * rows + BAR * height))
    ax = fig.add_subplot()
    base = spec["base"] if spec["log"] and spec["base"] else 0
    categories(ax, spec, middles, values)
    for y, value, group, told in found:
        ax.barh(y, value - base, left=base, height=0.88, linewidth=0.8,
                edgecolor=INK if told else colour(group),
                facecolor=to_rgba(colour(group), 0.3 if told else 1),
                hatch="/////" if told else None)
        ax.annotate(number(value), (max(value, base), y), xytext=(2, 0), fontsize=7.5,
                    textcoords="offset points", va="center",
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.4})
    ax.set_ylim(height - 0.5, -0.5)
    if not spec["log"]:
        ax.set_xlim(0, 1.1 * max([*values, spec["base"] or 0]))
    handles = [Patch(color=colour(g)) for g, _ in enumerate(spec["groups"])]
    names = [name for name, _ in spec["groups"]]
    if spec["published"]:
        handles.append(Patch(facecolor="none", edgecolor=INK, hatch="/////"))
        names.append("the same, published")
    legend(ax, handles, names, spec["labels"])
    return fig


def draw_dots(spec):
    """A line per label: a marker per series, and a bar for what sums them up."""
    count = len(spec["labels"])
    fig = Figure(figsize=(WIDTH, 0.8 + 0.1 * len(spec["series"]) + 0.24 * count))
    ax = fig.add_subplot()
    values = [v for _, found in spec["series"] for v in found if v is not None]
    categories(ax, spec, range(count), values)
    handles, names = [], []
    if spec["summary"]:
        name, found = spec["summary"]
        base = spec["base"] if spec["log"] and spec["base"] else 0
        handles.append(ax.barh(range(count), [(v or base) - base for v in found], left=base,
                               height=0.7, color=GRID, edgecolor=INK, linewidth=0.6))
        names.append(name)
    for i, (name, found) in enumerate(spec["series"]):
        points = [(v, y) for y, v in enumerate(found) if v is not None]
        handles.append(ax.plot(*zip(*points), marker(i), color=colour(i), markersize=4.5,
                               markeredgecolor=INK, markeredgewidth=0.3)[0])
        names.append(name)
    ax.set_ylim(count - 0.4, -0.6)
    if not spec["log"]:
        ax.set_xlim(left=0)
    legend(ax, handles, names, spec["labels"])
    return fig


def draw_stacks(spec):
    """Parts of a whole, one after the other; hatches tell them apart without colours."""
    count = len(spec["labels"])
    fig = Figure(figsize=(WIDTH, 0.9 + 0.2 * count))
    ax = fig.add_subplot()
    left = [0.0] * count
    handles = []
    for i, (_, values) in enumerate(spec["parts"]):
        handles.append(ax.barh(range(count), values, left=left, height=0.75, color=colour(i),
                               edgecolor=INK, linewidth=0.3, hatch=HATCHES[i % len(HATCHES)]))
        left = [a + b for a, b in zip(left, values)]
    categories(ax, spec, range(count), left)
    ax.set_ylim(count - 0.4, -0.6)
    if spec["unit"].startswith("%"):
        ax.set_xlim(0, 100)
    legend(ax, handles, [name for name, _ in spec["parts"]], spec["labels"])
    return fig


def references(ax, spec):
    """What is marked or published beside curves."""
    handles, names = [], []
    if spec.get("mark"):
        x, words = spec["mark"]
        handles.append(ax.axvline(x, color=INK, linewidth=0.9, linestyle=(0, (4, 2))))
        names.append(words)
    if spec.get("band"):
        low, high, words = spec["band"]
        handles.append(ax.axhspan(low, high, facecolor="none", edgecolor=INK, hatch="//////",
                                  linewidth=0, alpha=0.5))
        names.append(words)
    return handles, names


def draw_lines(spec):
    """Curves with markers."""
    rows = 1 + len(spec["series"]) // 2
    fig = Figure(figsize=(WIDTH, 2.9 + 0.14 * rows))
    ax = fig.add_subplot()
    handles, names = references(ax, spec)
    curves = [ax.plot(*zip(*points), marker=marker(i), color=colour(i), markersize=4,
                      linewidth=1.5)[0] for i, (_, points) in enumerate(spec["series"])]
    for name, points in spec.get("published", ()):
        handles += ax.plot(*zip(*points), marker="o", color=INK, markerfacecolor="none",
                           markersize=6, linewidth=1.1, linestyle=":")
        names.append(name)
    if "x" in spec["log"]:
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_locator(ticker.LogLocator(2, numticks=9))
        ax.xaxis.set_minor_locator(ticker.NullLocator())
        ax.xaxis.set_major_formatter(ticker.FuncFormatter(
            bytes_text if spec.get("bytes") else lambda v, _: f"{v:g}"))
    if "y" in spec["log"]:
        ax.set_yscale("log")
        plain_ticks(ax.yaxis)
        ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda v, _: f"{v:,.12g}"))
    else:
        ax.set_ylim(bottom=0)
    ax.set_xlabel(spec["xlabel"])
    ax.set_ylabel(textwrap.fill(spec["ylabel"], 34))
    legend(ax, curves + handles, [name for name, _ in spec["series"]] + names)
    return fig


def draw_scatter(spec):
    """Many points, which are a picture inside the drawing."""
    fig = Figure(figsize=(WIDTH, 3.2), dpi=150)
    ax = fig.add_subplot()
    handles, names = [], []
    for (name, points), shade, shape in zip(spec["clouds"], ("#0072b2", "#d55e00"), ".x"):
        if points:
            handles.append(ax.plot(*zip(*points), shape, color=shade, rasterized=True,
                                   markersize=1.5 if shape == "." else 3.5, linestyle="none")[0])
            names.append(name)
    for y in spec["edges"]:
        ax.axhline(y, color=INK, linewidth=0.7)
    ax.set_xlabel(spec["xlabel"])
    ax.set_ylabel(spec["ylabel"])
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda v, _: f"{v:,.0f}"))
    ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda v, _: f"{v:,.0f}"))
    if len(names) > 1:
        legend(ax, handles, names)
    return fig


def draw_multiples(spec):
    """A grid of small drawings without numbers: what counts is the shape."""
    panels, across = spec["panels"], 4
    down = -(-len(panels) // across)
    groups = list(dict.fromkeys(group for _, group, _ in panels))
    fig = Figure(figsize=(WIDTH, 0.5 + 1.15 * down), dpi=200)
    axes = fig.subplots(down, across, squeeze=False).ravel()
    for ax, (name, group, points) in zip(axes, panels):
        ax.plot(*zip(*points), ".", color=colour(groups.index(group)), rasterized=True,
                markersize=0.8, linestyle="none")
        ax.set_title(f"{name} ({group})", fontsize=8, pad=2)
        ax.set_xticks([])
        ax.set_yticks([])
    for ax in axes[len(panels):]:
        ax.axis("off")
    fig.supxlabel(spec["xlabel"], fontsize=8.5)
    fig.supylabel(spec["ylabel"], fontsize=8.5)
    return fig


KINDS = {"bars": draw_bars, "dots": draw_dots, "stacks": draw_stacks, "lines": draw_lines,
         "scatter": draw_scatter, "multiples": draw_multiples}


def tidy(svg, title):
    """Only the element, without what is for one drawing in a file of its own."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.S)
    svg = re.sub(r'<g id="[a-z]\w*?_\d+">', "<g>", svg)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    for mine, colour_of_page in PAGE.items():
        svg = svg.replace(mine, colour_of_page)
    return svg.replace("<svg", f'<svg role="img" aria-label="{html.escape(title)}"', 1)


@functools.lru_cache(maxsize=256)
def drawn(kind, text, title):
    """The same chart is drawn once."""
    with matplotlib.rc_context(STYLE):
        found = io.StringIO()
        KINDS[kind](json.loads(text)).savefig(found, format="svg", metadata={"Date": None})
    return tidy(found.getvalue(), title)


def render(kind, spec, title):
    """A chart as an SVG element."""
    return drawn(kind, json.dumps(spec), title)

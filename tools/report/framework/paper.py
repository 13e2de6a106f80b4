# SPDX-License-Identifier: GPL-2.0
"""A paper and its figures, as data."""

import importlib
import pkgutil
from dataclasses import KW_ONLY, dataclass, field

# Begins what is expected of our own, and not published.
OURS = "ours: "


def nothing(*_):
    """No runs, no parts, no expectations, no reasons."""
    return ()


def always(*_):
    """Every figure is shown, every run is wanted."""
    return True


@dataclass(frozen=True)
class Expectation:
    """
    What should hold, and what it is about.  Its sentences are for people.  A why() goes by kind,
    rate, workload, group and config alone, so that whoever mends a sentence changes no reasons.
    All of these are optional, and the last three may be a tuple of several.
    """

    name: str
    expected: str = ""
    holds: bool = None      # None: a run is missing
    measured: str = ""
    _: KW_ONLY
    kind: str = ""          # a word of the figure's own
    rate: int = None        # percent, as the paper counts memory
    workload: object = None
    group: object = None    # a type or a class
    config: object = None


@dataclass(frozen=True)
class Figure:
    """
    One figure or table: all that makes it.  The paper's figures are the files of its folder
    figures/ which have a FIGURE.

    plan(x) adds its runs to an Experiment; two figures may ask for the same one.  collect(x) is
    what it keeps of their events, by name.  All others have the report's data alone: draw(data)
    gives parts (text in HTML, Chart, Table, Fold), expect(data) gives an Expectation each,
    why(data, row) sentences which explain a deviation.  A row is a verdict.Row: the Expectation
    with all its fields, judged.
    """

    name: str               # of its place on the page, and of its CSV files
    title: str
    order: int = 0          # on the page
    told: tuple = ()        # what is published, in words
    plan: callable = nothing
    collect: callable = dict
    draw: callable = nothing
    expect: callable = nothing
    why: callable = nothing
    shown: callable = always

    def kept(self, x):
        """What it keeps of events."""
        return {} if self.collect is dict else self.collect(x)


@dataclass(frozen=True)
class Paper:
    """A published evaluation."""

    name: str               # of the command
    title: str              # as printed
    doc: str                # of --help
    out: str                # folder of the page, below the build directory
    scales: dict            # by name: objects of dataclasses with a name; "quick" is not judged
    figures: tuple
    headline: str           # the figure whose first chart opens the page
    introduction: callable = nothing    # (data): paragraphs in HTML
    options: callable = nothing         # (parser, sizes): more of the command line
    scale: callable = None              # (args): if it is more than a name
    wanted: callable = always           # (args, key): --only
    prepare: callable = nothing         # (experiment, laboratory): runs that others depend on
    schedule: callable = nothing        # (key): what sorts the runs; the slowest come first
    beside: dict = field(default_factory=dict)      # measured.json of another scale, kept here

    def sized(self, args):
        """The scale that the command line asks for."""
        if self.scale:
            return self.scale(args)
        return self.scales[next((n for n in self.scales if getattr(args, n, False)), "default")]


def discover(package):
    """The FIGUREs in the files of a package, in the order of the page."""
    folder = importlib.import_module(package)
    files = (importlib.import_module(f"{package}.{found.name}")
             for found in pkgutil.iter_modules(folder.__path__))
    return tuple(sorted((file.FIGURE for file in files if hasattr(file, "FIGURE")),
                        key=lambda figure: (figure.order, figure.name)))

# SPDX-License-Identifier: GPL-2.0
"""
Papers that compare configurations over workloads.  A Bench is what their runs have in common, a
Comparison one figure: which configurations, what metric, against what baseline, and which
averages are published.
"""

from dataclasses import dataclass, field

from . import plot, results, verdict
from .machine import Run
from .paper import Figure
from .parts import Table

# More bars than this side by side are dots instead.
BESIDE = 6


@dataclass(frozen=True)
class Config:
    """One bar: parameters of the driver, keys of the profile, memory."""

    title: str
    words: tuple = ()
    device: str = ""
    memory: float = 1.0     # times what the ratio gives; 0: all there is


def sets(**params):
    """Parameters of the driver, as words of the command."""
    return tuple(word for name, value in params.items() for word in ("--set", f"{name}={value}"))


def no_events(*_):
    """None is looked at."""
    return ()


@dataclass(frozen=True)
class Bench:
    """One GPU, configurations, workloads; a scale has a size and names of workloads."""

    configs: dict
    machine: callable       # (device, size): a machine.Machine
    arguments: callable     # (name, scale): words of a workload
    common: tuple = ()      # words of every run
    ratio: float = 0.5      # of memory to footprint
    digits: int = 0         # after the point, of the footprint in percent of memory
    events: callable = no_events    # (scale, config, ratio, size): what is kept of a run's events
    counted: bool = False   # faults are counted by 64 KB, and not kept

    def run(self, x, key, words, config, ratio=None, size=0):
        """Plan one run; a boot has all of a workload, or all on another device than the usual."""
        size, ratio = size or x.scale.size, ratio or self.ratio
        words = ["run", *words, "--json", "--quiet", *self.common, *config.words]
        share = ratio * config.memory
        if 0 < share < 1:
            words += ["--oversubscription", round(100 / share, self.digits or None)]
        x.add(key, Run(self.machine(config.device, size), *words,
                       events=self.events(x.scale, config, ratio, size), counted=self.counted,
                       session="" if config.device else key[1]))

    def plan(self, x, uses, names):
        """Configurations as they are, of each of the workloads."""
        for name in names:
            for use in uses:
                self.run(x, (use, name), self.arguments(name, x.scale), self.configs[use])


@dataclass(frozen=True)
class Published:
    """An average that a paper has, and how its expectation is called."""

    value: float
    name: str


@dataclass(frozen=True)
class Comparison:
    """What is compared with what."""

    configs: tuple
    bench: Bench
    unit: str = "speedup over the baseline"
    metric: str = "speedup"     # or a number of results.row(), which is divided by the baseline's
    baseline: str = "baseline"
    published: dict = field(default_factory=dict)   # of Published, by configuration
    names: str = "workloads"    # the workloads: a field of the scale
    prefix: str = ""            # of the uses
    title: str = ""             # of its chart
    summed: bool = False        # begins with a chart of the averages, for the top of the page

    def of(self, data, config):
        """By workload."""
        uses = self.prefix + config, self.prefix + self.baseline
        if self.metric == "speedup":
            return results.speedup(data, *uses)
        return results.ratio(data, *uses, self.metric)

    def groups(self, data):
        """[(title, {workload: value}), ...]."""
        return [(self.bench.configs[c].title, self.of(data, c)) for c in self.configs]

    def plan(self, x):
        """The runs, where names of uses are those of configurations."""
        if not self.prefix:
            self.bench.plan(x, (self.baseline, *self.configs), getattr(x.scale, self.names))

    def known(self):
        """What is published, by title."""
        return {self.bench.configs[c].title: p.value for c, p in self.published.items()}

    def draw(self, data, known=None):
        """By workload and on average, drawn and told; @known is published, by title."""
        title = self.title or self.unit[0].upper() + self.unit[1:]
        return [*([self.summary(data)] if self.summed else []),
                *both(data["scale"][self.names], self.groups(data), self.unit, title,
                      known or self.known())]

    def summary(self, data):
        """Averages alone, published beside measured."""
        known = self.known()
        titles = [self.bench.configs[c].title for c in self.configs]
        found = [results.average(self.of(data, c)) for c in self.configs]
        return plot.bars(f"Average over {len(data['scale'][self.names])} workloads", titles,
                         [("measured", found)], self.unit, base=1,
                         published={"measured": [known.get(t) for t in titles]})

    def expect(self, data):
        """What is published, within what verdict.value() allows."""
        for config, p in self.published.items():
            found = results.whole(self.of(data, config),
                                  results.planned(data, self.prefix + config))
            yield verdict.value(p.name, found, p.value, config=config)

    def figure(self, name, title, order=0, told=(), **more):
        """A figure that is this comparison, and what more it has."""
        return Figure(name, title, order, told, **{"plan": self.plan, "draw": self.draw,
                                                   "expect": self.expect, **more})


def cell(value, form="{:.2f}"):
    """Of a table."""
    return "" if value is None else form.format(value)


def values(names, groups, unit="", title=""):
    """A table by workload and on average: groups is [(title, {workload: value}), ...]."""
    return Table(["", *names, "average"], [
        [name, *(cell(found.get(n)) + (unit if n in found else "") for n in names),
         cell(results.average(found))] for name, found in groups], title)


def drawn(names, groups, unit, title, known=None):
    """The same as bars, with published averages; many configurations have a line each."""
    averages = [results.average(found) for _, found in groups]
    if len(groups) > BESIDE:
        return plot.dots(title, [name for name, _ in groups],
                         [(n, [found.get(n) for _, found in groups]) for n in names], unit, 1,
                         ("average", averages))
    beside = {name: [*(None for _ in names), value] for name, value in (known or {}).items()}
    return plot.bars(title, [*names, "average"],
                     [(name, [*map(found.get, names), average])
                      for (name, found), average in zip(groups, averages)], unit, 1, beside)


def both(names, groups, unit, title, known=None):
    """Drawn and told."""
    return [drawn(names, groups, unit, title, known), values(names, groups, "", title)]

# SPDX-License-Identifier: GPL-2.0
"""What reports are made of, on a small paper of its own: a paper is data, and a figure a file."""

import argparse
import dataclasses
import json
import os
import random
import re
import sys
import unittest
from dataclasses import dataclass
from urllib.parse import unquote

from framework import document, experiment, paint, plot, results, verdict
from framework.compare import Bench, Comparison, Config, Published, sets
from framework.machine import Machine, Run
from framework.paper import Figure, Paper
from framework.parts import Chart, Fold, Table, write
from framework.reference import ReferenceString, Stack
from papers import adaptive, batch_aware, demystifying, hpe

# ---- a paper -------------------------------------------------------------------


@dataclass(frozen=True)
class Scale:
    """How large everything is."""

    name: str
    size: int
    workloads: tuple = ("bfs", "triad")


BENCH = Bench(
    {"baseline": Config("baseline"), "tree": Config("tree prefetcher", sets(prefetch="tree")),
     "all": Config("all memory", memory=0)},
    lambda device, size: Machine("toy", f"profile=toy {device}", 512),
    lambda name, scale: [name, "--size", scale.size], ("--set", "x=1"))
SPEED = Comparison(("tree", "all"), BENCH,
                   published={"tree": Published(2.0, "tree: speedup")}).figure(
    "speed", "Fig. 1: speedup", 1, ("The tree is twice as fast.",),
    why=lambda data, row: ["the same for both", f"this is of {row.config}"])
MOVED = Comparison(("tree",), BENCH, "data moved, baseline is 1", "htod",
                   published={"tree": Published(0.5, "tree: data")}).figure(
    "moved", "Fig. 2: data", 2, why=lambda data, row: ["the same for both", ""])
PAPER = Paper(name="toy", title="A <Toy>", doc="", out="toy", figures=(SPEED, MOVED),
              scales={"quick": Scale("quick", 1), "default": Scale("default", 4096)},
              headline="speed")


def result(time, htod, verified=True):
    """What the command prints, as far as it is read."""
    return {"gpu_time_ns": time, "footprint_bytes": 8, "vram_bytes": 4, "verified": verified,
            "wall_time_s": 60,
            "execution": {"batches": {"count": 1, "mean_bytes": 1, "mean_time_ns": 1,
                                      "mean_handling_ns": 1},
                          "faults": {"fetched": 1, "duplicate": 0},
                          "migrated_bytes": {"htod": htod, "dtoh": 1},
                          "link": {"reads": 3, "writes": 2, "read_bytes": 96, "write_bytes": 64},
                          "evictions": {"pages": 1, "premature": 0}}}


def event(what, name, offset, size=4096):
    """As the command prints it."""
    return f'{{"event":"{what}","gpu":0,"name":"{name}","offset":{offset},"bytes":{size}}}'


# By use: time and data moved.
AS_PUBLISHED = {"baseline": (100, 10), "tree": (50, 5), "all": (1, 1)}


def measured(scale="default", **changes):
    """Data of a report, with what was measured by use."""
    x = experiment.Experiment(PAPER, PAPER.scales[scale])
    x.plan()
    for (use, _), run in x.runs.items():
        run.result = result(*{**AS_PUBLISHED, **changes}[use])
    return {**experiment.collect(x, list(x.runs)), "made_by": "toy"}


def verdicts(data):
    """By name."""
    return {row.name: row.verdict for row in verdict.judge(PAPER, data)}


# ---- tests ---------------------------------------------------------------------


class Runs(unittest.TestCase):
    """What is run."""

    def setUp(self):
        self.x = experiment.Experiment(PAPER, PAPER.scales["default"])
        self.x.plan()

    def test_figures_own_their_runs(self):
        """Each has its own, and one that two need is one."""
        self.assertEqual({u for u, _ in self.x.owned["moved"]}, {"baseline", "tree"})
        self.assertEqual(len(self.x.runs), 6)
        self.assertEqual(self.x.planned["tree"], ["bfs", "triad"])

    def test_words(self):
        """Of workload, paper, configuration and ratio; all memory has no ratio."""
        self.assertEqual(self.x.runs["tree", "bfs"].words, [
            "run", "bfs", "--size", "4096", "--json", "--quiet", "--set", "x=1", "--set",
            "prefetch=tree", "--oversubscription", "200"])
        self.assertNotIn("--oversubscription", self.x.runs["all", "bfs"].words)

    def test_exact(self):
        """A ratio may have digits after the point."""
        x = experiment.Experiment(PAPER, PAPER.scales["default"])
        for digits, wanted in ((0, "133"), (1, "133.3")):
            dataclasses.replace(BENCH, digits=digits, ratio=0.75).plan(x, ("tree",), ("bfs",))
            self.assertEqual(x.runs.pop(("tree", "bfs")).words[-1], wanted)

    def test_some(self):
        """--figure and --only leave some."""
        args = argparse.Namespace(figure=["moved"])
        self.assertEqual(len(self.x.wanted(args)), 4)
        self.assertEqual(len(self.x.wanted(argparse.Namespace(figure=[]))), 6)

    def test_counted(self):
        """Faults by 64 KB, again once some of it was evicted; they are not kept, the rest is."""
        run = Run(Machine("toy", "", 1), "run", counted=True)
        run.take([event("gpu_fault", "a", 0), event("gpu_fault", "a", 61440),
                  event("gpu_fault", "a", 65536), event("gpu_fault", "b", 0),
                  event("eviction", "a", 0, 65536), event("gpu_fault", "a", 65536),
                  event("gpu_fault", "a", 4096), event("gpu_fault", "b", 4096),
                  event("eviction", "a", 61440, 8192), event("gpu_fault", "a", 65536),
                  event("gpu_fault", "a", 0), '{"gpu_time_ns":1}'])
        self.assertEqual((run.pieces, run.faults, run.evictions, run.result),
                         (6, [], [], {"gpu_time_ns": 1}))
        again = Run(Machine("toy", "", 1), "run", counted=True)
        again.restore(run.state())
        self.assertEqual(again.pieces, 6)

    def test_counted_in_rows(self):
        """Only where it was asked for."""
        bench = dataclasses.replace(BENCH, counted=True)
        for which, wanted in ((BENCH, None), (bench, 7)):
            x = experiment.Experiment(PAPER, PAPER.scales["default"])
            which.plan(x, ("tree",), ("bfs",))
            x.runs["tree", "bfs"].result, x.runs["tree", "bfs"].pieces = result(1, 1), 7
            self.assertEqual(experiment.rows(x.runs)[0]["tree"]["bfs"].get("pieces"), wanted)

    def test_remote_in_rows(self):
        """Reads and writes over the link; of a report without a link, none."""
        printed = result(1, 1)
        self.assertEqual(results.row(printed)["remote"], 5)
        del printed["execution"]["link"]
        self.assertEqual(results.row(printed)["remote"], 0)

    def test_wrong_result(self):
        """It is named and counts nowhere."""
        data = measured(tree=(50, 5, False))
        self.assertEqual(data["wrong"], ["bfs (tree)", "triad (tree)"])
        self.assertEqual(set(verdicts(data).values()), {verdict.UNKNOWN})


def reference(pages):
    """The string of these."""
    found = ReferenceString()
    for page in pages:
        found.touch(page)
    return found.measured()


class Strings(unittest.TestCase):
    """What is measured of a reference string."""

    def test_stream(self):
        """Each page once: nothing is repeated, and lives no time."""
        self.assertEqual(reference(range(32)), {
            "pages": 32, "touches": 32, "times": [1, 0, 0], "reuse": [0, 0, 0], "pieces": 1,
            "life": 0})

    def test_in_a_row(self):
        """A page twice in a row is one touch."""
        self.assertEqual(reference("aaab")["touches"], 2)
        self.assertEqual(reference("aba")["touches"], 3)

    def test_passes(self):
        """Three sweeps over 16 pages: each of 32 repeated touches has 15 others before it."""
        self.assertEqual(reference([*range(16)] * 3), {
            "pages": 16, "touches": 48, "times": [0, 1, 0], "reuse": [0, 0, 1], "pieces": 3,
            "life": 32 / 48})

    def test_borders(self):
        """Of 32 pages 2 others are no longer near, 23 are not yet far, and 24 are."""
        for others, wanted in ((1, [1, 0, 0]), (2, [0, 1, 0]), (23, [0, 1, 0]), (24, [0, 0, 1])):
            self.assertEqual(reference([*range(32), 31 - others])["reuse"], wanted)

    def test_mixed(self):
        """
        a b a c a d b c, by hand: distances are 1 and 1 of a, 3 of b and 3 of c, of four pages.  Each
        touch is in two of the sixteen pieces, alone.
        """
        self.assertEqual(reference("abacadbc"), {
            "pages": 4, "touches": 8, "times": [0.25, 0.75, 0], "reuse": [0, 0.5, 0.5],
            "pieces": 2, "life": (4 + 5 + 4 + 0) / 4 / 8})

    def test_often(self):
        """Three touches and four are told apart."""
        self.assertEqual(reference("abababac")["times"], [1 / 3, 1 / 3, 1 / 3])

    def test_region(self):
        """Eight regions of two pages, each four times to and fro: near, in two pieces, shortly."""
        found = reference([2 * region + i % 2 for region in range(8) for i in range(8)])
        self.assertEqual((found["reuse"], found["pieces"], found["life"]),
                         ([0, 1, 0], 2, 6 / 64))

    def test_none(self):
        """Without touches nothing is measured."""
        self.assertEqual(reference([]), {})

    def test_packed(self):
        """The stack packs its slots again and again, and tells what a list would."""
        chance = random.Random(1)
        stack, pages = Stack(), []
        for _ in range(6000):
            page = chance.randrange(40) ** 2 % 97
            wanted = pages[::-1].index(page) if page in pages else None
            pages = [p for p in pages if p != page] + [page]
            self.assertEqual(stack.touch(page), wanted)

    def test_of_a_run(self):
        """Hits and faults of all allocations, but no duplicates; it is kept with the run."""
        run = Run(Machine("toy", "", 1), "run", events=("walk_hit", "gpu_fault"))
        again = '{"event":"gpu_fault","name":"a","offset":0,"duplicate":true}'
        run.take([event("gpu_fault", "a", 0), event("walk_hit", "a", 4095),
                  event("walk_hit", "b", 0), again, event("walk_hit", "a", 4096),
                  event("walk_hit", "a", 8), json.dumps(result(1, 1))])
        self.assertEqual((run.string["pages"], run.string["touches"]), (3, 4))
        other = Run(Machine("toy", "", 1), "run")
        other.restore(json.loads(json.dumps(run.state())))
        self.assertEqual(other.string, run.string)
        rows, _ = experiment.rows({("all", "bfs"): run})
        self.assertEqual(rows["all"]["bfs"]["string"], run.string)

    def test_not_asked_for(self):
        """A run whose touches nobody wants has none."""
        run = Run(Machine("toy", "", 1), "run", events=("gpu_fault",))
        run.take(['{"event":"gpu_fault","name":"a","offset":0,"duplicate":false}',
                  json.dumps(result(1, 1))])
        self.assertNotIn("string", experiment.rows({("all", "bfs"): run})[0]["all"]["bfs"])


class Judge(unittest.TestCase):
    """Verdicts."""

    def test_as_published(self):
        """The paper's own numbers pass."""
        self.assertEqual(verdicts(measured()),
                         {"tree: speedup": verdict.PASS, "tree: data": verdict.PASS})

    def test_fails(self):
        """Others do not, and one that is just near does."""
        self.assertEqual(verdicts(measured(tree=(80, 5)))["tree: speedup"], verdict.DEVIATION)
        self.assertEqual(verdicts(measured(tree=(50, 6)))["tree: data"], verdict.DEVIATION)
        self.assertEqual(verdicts(measured(tree=(45, 5)))["tree: speedup"], verdict.PASS)

    def test_smoke(self):
        """A smoke run is measured but not judged."""
        rows = verdict.shown(PAPER, measured("quick", tree=(80, 5)))
        self.assertEqual({row.verdict for row in rows}, {verdict.SMOKE})
        self.assertEqual({row.measured for row in rows}, {"1.25x", "0.50x"})

    def test_missing(self):
        """An average without one workload is not measured."""
        data = measured()
        del data["runs"]["tree"]["bfs"]
        self.assertEqual(set(verdicts(data).values()), {verdict.UNKNOWN})


class Beside(unittest.TestCase):
    """What another scale gave."""

    def setUp(self):
        kept = json.loads(verdict.kept(PAPER, measured(tree=(40, 5))))
        self.paper = dataclasses.replace(PAPER, beside={**kept, "scale": "full"})

    def test_beside(self):
        """It stands beside the same expectation, on the page, too."""
        rows = {row.name: row for row in verdict.shown(self.paper, measured(tree=(80, 5)))}
        self.assertEqual(rows["tree: speedup"].measured, "1.25x")
        self.assertEqual(rows["tree: speedup"].beside, "--full: 2.50x")
        self.assertIn("1.25x <small>(--full: 2.50x)</small>",
                      document.build(self.paper, measured(tree=(80, 5))))

    def test_its_own(self):
        """Nothing stands beside a run of that scale, nor where there was no measurement."""
        data = measured(tree=(80, 5))
        own = dataclasses.replace(self.paper, beside={**self.paper.beside,
                                                      "scale": data["scale"]["name"]})
        self.assertEqual({row.beside for row in verdict.shown(own, data)}, {""})
        self.assertEqual({row.beside for row in verdict.shown(PAPER, measured())}, {""})

    def test_papers_keep_what_they_expect(self):
        """A file of a paper here names expectations that it has, or had with that scale."""
        rows = hpe.PAPER.beside["rows"]
        self.assertEqual(hpe.PAPER.beside["scale"], "full")
        self.assertIn("full", hpe.PAPER.scales)
        self.assertTrue({"HPE over LRU, 75 %", "HPE over LRU, 50 %"} <= set(rows))


class Page(unittest.TestCase):
    """What people read."""

    def test_reason_once(self):
        """What explains two deviations is told once; the second has a link to it."""
        text = document.build(PAPER, measured(tree=(80, 9)))
        self.assertEqual(text.count("The same for both."), 1)
        self.assertEqual(text.count("<li>This is of tree."), 1)
        self.assertIn('<a href="#why-1">tree: speedup</a>', text)
        self.assertEqual(len(re.findall("<details class=deviation>", text)), 2)

    def test_smoke_says_so(self):
        """It comes first, and nothing deviates."""
        text = document.build(PAPER, measured("quick", tree=(80, 9)))
        self.assertLess(text.index("This is a smoke run"), text.index("<svg"))
        self.assertNotIn("class=deviation", text)
        self.assertNotIn("There is none", text)
        self.assertNotIn("smoke run", document.build(PAPER, measured()))

    def test_opening(self):
        """One chart before the contents, the contents before the deviations."""
        text = document.build(PAPER, measured())
        self.assertEqual(text[:text.index("<nav>")].count("<svg"), 1)
        self.assertLess(text.index("<nav>"), text.index('id="deviations"'))
        self.assertIn('<a href="#moved">', text)
        self.assertIn("A &lt;Toy&gt;", text)
        self.assertNotIn("<Toy>", text)

    def test_alone(self):
        """It loads nothing."""
        text = document.build(PAPER, measured())
        self.assertFalse(re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', text))

    def test_commands(self):
        """Each figure has those of its own runs."""
        text = document.build(PAPER, measured())
        self.assertIn("The 6 commands", text)
        self.assertIn("The 4 commands", text)

    def test_empty(self):
        """Without any result there are all sections, and gaps."""
        data = {**measured(), "runs": {}}
        text = document.build(PAPER, data)
        self.assertIn('id="moved"', text)
        self.assertIn("No run succeeded", text)


class Charts(unittest.TestCase):
    """Drawings."""

    def test_outlier(self):
        """One value far beyond the rest makes the axis logarithmic, and only that."""
        near = plot.bars("", "abc", [("g", [1, 2, 3])], "x")
        far = plot.bars("", "abc", [("g", [1, 2, 300])], "x")
        self.assertEqual((near.spec["log"], far.spec["log"]), (False, True))
        self.assertIn("logarithmic", far.html("n"))
        self.assertFalse(plot.is_stretched([0, 1, 300]))

    def test_published_beside(self):
        """Each published bar lies right after its measured one."""
        chart = plot.bars("", ["a", "b"], [("g", [1, 2]), ("h", [3, 4])], "x",
                          published={"g": [None, 5], "nobody": [1, 1]})
        found = [(value, group, told) for _, value, group, told in paint.spans(chart.spec)[0]]
        self.assertEqual(found, [(1, 0, False), (3, 1, False), (2, 0, False), (5, 0, True),
                                 (4, 1, False)])

    def test_gaps(self):
        """None is no bar, and only gaps are no chart."""
        self.assertIn("No run", plot.bars("", ["a"], [("g", [None])], "x"))
        self.assertIn("No run", plot.lines("", [("g", [])], "x", "y"))
        chart = plot.bars("", ["a", "b"], [("g", [None, 2]), ("h", [None, None])], "x")
        self.assertEqual(chart.head, ["", "g (x)"])
        self.assertIn("<svg", chart.html("n"))

    def test_multiples(self):
        """Each small drawing has its name; one without points is none."""
        chart = plot.multiples("", [("a", "I", [(0, 1)]), ("b", "II", []), ("c", "II", [(1, 2)])],
                               "x", "y")
        self.assertEqual(chart.rows, [["a", "I", 0, 1], ["c", "II", 1, 2]])
        self.assertIn("c (II)", chart.html("n"))
        self.assertIn("No run", plot.multiples("", [("b", "II", [])], "x", "y"))

    def test_colours(self):
        """Text is of the page's colour; no two of the first eight series look alike."""
        svg = plot.lines("", [("a", [(1, 1), (2, 3)])], "x", "y").html("n")
        self.assertIn("currentColor", svg)
        for sentinel in paint.PAGE:
            self.assertNotIn(sentinel, svg)
        self.assertEqual(len({(paint.colour(i), paint.marker(i)) for i in range(24)}), 24)

    def test_same(self):
        """The same chart is the same text, without names that another has, too."""
        paint.drawn.cache_clear()
        first = plot.stacks("", "ab", [("p", [1, 2])], "%").html("n")
        paint.drawn.cache_clear()
        self.assertEqual(first, plot.stacks("", "ab", [("p", [1, 2])], "%").html("n"))
        self.assertNotIn('id="axes_1"', first)

    def test_csv(self):
        """All numbers are there, with units, and what is special stays."""
        found = Table(["", "a,b"], [["x&y", 1.5]]).html("n")
        text = unquote(re.search(r'charset=utf-8,([^"]*)"', found)[1])
        self.assertEqual(text, ',"a,b"\nx&y,1.5\n')
        chart = plot.bars("", ["a"], [("g", [1])], "us", published={"g": [2]})
        self.assertEqual((chart.head, chart.rows),
                         (["", "g (us)", "g, published (us)"], [["a", 1, 2]]))

    def test_parts(self):
        """Files have names of their own, in folds, too."""
        table = Table(["a"], [[1]])
        text = write(["<p>", table, table, Fold("more", [table])], "f")
        self.assertEqual(re.findall('download="([^"]*)"', text),
                         ["f.csv", "f-2.csv", "f-more.csv"])

    def test_many(self):
        """Many configurations are dots, few are bars."""
        names = [f"c{i}" for i in range(7)]
        bench = Bench({n: Config(n) for n in ["baseline", *names]}, None, None)
        data = {"scale": {"workloads": ["bfs"]},
                "planned": {n: ["bfs"] for n in ["baseline", *names]},
                "runs": {n: {"bfs": {"time_ns": i + 1}} for i, n in
                         enumerate(["baseline", *names])}}
        kinds = [Comparison(tuple(some), bench).draw(data)[0].kind for some in (names, names[:2])]
        self.assertEqual(kinds, ["dots", "bars"])


class Papers(unittest.TestCase):
    """Those that there are."""

    def test_every_file_is_a_figure(self):
        """A figure is one file: each is found, once, and its name is its place."""
        for package in (demystifying, batch_aware, hpe, adaptive):
            folder = os.path.join(os.path.dirname(package.__file__), "figures")
            files = sorted(f[:-3] for f in os.listdir(folder) if f[0] not in "_.")
            self.assertEqual(files, sorted(f.name for f in package.PAPER.figures))
            orders = [f.order for f in package.PAPER.figures]
            self.assertEqual(orders, sorted(set(orders)))

    def test_headline(self):
        """It is one of the figures."""
        for package in (demystifying, batch_aware, hpe, adaptive):
            self.assertIn(package.PAPER.headline, [f.name for f in package.PAPER.figures])

    def test_discovered(self):
        """What is in no FIGURE is none."""
        self.assertTrue(all(isinstance(f, Figure) for f in demystifying.PAPER.figures))
        self.assertTrue(all(isinstance(part, (str, Chart, Table, Fold))
                            for part in SPEED.draw(measured())))


if __name__ == "__main__":
    sys.exit(unittest.main())

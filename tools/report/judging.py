# SPDX-License-Identifier: GPL-2.0
"""What tests of judges share.  Each returns what is wrong, a sentence each."""

import copy
import dataclasses

from framework import document, experiment, verdict


def partial(paper, good, missing, draw):
    """
    Where a run is missing: a pass or a deviation that nothing stands for.  @missing: keys of runs
    with beginnings of the expectations that need them; of the first @draw a page is drawn.
    """
    wrong = []
    count = len(verdict.judge(paper, good()))
    for i, (key, names) in enumerate(missing):
        data = copy.deepcopy(good())
        del data["runs"][key[0]][key[1]]
        rows = verdict.judge(paper, data)
        for name in names:
            found = [row for row in rows if row.name.startswith(name)]
            if not found or any(row.verdict != verdict.UNKNOWN for row in found):
                wrong.append(f"without {key}: {name}: {found}")
        if len(rows) != count:
            wrong.append(f"without {key}: {len(rows)} expectations")
        if i < draw:
            document.build(paper, data)
    return wrong


def broken(paper, good, cases):
    """
    Changes that do not break what they are for.  @cases: functions that change data with beginnings
    of expectations.  Also returned: of each case the changed data and its deviations of that name.
    """
    wrong, changed = [], []
    for change, name in cases:
        data = copy.deepcopy(good())
        change(data)
        rows = [r for r in verdict.judge(paper, data) if r.verdict == verdict.DEVIATION]
        mine = [r for r in rows if r.name.startswith(name)]
        if not mine:
            wrong.append(f"{name}: not noticed, only {[r.name for r in rows]}")
        changed.append((data, mine))
    return wrong, changed


def wordless(paper, changed):
    """
    Deviations that have other reasons without their sentences; a why() that takes one apart fails.
    @changed: as broken() gives it.  All deviations count, not only those of a case's name.
    """
    wrong = []
    for data, _ in changed:
        for row in (r for r in verdict.judge(paper, data) if r.verdict == verdict.DEVIATION):
            bare = dataclasses.replace(row, name=None, expected=None, measured=None)
            if verdict.reasons(paper, data, bare) != verdict.reasons(paper, data, row):
                wrong.append(f"without its sentences it has other reasons: {row.name}")
    return wrong


def unmeasured(paper, empty):
    """Of data without a run: what is judged nevertheless, and sections that are not there."""
    text = document.build(paper, empty)
    return [f"nothing measured: {r}" for r in verdict.judge(paper, empty)
            if r.verdict != verdict.UNKNOWN] + [
        f"no section {f.name}" for f in paper.figures if f'id="{f.name}"' not in text]


def planned(paper, scale):
    """All runs of a scale."""
    x = experiment.Experiment(paper, scale)
    x.plan()
    return x


def boots(paper, scales):
    """Scales with fewer than five runs for each machine that is booted."""
    wrong = []
    for scale in scales.values():
        runs = planned(paper, scale).runs.values()
        machines = len({(r.machine.boot(), r.session) for r in runs})
        if machines * 5 > len(runs):
            wrong.append(f"{scale.name}: {machines} boots for {len(runs)} runs")
    return wrong

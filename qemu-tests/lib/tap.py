# SPDX-License-Identifier: GPL-2.0
"""Reads the two test formats that the runner meets: TAP and KUnit's KTAP."""

import re

RESULT = re.compile(r"^(not )?ok (\d+)\s*(?:- )?(.*)$")
KTAP_CASE = re.compile(r"^    (not )?ok (\d+) (.*)$")
KTAP_PLAN = re.compile(r"^    1\.\.(\d+)$", re.M)
KTAP_SUITE = re.compile(r"^(not )?ok \d+ (.*)$", re.M)


class Result:
    """One test: its name, whether it passed, and what there is to say."""

    def __init__(self, name, passed, why=""):
        self.name = name
        self.passed = passed
        self.why = why


def parse_tap(text):
    """Results of one script.  No plan, or another number than planned, is a failure."""
    results = []
    plan = None
    for line in text.splitlines():
        match = RESULT.match(line)
        if match:
            results.append(Result(match[3], not match[1]))
        elif line.startswith("# ") and results and not results[-1].passed:
            results[-1].why += line[2:] + "\n"
        elif re.match(r"1\.\.\d+$", line):
            plan = int(line[3:])
    if plan is None:
        results.append(Result("runs to its end", False, "the script printed no plan"))
    elif plan != len(results) or not plan:
        results.append(Result("runs to its end", False,
                              f"{plan} tests planned, {len(results)} seen"))
    return results


def _case_notes(lines, index):
    """What a failed case printed: the comment lines before its result."""
    notes = []
    for line in reversed(lines[:index]):
        if KTAP_CASE.match(line) or not line.strip():
            break
        notes.append(line.strip())
    return "\n".join(reversed(notes))


def parse_ktap(suite, text):
    """Results of one KUnit suite, from its file in debugfs."""
    lines = text.splitlines()
    results = []
    for i, line in enumerate(lines):
        match = KTAP_CASE.match(line)
        if match:
            results.append(Result(f"{suite}.{match[3]}", not match[1],
                                  _case_notes(lines, i) if match[1] else ""))
    plan = KTAP_PLAN.search(text)
    verdict = KTAP_SUITE.search(text)
    if not results or not plan or int(plan[1]) != len(results) or not verdict:
        results.append(Result(f"{suite} (whole suite)", False, f"incomplete KTAP:\n{text[:2000]}"))
    elif verdict[1] and all(r.passed for r in results):
        results.append(Result(f"{suite} (whole suite)", False, "the suite's own verdict"))
    return results

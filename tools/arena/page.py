# SPDX-License-Identifier: GPL-2.0
"""
The page of an experiment: one file with its table, to sort and to filter in a browser.

All data is JSON in the page, and all sums are made there (page/sums.js), of the workloads that are
shown.  Names come from whoever wrote the experiment: scripts write them as text, and the page's
Content-Security-Policy lets nothing run or load but what is written here.
"""

import base64
import hashlib
import html
import json
import math
import os
import re
import shlex
import sqlite3

import bounds
import experiment
from framework import document

HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "page")
SCRIPTS = ("sums.js", "table.js", "panel.js", "page.js")
MEASURES = ("gpu_time_ns", "faults", "batches", "bytes_in", "bytes_out", "remote_bytes",
            "evicted_pages", "premature_pages", "returned_pages", "footprint_bytes", "memory_bytes")
BOUNDS = ("b2_ns", "fnu_ns", "unlimited_ns", "b1_bytes", "b1r_bytes", "min_loads")
# Rows that are no policies: name, and by measure the column of the table of bounds.
REFERENCES = (("bound B2", {"gpu_time_ns": "b2_ns", "bytes_in": "b1_bytes"}),
              ("FNU", {"gpu_time_ns": "fnu_ns"}))
# Of a run's JSON: what is no measurement, or not of the simulated machine.
LEFT_OUT = ("parameters", "processors", "verified", "wall_time_s")


def number(value):
    """A number that JSON and a browser have, or None: SQLite keeps anything in any column."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if good and math.isfinite(value) else None


def flat(found, path=()):
    """Numbers of a run's JSON by their names; lists are left out."""
    if isinstance(found, dict):
        return {name: leaf for key, value in found.items() if path or key not in LEFT_OUT
                for name, leaf in flat(value, (*path, str(key))).items()}
    return {} if number(found) is None else {".".join(path): found}


def leaves(text):
    """Of the JSON as it was kept."""
    try:
        return flat(json.loads(text or "{}"))
    except ValueError:
        return {}


def lines(x):
    """Rows of the table, by (policy, parameters of the grid) as results have them."""
    found = {}
    for cell in experiment.cells(x):
        grid = json.dumps(cell.parameters, sort_keys=True)
        name = " ".join([cell.policy, *(f"{k}={v}" for k, v in cell.parameters.items())])
        found.setdefault((cell.policy, grid), {"name": name, "settings": list(cell.settings)})
    return found


def columns(x):
    """Workloads."""
    return [{"name": name, "run": experiment.workload(x, name).run,
             "device": experiment.device_of(x, name), "group": experiment.workload(x, name).group}
            for name in x.workloads]


def place(x, row):
    """Indices of column and memory of a row of results."""
    return {"column": list(x.workloads).index(row["workload"]),
            "ratio": list(x.oversubscription).index(row["oversubscription"]), "seed": row["seed"]}


def runs(x, rows, at, names):
    """@rows of results; @at: lines(); @names: gathers the names of what runs measured."""
    found = []
    for row in rows:
        measured = leaves(row["result"])
        names.update(dict.fromkeys(measured))
        found.append({
            **place(x, row), "row": list(at).index((row["policy"], row["parameters"])),
            "error": row["error"] or "", "command": row["command"] or "", "leaves": measured,
            "bounded": bounds.held_all(at[row["policy"], row["parameters"]]["settings"], row),
            "numbers": [number(row.get(measure)) for measure in MEASURES]})
    return found


def references(x, known, first):
    """Bounds as runs of rows that are no policies; @first is the index of the first of these."""
    found = []
    for bound in known:
        told = {name: number(bound.get(name)) for name in BOUNDS}
        for index, (_, measures) in enumerate(REFERENCES):
            numbers = [told.get(measures.get(measure)) for measure in MEASURES]
            # a reference that failed has no time; what its bound needs may have succeeded
            error = "" if numbers[0] is not None else bound.get("error") or "there is no number"
            found.append({**place(x, bound), "row": first + index, "error": error, "leaves": {},
                          "command": bound.get("command") or "", "numbers": numbers,
                          "bound": {**told, "error": bound.get("error") or ""}})
    return found


def content(x, rows, table_of_bounds):
    """All that the page knows.  Leaves of runs are lists, by one list of names: there are many."""
    at, names = lines(x), {}
    found = runs(x, rows, at, names)
    known = [bound for bound in table_of_bounds if bound["workload"] in x.workloads and
             bound["oversubscription"] in x.oversubscription and bound["seed"] in x.seeds and
             bound["profile"] == x.profile and
             bound["device"] == experiment.device_of(x, bound["workload"])]
    table = list(at.values())
    if known:
        found += references(x, known, len(table))
        table += [{"name": name, "settings": [], "reference": True} for name, _ in REFERENCES]
    for run in found:
        run["leaves"] = [run["leaves"].get(name) for name in names] if run["leaves"] else []
    return {"name": x.name, "profile": x.profile, "ratios": list(x.oversubscription),
            "measures": MEASURES, "leaves": list(names), "rows": table, "columns": columns(x),
            "runs": found}


def written(data):
    """JSON that may stand in HTML: nothing in it ends a script or begins a comment."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def source(name):
    """A part of the page."""
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return f.read()


def allowed(text):
    """Of a script or a style in the page, for its Content-Security-Policy."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def command(path):
    """That makes the page again."""
    return f"uvm arena {shlex.quote(path)} --page" if path else ""


def build(x, rows, table_of_bounds=(), path=""):
    """The page; @rows as runner.named() has them, @path: of the experiment."""
    style = document.style() + source("page.css")
    # A mistake in one of them is not to reach into the others.
    script = '"use strict";\n' + "".join(f"{{\n{source(name)}}}\n" for name in SCRIPTS)
    parts = {
        "@TITLE@": html.escape(f"Arena: {x.name}"), "@STYLE@": style, "@SCRIPT@": script,
        "@POLICY@": (f"default-src 'none'; base-uri 'none'; form-action 'none'; "
                     f"style-src {allowed(style)}; script-src {allowed(script)}"),
        "@COMMAND@": html.escape(command(path)),
        "@DATA@": written(content(x, rows, table_of_bounds)),
    }
    # In one pass: a name may be "@DATA@".
    return re.sub("|".join(parts), lambda mark: parts[mark[0]], source("page.html"))


def bounds_in(path):
    """
    Rows of the table of bounds, if a file of results has one; the last made of each.  For an experiment
    that asks for none now.
    """
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'bounds'").fetchone():
            return []
        found = {}
        for row in db.execute("SELECT * FROM bounds ORDER BY rowid"):
            found[tuple(row[n] for n in ("profile", "device", "workload", "oversubscription",
                                         "seed"))] = dict(row)
    return list(found.values())

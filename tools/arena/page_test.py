#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The page of an arena as a file: what is in it, and that nothing gets out of its place."""

import base64
import hashlib
import json
import os
import re
import sqlite3
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "report")]

# pylint: disable=wrong-import-position
import experiment  # noqa: E402
import page  # noqa: E402

WRONG = []
EVIL = "</script><img src=x onerror=alert(1)><!-- @DATA@ @SCRIPT@ \u2028 \0"


def expect(name, want, got):
    """One check."""
    if want != got:
        WRONG.append(f"{name}: expected {want!r}, got {got!r}")


X = experiment.Experiment({"lru": {}, EVIL: {"eviction_policy": EVIL}},
                          {"nw": {"run": "nw", "group": "a"}, "triad": "triad"},
                          name="a<b>@DATA@", oversubscription=(133.3, 200), seeds=(1, 2),
                          parameters={"threshold": [1, 2]})


def row(policy, **more):
    """Of results."""
    return {"policy": policy, "parameters": '{"threshold": 2}', "workload": "triad",
            "oversubscription": 200, "seed": 2, "gpu_time_ns": 7, "faults": 3, "error": "",
            "command": "run", "result": '{"execution": {"phases_ns": {"copy": 5}}}', **more}


def bound(**more):
    """Of bounds."""
    return {"profile": "gtx1080ti", "device": "", "workload": "nw", "oversubscription": 200.0,
            "seed": 1, "b2_ns": 5, "b1_bytes": 4096, "fnu_ns": None, "error": "fnu: Killed", **more}


def leaves():
    """What of a run's JSON is kept."""
    expect("numbers alone", {"a.b": 1, "a.c": 0.5, "d": 2},
           page.flat({"a": {"b": 1, "c": 0.5, "t": "x", "y": True, "l": [1]}, "d": 2}))
    expect("not the host's time", {"a.wall_time_s": 1},
           page.flat({"wall_time_s": 3, "parameters": {"size": 1}, "a": {"wall_time_s": 1}}))
    expect("no JSON", {}, page.leaves("{"))
    expect("none", {}, page.leaves(None))
    expect("no numbers", [None] * 5, [page.number(v) for v in ("1", None, True, float("nan"),
                                                               float("inf"))])


def contents():
    """Where things are."""
    made = page.content(X, [row("lru"), row(EVIL, error=EVIL, result="", gpu_time_ns=EVIL)], [])
    expect("a row for each of the grid", ["lru threshold=1", "lru threshold=2"],
           [line["name"] for line in made["rows"][:2]])
    expect("its settings", [("threshold", "2")], made["rows"][1]["settings"])
    expect("a run", (1, 1, 1, 2, [5]), tuple(made["runs"][0][n] for n in (
        "row", "column", "ratio", "seed", "leaves")))
    expect("its names", ["execution.phases_ns.copy"], made["leaves"])
    expect("its numbers", [7, 3, None], made["runs"][0]["numbers"][:3])
    expect("one that failed", (3, EVIL, [], None), tuple(made["runs"][1][n] for n in (
        "row", "error", "leaves")) + (made["runs"][1]["numbers"][0],))
    remote = page.content(X, [row("lru"), row("lru", remote_bytes=32)], [])
    expect("B2 is not for what goes over the link", [True, False],
           [run["bounded"] for run in remote["runs"]])
    expect("groups", ["a", ""], [column["group"] for column in made["columns"]])
    expect("without bounds no row of them", 4, len(made["rows"]))


def bounds():
    """Rows that are no policies."""
    others = [bound(profile="v100"), bound(device="sm_count:1"), bound(workload="nosuch"),
              bound(oversubscription=150.0), bound(seed=3)]
    made = page.content(X, [], [bound(), *others])
    expect("two more rows", ["bound B2", "FNU"], [line["name"] for line in made["rows"][4:]])
    expect("of this experiment alone", [(4, 0, 1, 1), (5, 0, 1, 1)],
           [(run["row"], run["column"], run["ratio"], run["seed"]) for run in made["runs"]])
    expect("times", [5, None], [run["numbers"][0] for run in made["runs"]])
    expect("bytes are B1's", [4096, None],
           [run["numbers"][page.MEASURES.index("bytes_in")] for run in made["runs"]])
    expect("one of them failed", ["", "fnu: Killed"], [run["error"] for run in made["runs"]])
    expect("all of its numbers", 4096, made["runs"][1]["bound"]["b1_bytes"])


def files():
    """The HTML."""
    rows = [row("lru"), row(EVIL, error=EVIL)]
    text = page.build(X, rows, [bound()], "my arena.toml")
    expect("the same again", text, page.build(X, rows, [bound()], "my arena.toml"))
    expect("nothing of a name in HTML", False, "<img" in text)
    expect("its name", 2, text.count("Arena: a&lt;b&gt;@DATA@<"))
    expect("how to make it again", True, "uvm arena &#x27;my arena.toml&#x27; --page<" in text)
    data = re.search(r'<script type="application/json" id=data>(.*?)</script>', text, re.S)[1]
    expect("data are what they were", json.loads(json.dumps(page.content(X, rows, [bound()]))),
           json.loads(data))
    for tag in ("style", "script"):
        inside = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        expect(f"its {tag} may run", True, f"{tag}-src 'sha256-{digest}'" in text)
    expect("nothing from elsewhere", None, re.search(r"\b(src|href)=|url\(|@import|https?:",
                                                      text.replace(data, "")))


def tables(folder):
    """Bounds in a file of results."""
    path = os.path.join(folder, "results.db")
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE runs (key TEXT)")
        expect("there are none", [], page.bounds_in(path))
        names = list(bound())
        db.execute(f"CREATE TABLE bounds ({', '.join(names)})")
        for value in (1, 2):
            db.execute(f"INSERT INTO bounds VALUES ({', '.join('?' * len(names))})",
                       tuple(bound(b2_ns=value).values()))
    expect("the last of each", [2], [found["b2_ns"] for found in page.bounds_in(path)])


def main():
    """All of it; the exit status."""
    leaves()
    contents()
    bounds()
    files()
    with tempfile.TemporaryDirectory() as folder:
        tables(folder)
    for line in WRONG:
        print(line)
    return bool(WRONG)


if __name__ == "__main__":
    sys.exit(main())

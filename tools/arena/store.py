# SPDX-License-Identifier: GPL-2.0
"""Results of runs: one SQLite file, a row each, also for those that failed; and CSV."""

import csv
import json
import sqlite3

COLUMNS = {
    "key": "TEXT PRIMARY KEY", "profile": "TEXT", "device": "TEXT", "policy": "TEXT",
    "workload": "TEXT", "oversubscription": "REAL", "seed": "INTEGER", "parameters": "TEXT",
    "gpu_time_ns": "INTEGER", "faults": "INTEGER", "batches": "INTEGER", "bytes_in": "INTEGER",
    "bytes_out": "INTEGER", "evicted_pages": "INTEGER", "premature_pages": "INTEGER",
    "returned_pages": "INTEGER", "remote_bytes": "INTEGER", "footprint_bytes": "INTEGER",
    "memory_bytes": "INTEGER", "verified": "INTEGER", "error": "TEXT", "command": "TEXT",
    "result": "TEXT",
}


def numbers(result):
    """Of a run's JSON, while kernels ran."""
    run = result["execution"]
    return {
        "gpu_time_ns": result["gpu_time_ns"], "faults": run["faults"]["fetched"],
        "batches": run["batches"]["count"], "bytes_in": run["migrated_bytes"]["htod"],
        "bytes_out": run["migrated_bytes"]["dtoh"], "evicted_pages": run["evictions"]["pages"],
        "premature_pages": run["evictions"]["premature"],
        "returned_pages": run["evictions"]["returned"],
        # accesses of SMs to system memory; copies are bytes_in and bytes_out
        "remote_bytes": run["link"]["read_bytes"] + run["link"]["write_bytes"],
        "footprint_bytes": result["footprint_bytes"], "memory_bytes": result["vram_bytes"],
        "verified": int(result["verified"]),
    }


class Store:
    """The file; one thread at a time."""

    def __init__(self, path):
        self.db = sqlite3.connect(path, check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.execute("CREATE TABLE IF NOT EXISTS runs (" + ", ".join(
            f"{name} {kind}" for name, kind in COLUMNS.items()) + ")")
        # a file of an earlier version lacks the columns that came later
        has = {row["name"] for row in self.db.execute("PRAGMA table_info(runs)")}
        for name in COLUMNS.keys() - has:
            self.db.execute(f"ALTER TABLE runs ADD COLUMN {name} {COLUMNS[name]}")
        self.db.commit()

    def has(self, key):
        """Is there a result, not an error?"""
        found = self.db.execute("SELECT error FROM runs WHERE key = ?", (key,)).fetchone()
        return found is not None and not found["error"]

    def put(self, key, x, cell):
        """A run has ended, one way or the other."""
        result = cell.run.result
        row = {"key": key, "profile": x.profile, "device": cell.device, "policy": cell.policy,
               "workload": cell.workload, "oversubscription": cell.percent, "seed": cell.seed,
               "parameters": json.dumps(cell.parameters, sort_keys=True),
               "error": cell.run.error.strip(), "command": cell.run.command(), "result": "",
               **(numbers(result) if result else {})}
        if result and not result["verified"] and not row["error"]:
            row["error"] = "the result is wrong"
        row["result"] = json.dumps(result) if result else ""
        names = ", ".join(row)
        self.db.execute(f"INSERT OR REPLACE INTO runs ({names}) VALUES "
                        f"({', '.join('?' * len(row))})", tuple(row.values()))
        self.db.commit()

    def take(self, path):
        """All rows of another file; a result is better than an error."""
        other = Store(path).rows()
        for key, row in other.items():
            if not self.has(key):
                self.db.execute(f"INSERT OR REPLACE INTO runs ({', '.join(row)}) VALUES "
                                f"({', '.join('?' * len(row))})", tuple(row.values()))
        self.db.commit()

    def rows(self):
        """By key.  A result serves many experiments: it has the names that the last one gave."""
        return {row["key"]: dict(row) for row in self.db.execute("SELECT * FROM runs")}


def write_csv(rows, to):
    """All but the JSON."""
    names = [name for name in COLUMNS if name not in ("key", "result")]
    out = csv.DictWriter(to, names, extrasaction="ignore", lineterminator="\n")
    out.writeheader()
    out.writerows(rows)

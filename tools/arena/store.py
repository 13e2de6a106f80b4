# SPDX-License-Identifier: GPL-2.0
"""Results of runs: one SQLite file, a row each, also for those that failed; and CSV."""

import csv
import json
import sqlite3

import bounds

COLUMNS = {
    "key": "TEXT PRIMARY KEY", "profile": "TEXT", "device": "TEXT", "policy": "TEXT",
    "workload": "TEXT", "oversubscription": "REAL", "seed": "INTEGER", "parameters": "TEXT",
    "gpu_time_ns": "INTEGER", "faults": "INTEGER", "batches": "INTEGER", "bytes_in": "INTEGER",
    "bytes_out": "INTEGER", "evicted_pages": "INTEGER", "premature_pages": "INTEGER",
    "returned_pages": "INTEGER", "remote_bytes": "INTEGER", "footprint_bytes": "INTEGER",
    "memory_bytes": "INTEGER", "verified": "INTEGER", "error": "TEXT", "command": "TEXT",
    "result": "TEXT",
}


# What an experiment asks for, what bounds are made of, and the bounds.
TABLES = {"runs": COLUMNS, "parts": COLUMNS, "bounds": bounds.COLUMNS}


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
        for table, columns in TABLES.items():
            self.db.execute(f"CREATE TABLE IF NOT EXISTS {table} (" + ", ".join(
                f"{name} {kind}" for name, kind in columns.items()) + ")")
            # a file of an earlier version lacks the columns that came later
            has = {row["name"] for row in self.db.execute(f"PRAGMA table_info({table})")}
            for name in columns.keys() - has:
                self.db.execute(f"ALTER TABLE {table} ADD COLUMN {name} {columns[name]}")
        self.db.commit()

    def has(self, key, table="runs"):
        """Is there a result, not an error?"""
        found = self.db.execute(f"SELECT error FROM {table} WHERE key = ?", (key,)).fetchone()
        return found is not None and not found["error"]

    def insert(self, table, row):
        """Instead of what has its key."""
        self.db.execute(f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES "
                        f"({', '.join('?' * len(row))})", tuple(row.values()))

    def put(self, key, x, cell, table="runs"):
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
        self.insert(table, row)
        self.db.commit()

    def put_bounds(self, rows):
        """What was made of parts."""
        for row in rows:
            self.insert("bounds", row)
        self.db.commit()

    def take(self, path):
        """All rows of another file; a result is better than an error."""
        other = Store(path)
        for table in TABLES:
            for key, row in other.rows(table).items():
                if not self.has(key, table):
                    self.insert(table, row)
        self.db.commit()

    def rows(self, table="runs"):
        """By key.  A result serves many experiments: it has the names that the last one gave."""
        return {row["key"]: dict(row) for row in self.db.execute(f"SELECT * FROM {table}")}


def write_csv(rows, to, table="runs"):
    """All but the JSON."""
    names = [name for name in TABLES[table] if name not in ("key", "result")]
    out = csv.DictWriter(to, names, extrasaction="ignore", lineterminator="\n")
    out.writeheader()
    out.writerows(rows)

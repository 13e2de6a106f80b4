# SPDX-License-Identifier: GPL-2.0
"""
The list of a suite's programs, softuvm.toml in its directory:

    [defaults]                              # keys of every program that has no own
    flags = ["-O2"]
    memory = [100, 50]                      # of what it allocates: all, and half

    [[program]]
    name = "bfs"
    directory = "rodinia/bfs"               # from here; it is compiled and run there
    sources = ["bfs.cu"]
    flags = ["-I../common"]                 # added to those of [defaults]
    arguments = ["4", "../../data/graph4096.txt"]
    input = "graph.txt"                     # its stdin; else that is empty
    data = ["../../data/graph4096.txt"]     # what must be there first
    status = 0                              # its exit status if all is well
    pattern = "PASSED"                      # regular expression: a line of its output has it
    reject = "FAILED"                       # and none has this
    same = ["result.txt"]                   # files that it writes: with less memory as with all
    set = ["root_chunk_granularity=64k"]    # parameters of the driver
    timeout = 600                           # seconds of this machine
    skip = "needs cuFFT"                    # why it is not run
"""

import difflib
import os
import re
import shlex
import tomllib
from dataclasses import dataclass, field, fields, MISSING

NAME = "softuvm.toml"


class Mistake(Exception):
    """In a list, for whoever has written it."""


@dataclass
class Program:  # pylint: disable=too-many-instance-attributes
    """One program of the list; paths are from its directory."""
    name: str
    sources: list
    directory: str = "."
    flags: list = field(default_factory=list)
    arguments: list = field(default_factory=list)
    input: str = ""
    data: list = field(default_factory=list)
    status: int = 0
    pattern: str = ""
    reject: str = ""
    same: list = field(default_factory=list)
    set: list = field(default_factory=list)
    memory: list = field(default_factory=lambda: [100, 50])
    timeout: int = 600
    skip: str = ""

    def checked(self):
        """Whether something says that its results are right."""
        return bool(self.pattern or self.reject)


KEYS = {f.name: {"str": str, "int": int, "list": list}[f.type.__name__] for f in fields(Program)}
REQUIRED = [f.name for f in fields(Program)
            if f.default is MISSING and f.default_factory is MISSING]
TOLD = {str: "a text, as \"...\"", int: "a whole number", list: "a list, as [\"...\", \"...\"]"}


def near(word, words):
    """What may have been meant."""
    found = difflib.get_close_matches(word, words, 1)
    return f"; did you mean '{found[0]}'?" if found else "; there are " + ", ".join(words)


def check_keys(where, table):
    """Each is known, and of its kind."""
    for key, value in table.items():
        if key not in KEYS:
            raise Mistake(f"{where}: '{key}' is no key" + near(key, list(KEYS)))
        kind = KEYS[key]
        if kind is list and isinstance(value, str):
            table[key] = value = shlex.split(value)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Mistake(f"{where}: {key} must be {TOLD[kind]}")
        if kind is list and key != "memory" and not all(isinstance(v, str) for v in value):
            raise Mistake(f"{where}: {key} must be a list of texts: put numbers in quotes")


def check_values(where, program):
    """What is known of values without looking at the disk."""
    if not re.fullmatch(r"[A-Za-z0-9][\w.+-]*", program.name):
        raise Mistake(f"{where}: name '{program.name}' must be letters, digits, '.', '_', '+', '-'")
    if not program.sources:
        raise Mistake(f"{where}: sources is empty: name the files to compile")
    if not program.memory or program.memory[0] != 100 or not all(
            isinstance(m, int) and not isinstance(m, bool) and 1 <= m <= 100
            for m in program.memory):
        raise Mistake(f"{where}: memory must be per cents from 1 to 100, and begin with 100: "
                      "that run finds how much the program allocates")
    if program.timeout < 1:
        raise Mistake(f"{where}: timeout must be 1 second or more")
    for key in ("pattern", "reject"):
        try:
            re.compile(getattr(program, key))
        except re.error as e:
            raise Mistake(f"{where}: {key} is no regular expression: {e}") from e
    for pair in program.set:
        if not re.fullmatch(r"\w+=[^,\s]+", pair):
            raise Mistake(f"{where}: set: '{pair}' must be NAME=VALUE; 'uvm list' shows them")


def check_files(where, top, program):
    """What must be there is there; a program that is skipped needs nothing."""
    directory = os.path.join(top, program.directory)
    if not os.path.isdir(directory):
        raise Mistake(f"{where}: there is no directory '{program.directory}'")
    for path in program.sources:
        if not os.path.isfile(os.path.join(directory, path)):
            raise Mistake(f"{where}: there is no source '{path}' in '{program.directory}'")


def read_program(where, defaults, table):
    """One [[program]]."""
    if not isinstance(table, dict):
        raise Mistake(f"{where}: must be a table: write [[program]] above its keys")
    check_keys(where, table)
    for key in REQUIRED:
        if key not in table:
            raise Mistake(f"{where}: has no {key}")
    merged = {**defaults, **table}
    merged["flags"] = defaults.get("flags", []) + table.get("flags", [])
    program = Program(**merged)
    check_values(where, program)
    return program


def read_text(text, path):
    """The programs of a list, or a Mistake."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise Mistake(f"{path}: this is no TOML: {e}") from e
    for key in tables:
        if key not in ("defaults", "program"):
            raise Mistake(f"{path}: '{key}' is no table" + near(key, ["defaults", "program"]))
    defaults = tables.get("defaults", {})
    check_keys(f"{path}: [defaults]", defaults)
    if "name" in defaults or "sources" in defaults:
        raise Mistake(f"{path}: [defaults]: name and sources are each program's own")
    programs = []
    for number, table in enumerate(tables.get("program", []), 1):
        name = table.get("name", number) if isinstance(table, dict) else number
        programs.append(read_program(f"{path}: program {name}", defaults, table))
    names = [p.name for p in programs]
    for name in names:
        if names.count(name) > 1:
            raise Mistake(f"{path}: program {name}: there are {names.count(name)} of this name")
    if not programs:
        raise Mistake(f"{path}: names no program: write [[program]], name and sources")
    return programs


def read(path):
    """The same of a file, whose directory has the sources."""
    try:
        with open(path, encoding="utf-8") as f:
            programs = read_text(f.read(), path)
    except (OSError, UnicodeDecodeError) as e:
        raise Mistake(f"{path}: {getattr(e, 'strerror', None) or e}") from e
    for program in programs:
        if not program.skip:
            check_files(f"{path}: program {program.name}", os.path.dirname(path), program)
    return programs

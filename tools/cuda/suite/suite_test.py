#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Suites without their kernels: lists, first lists, memory, what is right."""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(os.path.dirname(HERE)), "report")]

# pylint: disable=wrong-import-position
import draft  # noqa: E402
import listing  # noqa: E402
import running  # noqa: E402

WRONG = []


def expect(name, want, got):
    """One check."""
    if want != got:
        WRONG.append(f"{name}: expected {want!r}, got {got!r}")


PROGRAM = '[[program]]\nname = "a"\nsources = ["a.cu"]\n'


def mistakes():
    """Each wrong list is told apart, and says what to do."""
    for text, want in (
            ("x", "this is no TOML"),
            ("[default]\n", "'default' is no table; did you mean 'defaults'?"),
            ("", "names no program: write [[program]]"),
            ('[defaults]\nname = "a"\n' + PROGRAM, "each program's own"),
            ('[[program]]\nsources = ["a.cu"]\n', "program 1: has no name"),
            ('[[program]]\nname = "a"\n', "program a: has no sources"),
            (PROGRAM + 'patern = "x"\n', "'patern' is no key; did you mean 'pattern'?"),
            (PROGRAM + "flags = 3\n", 'flags must be a list, as ["...", "..."]'),
            (PROGRAM + "arguments = [3]\n", "put numbers in quotes"),
            (PROGRAM + "status = true\n", "status must be a whole number"),
            (PROGRAM + "memory = [50]\n", "begin with 100"),
            (PROGRAM + "memory = [100, 0]\n", "from 1 to 100"),
            (PROGRAM + 'pattern = "("\n', "pattern is no regular expression"),
            (PROGRAM + 'set = ["x"]\n', "'x' must be NAME=VALUE"),
            (PROGRAM + "timeout = 0\n", "1 second or more"),
            (PROGRAM + PROGRAM, "there are 2 of this name"),
            (PROGRAM.replace('"a"', '"../a"'), "must be letters"),
            (PROGRAM.replace('["a.cu"]', "[]"), "sources is empty"),
    ):
        try:
            listing.read_text(text, "list")
            WRONG.append(f"{text!r} is taken")
        except listing.Mistake as e:
            if want not in str(e):
                WRONG.append(f"{text!r}: expected {want!r} in {str(e)!r}")


def lists():
    """Defaults, and what is a program's own."""
    program = listing.read_text('[defaults]\nflags = "-O3 -DX"\nmemory = [100]\nstatus = 3\n' + PROGRAM
                                + 'flags = ["-DY"]\nstatus = 4\narguments = "1 \'2 3\'"\n', "list")[0]
    expect("flags are added", ["-O3", "-DX", "-DY"], program.flags)
    expect("others are replaced", 4, program.status)
    expect("of [defaults]", [100], program.memory)
    expect("words of a shell", ["1", "2 3"], program.arguments)
    expect("half, if nothing is said", [100, 50],
           listing.read_text(PROGRAM, "list")[0].memory)


def memory():
    """What is left of it."""
    report = {"footprint_bytes": 10 << 20, "device_bytes": 4 << 20}
    expect("half of ten", 10 << 20, running.vram(report, 50, 2 << 20))
    expect("and what is not managed", 9 << 20, running.vram(report, 50, 1 << 20))
    expect("a piece at least", 6 << 20, running.vram(report, 1, 2 << 20))
    expect("none", None, running.vram({"footprint_bytes": 0, "device_bytes": 1}, 50, 1))
    expect("of the driver", 2 << 20, running.piece_of([]))
    expect("as it is set", 64 << 10, running.piece_of(["x=1", "root_chunk_granularity=64k"]))


def verdicts():
    """What makes a run right."""
    program = listing.read_text(PROGRAM + 'pattern = "^PASS$"\nreject = "FAIL"\nstatus = 1\n'
                                'same = ["out"]\n', "list")[0]
    expect("right", (True, ""), running.judge(program, 1, "x\nPASS\n"))
    expect("status", (False, "exit status 0, not 1: PASS"), running.judge(program, 0, "PASS\n\n"))
    expect("no word", (False, "does not say '^PASS$'; last: no output"),
           running.judge(program, 1, ""))
    expect("a wrong word", (False, "says 'FAIL: 3'"), running.judge(program, 1, "PASS\nFAIL: 3\n"))
    expect("a file", "", running.compare(program, {"out": "1"}, {"out": "1"}))
    expect("another", "'out' is not what it is with all memory",
           running.compare(program, {"out": "1"}, {"out": "2"}))
    expect("none", "did not write 'out'", running.compare(program, None, {"out": ""}))


def write(top, path, text):
    """One file of a suite."""
    path = os.path.join(top, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def first_list():
    """A guess from sources, Makefiles and scripts, which can be read as it is."""
    main = "int main(int argc, char **argv)\n{\n}\n"
    with tempfile.TemporaryDirectory() as top:
        write(top, "bfs/bfs.cu", '#include "kernel.cu"\n' + main)
        write(top, "bfs/kernel.cu", "")
        write(top, "bfs/scan.cu", '#include "both.cu"\n')
        write(top, "bfs/both.cu", "")
        write(top, "bfs/graph.cpp", "")
        write(top, "bfs/unused.cpp", "")
        write(top, "bfs/plain.cpp", main)
        write(top, "common/time.c", "int x;")
        write(top, "bfs/Makefile", "F = -DN=3 -I$(X) -I../common -std=c++11 -std=c99 -lcudart\n"
                                   "bfs: bfs.o graph.o scan.o both.o ../common/time.o\n")
        write(top, "bfs/run", "# ./bfs 9\n./bfs 5 'a b' <graph.txt > out\n")
        write(top, "a/main.cu", main)
        write(top, "b/main.cu", "// int main() { }\n" + main)
        write(top, "c/main.cu", "void domain() {}\n")
        text, count = draft.draft(top)
        programs = {p.name: p for p in listing.read_text(text, "list")}
    expect("how many", (3, ["a", "b", "bfs"]), (count, sorted(programs)))
    bfs = programs["bfs"]
    expect("its sources", ["bfs.cu", "both.cu", "graph.cpp", "scan.cu", "../common/time.c"], bfs.sources)
    expect("its flags", ["-DN=3", "-I../common", "-std=c++11"], bfs.flags)
    expect("its arguments", (["5", "a b"], "graph.txt"), (bfs.arguments, bfs.input))
    expect("no check", False, bfs.checked())


def main():
    """All of it."""
    for part in (mistakes, lists, memory, verdicts, first_list):
        part()
    for wrong in WRONG:
        print(wrong)
    return 1 if WRONG else 0


if __name__ == "__main__":
    sys.exit(main())

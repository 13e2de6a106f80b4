# SPDX-License-Identifier: GPL-2.0
"""One program of a suite: compiled, run with all its memory, then with less."""

import hashlib
import json
import os
import re
import signal
import subprocess
from dataclasses import dataclass, field

import crew

PIECE = 2 << 20     # bytes that the driver evicts at once, if root_chunk_granularity says nothing
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
PATIENCE = 600      # seconds for compiling one program
LOG_LIMIT = 1 << 20     # bytes of output that are looked at, from each end
GRACE = 20          # seconds that a kernel has to end after its time is over


@dataclass
class Result:
    """What is told of a program, or of one run of it."""
    name: str
    percent: int        # of the memory that the program allocates; 0: it was compiled only
    good: bool
    text: str = ""
    skipped: bool = False
    verified: bool = False
    log: str = ""
    report: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)

    @property
    def fits(self):
        """It was to have less memory than it allocates, and had enough."""
        return self.percent not in (0, 100) and float(
            self.report.get("oversubscription_percent", 1000)) <= 100

    @property
    def what(self):
        """For a person."""
        return f"{self.name}, {self.percent} %" if self.percent else self.name


def piece_of(settings):
    """The unit of GPU memory, from parameters NAME=VALUE."""
    for pair in settings:
        match = re.fullmatch(r"root_chunk_granularity=(\d+)([kKmMgG]?)", pair)
        if match:
            return int(match[1]) * UNITS[match[2].lower()]
    return PIECE


def vram(report, percent, piece):
    """
    Usable GPU memory with which managed memory has so many per cent of what the program allocates
    (rounded up to whole pieces), or None if it allocates none.
    """
    if not report.get("footprint_bytes"):
        return None
    part = -(-report["footprint_bytes"] * percent // (100 * piece)) * piece
    return report["device_bytes"] + max(part, piece)


def shown(text):
    """Fit for one line."""
    return re.sub(r"[^\x20-\x7e]+", " ", text).strip()[:160]


def last_line(log):
    """The last one that says something."""
    for line in reversed(log.splitlines()):
        if line.strip():
            return shown(line)
    return "no output"


def digest(path):
    """Of a file that a program has written."""
    try:
        with open(path, "rb") as f:
            return hashlib.sha256(f.read()).hexdigest()
    except OSError:
        return ""


def judge(program, status, log):
    """(good, why) of a run that has ended."""
    if status != program.status:
        return False, f"exit status {status}, not {program.status}: {last_line(log)}"
    if program.reject:
        for line in log.splitlines():
            if re.search(program.reject, line):
                return False, f"says '{shown(line)}'"
    if program.pattern and not re.search(program.pattern, log, re.MULTILINE):
        return False, f"does not say '{program.pattern}'; last: {last_line(log)}"
    return True, ""


def compare(program, first, files):
    """Files that must be as those of the run with all memory."""
    for path in program.same:
        if not files[path]:
            return f"did not write '{path}'"
        if first is not None and files[path] != first[path]:
            return f"'{path}' is not what it is with all memory"
    return ""


class Runner:
    """How programs are compiled and run."""

    def __init__(self, top, compiler, softuvm, out, jobs):
        self.top = top
        self.compiler = compiler
        self.softuvm = softuvm
        self.out = out
        self.crew = crew.Crew(jobs, self.end)
        os.makedirs(out, exist_ok=True)

    def path(self, program, suffix=""):
        """Of a file of that program's."""
        return os.path.join(self.out, program.name + suffix)

    def command(self, words, program, log, seconds, environment=None):
        """The exit status of a command in the program's directory; None: it took too long."""
        with open(log, "wb") as out, self.crew.program(
                words, cwd=os.path.join(self.top, program.directory), stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, env=environment, start_new_session=True) as process:
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.end(process)
                return None

    @staticmethod
    def end(process):
        """With all that it has started; its kernel may clean up first."""
        try:
            os.killpg(process.pid, signal.SIGTERM)
        except ProcessLookupError:
            return
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    @staticmethod
    def text(path):
        """Both ends of a log."""
        with open(path, "rb") as f:
            head = f.read(LOG_LIMIT)
            f.seek(max(os.path.getsize(path) - LOG_LIMIT, len(head)))
            return (head + f.read()).decode("utf-8", "replace")

    def compile(self, program):
        """By uvm cc, as a person would."""
        log = self.path(program, ".cc.log")
        status = self.command([self.compiler, "cc", *program.flags, *program.sources, "-o",
                               self.path(program)], program, log, PATIENCE)
        if status == 0:
            return Result(program.name, 0, True, log=log)
        said = self.text(log)
        why = [line for line in said.splitlines() if re.search(r"(error:|undefined reference)", line)]
        return Result(program.name, 0, False, "compiling " + (
            f"takes more than {PATIENCE} s" if status is None else
            "fails: " + (shown(why[0]) if why else last_line(said))), log=log)

    def compiled(self, program):
        """What is told where nothing is run."""
        if program.skip:
            yield Result(program.name, 0, True, program.skip, skipped=True)
        else:
            yield self.compile(program)

    def words(self, program):
        """What is run."""
        words = [self.path(program), *program.arguments]
        if program.input:
            words = ["sh", "-c", 'f=$1; shift; exec "$@" < "$f"', "sh", program.input, *words]
        return [self.softuvm, "run", *words]

    def run(self, program, percent, memory, first):
        """With so much GPU memory (None: all); @first are the files of the run with all."""
        stem = self.path(program, f".{percent}")
        report = stem + ".json"
        environment = {**os.environ, "SOFTUVM_STATS": report}
        for name in ("SOFTUVM_VRAM", "SOFTUVM_SET"):
            environment.pop(name, None)
        if memory:
            environment["SOFTUVM_VRAM"] = str(memory)
        if program.set:
            environment["SOFTUVM_SET"] = ",".join(program.set)
        directory = os.path.join(self.top, program.directory)
        for path in [report] + [os.path.join(directory, p) for p in program.same]:
            if os.path.exists(path):
                os.unlink(path)
        status = self.command(self.words(program), program, stem + ".log",
                              program.timeout, environment)
        result = Result(program.name, percent, False, log=stem + ".log")
        try:
            with open(report, encoding="utf-8") as f:
                result.report = json.load(f)
        except (OSError, ValueError):
            pass
        result.files = {p: digest(os.path.join(directory, p)) for p in program.same}
        if status is None:
            result.text = (f"takes more than {program.timeout} s: give it a smaller size "
                           "or a longer timeout")
            return result
        result.good, result.text = judge(program, status, self.text(stem + ".log"))
        if result.good:
            result.text = compare(program, first, result.files)
            result.good = not result.text
        if result.good and not result.report:
            result.good = False
            result.text = "made no report: it used no GPU"
        result.verified = result.good and program.checked()
        return result

    def results(self, program):
        """All that is told of a program, as it is there."""
        if program.skip:
            yield from (Result(program.name, m, True, program.skip, skipped=True)
                        for m in program.memory)
            return
        for path in program.data + [program.input] * bool(program.input):
            if not os.path.exists(os.path.join(self.top, program.directory, path)):
                yield from (Result(program.name, m, False, f"its data '{path}' is not there")
                            for m in program.memory)
                return
        compiled = self.compile(program)
        if not compiled.good:
            yield from (Result(program.name, m, False, compiled.text, log=compiled.log)
                        for m in program.memory)
            return
        first = None
        for percent in program.memory:
            memory = None
            if first and first.good and percent < 100:
                memory = vram(first.report, percent, piece_of(program.set))
            if first and not first.good:
                yield Result(program.name, percent, False, "is not run: it is wrong with all memory",
                             log=first.log)
            elif first and not memory:
                yield Result(program.name, percent, True, "allocates no managed memory", skipped=True)
            else:
                result = self.run(program, percent, memory, first.files if first else None)
                first = first or result
                yield result

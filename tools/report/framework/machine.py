# SPDX-License-Identifier: GPL-2.0
"""Runs of the uvm command in virtual machines: many per boot, each kept once done."""

import hashlib
import json
import os
import shlex
import subprocess
import sys
import threading

import crew

from .reference import ReferenceString

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
VM = os.path.join(TOP, "qemu-tests", "vm")

# What a result depends on, besides its parameters.
SOURCES = ("Kbuild", "include", "softgpu", "uvm", "tools/Makefile", "tools/kernel-flags.mk",
           "tools/include", "tools/kernels", "tools/lib", "tools/uvm", "tools/workloads")

# Of the driver's events, those that reports look at.
EVENTS = ("gpu_fault", "eviction", "batch")

# Bits of an address within 64 KB, the driver's unit of prefetching.
PIECE_SHIFT = 16
# And within a page.
PAGE_SHIFT = 12

# Of the touches of a run, so many are kept at most.
TOUCHES = 4000

# Status of a command whose device said no.
REFUSED = 3

# Inside the VM.
GUEST = r"""
measure() {
	echo "@begin $1"
	shift
	timeout -s KILL "$limit" uvm "$@" 2>errors
	status=$?
	[ ! -s events ] || cat events
	rm -f events
	[ $status = 0 ] || head -n 3 errors | sed 's/^/@error /'
	echo "@end $status"
}
"""

# With the real clock the device's threads would run in the middle of the bottom
# half's phases, which are then measured too long.
PRIORITY = r"""
for comm in /proc/[0-9]*/comm; do
	if [ "$(cat $comm)" = uvm-gpu0-bh ]; then
		pid=${comm#/proc/}
		chrt -f -p 10 ${pid%/comm} > /dev/null || exit
	fi
done
"""


def tree_hash():
    """Of all files that a result depends on."""
    digest = hashlib.sha256()
    for source in SOURCES:
        path = os.path.join(TOP, source)
        names = [path] if os.path.isfile(path) else sorted(
            os.path.join(root, name) for root, _, files in os.walk(path) for name in files
            if name.endswith((".c", ".h", ".inc", ".mk", ".ld", "Kbuild", "Makefile", ".sh")))
        for name in names:
            digest.update(os.path.relpath(name, TOP).encode() + b"\0")
            with open(name, "rb") as f:
                digest.update(f.read())
    return digest.hexdigest()[:16]


class Machine:
    """A virtual machine and its software GPU."""

    def __init__(self, name, softgpu, memory, accel="auto", prelude="", programs=(), cpus=0):
        self.name = name
        self.softgpu = softgpu
        self.memory = memory
        self.accel = accel
        self.prelude = prelude
        self.programs = programs    # of this machine, that the prelude needs
        self.cpus = cpus            # 0: as many as the launcher gives

    def kernel(self):
        """Words for the kernel: the virtual clock says the same on all, so the fastest."""
        if self.accel != "auto" or "clock=real" in self.softgpu or self.programs:
            return []
        return ["--kernel", "fastest"]

    def options(self):
        """Words for qemu-tests/vm."""
        words = self.kernel() + (["--cpus", str(self.cpus)] if self.cpus else [])
        words += ["--memory", str(self.memory), "--softgpu", self.softgpu]
        words += [word for name in self.programs for word in ("--bin", name)]
        return words if self.accel == "auto" else ["--accel", self.accel, *words]

    def boot(self):
        """What machines have in common that may be one boot."""
        return tuple(self.options()), self.prelude

    def command(self, run):
        """What a person types to have this run alone."""
        return shlex.join(["qemu-tests/vm", *self.options(), "--",
                           " ".join(["uvm", *run.words])])


class Run:
    """One run of the command, and its result; of its events these, or none."""

    def __init__(self, machine, *words, events=(), session="", refused=False, counted=False):
        self.machine = machine
        self.words = [*map(str, words)]
        if events:
            self.words += ["--events", "events", "--event-types", ",".join(events)]
        self.touching = "walk_hit" in events
        self.counted = counted  # faults are counted, and not kept
        self.pieces = 0         # then: faults whose 64 KB were neither there nor asked for
        self.touched = 0        # how many touches there were
        self.step = 1           # of these, each so many-th is kept
        self.session = session
        self.refused = refused  # that the command refuses is what is to be shown
        self.result = None      # of --json, or None
        self.error = ""
        self.faults = []        # [name, offset, duplicate], in order
        self.evictions = []     # [faults so far, name, offset, bytes]
        self.batches = []       # [faults, bytes, ns, ns before the first copy]
        self.touches = []       # [which touch, name, offset]: page-walk hits and faults
        self.string = {}        # what ReferenceString measures of all of them

    def key(self, tree):
        """Names the result in the cache; one from before there were strings has none."""
        text = json.dumps([tree, self.machine.options(), self.machine.prelude, self.words,
                           *(["string"] if self.touching else [])])
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    def command(self):
        """For the page."""
        return self.machine.command(self)

    def touch(self, found, string):
        """A page was touched.  Of many touches not all are kept, but at equal distances."""
        if "name" not in found or found.get("duplicate"):
            return
        string.touch((found["name"], found["offset"] >> PAGE_SHIFT))
        if self.touched % self.step == 0:
            self.touches.append([self.touched, found["name"], found["offset"]])
        self.touched += 1
        if len(self.touches) > TOUCHES:
            self.touches = self.touches[::2]
            self.step *= 2

    def count(self, lines):
        """Faults by 64 KB, again once some of it was evicted; returns all other lines."""
        asked, rest = set(), []
        for line in lines:
            if not line.startswith(('{"event":"gpu_fault"', '{"event":"eviction"')):
                rest.append(line)
                continue
            found = json.loads(line)
            name, first = found.get("name"), found["offset"] >> PIECE_SHIFT
            if found["event"] == "eviction":
                last = (found["offset"] + found["bytes"] - 1) >> PIECE_SHIFT
                asked.difference_update((name, i) for i in range(first, last + 1))
            elif (name, first) not in asked:
                asked.add((name, first))
                self.pieces += 1
        return rest

    def take(self, lines):
        """Output of the run, line by line."""
        string = ReferenceString()
        for line in self.count(lines) if self.counted else lines:
            if line.startswith("@error "):
                self.error += line[7:] + "\n"
                continue
            if not line.startswith("{"):
                continue
            found = json.loads(line)
            event = found.get("event")
            if self.touching and event in ("gpu_fault", "walk_hit"):
                self.touch(found, string)
            elif event == "gpu_fault" and "name" in found:
                self.faults.append([found["name"], found["offset"], found["duplicate"]])
            elif event == "eviction" and "name" in found:
                self.evictions.append([len(self.faults), found["name"], found["offset"],
                                       found.get("bytes", 0)])
            elif event == "batch":
                self.batches.append([found["faults"], found["bytes"], found["duration_ns"],
                                     found["handling_ns"]])
            elif event is None:
                self.result = found
        self.string = string.measured()

    def end(self, status):
        """The command has ended."""
        if self.refused:
            done, self.error = self.error.strip(), ""
            if status == REFUSED:
                self.result = {"refused": done}
            else:
                self.error = f"status {status} where a refusal was expected: {done}"
        elif status and not self.error:
            self.error = f"status {status}"

    def state(self):
        """What is kept."""
        return {"words": self.words, "result": self.result, "error": self.error,
                "faults": self.faults, "evictions": self.evictions, "batches": self.batches,
                "touches": self.touches, "pieces": self.pieces, "string": self.string}

    def restore(self, state):
        """The reverse."""
        self.result = state["result"]
        self.error = state["error"]
        self.faults = state["faults"]
        self.evictions = state["evictions"]
        self.batches = state["batches"]
        self.touches = state.get("touches", [])
        self.pieces = state.get("pieces", 0)
        self.string = state.get("string", {})


class Laboratory:
    """Runs what is asked for, unless it is known already."""

    def __init__(self, directory, jobs, limit, offline=False):
        self.cache = os.path.join(directory, "cache")
        self.crew = crew.Crew(jobs)
        self.limit = limit
        self.offline = offline
        self.tree = tree_hash()
        self.done = 0
        self.total = 0
        self.lock = threading.Lock()
        os.makedirs(self.cache, exist_ok=True)

    def path(self, run):
        """Where the result of a run is kept."""
        return os.path.join(self.cache, f"{run.key(self.tree)}.json")

    def say(self, text):
        """Progress goes to stderr."""
        print(f"report: {text}", file=sys.stderr, flush=True)

    def finish(self, run):
        """A run has ended: keep its result if it has one."""
        if run.result is not None and not run.error:
            path = self.path(run)
            with open(f"{path}.new", "w", encoding="utf-8") as f:
                json.dump(run.state(), f)
            os.rename(f"{path}.new", path)
        with self.lock:
            self.done += 1
            self.say(f"{self.done}/{self.total} uvm {' '.join(run.words)}"
                     f"{': ' + run.error.strip() if run.error else ''}")

    def session(self, runs):
        """One boot for all of these."""
        machine = runs[0].machine
        script = f"limit={self.limit}\n{machine.prelude}{GUEST}" + "".join(
            f"measure {i} {shlex.join(run.words)}\n" for i, run in enumerate(runs))
        argv = [VM, *machine.options(), "--timeout", str(self.limit * len(runs)), "--", script]
        run, lines = None, []
        with self.crew.program(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True) as vm:
            complaints = []
            reader = threading.Thread(target=lambda: complaints.extend(vm.stderr))
            reader.start()
            for line in vm.stdout:
                line = line.rstrip("\n")
                if line.startswith("@begin "):
                    run, lines = runs[int(line[7:])], []
                elif line.startswith("@end ") and run:
                    run.take(lines)
                    run.end(int(line[5:]))
                    self.finish(run)
                    run = None
                else:
                    lines.append(line)
            reader.join()
        if vm.returncode and not self.crew.stopped:
            why = " ".join(complaints[-5:]).strip()
            for lost in (r for r in runs if r.result is None and not r.error):
                lost.error = f"the VM ended with status {vm.returncode}: {why}"
                self.say(f"uvm {' '.join(lost.words)}: {lost.error}")

    def perform(self, runs):
        """Results for all runs; same runs are done once."""
        sessions = {}
        known = {}
        for run in runs:
            if run.result is not None or run.key(self.tree) in known:
                continue
            known[run.key(self.tree)] = run
            if os.path.exists(self.path(run)):
                with open(self.path(run), encoding="utf-8") as f:
                    run.restore(json.load(f))
            elif self.offline:
                run.error = "not in the cache"
            else:
                sessions.setdefault((run.machine.boot(), run.session), []).append(run)
        self.total += sum(map(len, sessions.values()))
        self.crew.work(self.session, sessions.values())
        for run in runs:
            first = known.get(run.key(self.tree))
            if first is not None and first is not run:
                run.restore(first.state())

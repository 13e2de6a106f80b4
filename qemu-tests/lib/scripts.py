# SPDX-License-Identifier: GPL-2.0
"""What runs in a VM: tests/*/test.sh with their headers, and KUnit."""

import os
import re
import shlex
import subprocess

from builddir import Locked, build_dir
from tap import Result, parse_ktap, parse_tap
import uml

QEMU_TESTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
TESTS = os.path.join(QEMU_TESTS, "tests")
KUNIT = os.path.join(os.path.dirname(QEMU_TESTS), "kunit")

# Words of headers.  Scripts that agree in those of MACHINE may share a VM.
MACHINE = ("kernel", "cpus", "memory", "disk", "accel", "append", "bin", "no-kmemleak", "own")
LOADING = ("softgpu", "uvm", "no-modules")
REST = ("timeout", "get", "prog", "args", "name", "when")

# The second: cases that skip themselves on the virtual clock or with one GPU, and two CPUs.
KUNIT_VARIANTS = (("uml-debug", "uml-debug", ""), ("debug", "debug", "clock=real gpus=2"))
KUNIT_COMMAND = """
/bin/insmod /lib/softuvm/uvm_kunit.ko || exit 1
mkdir results
for d in /sys/kernel/debug/kunit/*/; do
	s=${d%/}
	cat "$d/results" > "results/${s##*/}"
done
"""


def tap_results(text, _):
    """Results of a script that prints TAP."""
    return parse_tap(text)


class Script:
    """A command in a VM, what it takes along, and how its results are read."""

    def __init__(self, name, command, header, files=(), programs=(), results=tap_results):
        self.name = name
        self.command = command
        self.header = header
        self.files = files
        self.programs = programs
        self.results = results      # called with what it printed and where its files are
        self.when = header.get("when", "quick" if header["kernel"] == "uml" else "full")
        self.timeout = float(header.get("timeout", 600))
        self.machine = tuple((key, header[key]) for key in MACHINE if key in header)
        # What soaks takes so long that a boot is nothing, and dies later if it is alone.
        self.group = None if self.when == "soak" else self.machine

    def words(self, key):
        """A comma list of the header."""
        return [word for word in self.header.get(key, "").split(",") if word]

    def prepare(self):
        """Compile its programs; RuntimeError if they do not."""
        if self.programs:
            self.files = [*self.files, *compile_programs(self.programs)]

    def vm_options(self):
        """Its VM, in words of qemu-tests/vm."""
        argv = []
        for key, value in self.machine:
            if key == "no-kmemleak":
                argv.append("--no-kmemleak")
            elif key == "bin":
                argv += [f"--bin={program}" for program in value.split(",")]
            elif key != "own":
                argv.append(f"--{key}={value}")
        return argv


def compile_programs(names):
    """Build programs of tests/; returns their paths."""
    outdir = os.path.join(build_dir(), "tests")
    with Locked("tools"):
        done = subprocess.run(["make", "-s", "--no-print-directory", "-C", TESTS, f"O={outdir}",
                               *names], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    return [os.path.join(outdir, name) for name in names]


def headers(path, word):
    """The "# vm:" or "# host:" lines of a script, as dictionaries."""
    found = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#"):
                break
            match = re.match(rf"# {word}:(.*)", line)
            if match:
                words = shlex.split(match[1])
                found.append({w.partition("=")[0]: w.partition("=")[2] for w in words})
    for header in found:
        unknown = set(header) - {*MACHINE, *LOADING, *REST}
        if unknown:
            raise SystemExit(f"run-tests: {path}: unknown {' '.join(unknown)}")
    return found or [{}]


def default_cpus(header):
    """On the virtual clock one thread executes at a time, and one CPU is fastest."""
    return "2" if "clock=real" in header.get("softgpu", "") else "1"


def kernel_when(kernel):
    """Modules and KUnit of which kernels are looked at in each "make test"."""
    return "quick" if kernel in ("uml", "uml-debug") else "full"


def label(name, *words):
    """What a job is called: the path of its folder and what tells it from others of it."""
    return f"tests/{name}@{','.join(word for word in words if word)}"


def script(base, name, header, kernel, cpus):
    """One script on one kernel, with what all share, what lies in its folder, and programs."""
    here = os.listdir(os.path.join(base, name))
    files = [os.path.join(TESTS, "lib", n) for n in sorted(os.listdir(os.path.join(TESTS, "lib")))
             if n.endswith((".sh", ".awk"))]
    files += [os.path.join(base, name, n) for n in sorted(here)
              if not n.endswith((".c", ".h")) and n != "host.sh"]
    programs = [name] if any(n.endswith(".c") for n in here) else []
    programs += [n for n in header.get("prog", "").split(",") if n]
    return Script(label(name, kernel, f"{cpus}cpu" if cpus else "", header.get("name")),
                  f"sh ./test.sh {header.get('args', '')}",
                  {**header, "kernel": kernel, "cpus": cpus or default_cpus(header)},
                  files, programs)


def found(base, file):
    """Folders of tests that have such a script."""
    return [n for n in sorted(os.listdir(base)) if os.path.exists(os.path.join(base, n, file))]


def integration(base):
    """All test.sh, once for each kernel and number of CPUs that a header names."""
    for name in found(base, "test.sh"):
        for header in headers(os.path.join(base, name, "test.sh"), "vm"):
            for kernel in header.get("kernel", "stock").split(","):
                for cpus in header.get("cpus", "").split(","):
                    yield script(base, name, header, kernel, cpus)


def suites():
    """The names of all KUnit suites, one a file."""
    names = []
    for path, _, files in os.walk(KUNIT):
        for name in files:
            if name.endswith("_kunit.c"):
                with open(os.path.join(path, name), encoding="utf-8") as f:
                    names += re.findall(r'(?m)^struct kunit_suite .*\n\t\.name = "(.*)"', f.read())
    return sorted(names)


def kunit_results(wanted):
    """How to read what these suites have left in debugfs."""
    def read(_, outdir):
        results = []
        found = os.path.join(outdir, "results")
        present = sorted(os.listdir(found)) if os.path.isdir(found) else []
        for suite in present:
            with open(os.path.join(found, suite), encoding="utf-8", errors="replace") as f:
                results += parse_ktap(suite, f.read())
        if present != wanted:
            results.append(Result("every suite has run, no other", False,
                                  f"differs: {' '.join(sorted(set(present) ^ set(wanted)))}"))
        return results
    return read


def kunit_script(variant, softgpu, kernel, name, wanted, glob):
    """Suites on one kernel."""
    header = {"kernel": kernel, "cpus": "1" if kernel in uml.KERNELS else "2", "softgpu": softgpu,
              "timeout": "900", "get": "results", "when": kernel_when(variant)}
    choice = f"printf %s '{glob}' > /sys/module/kunit/parameters/filter_glob"
    return Script(name, choice + KUNIT_COMMAND, header, results=kunit_results(wanted))


def kunit():
    """All KUnit suites, on each kernel that has KUnit."""
    for variant, kernel, softgpu in KUNIT_VARIANTS:
        yield kunit_script(variant, softgpu, kernel, f"kunit/{variant}", suites(), "*")


def kunit_suites():
    """Each suite alone."""
    for variant, kernel, softgpu in KUNIT_VARIANTS:
        for suite in suites():
            yield kunit_script(variant, softgpu, kernel, f"kunit/{variant}/{suite}", [suite], suite)

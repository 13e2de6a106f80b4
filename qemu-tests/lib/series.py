# SPDX-License-Identifier: GPL-2.0
"""Scripts that share a VM: guest/series runs them, this tells what is whose."""

import os
import re
import selectors
import shlex
import shutil
import subprocess
import time

import judge
from scripts import QEMU_TESTS
from spent import Spent, begin, of_tree
from tap import Result

MARK = b"%%series "
BEGIN = re.compile(r"series: begin (\d+) \S+ (\d*)$", re.M)
AGE = re.compile(r"jiffies (\d+)")

# Seconds that a guest has for what is not the script: loading, unloading, tidying up.
GRACE = 120.0


class Part:
    """One script's share of a VM's output."""

    def __init__(self, begun, cpu=0.0):
        self.begun = begun
        self.ended = None
        self.cpu = [cpu, cpu]   # that the VM has used, at the beginning and at the end
        self.status = None
        self.text = b""
        self.faults = []
        self.timeout = False

    def spent(self):
        """What it cost; one that has not ended costs until now."""
        return Spent((self.ended or time.monotonic()) - self.begun, self.cpu[1] - self.cpu[0])


class Transcript:
    """What a VM prints, taken apart as it comes."""

    def __init__(self):
        self.parts = {}
        self.now = None     # the number of the script that is running
        self.spoilt = False # the kernel is not well: this VM ends at once

    def feed(self, line, now, cpu=lambda: 0.0):
        """One line of the VM's output, at a time; cpu() is what the VM has used by then."""
        if not line.startswith(MARK):
            if self.now is not None:
                self.parts[self.now].text += line + b"\n"
            return
        word, number, *rest = line[len(MARK):].decode(errors="replace").split(" ")
        if word == "begin":
            self.now = int(number)
            self.parts[self.now] = Part(now, cpu())
            return
        part = self.parts[int(number)]
        part.cpu[1] = cpu()
        if word == "fault":
            part.faults.append(" ".join(rest))
        elif word == "timeout":
            part.timeout = self.spoilt = True
        else:
            self._end(part, now, *rest)

    def _end(self, part, now, status="", before="", after=""):
        part.ended, self.now = now, None
        part.status = int(status) if status.isdigit() else judge.NO_STATUS
        taint_before, _, locks_before = before.partition(":")
        taint, _, locks = after.partition(":")
        news = judge.health(taint_before, taint, locks_before, locks)
        part.faults += [news] if news else []
        self.spoilt = bool(news)


def sections(console):
    """The console, by the number of the script that was running."""
    begins = list(BEGIN.finditer(console))
    starts = [0] + [begin.start() for begin in begins[1:]]
    ends = starts[1:] + [len(console)]
    return {int(begin[1]): console[start:end] for begin, start, end in zip(begins, starts, ends)}


def leaks(console):
    """What kmemleak found at the end, by the number of the script that made the object."""
    begins = [(int(begin[2]), int(begin[1])) for begin in BEGIN.finditer(console) if begin[2]]
    found = {}
    text = "\n".join(line for line in console.splitlines() if line.startswith("LEAK "))
    for leak in re.split(r"(?m)^(?=LEAK unreferenced)", text)[1:]:
        age = AGE.search(leak)
        older = [number for jiffies, number in begins if age and jiffies <= int(age[1])]
        if begins:
            number = older[-1] if older else begins[0][1]
            found[number] = found.get(number, "") + leak
    return found


def without_leaks(text):
    """They stand at the end of the console, behind the last script, and are not all its own."""
    return "".join(line for line in text.splitlines(True) if not line.startswith("LEAK "))


def lines(process, deadline):
    """Lines of a process's stdout as they come, until it ends or deadline() has passed."""
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < deadline():
            if not selector.select(1.0):
                continue
            data = os.read(process.stdout.fileno(), 1 << 16)
            if not data:
                break
            *whole, rest = (rest + data).split(b"\n")
            yield from whole
    if rest:
        yield rest


class Vm:
    """One boot for a list of scripts."""

    def __init__(self, scripts, base):
        self.scripts = scripts
        self.base = base            # a directory for what is not of one script
        self.transcript = Transcript()
        self.errors = ""            # what the launcher had to say
        self.console = ""
        self.status = None          # the launcher's

    def pack(self):
        """What guest/series wants, as links."""
        for number, script in enumerate(self.scripts):
            work = os.path.join(self.base, "series", str(number), "work")
            os.makedirs(work)
            for file in script.files:
                os.symlink(file, os.path.join(work, os.path.basename(file.rstrip("/"))))
            header = script.header
            conf = {"name": script.name, "command": script.command,
                    "softgpu": header.get("softgpu", ""), "uvm": header.get("uvm", ""),
                    "modules": "" if "no-modules" in header else "1",
                    "own": header.get("own", ""), "get": " ".join(script.words("get")),
                    # Under icount an idle guest's time flies.
                    "timeout": "" if header.get("accel") == "icount" else str(int(script.timeout))}
            with open(os.path.join(os.path.dirname(work), "conf"), "w", encoding="utf-8") as f:
                f.writelines(f"{key}={shlex.quote(value)}\n" for key, value in conf.items())

    def command(self):
        """The launcher's command line."""
        guest = os.path.join(QEMU_TESTS, "guest", "series.sh")
        numbers = [str(number) for number in range(len(self.scripts))]
        seconds = sum(script.timeout + GRACE for script in self.scripts)
        return [os.path.join(QEMU_TESTS, "vm"), *self.scripts[0].vm_options(), "--no-modules",
                "--console", os.path.join(self.base, "console"), "--timeout", str(seconds),
                "--put", guest, "--put", os.path.join(self.base, "series"),
                "--get", "got", "--outdir", self.base, "--", "sh", "series.sh", *numbers]

    def deadline(self):
        """When the script that is running has used up its time and the guest has not said so."""
        now = self.transcript.now
        if now is None:
            return float("inf")
        return self.transcript.parts[now].begun + self.scripts[now].timeout + GRACE

    def run(self):
        """Until all have run, or one has left a VM that nobody should use."""
        with open(os.path.join(self.base, "errors"), "wb") as err, \
                begin(self.command(), stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE, stderr=err) as process:
            for line in lines(process, self.deadline):
                self.transcript.feed(line, time.monotonic(), lambda: of_tree(process.pid))
                if self.transcript.spoilt:
                    break
            now = self.transcript.now
            if now is not None and time.monotonic() > self.deadline():
                self.transcript.parts[now].timeout = True
            if self.transcript.spoilt or time.monotonic() > self.deadline():
                process.terminate()
            self.status = process.wait()
        self.errors = read(os.path.join(self.base, "errors"))
        self.console = read(os.path.join(self.base, "console"))

    def rest(self):
        """The scripts that have not been run."""
        return self.scripts[len(self.transcript.parts):]

    def outcomes(self, log_path):
        """(script, results, Spent) of each that has run; its logs go where log_path(script) says."""
        consoles, lost = sections(self.console), leaks(self.console)
        found = []
        for number, part in self.transcript.parts.items():
            script, log = self.scripts[number], log_path(self.scripts[number])
            text = part.text.decode(errors="replace")
            console = consoles.get(number, "")
            self._keep(number, log, text, console)
            results = script.results(text, f"{log}.d")
            why = trouble(part, without_leaks(console), lost.get(number, ""), self.errors)
            if why is None and part.status and all(r.passed for r in results):
                why = f"status {part.status}"
            if why is not None:
                results.append(Result("the VM ends well", False, why))
            found.append((script, results, part.spent()))
        return self._blame(found)

    def _blame(self, found):
        """What the launcher complains about and no script has to do with is the last one's."""
        good = all(r.passed for _, results, _ in found for r in results)
        if self.status and good and found:
            names = " ".join(script.name for script, _, _ in found)
            found[-1][1].append(Result("the VM ends well", False,
                                       f"status {self.status}, of a VM for {names}\n{self.errors}"))
        return found

    def _keep(self, number, log, text, console):
        """A log for each script, as if it had been alone."""
        for path, content in ((log, text), (f"{log}.console", console), (f"{log}.err", self.errors)):
            with open(path, "w", encoding="utf-8") as f:
                f.write(content)
        got = os.path.join(self.base, "got", str(number))
        if os.path.isdir(got):
            shutil.move(got, f"{log}.d")


def trouble(part, console, leaked, errors):
    """What is wrong with how a script has ended; None if nothing is."""
    splat = judge.splat(console)
    why = []
    if part.timeout:
        why.append(f"timeout; in the modules:\n{judge.waiting(console)}")
    elif part.ended is None:
        why.append("the VM died" if splat else f"the VM died\n{errors}")
    why += [*part.faults, *filter(None, (splat, leaked))]
    return "\n".join(why) if why else None


def read(path):
    """A text file, or nothing."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read().replace("\r", "")


def run(scripts, base, log_path):
    """Run scripts of one group: yields (script, results, Spent).  If one spoils the VM, the
    rest gets a fresh one."""
    ready = []
    for script in scripts:
        try:
            script.prepare()
            ready.append(script)
        except RuntimeError as error:
            yield script, [Result("compiles", False, str(error))], Spent()
    boots = 0
    while ready:
        vm = Vm(ready, f"{base}.{boots}")
        vm.pack()
        vm.run()
        yield from vm.outcomes(log_path)
        if not vm.transcript.parts:
            for script in ready:
                yield script, [Result("the VM comes up", False, vm.errors)], Spent()
            return
        ready = vm.rest()
        boots += 1

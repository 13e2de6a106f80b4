#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Random reference strings through the driver's policies and through model.py: the same pages must
be evicted, one by one.

usage: compare.py PROGRAM STRINGS SEED [POLICY]...
       compare.py PROGRAM --table     the six strings with 1024 pages of the paper's patterns
       compare.py PROGRAM --control   the driver's have a parameter less than the model: must differ
"""

import random
import subprocess
import sys

import model

POLICIES = ("lru", "lru_walk", "rrip", "clock_pro", "min", "hpe")
PATTERNS = ("I", "II", "III", "IV", "V", "VI", "even-odd", "hot", "edge", "mixed")


def pattern(name, pages, rng):
    """A string by the paper's types (figure 2), and what else finds mistakes."""
    if name == "I":
        return list(range(pages))
    if name == "II":
        return list(range(pages)) * rng.randint(2, 5)
    if name == "III":
        string = []
        for page in range(pages):
            string.append(page)
            if rng.random() < 0.3:
                string.append(max(0, page - rng.randrange(1, 40)))
        return string
    if name in ("IV", "V"):
        part = rng.choice((4, 8, 16, 20, 32))
        string = []
        for start in range(0, pages, part):
            string += list(range(start, min(start + part, pages))) * rng.randrange(1, 7)
        return string * (rng.randint(2, 4) if name == "V" else 1)
    if name == "VI":
        part = max(1, pages // rng.randint(2, 6))
        string = []
        for start in range(0, pages, part):
            string += list(range(start, min(start + part, pages))) * rng.randint(2, 5)
        return string
    if name == "even-odd":
        step, times = rng.choice((2, 2, 4)), rng.randint(1, 4)
        string = []
        for first in range(step):
            string += list(range(first, pages, step)) * times
        return string * rng.randint(1, 2)
    if name == "hot":
        hot = max(1, pages // rng.randint(2, 10))
        return [rng.randrange(hot if rng.random() < 0.8 else pages) for _ in range(4 * pages)]
    if name == "edge":      # three of four pages: irregular
        return [page for page in range(pages + 200) if page % 4] * 4
    return [page for _ in range(rng.randint(2, 4))
            for page in pattern(rng.choice(PATTERNS[:-1]), pages, rng)]


# Belady's own: no page is spared, each touch is the trace's.
EXACT = {"min_delay": 0}


def readings(rng):
    """Some of what the paper leaves open, the other way round."""
    words = [word for word in ("each_jump", "in_all", "least", "anew") if rng.randint(0, 1)]
    return "+".join(words) or "none"


def parameters(policy, rng):
    """Half of the strings have the defaults."""
    if policy == "min":
        return EXACT
    if rng.random() < 0.5:
        return {}
    if policy == "rrip":
        return {"rrip_bits": rng.randint(1, 8), "rrip_distant": rng.randint(0, 1),
                "rrip_delay": rng.choice((0, 0, 1, 16, 128, 1000)),
                "rrip_frequency": rng.randint(0, 1)}
    if policy == "clock_pro":
        return {"clock_pro_cold": rng.choice((1, 2, 10, 128, 1000)),
                "clock_pro_warm": rng.randint(0, 1)}
    if policy == "hpe":
        return {"hpe_set_pages": rng.choice((4, 8, 16, 32)),
                "hpe_interval": rng.choice((4, 16, 32, 64, 128, 1000)),
                "hpe_transfer": rng.choice((1, 3, 8, 16, 64)),
                "hpe_ratio1_percent": rng.choice((0, 30, 30, 1000)),
                "hpe_ratio2": rng.choice((1, 2, 5)),
                "hpe_wrong": rng.choice((0, 1, 3, 8)), "hpe_guard": rng.choice((0, 1, 10)),
                "hpe_jump": rng.choice((1, 4, 16)), "hpe_history": rng.choice((1, 3, 4096)),
                "hpe_readings": readings(rng),
                "hpe_strategy": rng.choice((0, 0, 0, 1, 2)),
                "recorder_replace": rng.randint(0, 1)}
    return {}


class Job:
    """A string for a policy."""

    def __init__(self, policy, units, params, string, name):
        self.policy, self.units, self.params, self.string = policy, units, params, string
        self.name = f"{name}: {policy} with {units} units, {params or 'defaults'}"

    def line(self, params=None):
        words = [f"{name}={value}" for name, value in (params or self.params).items()]
        return f"{self.policy} {self.units} {' '.join(words)} : {' '.join(map(str, self.string))}\n"


def jobs(count, seed, policies):
    """From one seed the same, whatever the policies are."""
    for number in range(seed, seed + count):
        rng = random.Random(number)
        name = PATTERNS[number % len(PATTERNS)]
        pages = int(2 ** rng.uniform(2, 12))
        string = pattern(name, pages, rng)
        units = max(1, int(len(set(string)) * rng.choice((0.75, 0.5, rng.uniform(0.1, 1)))))
        interval = rng.choice((4, 16, 32, 64))
        if name == "edge":      # under LRU a page comes back about when its eviction is forgotten
            units = max(1, len(set(string)) - 2 * interval + rng.randint(-1, 1))
        for policy in POLICIES:
            params = parameters(policy, rng)
            if name == "edge" and policy == "hpe":
                params = {"hpe_interval": interval, "hpe_wrong": rng.choice((1, 3))}
            if policy in policies:
                yield Job(policy, units, params, string, f"string {number} ({name})")


def difference(job, answer):
    """What differs, or None."""
    policy = model.make(job.policy, job.units, job.string, job.params)
    evicted, faults = model.run(policy, job.string)
    theirs, _, numbers = answer.partition("|")
    numbers = dict(word.split("=") for word in numbers.split())
    theirs = [int(page) for page in theirs.split()]
    for i, pair in enumerate(zip(theirs, evicted)):
        if pair[0] != pair[1]:
            return f"eviction {i} is {pair[0]}, should be {pair[1]}"
    if (len(theirs), int(numbers["faults"])) != (len(evicted), faults):
        return f"{len(theirs)} evictions, should be {len(evicted)}"
    if numbers["wrong"] != "0":
        return f"{numbers['wrong']} answers were none"
    for name, value in (policy.numbers() if job.policy == "hpe" else {}).items():
        if int(numbers[name]) != value:
            return f"{name} is {numbers[name]}, should be {value}"
    return None


def compare(program, some):
    """Counts of jobs and evictions, and what differs."""
    count = evictions = 0
    wrong = []
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        for job in some:
            process.stdin.write(job.line())
            process.stdin.flush()
            answer = process.stdout.readline()
            if not answer:
                wrong.append(f"{job.name}: the program has ended")
                break
            count += 1
            evictions += len(answer.partition("|")[0].split())
            what = difference(job, answer)
            if what:
                wrong.append(f"{job.name}: {what}")
        process.stdin.close()
    if process.returncode:
        wrong.append(f"the program exits {process.returncode}")
    return count, evictions, wrong


# Types I, II and VI, and even pages before odd ones: evictions in the order of POLICIES[1:], then
# the category and the old sets when memory was first full.
PAGES = list(range(1024))
VI = [page for start in range(0, 1024, 256) for page in list(range(start, start + 256)) * 4]
TABLE = (
    ("I", PAGES, 768, (256, 256, 256, 256, 256), 1, 44),
    ("II", PAGES * 4, 768, (3328, 1408, 1408, 1024, 1408), 1, 44),
    ("II", PAGES * 4, 512, (3584, 2432, 2432, 2048, 2432), 1, 28),
    ("VI", VI, 768, (256, 256, 512, 256, 256), 2, 32),
    ("VI", VI, 512, (512, 512, 1024, 512, 512), 2, 16),
    ("even-odd", PAGES[::2] * 2 + PAGES[1::2] * 2, 768, (256, 512, 640, 256, 388), 3, 56),
)


def table(program):
    """The table, by the program."""
    wrong = []
    for name, string, units, evictions, category, old in TABLE:
        for policy, count in zip(POLICIES[1:], evictions):
            params = {"min": EXACT}.get(policy, {})
            if name == "II" and policy == "rrip":
                params = {"rrip_distant": 1, "rrip_delay": 128}
            job = Job(policy, units, params, string, name)
            answer = subprocess.run([program], input=job.line(), stdout=subprocess.PIPE, text=True,
                                    check=True).stdout
            victims, _, numbers = answer.partition("|")
            if len(victims.split()) != count:
                wrong.append(f"{job.name}: {len(victims.split())} evictions, not {count}")
            if policy == "hpe" and f" category={category} " not in numbers:
                wrong.append(f"{job.name}: {numbers}, not category {category}")
            if policy == "hpe" and f" old_sets={old} " not in numbers:
                wrong.append(f"{job.name}: {numbers}, not {old} old sets")
    return wrong


def control(program):
    """Policies of which no difference is found."""
    params = {"rrip": {"rrip_bits": 1}, "clock_pro": {"clock_pro_cold": 1},
              "hpe": {"hpe_interval": 32}}

    class Wrong(Job):
        """The program is told something else."""

        def line(self, params=None):
            return super().line(params or CHANGED)

    found = []
    for policy, changed in params.items():
        CHANGED = changed
        some = [Wrong(job.policy, job.units, {}, job.string, job.name)
                for job in jobs(20, 1, (policy,))]
        if not compare(program, some)[2]:
            found.append(f"{policy}: nothing is found")
    return found


def main():
    program, what, *rest = sys.argv[1:]
    if what == "--table":
        wrong = table(program)
    elif what == "--control":
        wrong = control(program)
    else:
        policies = rest[1:] or POLICIES
        count, evictions, wrong = compare(program, jobs(int(what), int(rest[0]), policies))
        print(f"{count} runs, {evictions} evictions, {len(wrong)} differ")
    for line in wrong[:20]:
        print(line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

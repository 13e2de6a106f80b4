#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""doctor.py INVARIANTS_AWK: a report that keeps every rule of the checker, and for each rule
one that breaks it.  Prints what the checker got wrong, exits 1."""
import json
import re
import subprocess
import sys
import tempfile

PAGE = 4096


def pages(**counts):
    """Bytes of so many pages."""
    return {key: count * PAGE for key, count in counts.items()}


COUNTERS = {
    "faults": {"fetched": 10, "duplicate": 2, "serviced": 7, "read": 5, "write": 3, "atomic": 1,
               "prefetch": 1, "fatal": 0, "throttled": 1, "cpu": 4, "buffer_overflows": 1,
               "flushed": 3, "non_replayable": 0},
    "batches": {"count": 2, "mean_faults": 5.0, "max_faults": 6, "mean_bytes": 3.5 * PAGE,
                "mean_time_ns": 100.0, "mean_handling_ns": 50.5},
    "replays": 2,
    "migrated_bytes": pages(htod=8, dtoh=5, htod_demand=5, htod_prefetch=2, dtoh_eviction=3,
                            dtoh_prefetch=1, htod_counter=1, peer=0),
    "evictions": {"chunks": 1, "pages": 3, "premature": 1, "returned": 2},
    "thrashing": {"pages": 2, "throttles_cpu": 1, "throttles_gpu": 1, "pins_local": 1,
                  "pins_remote": 1, "resets": 0},
    "access_counters": 1,
    "phases_ns": {"fetch": 150, "cpu_fault": 60},
}
LINK = {"reads": 4, "writes": 2, "read_bytes": 256, "write_bytes": 128}
CPU = {
    "processor": "cpu",
    "faults": {"all": 4, "duplicate": 0, "prefetch": 0, "read": 1, "write": 3, "atomic": 0},
    "fault_pages": {"in": 0, "out": 0},
    "replays": {"start": 0, "start_ack_all": 0},
    "bytes": pages(populated=10, resident=7),
    "bytes_from": pages(cpu=0, gpu0=5),
    "prefetch_bytes_from": pages(cpu=0, gpu0=1),
}
GPU = {
    "processor": "gpu0",
    "faults": {"all": 10, "duplicate": 2, "prefetch": 1, "read": 5, "write": 3, "atomic": 1},
    "fault_pages": {"in": 7, "out": 0},
    "replays": {"start": 2, "start_ack_all": 0},
    "bytes": pages(populated=1, resident=4),
    "bytes_from": pages(cpu=8, gpu0=0),
    "prefetch_bytes_from": pages(cpu=2, gpu0=0),
}
REPORT = {
    "workload": "sample", "parameters": {"size": 1, "set": {}}, "clock": "virtual",
    "verified": True, "footprint_bytes": 11 * PAGE, "vram_bytes": 8 * PAGE,
    "gpu_faults": {"written": 13, "merged": 0, "dropped": 2, "replayed": 15},
    "link": LINK, **COUNTERS, "execution": {"link": LINK, **COUNTERS},
    "processors": [CPU, GPU], "events_lost": 0,
}


def moved(count, src, dst, cause):
    """The events of pages that move together."""
    way = {"bytes": count * PAGE, "src": src, "dst": dst, "cause": cause}
    return [{"event": "migration", **way}, {"event": "copy", **way}]


def faults(count, access, duplicate=False):
    """GPU faults that are alike."""
    return [{"event": "gpu_fault", "access": access, "duplicate": duplicate}] * count


EVENTS = [
    *faults(3, "read"), *faults(2, "read", True), *faults(3, "write"), *faults(1, "atomic"),
    *faults(1, "prefetch"),
    *[{"event": "cpu_fault", "access": "write"}] * 4,
    *moved(5, "cpu", "gpu0", "fault"), *moved(2, "cpu", "gpu0", "prefetch"),
    *moved(1, "cpu", "gpu0", "access_counter"), *moved(3, "gpu0", "cpu", "eviction"),
    *moved(1, "gpu0", "cpu", "prefetch"), *moved(1, "gpu0", "cpu", "cpu_fault"),
    {"event": "eviction", "bytes": 3 * PAGE},
    {"event": "batch", "faults": 6, "bytes": 3 * PAGE, "duration_ns": 90, "handling_ns": 50},
    {"event": "batch", "faults": 4, "bytes": 4 * PAGE, "duration_ns": 110, "handling_ns": 51},
    {"event": "replay"}, {"event": "replay"}, {"event": "throttle"},
    {"event": "fault_buffer_overflow"}, {"event": "access_counter"},
    {"event": "thrashing_detected"}, {"event": "thrashing_detected"},
    {"event": "throttling_start", "src": "gpu0"}, {"event": "throttling_start", "src": "cpu"},
    {"event": "phase", "phase": "fetch", "duration_ns": 150},
    {"event": "phase", "phase": "cpu_fault", "duration_ns": 60},
]

# By rule: new values of the report.
REPORTS = {
    "the result is right": {"verified": False},
    "no fault of a verified run is fatal": {"faults.fatal": 1},
    "a record has one access": {"faults.write": 2},
    "a duplicate is not served": {"faults.duplicate": 4},
    "a record is a duplicate, served or throttled": {"faults.serviced": 6},
    "what the GPU wrote was fetched or flushed": {"faults.flushed": 4},
    "a fault, lost or not, is replayed once": {"gpu_faults.replayed": 14},
    "an overflow drops something": {"gpu_faults.dropped": 0},
    "what is dropped is an overflow": {"faults.buffer_overflows": 0},
    "a batch has records": {"faults.fetched": 0},
    "a record is in a batch": {"batches.count": 0},
    "a batch is no larger than it may be": {"parameters.set.perf_fault_batch_count": "5"},
    "the mean batch is no larger than the largest": {"batches.mean_faults": 6.1},
    "a batch is not handled longer than it lasts": {"batches.mean_handling_ns": 100.1},
    "batches bring what faults move": {"batches.mean_bytes": 3.5 * PAGE - 0.2},
    "batches are made of phases": {"phases_ns.fetch": 139},
    "what faults is replayed": {"replays": 0},
    "a replay for each batch": {"parameters.set.replay_policy": "batch_flush", "replays": 3},
    "once: no more replays than batches": {"parameters.set.replay_policy": "once", "replays": 3},
    "block: a replay for each batch at least": {
        "parameters.set.replay_policy": "block", "faults.throttled": 0, "replays": 1},
    "no flush without a policy that flushes": {"parameters.set.replay_policy": "batch"},
    "only whole pages move": {"processors.1.prefetch_bytes_from.cpu": 2 * PAGE - 1},
    "to the GPU: on demand, prefetched or by counters": {"migrated_bytes.htod_demand": 4 * PAGE},
    "to the CPU: evicted, prefetched or one page for a fault": {"faults.cpu": 0},
    "what is evicted or prefetched goes to the CPU": {"migrated_bytes.dtoh_prefetch": 3 * PAGE},
    "what is evicted is copied": {"evictions.pages": 2},
    "an evicted page is in a chunk": {"evictions.chunks": 0},
    "an evicted chunk has pages": {"evictions.chunks": 4},
    "nothing is premature without an eviction": {"evictions.pages": 0},
    "a page returns once for each eviction": {"evictions.returned": 4},
    "a page is premature once for each eviction": {
        "thrashing.pins_remote": 0, "access_counters": 0, "evictions.premature": 4},
    "only what came is evicted": {"evictions.pages": 10},
    "who is throttled skips a fault": {"faults.throttled": 0},
    "what is pinned thrashes": {"thrashing.pages": 0},
    "who is throttled thrashes": {"thrashing.pages": 0},
    "counters move by notifications": {"access_counters": 0},
    "a request has a sector": {"link.read_bytes": 96},
    "a request has at most a line": {"link.read_bytes": 544},
    "a written request has a sector": {"link.write_bytes": 32},
    "a written request has at most a line": {"link.write_bytes": 288},
    "whole sectors go over the link": {"link.read_bytes": 240},
    "a notification tells of an access": {"access_counters": 7},
    "nothing goes over the link where all comes": {
        "thrashing.pins_local": 0, "thrashing.pins_remote": 0},
    "faults by processor": {"processors.1.faults.all": 9},
    "duplicates by processor": {"processors.1.faults.duplicate": 1},
    "reads by processor": {"processors.1.faults.read": 4},
    "writes by processor": {"processors.1.faults.write": 4},
    "atomics by processor": {"processors.1.faults.atomic": 0},
    "prefetches by processor": {"processors.1.faults.prefetch": 2},
    "faults of the CPU": {"processors.0.faults.all": 3},
    "a CPU fault reads or writes": {"processors.0.faults.read": 2},
    "replays by processor": {"processors.1.replays.start_ack_all": 1},
    "to the GPU by processor": {"processors.1.bytes_from.cpu": 7 * PAGE},
    "to the CPU by processor": {"processors.0.bytes_from.gpu0": 4 * PAGE},
    "prefetched to the GPU by processor": {"processors.1.prefetch_bytes_from.cpu": PAGE},
    "prefetched to the CPU by processor": {"processors.0.prefetch_bytes_from.gpu0": 0},
    "pages of faults by processor": {"processors.1.fault_pages.in": 8},
    "what came less what left is resident": {"processors.1.bytes.resident": 5 * PAGE},
    "what is resident has room": {"vram_bytes": 3 * PAGE},
    "no more is resident than there is": {"footprint_bytes": 10 * PAGE},
    "the kernels' part is a part": {"execution.phases_ns.fetch": 151},
    "no fault in explicit memory": {"memory": "explicit"},
    "no migration of explicit memory": {"memory": "explicit"},
    "events of replays": {"replays": 3},
    "events of phases": {"phases_ns.cpu_fault": 61},
}

# By rule: text of one event and what is there instead; "" for no event.
LOST = {
    "events of faults": ("gpu_fault", ""),
    "events of duplicates": ('"duplicate":true', '"duplicate":false'),
    "events of reads": ('"access":"read"', '"access":"write"'),
    "events of writes": ('"gpu_fault","access":"write"', '"gpu_fault","access":"atomic"'),
    "events of atomics": ('"access":"atomic"', '"access":"write"'),
    "events of CPU faults": ("cpu_fault", ""),
    "events of throttled faults": ('"throttle"', ""),
    "events of overflows": ("fault_buffer_overflow", ""),
    "events of batches": ('"batch"', ""),
    "a record is in the event of a batch": ('"faults":4', '"faults":5'),
    "the largest batch has an event": ('"faults":6', '"faults":5'),
    "time of batches in events": ('"duration_ns":110', '"duration_ns":111'),
    "handling of batches in events": ('"handling_ns":51', '"handling_ns":50'),
    "bytes of batches in events": ('"faults":6,"bytes":12288', '"faults":6,"bytes":8192'),
    "events of evictions": ('"eviction","bytes":12288', '"eviction","bytes":8192'),
    "events of thrashing": ("thrashing_detected", ""),
    "events of throttled GPUs": ('"throttling_start","src":"gpu0"', ""),
    "events of the throttled CPU": ('"throttling_start","src":"cpu"', ""),
    "events of access counters": ('"event":"access_counter"', ""),
    "migrations to the GPU": ('"migration","bytes":20480', '"migration","bytes":16384'),
    "migrations to the CPU": ('"migration","bytes":12288', '"migration","bytes":8192'),
    "copies to the GPU": ('"copy","bytes":20480', '"copy","bytes":16384'),
    "copies to the CPU": ('"copy","bytes":12288', '"copy","bytes":8192'),
    "migrations on demand": ('"cause":"fault"', '"cause":"policy"'),
    "migrations by eviction": ('"cause":"eviction"', '"cause":"policy"'),
    "prefetched to the CPU in events": ('"dst":"cpu","cause":"prefetch"',
                                        '"dst":"cpu","cause":"policy"'),
}
problems = []


def line(value):
    """As the command prints it."""
    return json.dumps(value, separators=(",", ":"))


def edited(edits):
    """The report with other values."""
    report = json.loads(line(REPORT))
    for path, value in edits.items():
        *groups, key = path.split(".")
        at = report
        for group in groups:
            at = at[int(group) if isinstance(at, list) else group]
        at[key] = value
    return [line(report)]


def lost(old, new):
    """The events but for the first that holds OLD."""
    lines = [line(event) for event in EVENTS]
    at = next(i for i, text in enumerate(lines) if old in text)
    lines[at:at + 1] = [lines[at].replace(old, new)] if new else []
    return lines


def broken(checker, events, report):
    """What the checker says of them, by rule."""
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("\n".join(events + report) + "\n")
        file.flush()
        done = subprocess.run(["busybox", "awk", "-f", checker, file.name], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if bool(done.stdout) != bool(done.returncode):
        problems.append(f"status {done.returncode} with '{done.stdout}'")
    return done.stdout


def refuse(checker, rule, events, report):
    """The checker must name this rule."""
    said = broken(checker, events, report)
    if not any(text == rule or text.startswith(f"{rule}: ") for text in said.splitlines()):
        problems.append(f"not refused: {rule}; but: {said}")


def named(checker, good):
    """Of many runs each is judged by what is its own: the bad ones, and no other, are told."""
    report = edited({})
    wrong = edited({"faults.fatal": 1})
    lines = ["run first", *report, *good, "run second of two words", *good, *wrong, "run third", *report,
             "run fourth, which died", "run fifth", *good, *report]
    said = broken(checker, lines, []).splitlines()
    heads = ["kept first", "broken second of two words: no fault of a verified run is fatal", "broken third: events",
             "broken fourth, which died: one report", "kept fifth"]
    if len(said) != len(heads) or not all(map(str.startswith, said, heads)):
        problems.append(f"runs with names: {said}")


def main(checker):
    """Every rule once, and many runs in one go."""
    good = [line(event) for event in EVENTS]
    said = broken(checker, good, edited({}))
    if said:
        problems.append(f"a good report is refused: {said}")
    named(checker, good)
    for pins in ("local", "remote"):
        said = broken(checker, good, edited({f"{part}thrashing.pins_{pins}": 0
                                             for part in ("", "execution.")}))
        if said:
            problems.append(f"without thrashing.pins_{pins}: {said}")
    for rule, edits in REPORTS.items():
        refuse(checker, rule, good, edited(edits))
    for rule, (old, new) in LOST.items():
        refuse(checker, rule, lost(old, new), edited({}))
    refuse(checker, "one report", good, [])
    # with access counters the prefetcher's part is theirs
    refuse(checker, "prefetched to the GPU in events", good,
           edited({"access_counters": 0, "migrated_bytes.htod_prefetch": PAGE}))
    missing = edited({})[0].replace('"flushed":3', '"flashed":3')
    refuse(checker, "the report has no faults.flushed", good, [missing])
    with open(checker, encoding="utf-8") as file:
        rules = set(re.findall(r'\b(?:same|most|needs|mean)\("([^"]+)"', file.read()))
    for rule in rules - {*REPORTS, *LOST, "one report", "prefetched to the GPU in events"}:
        problems.append(f"nothing breaks: {rule}")
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

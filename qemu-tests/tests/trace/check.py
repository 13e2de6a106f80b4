#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check.py TRACE PERFETTO REPORT: a recorded run, its Chrome trace-event JSON
and the report of 'uvm run --json' are consistent.  Prints what is not, exits 1."""
import json
import re
import sys
from collections import defaultdict
from decimal import Decimal

problems = []


def wrong(text):
    problems.append(text)


def equal(what, want, got):
    if want != got:
        wrong(f"{what}: expected {want}, got {got}")


def ns(value):
    """Microseconds with three decimals, exactly."""
    return int(Decimal(value) * 1000)


def structure(objects):
    """What a viewer relies on."""
    processes, threads, tracks, last = set(), {}, defaultdict(list), defaultdict(int)
    for o in objects:
        key = (o["pid"], o["tid"])
        if o["ph"] == "M":
            if o["name"] == "process_name":
                processes.add(o["pid"])
            if o["name"] == "thread_name":
                threads[key] = o["args"]["name"]
            continue
        if o["ph"] not in ("X", "i", "C"):
            wrong(f"phase {o['ph']}")
        start = ns(o["ts"])
        if start < last[key]:
            wrong(f"track {threads.get(key)}: time goes back to {start}")
        last[key] = start
        if o["ph"] == "C":
            if o["args"]["value"] < 0 and not o["name"].startswith("net "):
                wrong(f"{o['name']} is {o['args']['value']} at {start}")
            continue
        tracks[key].append((start, start + ns(o.get("dur", 0)), o))
    for key, slices in tracks.items():
        if key[0] not in processes or key not in threads:
            wrong(f"track {key} has no name")
        nested(threads.get(key), [s for s in slices if s[2]["ph"] == "X"])
    return threads, tracks


def nested(name, slices):
    """No two overlap but one within the other."""
    stack = []
    for start, end, o in slices:
        if end <= start:
            wrong(f"{name}: {o['name']} lasts {end - start} ns")
        while stack and stack[-1] <= start:
            stack.pop()
        if stack and end > stack[-1]:
            wrong(f"{name}: {o['name']} at {start} leaves what it began in")
        stack.append(end)


def of_track(threads, tracks, pattern):
    found = [tracks[k] for k, name in threads.items() if re.fullmatch(pattern, name)]
    return sorted((s for t in found for s in t), key=lambda s: s[:2])


def batches(threads, tracks, report):
    slices = of_track(threads, tracks, "bottom half of GPU 0")
    found = [s for s in slices if s[2]["name"].startswith("batch ")]
    equal("batches", report["batches"]["count"], len(found))
    equal("numbers of batches", sorted(range(1, len(found) + 1)),
          sorted(int(s[2]["name"].split()[1]) for s in found))
    equal("faults of batches", report["faults"]["fetched"],
          sum(s[2]["args"]["faults"] for s in found))
    for start, end, o in slices:
        within = any(b[0] <= start and end <= b[1] for b in found)
        if o["ph"] == "X" and o["args"].get("work") == "fetch" and not within:
            wrong(f"phase {o['name']} at {start} belongs to no batch")


def phases(objects, report):
    spent = dict.fromkeys(report["phases_ns"], 0)
    for o in objects:
        if o["ph"] == "X" and o.get("args", {}).get("event") == "phase":
            spent[o["name"]] += ns(o["dur"])
    equal("time by phase", report["phases_ns"], spent)


def device(threads, tracks, lines, report):
    launches = of_track(threads, tracks, "launches")
    equal("launches", report["launches"], len(launches))
    equal("GPU time", report["gpu_time_ns"], sum(s[1] - s[0] for s in launches))
    stalls = of_track(threads, tracks, r"SM \d+")
    if not stalls:
        wrong("no SM ever stalls")
    for start, end, o in stalls:
        if not any(a <= start and end <= b for a, b, _ in launches):
            wrong(f"stall at {start} outside of all launches")
    # The driver writes page tables with copies too, of less than a page.
    moved = defaultdict(int)
    for line in lines:
        if line.get("timeline") == "copy" and line["bytes"] % 4096 == 0:
            moved[line["src"], line["dst"]] += line["bytes"]
    equal("copied to the GPU", report["migrated_bytes"]["htod"], moved["sys", "vid"])
    equal("copied to the CPU", report["migrated_bytes"]["dtoh"], moved["vid", "sys"])
    drawn = of_track(threads, tracks, r"copy engine \d+ from system memory")
    equal("drawn on copy engines", report["migrated_bytes"]["htod"],
          sum(s[2]["args"]["bytes"] for s in drawn if s[2]["args"]["bytes"] % 4096 == 0))
    written = sum(line.get("timeline") == "fault" for line in lines)
    if written < report["faults"]["fetched"]:
        wrong(f"{written} fault records were written, {report['faults']['fetched']} fetched")


def events(lines, report):
    count = defaultdict(int)
    for line in lines:
        count[line.get("event")] += 1
    equal("fault events", report["faults"]["fetched"], count["gpu_fault"])
    equal("CPU faults", report["faults"]["cpu"], count["cpu_fault"])
    equal("replays", report["replays"], count["replay"])
    equal("evictions", report["evictions"]["chunks"], count["eviction"])
    equal("lost", 0, lines[-1]["lost"])
    equal("events", sum(n for name, n in count.items() if name), lines[-1]["events"])


def main():
    with open(sys.argv[1], encoding="ascii") as f:
        lines = [json.loads(line) for line in f]
    with open(sys.argv[2], encoding="ascii") as f:
        objects = json.load(f, parse_float=str)["traceEvents"]
    with open(sys.argv[3], encoding="ascii") as f:
        report = json.load(f)
    threads, tracks = structure(objects)
    batches(threads, tracks, report)
    phases(objects, report)
    device(threads, tracks, lines, report)
    events(lines, report)
    for text in problems[:20]:
        print(text)
    return 1 if problems else 0


sys.exit(main())

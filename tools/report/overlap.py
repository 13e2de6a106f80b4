#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How copies overlap, and what the first of a batch waits for: from `uvm run --events`.

For runs in the profile asplos20, where the costs of a batch are two: cost_fetch and
cost_preprocess, both before its first copy.
"""

import json
import sys

import quietly

# Handling of a batch in asplos20: cost_fetch + cost_preprocess.  All else that delays the
# first copy, on the CPU or on the GPU, is waiting.
HANDLING_NS = 20000

# A copy whose push has nothing to wait for begins so soon: doorbell, methods, semaphores.
PROMPT_NS = 1500


def read(lines):
    """Events of a file, as dictionaries."""
    return [json.loads(line) for line in lines if line.startswith("{")]


def spans(events, way, causes):
    """Times in which copies of one direction were under way: sorted, merged."""
    found = sorted((e["time_ns"], e["time_ns"] + e["duration_ns"]) for e in events
                   if e.get("event") == "migration" and e["cause"] in causes
                   and (e["dst"] == "cpu") == (way == "dtoh"))
    merged = []
    for begin, end in found:
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = max(end, merged[-1][1])
        else:
            merged.append([begin, end])
    return merged


def total(merged):
    """Length of all of them."""
    return sum(end - begin for begin, end in merged)


def common(a, b):
    """Time in which both are under way."""
    i = j = both = 0
    while i < len(a) and j < len(b):
        both += max(0, min(a[i][1], b[j][1]) - max(a[i][0], b[j][0]))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return both


def overlap(events):
    """Copies for faults against copies for evictions."""
    htod = spans(events, "htod", ("fault", "prefetch"))
    dtoh = spans(events, "dtoh", ("eviction",))
    shorter = min(total(htod), total(dtoh))
    both = common(htod, dtoh)
    return {"htod_ns": total(htod), "dtoh_ns": total(dtoh), "both_ns": both,
            "share": both / shorter if shorter else 0.0}


def first_migrations(events):
    """Of the batches that evicted: did the first copy begin right after the handling?

    Counted from the begin of the batch.  The driver's own handling_ns ends with the first
    doorbell, so it hides what was waited for before that.
    """
    first, evictions = {}, []
    for e in events:
        if e.get("event") == "eviction":
            evictions.append(e["time_ns"])
        elif e.get("event") == "migration" and e["dst"] != "cpu" and e.get("batch"):
            first[e["batch"]] = min(e["time_ns"], first.get(e["batch"], e["time_ns"]))
    evictions.sort()
    full = prompt = at = 0
    for batch in sorted((e for e in events if e.get("event") == "batch"),
                        key=lambda e: e["time_ns"]):
        end = batch["time_ns"] + batch["duration_ns"]
        evicted = 0
        while at < len(evictions) and evictions[at] <= end:
            evicted += 1
            at += 1
        if not evicted or batch.get("batch") not in first:
            continue
        full += 1
        handled = batch["time_ns"] + HANDLING_NS
        prompt += first[batch["batch"]] - handled <= PROMPT_NS
    return {"batches": full, "prompt": prompt, "share": prompt / full if full else 0.0}


def between_batches(events, is_behind):
    """The most evictions that are behind one batch and not after the beginning of the next."""
    batches = sorted((e["time_ns"], e["time_ns"] + e["duration_ns"]) for e in events
                     if e.get("event") == "batch")
    evictions = sorted(e["time_ns"] for e in events if e.get("event") == "eviction")
    return max((sum(is_behind(end, at) and at <= begin for at in evictions)
                for (_, end), (begin, _) in zip(batches, batches[1:])), default=0)


def ahead(events):
    """The most evictions between the end of one batch and the beginning of the next."""
    return between_batches(events, lambda end, at: end < at)


def after(events):
    """The same with those at the very end of the batch, as proactive timing does it.

    Pipelined timings have evictions for the batch itself there too.
    """
    return between_batches(events, lambda end, at: end <= at)


def at_interrupt(events, wake):
    """Of the batches that an interrupt began and that evicted: when did the first begin?

    The interrupt is the first fault's, which came after the batch before was done: then
    nobody was awake.  "before" the bottom half is; between its wake-up, cost_bh_wake, and
    the end of the batch's handling; or later, for what a copy needed.
    """
    faults, evictions = {}, []
    for e in events:
        if e.get("event") == "gpu_fault":
            faults[e["batch"]] = min(e["time_ns"], faults.get(e["batch"], e["time_ns"]))
        elif e.get("event") == "eviction":
            evictions.append(e["time_ns"])
    evictions.sort()
    found = {"batches": 0, "before": 0, "between": 0}
    at = done = 0
    for batch in sorted((e for e in events if e.get("event") == "batch"),
                        key=lambda e: e["time_ns"]):
        raised, end = faults.get(batch["batch"], 0), batch["time_ns"] + batch["duration_ns"]
        first = at
        while at < len(evictions) and evictions[at] <= end:
            at += 1
        if raised > done and first < at:
            after = evictions[first] - raised
            found["batches"] += 1
            found["before"] += after < wake
            found["between"] += wake <= after < wake + HANDLING_NS
        done = end
    return found


def main():
    """Prints all for each file; --wake NS is the profile's cost_bh_wake."""
    paths, wake = sys.argv[1:], 0
    if paths and paths[0] == "--wake":
        wake, paths = int(paths[1]), paths[2:]
    for path in paths:
        with open(path, encoding="utf-8") as f:
            events = read(f)
        print(json.dumps({"file": path, "overlap": overlap(events),
                          "first": first_migrations(events), "ahead": ahead(events),
                          "after": after(events),
                          "interrupt": at_interrupt(events, wake)}))


if __name__ == "__main__":
    quietly.run(main)

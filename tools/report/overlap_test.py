# SPDX-License-Identifier: GPL-2.0
"""What overlap.py says of events whose answer is known: just short of what a run must reach."""

import sys

import overlap

BATCH_NS = 1000000


def copy(dst, time, duration, batch=1):
    """A copy for a fault, or for an eviction if it goes to the CPU."""
    return {"event": "migration", "cause": "eviction" if dst == "cpu" else "fault", "dst": dst,
            "batch": batch, "time_ns": time, "duration_ns": duration}


def eviction(time):
    """One unit."""
    return {"event": "eviction", "time_ns": time}


def batches(late, count):
    """So many batches that evict; the first copies of "late" of them wait."""
    events = []
    for i in range(count):
        begin = i * BATCH_NS
        wait = overlap.PROMPT_NS + (1 if i < late else 0)
        events += [{"event": "batch", "batch": i + 1, "time_ns": begin, "duration_ns": 500000},
                   eviction(begin + 100),
                   copy("gpu0", begin + overlap.HANDLING_NS + wait, 10, i + 1)]
    return events


def between(*times):
    """Evictions in and between two batches, which are 0 to 500 and 1000 to 1500."""
    return [{"event": "batch", "batch": i + 1, "time_ns": 1000 * i, "duration_ns": 500}
            for i in range(2)] + [eviction(time) for time in times]


CASES = (
    ("79 % of the copies out", overlap.overlap, [copy("gpu0", 0, 790), copy("cpu", 0, 1000),
                                                 copy("gpu0", 2000, 500)],
     {"htod_ns": 1290, "dtoh_ns": 1000, "both_ns": 790, "share": 0.79}),
    ("79 % of the copies in", overlap.overlap, [copy("cpu", 210, 2000), copy("gpu0", 0, 1000)],
     {"htod_ns": 1000, "dtoh_ns": 2000, "both_ns": 790, "share": 0.79}),
    ("one after the other", overlap.overlap, [copy("cpu", 0, 100), copy("gpu0", 100, 100)],
     {"htod_ns": 100, "dtoh_ns": 100, "both_ns": 0, "share": 0.0}),
    ("copies that hide nothing", overlap.overlap, [copy("cpu", 0, 100)],
     {"htod_ns": 0, "dtoh_ns": 100, "both_ns": 0, "share": 0.0}),
    ("6 of 100 are late", overlap.first_migrations, batches(6, 100),
     {"batches": 100, "prompt": 94, "share": 0.94}),
    ("none evicts", overlap.first_migrations,
     [e for e in batches(0, 9) if e["event"] != "eviction"],
     {"batches": 0, "prompt": 0, "share": 0.0}),
    ("ahead", overlap.ahead, between(400, 500, 501, 999, 1000, 1001), 3),
    ("none ahead", overlap.ahead, between(400, 500, 1001), 0),
    ("after", overlap.after, between(400, 500, 500, 700, 1001), 3),
    ("none after", overlap.after, between(400, 499, 1001), 0),
)


def main():
    """Entry point."""
    wrong = [f"{name}: {judge(events)}, not {want}" for name, judge, events, want in CASES
             if judge(events) != want]
    print("\n".join(wrong) if wrong else f"{len(CASES)} cases")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

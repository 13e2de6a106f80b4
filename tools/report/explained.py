# SPDX-License-Identifier: GPL-2.0
"""Why an expectation does not hold: sentences with the measurement that shows it, or none."""

from experiments import SMALL_BATCH

MB = 1 << 20


def moved(data, name):
    """Data moved with too little memory, by faults per batch for the chunks there are."""
    s = data.get("scaled_batch")
    # An explanation only if the measurement bears it out.
    if not s or name not in s["few"] or s["few"][name] >= s["many"][name]:
        return ""
    return (f"A batch of 256 faults may touch all {s['blocks']} blocks, and memory is "
            f"{s['chunks']} root chunks, so what it brings can be evicted before the replay. "
            f"With batches of {s['batch']} faults, nearer to the paper's 256 for 6,144 chunks, "
            f"{name} moves {s['few'][name]:.1f} times its data instead of "
            f"{s['many'][name]:.1f}.")


def reduction(data, name):
    """Fault reduction with fewer faults in a batch."""
    row = data["table1"][name]
    if row["small"] is None or row["small"] <= row["reduction"]:
        return ""
    pages = row["footprint"] >> 12
    return (f"No fault of a batch can be prefetched away, and 256 are many for {pages:,} pages; "
            f"in batches of {SMALL_BATCH} the reduction is {row['small']:.1f} %.")


def slower(data):
    """Random beside regular: in how few blocks both are."""
    rows = data["pages"]["off"]
    pairs = [(b["size"], b["time_ns"] / a["time_ns"])
             for a, b in zip(rows["regular"], rows["random"]) if a["size"] >= MB]
    if not pairs:
        return ""
    size, ratio = pairs[-1]
    return (f"A batch of random cannot touch more blocks than there are: {max(1, size >> 21)} of "
            f"2 MB at {size // MB} MB, where random takes {ratio:.2f} times as long.")


def migration(row):
    """Driver time, ns per page."""
    return row["service"]["migrate pages"] * 4096 / row["size"]


def grown(data, name):
    """Time over size: once there are more blocks than a batch can touch, it is linear."""
    rows = [r for r in data["pages"]["off"][name] if r["size"] >= 4 * MB]
    if len(rows) < 3:
        return ""
    first, before, last = rows[0], rows[-2], rows[-1]
    ratio = (last["time_ns"] / before["time_ns"]) / (last["size"] / before["size"])
    return ("Each batch serves all blocks that its 256 faults are in, and a small problem has "
            f"few: migration takes {migration(first):.0f} ns a page at "
            f"{first['size'] // MB} MB, {migration(before):.0f} at "
            f"{before['size'] // MB} MB. From there to {last['size'] // MB} MB time grows "
            f"{ratio:.2f} times as fast as size.")


def equal(data):
    """The batch policy's preprocessing, where the problem is small."""
    same = [a["size"] for a, b in zip(data["pages"]["off"]["regular"], data["batch"])
            if a["faults"] == b["faults"]]
    if not same or max(same) < MB:
        return ""
    return (f"Up to {max(same) // MB} MB no fault comes twice under either policy, so there is "
            "nothing more to preprocess.")


def replayed(data):
    """The batch policy's replays, where they cost more in all."""
    return " ".join(
        f"At {a['size'] // MB} MB one costs "
        f"{b['groups']['replay policy'] / b['replays'] / 1000:.1f} us instead of "
        f"{a['groups']['replay policy'] / a['replays'] / 1000:.1f}, but there are "
        f"{b['replays']:,} for {a['replays']:,}."
        for a, b in zip(data["pages"]["off"]["regular"], data["batch"])
        if b["groups"]["replay policy"] > a["groups"]["replay policy"])


def cheap(data):
    """Where UVM is nearest to explicit transfer: where its faults are in few blocks."""
    rows = [(u["time_ns"] / e["time_ns"], e["size"] // MB)
            for e, u in zip(data["pages"]["explicit"]["regular"], data["pages"]["off"]["regular"])
            if e["size"] >= MB]
    least, last = min(rows), rows[-1]
    if least[0] >= last[0]:
        return ""
    return (f"{least[0]:.1f} times at {least[1]} MB, where each batch has few blocks (see growth); "
            f"{last[0]:.1f} at {last[1]} MB.")


def why(data, name):
    """For one expectation, by its name."""
    if name.startswith(("random moves", "regular moves")):
        return moved(data, name.split()[0])
    if name.startswith("growth, "):
        return grown(data, name.split(":")[0][len("growth, "):])
    if name == "batch policy: dearer in preprocessing":
        return equal(data)
    if name == "batch policy: cheaper in replay":
        return replayed(data)
    if name.startswith("UVM is an order"):
        return cheap(data)
    if name.startswith("Table I, ") and name.endswith("faults removed"):
        return reduction(data, name.split(":")[0][len("Table I, "):])
    if name.startswith("random is slower") or name.startswith("random's replay"):
        return slower(data)
    return ""

# SPDX-License-Identifier: GPL-2.0
"""Why an expectation does not hold: sentences with the measurement that shows it, or none."""

MB = 1 << 20


def moved(data):
    """Random's data under oversubscription, by faults per batch for the chunks there are."""
    s = data.get("scaled_batch")
    # An explanation only if the measurement bears it out.
    if not s or s["few"] >= s["many"]:
        return ""
    return (f"A batch of 256 faults may touch all {s['blocks']} blocks, and memory is "
            f"{s['chunks']} root chunks, so what it brings can be evicted before the replay. "
            f"With batches of {s['batch']} faults, nearer to the paper's 256 for 6,144 chunks, "
            f"random moves {s['few']:.1f} times its data instead of {s['many']:.1f}.")


def reduction(data, name):
    """Fault reduction with fewer faults in flight."""
    row = data["table1"][name]
    if row["few"] is None:
        return ""
    pages = row["footprint"] >> 12
    return (f"Up to 2,240 faults are in flight for {pages:,} pages before the first is served; "
            f"with 10 SMs, up to 280, the reduction is {row['few']:.1f} %.")


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


def why(data, name):
    """For one expectation, by its name."""
    if name.startswith("random moves"):
        return moved(data)
    if name.startswith("Table I, ") and name.endswith("faults removed"):
        return reduction(data, name.split(":")[0][len("Table I, "):])
    if name.startswith("random is slower") or name.startswith("random's replay"):
        return slower(data)
    return ""

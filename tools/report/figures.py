# SPDX-License-Identifier: GPL-2.0
"""The report's figures and tables, drawn from its data alone."""

import html

import plot
import published
from document import table
from experiments import SMALL_BATCH

KB, MB = 1 << 10, 1 << 20
ORDER = tuple(published.TABLE1)
XSIZE = 'set logscale x 2\nset format x "%.0b %BB"\nset xtics rotate by -30\n'


def size_text(size):
    """4096 as 4K."""
    for unit, name in ((1 << 30, "G"), (MB, "M"), (KB, "K")):
        if size >= unit:
            return f"{size / unit:.4g}{name}"
    return str(size)


def us(ns):
    """Nanoseconds as microseconds for people."""
    return f"{ns / 1000:,.1f}"


def latency(data, mode, name):
    """Time against size: with room to spare below what memory holds, above it without."""
    memory = data["scale"]["memory"]
    over = data["over"].get(mode, {}).get(name, [])
    rows = [r for r in data["pages"][mode][name] if not over or r["size"] < memory] + over
    return [(r["size"], r["time_ns"] / 1000) for r in rows]


def fig1(data):
    """Latency by way of transfer."""
    series = []
    titles = {"off": "UVM", "on": "UVM + prefetch", "explicit": "explicit transfer"}
    for mode, title in titles.items():
        for name in ("regular", "random"):
            points = latency(data, mode, name)
            if points:
                series.append((f"{title}, {name}", points))
    memory = data["scale"]["memory"]
    extra = XSIZE + plot.mark(memory, "memory: explicit transfer ends")
    text = (f"<p>From {size_text(memory)} on that is all the memory there is, as in Fig. 9. "
            "All series are the way to the GPU and the kernel.  Explicit transfer cannot "
            "oversubscribe: what does not fit is refused")
    if data.get("refused"):
        text += f" (<code>{html.escape(data['refused'])}</code>)"
    note = "" if data["explicit"] else (
        "<p class=gap>The series of explicit transfers is missing: <code>uvm run</code> of "
        "this tree has no <code>--explicit</code>.</p>")
    return plot.lines(series, "bytes touched", "GPU time, us", "y", extra) + text + ".</p>" + note


def breakdown(rows, label, key="groups"):
    """Stacked bars of driver time, in percent of itself, and a table of totals."""
    if not rows:
        return "<p class=gap>No run succeeded.</p>"
    groups = list(rows[0][key])
    labels = [label(r) for r in rows]
    sums = [sum(r[key].values()) or 1 for r in rows]
    parts = [(g, [100 * r[key][g] / s for r, s in zip(rows, sums)]) for g in groups]
    shown = [[label(r), us(r["time_ns"]), r["faults"], us(s)] + [us(r[key][g]) for g in groups]
             for r, s in zip(rows, sums)]
    return plot.stacks(labels, parts, "% of these") + table(
        ["size", "GPU time, us", "faults", "sum, us", *(f"{g}, us" for g in groups)], shown)


def by_size(row):
    """Label of a row of sizes."""
    return size_text(row["size"])


def fig3(data):
    """Totals and breakdown over sizes, prefetching off."""
    rows = data["pages"]["off"]
    curves = [(name, [(r["size"], r["time_ns"] / 1000) for r in rows[name]]) for name in rows]
    text = plot.lines(curves, "bytes touched", "GPU time, us", "y", XSIZE)
    for name in rows:
        text += f"<h3>{name}</h3>" + breakdown(rows[name], by_size)
    return text


def fig4(data):
    """Service alone, small sizes."""
    rows = [r for r in data["pages"]["off"]["regular"] if r["size"] <= 4 * MB]
    text = "<h3>regular</h3>" + breakdown(rows, by_size, "service")
    rows = [r for r in data["pages"]["off"]["random"] if r["size"] <= 4 * MB]
    return text + "<h3>random</h3>" + breakdown(rows, by_size, "service")


def fig5(data):
    """The batch policy beside batch-flush."""
    both = []
    for flush, batch in zip(data["pages"]["off"]["regular"], data["batch"]):
        both.append([by_size(flush)] + [us(r["groups"][g]) for g in (
            "replay policy", "pre/post-processing", "service") for r in (flush, batch)] +
            [flush["faults"], batch["faults"]])
    head = ["size"] + [f"{g}, {p}, us" for g in ("replay", "pre/post", "service")
                       for p in ("flush", "batch")] + ["faults, flush", "faults, batch"]
    return breakdown(data["batch"], by_size) + table(head, both)


def fig7(data):
    """Where faults fall, in their order."""
    text = ""
    for name, p in data["patterns"].items():
        points = list(enumerate(p["faults"]))
        text += plot.scatter(name, [("fault", points)], list(p["allocations"].values())[1:],
                             "fault", "page")
    return text or "<p class=gap>No run succeeded.</p>"


def table1(data):
    """Faults without and with prefetching."""
    rows = []
    for name, r in data["table1"].items():
        off, on, reduction = published.TABLE1[name]
        rows.append([name, size_text(r["footprint"]), f"{off:,}", f"{r['off']:,}", f"{on:,}",
                     f"{r['on']:,}", f"{reduction:.2f}", f"{r['reduction']:.2f}",
                     f"{r['reduction'] - reduction:+.1f}",
                     "-" if r["small"] is None else f"{r['small']:.2f}", f"{r['duplicate_off']:,}",
                     f"{r['duplicate_on']:,}"])
    names = list(data["table1"])
    groups = [("published", [published.TABLE1[n][2] for n in names]),
              ("measured", [data["table1"][n]["reduction"] for n in names]),
              (f"measured, batches of {SMALL_BATCH}", [data["table1"][n]["small"] for n in names])]
    drawn = plot.bars(names, groups, "faults removed, %") if names else ""
    drawn += ("<p>Prefetching cannot remove faults of the batch that it looks at, and a batch of "
              "256 is so much more of a problem as memory is smaller. The same workloads in "
              f"batches of {SMALL_BATCH}: what that changes is the share of a difference that is "
              "due to scale.</p>")
    return drawn + table(
        ["workload", "footprint", "faults, published", "measured", "with prefetching, published",
         "measured", "reduction %, published", "measured", "points", f"in batches of {SMALL_BATCH}",
         "duplicates, off",
         "duplicates, on"], rows)


def fig8(data):
    """sgemm at 120 %, with evictions."""
    if not data["fig8"]:
        return "<p class=gap>The run did not succeed.</p>"
    p = data["fig8"]
    text = plot.scatter("sgemm at 120 %", [("fault", list(enumerate(p["faults"]))),
                                           ("eviction", p["evictions"])],
                        list(p["allocations"].values())[1:], "fault", "page")
    again = ", ".join(f"{name}: {n:,}" for name, n in sorted(data["fig8_refaulted"].items()))
    return text + f"<p>Pages that fault after their eviction, by matrix: {again or 'none'}.</p>"


def fig9(data):
    """Breakdown with too little memory."""
    text = ""
    for name in ("regular", "random"):
        for mode, title in (("on", "prefetching on"), ("off", "prefetching off")):
            rows = data["over"][mode][name]
            text += f"<h3>{name}, {title}</h3>"
            text += breakdown(rows, lambda r: f"{r['percent']} %")
            text += table(["percent", "moved to the GPU / footprint", "pages evicted"],
                          [[r["percent"], f"{r['htod'] / r['size']:.2f}",
                            f"{r['evicted_pages']:,}"] for r in rows])
    return text + scaled_batch(data)


def scaled_batch(data):
    """Fig. 9 with a smaller batch."""
    s = data.get("scaled_batch")
    if not s:
        return ""
    moved = ", ".join(f"{name} {s['few'][name]:.2f} times its data instead of "
                      f"{s['many'][name]:.2f}" for name in s["few"])
    return (f"<p>{s['blocks']} blocks in {s['chunks']} root chunks ({s['percent']} %) with "
            f"{s['batch']} faults per batch instead of 256, as the paper had 256 for 6,144 "
            f"chunks, move to the GPU: {moved}.</p>")


def fig10(data):
    """sgemm's rate against its size."""
    rows = data["table2"]
    if not rows:
        return "<p class=gap>No run succeeded.</p>"
    text = plot.lines([("measured", [(r["percent"], r["gflops"]) for r in rows])],
                      "footprint, % of memory", "GFLOP/s", "")
    paper = {row[0]: row for row in published.TABLE2}
    return text + table(
        ["n, published", "n, ours", "% of memory", "GPU time, us", "GFLOP/s",
         "faults, published", "measured", "pages evicted, published", "measured",
         "evictions per fault, published", "measured", "evicted too early"],
        [[r["paper_n"], r["n"], f"{r['percent']:.1f}", us(r["time_ns"]), f"{r['gflops']:.1f}",
          f"{paper[r['paper_n']][1]:,}", f"{r['faults']:,}", f"{paper[r['paper_n']][2]:,}",
          f"{r['evicted']:,}", paper[r["paper_n"]][3], f"{r['per_fault']:.3f}",
          f"{r['premature']:,}"] for r in rows])


def suggestions(data):
    """What the paper proposes, measured."""
    names = [n for n in ORDER if n in data["table1"]]
    rows = data["table1"]
    text = "<h3>Enough memory: threshold of the prefetcher</h3>"
    if names:
        groups = [(title, [rows[n][key] / rows[n]["time_on"] for n in names]) for title, key in (
            ("off", "time_off"), ("51 %", "time_on"), ("1 %", "time_one"))]
        text += plot.bars(names, groups, "GPU time, of that at 51 %", "y")
    text += table(["workload", "off, us", "51 %, us", "1 %, us", "1 % gains"],
                  [[n, us(rows[n]["time_off"]), us(rows[n]["time_on"]), us(rows[n]["time_one"]),
                    f"{rows[n]['time_on'] / rows[n]['time_one']:.2f}x"] for n in names])
    text += "<h3>Too little memory: policies</h3>"
    base = data["policies"][0] if data["policies"] else None
    shown = []
    for row in data["policies"]:
        for name in ("regular", "random"):
            shown.append([row["policy"], f"{name}, {row['percent']} %", us(row[name]["time_ns"]),
                          f"{base[name]['time_ns'] / row[name]['time_ns']:.2f}x",
                          f"{row[name]['faults']:,}", f"{row[name]['htod'] / MB:,.1f} MB",
                          f"{row[name]['evicted']:,}"])
    text += table(["policy", "workload", "GPU time, us", "gains", "faults", "moved to the GPU",
                   "pages evicted"], shown)
    return text + "<p>Policies are those that the driver of this tree lists.</p>"


def real(data):
    """Guest instructions of our code."""
    rows = []
    for r in data["real"]:
        total = sum(r["groups"].values())
        rows.append([r["workload"], size_text(r["size"]), r["faults"]] + [
            f"{v / max(r['faults'], 1):,.0f}" for v in (*r["groups"].values(), total)] + [
            f"{100 * r['groups']['replay policy'] / max(total, 1):.1f}", f"{r['pma']:,}"])
    if not rows:
        return "<p class=gap>No run succeeded.</p>"
    groups = list(data["real"][0]["groups"])
    labels = [f"{r['workload']} {size_text(r['size'])}" for r in data["real"]]
    parts = [(g, [r["groups"][g] / max(r["faults"], 1) for r in data["real"]]) for g in groups]
    return ("<p>With <code>clock=real</code> the same brackets measure this code, without waits "
            "for the device, in a VM that counts instructions: one is one nanosecond. The "
            "physical allocator stands apart: what it takes is the clearing of up to 64 frames, "
            "whenever there is none left.</p>" +
            plot.stacks(labels, parts, "instructions per fault") +
            table(["workload", "size", "faults", *groups, "sum per fault", "replay %",
                   "physical allocator, in all"], rows))


# In the order of the page: id, heading, how it is drawn, which runs it used.
ALL = (
    ("table1", "Table I: faults that prefetching removes", table1,
     ("app-off", "app-on", "small-off", "small-on")),
    ("fig1", "Fig. 1: latency of explicit transfer, UVM, and UVM with prefetching", fig1,
     ("off", "on", "explicit", "explicit-refused", "over-off", "over-on")),
    ("fig3", "Fig. 3: total time and breakdown over sizes", fig3, ("off",)),
    ("fig4", "Fig. 4: breakdown of fault service", fig4, ("off",)),
    ("fig5", "Fig. 5: the batch replay policy", fig5, ("batch", "off")),
    ("fig7", "Fig. 7: fault order against page", fig7, ("app-off",)),
    ("fig8", "Fig. 8: sgemm at 120 % of memory, with evictions", fig8, ("sgemm",)),
    ("fig9", "Fig. 9: breakdown with too little memory", fig9,
     ("over-on", "over-off", "over-scaled")),
    ("fig10", "Fig. 10 and Table II: sgemm against problem size", fig10, ("sgemm",)),
    ("suggestions", "The paper's suggestions, measured", suggestions,
     ("app-off", "app-on", "app-1", "over-on", "over-off", "prefetch_policy", "eviction_policy",
      "root_chunk_granularity")),
    ("real", "The true cost of this driver's code", real, ("real",)),
)

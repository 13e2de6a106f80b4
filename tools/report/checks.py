# SPDX-License-Identifier: GPL-2.0
"""What is expected to hold, judged from the report's data: pass, deviation, not measured."""

import published
import suggested
import verdict

KB, MB = 1 << 10, 1 << 20


def share(row, group):
    """Of driver time, percent."""
    return 100 * row["groups"][group] / (sum(row["groups"].values()) or 1)


def floor(data):
    """The constant floor."""
    for name in ("regular", "random"):
        small = [r["time_ns"] / 1000 for r in data["pages"]["off"][name]
                 if r["size"] < 100 * KB]
        large = [r["time_ns"] / 1000 for r in data["pages"]["off"][name]
                 if r["size"] >= 4 * MB]
        if len(small) < 2 or not large:
            yield f"floor, {name}", "", None, ""
            continue
        low, high = min(small), max(small)
        yield (f"floor, {name}: nearly constant below 100 KB", "400-600 us, a ratio of 1.5",
               high / low <= 1.5, f"{low:.0f}-{high:.0f} us, a ratio of {high / low:.2f}")
        yield (f"floor, {name}: its height", "400-600 us",
               published.FLOOR_US[0] <= low and high <= published.FLOOR_US[1],
               f"{low:.0f}-{high:.0f} us")


def growth(data):
    """Linear above the floor."""
    for name in ("regular", "random"):
        rows = [r for r in data["pages"]["off"][name] if r["size"] >= 4 * MB]
        if len(rows) < 2:
            yield f"growth, {name}", "linear in size", None, ""
            continue
        first, last = rows[0], rows[-1]
        ratio = (last["time_ns"] / first["time_ns"]) / (last["size"] / first["size"])
        yield (f"growth, {name}: linear in size", "roughly", 0.5 <= ratio <= 2,
               f"from {first['size'] // MB} to {last['size'] // MB} MB time grows "
               f"{ratio:.2f} times as fast as size")


def random_slower(data):
    """Random against regular, prefetching off."""
    pairs = [(a, b) for a, b in zip(data["pages"]["off"]["regular"],
                                    data["pages"]["off"]["random"]) if a["size"] >= MB]
    if not pairs:
        yield "random is slower than regular", "", None, ""
        return
    text = ", ".join(f"{b['size'] // MB} MB: {b['time_ns'] / a['time_ns']:.2f}x"
                     for a, b in pairs)
    yield ("random is slower than regular (1 MB and more)", "slower",
           all(b["time_ns"] > a["time_ns"] for a, b in pairs), text)
    text = ", ".join(f"{b['size'] // MB} MB: {share(b, 'replay policy'):.1f} % to "
                     f"{share(a, 'replay policy'):.1f} %" for a, b in pairs)
    yield ("random's replay share is larger", "larger",
           all(share(b, "replay policy") > share(a, "replay policy") for a, b in pairs), text)


def preprocessing(data):
    """Pre- and post-processing is negligible."""
    rows = [r for n in ("regular", "random") for r in data["pages"]["off"][n]
            if r["size"] >= MB]
    if not rows:
        yield "pre/post-processing is negligible", "", None, ""
        return
    most = max(share(r, "pre/post-processing") for r in rows)
    yield ("pre/post-processing is negligible", "at most 10 %", most <= 10, f"up to {most:.1f} %")


def allocation(data):
    """PMA dominates small sizes."""
    rows = data["pages"]["off"]["regular"]
    small = [r for r in rows if r["size"] < 100 * KB]
    large = [r for r in rows if r["size"] >= 4 * MB]
    if not small or not large:
        yield "PMA allocation dominates small sizes", "", None, ""
        return

    def pma(row):
        return 100 * row["service"]["PMA alloc pages"] / (sum(row["service"].values()) or 1)
    most = pma(small[0])
    yield ("PMA allocation is the largest part of service at 4 KB", "largest",
           small[0]["service"]["PMA alloc pages"] == max(small[0]["service"].values()),
           f"{most:.1f} %")
    yield ("and negligible at large sizes", "at most 5 %", pma(large[-1]) <= 5,
           f"{pma(large[-1]):.1f} % at {large[-1]['size'] // MB} MB")


def batch(data):
    """The batch policy."""
    pairs = [(a, b) for a, b in zip(data["pages"]["off"]["regular"], data["batch"])
             if a["size"] >= 4 * MB]
    if not pairs:
        yield "batch policy", "", None, ""
        return
    for group, what, wanted in (("replay policy", "cheaper in replay", -1),
                                ("pre/post-processing", "dearer in preprocessing", 1)):
        text = ", ".join(f"{a['size'] // MB} MB: {b['groups'][group] / 1000:.0f} us for "
                         f"{a['groups'][group] / 1000:.0f} us" for a, b in pairs)
        yield (f"batch policy: {what}", "than batch-flush",
               all((b["groups"][group] - a["groups"][group]) * wanted > 0 for a, b in pairs),
               text)


def table1(data):
    """Fault reductions."""
    for name, (_, _, wanted) in published.TABLE1.items():
        row = data["table1"].get(name)
        if row is None:
            yield f"Table I, {name}", f"{wanted:.1f} %", None, ""
            continue
        yield (f"Table I, {name}: faults removed", f"{wanted:.1f} %, within 10 points",
               abs(row["reduction"] - wanted) <= 10, f"{row['reduction']:.1f} %")
    rows = data["table1"]
    if "random" in rows and "regular" in rows:
        yield ("Table I: random loses more of its faults than regular", "more",
               rows["random"]["reduction"] > rows["regular"]["reduction"],
               f"{rows['random']['reduction']:.1f} % to {rows['regular']['reduction']:.1f} %")


def oversubscription(data):
    """The loss of random, and what it moves."""
    on, off = data["over"]["on"], data["over"]["off"]
    if not on["random"] or not on["regular"]:
        yield "oversubscription", "", None, ""
        return
    regular, random = on["regular"][-1], on["random"][-1]
    per = [r["time_ns"] / r["size"] for r in (regular, random)]
    where = f"at {random['percent']} %"
    yield (f"random loses an order of magnitude {where}", "10 times regular's time",
           per[1] >= 8 * per[0], f"{per[1] / per[0]:.1f} times")
    p = published.OVERSUBSCRIBED
    want = p["random_gb"] / p["problem_gb"]
    moved = random["htod"] / random["size"]
    yield (f"random moves many times its data {where}", f"{want:.2f} times, within a factor of 2",
           want / 2 <= moved <= want * 2, f"{moved:.2f} times")
    yield (f"regular moves its data once {where}", "1.00 times",
           0.95 <= regular["htod"] / regular["size"] <= 1.1,
           f"{regular['htod'] / regular['size']:.2f} times")
    if off["random"]:
        gain = random["time_ns"] / off["random"][-1]["time_ns"]
        yield (f"without prefetching random improves {where}", "faster", gain > 1,
               f"{gain:.2f} times as fast")


def knee(data):
    """sgemm against size."""
    rows = data["table2"]
    over = [r for r in rows if r["percent"] > 100]
    if len(rows) < 4 or len(over) < 2:
        yield "sgemm's knee is near 120 %", "", None, ""
        yield "sgemm: evictions per fault rise with size", "", None, ""
        return
    drops = [(b["gflops"] / a["gflops"], a["percent"], b["percent"])
             for a, b in zip(rows, rows[1:])]
    worst = min(drops)
    yield ("sgemm's knee is near 120 %", "the steepest fall between two sizes within 100-140 %",
           100 <= (worst[1] + worst[2]) / 2 <= 140,
           f"from {worst[1]:.0f} to {worst[2]:.0f} %: to {100 * worst[0]:.0f} % of the rate")
    rates = [r["per_fault"] for r in rows]
    yield ("sgemm: evictions per fault rise with size", "0 ... 14.1",
           all(a <= b for a, b in zip(rates, rates[1:])) and rates[-1] > 0,
           ", ".join(f"{r:.3f}" for r in rates))


def prefetch(data):
    """Prefetching when all fits."""
    rows = data["table1"]
    if not rows:
        yield "prefetching pays when all fits", "", None, ""
        return
    slower = [n for n, r in rows.items() if r["time_on"] >= r["time_off"]]
    yield ("prefetching pays when all fits", "for all workloads", not slower,
           ", ".join(f"{n}: {r['time_off'] / r['time_on']:.1f}x" for n, r in rows.items()))
    slower = [n for n, r in rows.items() if r["time_one"] > 1.02 * r["time_on"]]
    yield ("a threshold of 1 % is no slower than 51 % when all fits", "for all workloads",
           not slower, ", ".join(f"{n}: {r['time_on'] / r['time_one']:.2f}x"
                                 for n, r in rows.items()))


def explicit(data):
    """UVM against explicit transfer."""
    pairs = [(e, u, p) for e, u, p in zip(data["pages"]["explicit"]["regular"],
                                          data["pages"]["off"]["regular"],
                                          data["pages"]["on"]["regular"]) if e["size"] >= MB]
    if not pairs:
        yield ("UVM is an order of magnitude slower than explicit transfer", "10 times or more",
               None, "" if data.get("explicit") else "uvm run of this tree has no --explicit")
        return
    ratios = [u["time_ns"] / e["time_ns"] for e, u, _ in pairs]
    yield ("UVM is an order of magnitude slower than explicit transfer", "8 times or more",
           min(ratios) >= 8, f"{min(ratios):.1f}-{max(ratios):.1f} times")
    ratios = [p["time_ns"] / e["time_ns"] for e, _, p in pairs]
    yield ("with prefetching several times slower", "1.5-8 times",
           all(1.5 <= r <= 8 for r in ratios), f"{min(ratios):.1f}-{max(ratios):.1f} times")


ALL = (floor, growth, random_slower, preprocessing, allocation, batch, table1, prefetch,
       oversubscription, knee, explicit, suggested.expectations)


def judge(data):
    """[name, expected, measured, verdict], deviations first."""
    return verdict.judge(data, ALL)

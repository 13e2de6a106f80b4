# SPDX-License-Identifier: GPL-2.0
"""From results of runs to the numbers of the report: all that plots and checks use."""

import experiments as ex
import published

MB = 1 << 20


def breakdown(result, groups):
    """Driver time by category, ns."""
    return {title: ex.phases(result, names) for title, names in groups.items()}


def pages(x, mode, name):
    """One curve of page touch over sizes."""
    found = []
    for size in x.scale.sizes:
        result = x.result(mode, name, size)
        if result:
            found.append({"size": size, "time_ns": result["gpu_time_ns"],
                          "faults": ex.faults(result),
                          "replays": result["execution"]["replays"],
                          "groups": breakdown(result, ex.GROUPS),
                          "service": breakdown(result, ex.SERVICE_GROUPS)})
    return found


def oversubscribed(x, mode, name):
    """The same over percentages of memory."""
    found = []
    for percent in x.scale.percents:
        result = x.result(f"over-{mode}", name, percent)
        if result:
            groups = breakdown(result, ex.GROUPS)
            groups["eviction"] = ex.phases(result, ("evict",))
            groups["service"] -= groups["eviction"]
            found.append({"percent": percent, "size": result["footprint_bytes"],
                          "time_ns": result["gpu_time_ns"], "faults": ex.faults(result),
                          "htod": result["execution"]["migrated_bytes"]["htod"],
                          "evicted_pages": result["execution"]["evictions"]["pages"],
                          "groups": groups})
    return found


def layout(run):
    """First page and name of each allocation, without gaps, from the faults seen."""
    size, order = {}, []
    for name, offset, _ in run.faults:
        if name not in size:
            order.append(name)
        size[name] = max(size.get(name, 0), offset // 4096 + 1)
    for _, name, offset, length in run.evictions:
        if name not in size:
            order.append(name)
        size[name] = max(size.get(name, 0), (offset + length) // 4096)
    first, at = {}, 0
    for name in sorted(order):
        first[name] = at
        at += size[name]
    return first


def pattern(run):
    """Fig. 7 and 8: faults in the driver's order against the page."""
    first = layout(run)
    return {"allocations": first,
            "faults": [first[name] + offset // 4096 for name, offset, _ in run.faults],
            "evictions": [[at, first[name] + offset // 4096]
                          for at, name, offset, _ in run.evictions]}


def refaulted(run):
    """Of pages evicted, those that fault again, by allocation: sgemm's reuse."""
    out, again = {}, {}
    evictions = sorted(run.evictions)
    at = 0
    for index, (name, offset, _) in enumerate(run.faults):
        while at < len(evictions) and evictions[at][0] <= index:
            _, who, start, length = evictions[at]
            for page in range(start // 4096, (start + length) // 4096):
                out.setdefault(who, set()).add(page)
            at += 1
        if offset // 4096 in out.get(name, ()):
            out[name].discard(offset // 4096)
            again[name] = again.get(name, 0) + 1
    return again


def table1(x):
    """Faults without and with prefetching; times; the 1 % threshold."""
    rows = {}
    for name in published.TABLE1:
        off, on, one = (x.result(f"app-{mode}", name) for mode in ("off", "on", "1"))
        small = [x.result(f"small-{mode}", name) for mode in ("off", "on")]
        if off and on and one:
            rows[name] = {"small": 100 * (1 - ex.faults(small[1]) / ex.faults(small[0]))
                          if all(small) else None,
                          "footprint": off["footprint_bytes"], "off": ex.faults(off),
                          "on": ex.faults(on), "one": ex.faults(one),
                          "duplicate_off": off["execution"]["faults"]["duplicate"],
                          "duplicate_on": on["execution"]["faults"]["duplicate"],
                          "reduction": 100 * (1 - ex.faults(on) / ex.faults(off)),
                          "time_off": off["gpu_time_ns"], "time_on": on["gpu_time_ns"],
                          "time_one": one["gpu_time_ns"]}
    return rows


def table2(x):
    """sgemm over sizes."""
    rows = []
    for n in x.scale.sgemm:
        result = x.result("sgemm", n)
        if result:
            side = x.scale.side(n)
            fetched = ex.faults(result)
            evicted = result["execution"]["evictions"]["pages"]
            rows.append({"paper_n": n, "n": side,
                         "percent": 100 * result["footprint_bytes"] / result["vram_bytes"],
                         "time_ns": result["gpu_time_ns"],
                         "gflops": 2 * side ** 3 / result["gpu_time_ns"],
                         "faults": fetched, "evicted": evicted,
                         "premature": result["execution"]["evictions"]["premature"],
                         "per_fault": evicted / fetched if fetched else 0})
    return rows


def scaled_batch(x):
    """Too little memory, with as few faults at a time as there are few chunks."""
    few = {name: x.result("over-scaled", name) for name in ex.PATTERNS}
    many = {name: x.result("over-on", name, x.scale.percents[-1]) for name in ex.PATTERNS}
    if not all([*few.values(), *many.values()]):
        return None
    footprint = many["random"]["footprint_bytes"]
    return {"batch": x.scale.fault_batch(), "percent": x.scale.percents[-1],
            "chunks": x.scale.memory >> 21, "blocks": footprint + (2 * MB - 1) >> 21,
            **{which: {name: r["execution"]["migrated_bytes"]["htod"] / r["footprint_bytes"]
                       for name, r in results.items()}
               for which, results in (("few", few), ("many", many))}}


def policies(x, tried):
    """Page touch at one oversubscription by policy; the first row is the default."""
    rows = []
    percent = x.middle()
    found = [("default", [x.result("over-on", name, percent) for name in ex.PATTERNS]),
             ("perf_prefetch_enable=0",
              [x.result("over-off", name, percent) for name in ex.PATTERNS])]
    for param, choice in tried:
        label = f"{param}={choice}"
        found.append((label, [x.result(label, name) for name in ex.PATTERNS]))
    for label, results in found:
        if all(results):
            rows.append({"policy": label, "percent": percent, **{
                name: {"time_ns": r["gpu_time_ns"], "faults": ex.faults(r),
                       "htod": r["execution"]["migrated_bytes"]["htod"],
                       "evicted": r["execution"]["evictions"]["pages"]}
                for name, r in zip(ex.PATTERNS, results)}})
    return rows


def real(x):
    """Instructions by category.  PMA apart: it clears up to 64 frames when it is asked for one."""
    rows = []
    for key, run in x.runs.items():
        if key[0] == "real" and run.result:
            groups = breakdown(run.result, ex.GROUPS)
            pma = ex.phases(run.result, ("pma_alloc",))
            groups["service"] -= pma
            rows.append({"workload": key[1], "size": key[2], "faults": ex.faults(run.result),
                         "groups": groups, "pma": pma})
    return rows


def patterns(x):
    """Fig. 7: events of all workloads."""
    found = {}
    for name in published.TABLE1:
        run = x.runs.get(("app-off", name))
        if run and run.result:
            found[name] = pattern(run)
    return found


def collect(x, tried):
    """All of it, ready for JSON."""
    sgemm = x.runs.get(("sgemm", 35372))
    modes = ("off", "on", "explicit")
    return {
        "scale": {"name": x.scale.name, "memory": x.scale.memory, "factor": x.scale.factor(),
                  "sgemm_memory": x.scale.sgemm_memory, "vram": x.scale.vram * MB},
        "pages": {mode: {name: pages(x, mode, name) for name in ex.PATTERNS} for mode in modes},
        "batch": pages(x, "batch", "regular"),
        "over": {mode: {name: oversubscribed(x, mode, name) for name in ex.PATTERNS}
                 for mode in ("off", "on")},
        "scaled_batch": scaled_batch(x),
        "seconds": sum(run.result["wall_time_s"] for run in x.runs.values()
                       if run.result and "wall_time_s" in run.result),
        "table1": table1(x),
        "patterns": patterns(x),
        "table2": table2(x),
        "fig8": pattern(sgemm) if sgemm and sgemm.result else None,
        "fig8_refaulted": refaulted(sgemm) if sgemm and sgemm.result else {},
        "policies": policies(x, tried),
        "real": real(x),
        "explicit": x.explicit,
        "refused": (x.result("explicit-refused") or {}).get("refused", ""),
        "errors": [[run.command(), run.error] for run in x.runs.values() if run.error],
    }

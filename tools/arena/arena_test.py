#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The arena without its machines: experiments, what a result depends on, rows, comparisons."""

import importlib.machinery
import importlib.util
import io
import json
import os
import sqlite3
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "report")]

# pylint: disable=wrong-import-position
import bounds  # noqa: E402
import content  # noqa: E402
import experiment  # noqa: E402
import store  # noqa: E402

WRONG = []


def expect(name, want, got):
    """One check."""
    if want != got:
        WRONG.append(f"{name}: expected {want!r}, got {got!r}")


def program(name):
    """What has no suffix, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(HERE, name))
    spec = importlib.util.spec_from_loader(name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def refusal(told):
    """Why an experiment is refused."""
    try:
        experiment.checked(told)
    except experiment.Mistake as e:
        return str(e)
    return ""


SMALL = {"policies": {"lru": {}, "none": {"prefetch_policy": "none"}},
         "workloads": {"triad": "triad --size 6M"}}

REFUSED = {
    "no such key 'seed'; did you mean 'seeds'?": {"seed": 1},
    "there are no policies: give at least one": {"policies": {}},
    "workloads.x is to be words of 'uvm run', not ''": {"workloads": {"x": ""}},
    "workloads.a/b: a name has letters, digits and . + - _": {"workloads": {"a/b": "triad"}},
    "workloads.x is to be words of 'uvm run', not None": {"workloads": {"x": {"group": "a"}}},
    "no such key of workloads.x 'grup'; did you mean 'group'?":
        {"workloads": {"x": {"run": "triad", "grup": "a"}}},
    "workloads.x.device is to be text, not 3": {"workloads": {"x": {"run": "triad", "device": 3}}},
    "seeds is to be a list, not 1": {"seeds": 1},
    "bounds is to be a bool, not 'yes'": {"bounds": "yes"},
    "oversubscription is in percent, 100 or more, not 0.5": {"oversubscription": [0.5]},
    "parameters.a is to be a list of values, not []": {"parameters": {"a": []}},
    "policies.lru is to be a table of parameters, not 'lru'": {"policies": {"lru": "lru"}},
}


COLUMNS = {"a": "triad --size 2M", "b": {"run": "nw", "device": "sm_count:1", "group": "x"},
           "c": {"run": "ra", "group": "y"}}


def columns():
    """Workloads with a device of their own, and parts of an experiment."""
    x = experiment.Experiment({"lru": {}}, COLUMNS, device="sm_count:4")
    expect("the experiment's device holds, and no key comes twice", ["sm_count:4"] * 3,
           [cell.device for cell in experiment.cells(x)])
    expect("and is the machine's", "profile=gtx1080ti set=sm_count:4",
           experiment.cells(x)[1].run.machine.softgpu)
    x = experiment.Experiment({"lru": {}}, COLUMNS, device="ce_count:1")
    expect("other keys add up", "sm_count:1,ce_count:1", experiment.cells(x)[1].device)
    for want, names, groups in (("abc", [], []), ("b", [], ["x"]), ("bc", ["b"], ["y"]),
                                ("a", ["a"], [])):
        expect("a part", [*want], [*experiment.part(x, names, groups).workloads])
    for names, groups in ((["d"], []), ([], ["z"]), ([], [""])):
        try:
            experiment.part(x, names, groups)
            expect("refused", "a mistake", (names, groups))
        except experiment.Mistake:
            pass


def bases():
    """A file that takes what another says."""
    with tempfile.TemporaryDirectory() as folder:
        def load(**files):
            for name, text in files.items():
                with open(os.path.join(folder, f"{name}.toml"), "w", encoding="utf-8") as f:
                    f.write(text)
            try:
                return experiment.load(os.path.join(folder, "a.toml"))
            except experiment.Mistake as e:
                return str(e).replace(folder + "/", "")
        x = load(a='base = "b.toml"\nname = "a"\nworkloads.nw = "nw"',
                 b='name = "b"\npolicies.lru = {}\nworkloads.triad = "triad"')
        expect("of both", ("a", {"lru": {}}, {"nw": "nw"}), (x.name, x.policies, x.workloads))
        expect("there is none", "c.toml: No such file or directory", load(a='base = "c.toml"'))
        expect("no number", "a.toml: base is to be the name of a file that has no base",
               load(a='base = 1'))
        expect("itself", "a.toml: base is to be the name of a file that has no base",
               load(a='base = "a.toml"'))


def experiments():
    """What is refused, and what runs."""
    expect("nothing to refuse", "", refusal(SMALL))
    for why, change in REFUSED.items():
        expect("refused", why, refusal({**SMALL, **change}))
    x = experiment.Experiment(**SMALL, oversubscription=(100, 200), seeds=(1, 2),
                              settings={"root_chunk_granularity": "64k"},
                              parameters={"perf_prefetch_enable": [True, 0]})
    cells = experiment.cells(x)
    expect("each with each other", 2 * 2 * 2 * 2, len(cells))
    expect("all are different", len(cells), len({tuple(map(str, c.words)) for c in cells}))
    expect("words", "run triad --size 6M --seed 1 --json --quiet --set root_chunk_granularity=64k "
           "--set prefetch_policy=none --set perf_prefetch_enable=1 --oversubscription 200",
           next(" ".join(map(str, c.words)) for c in cells if c.policy == "none" and
                c.percent == 200 and c.seed == 1 and c.parameters["perf_prefetch_enable"]))
    expect("a seed is that of policies, too", {(1, False), (2, True)},
           {(c.seed, "eviction_seed=2" in c.words) for c in cells})
    columns()
    bases()
    for path in os.listdir(os.path.join(HERE, "experiments")):
        experiment.load(os.path.join(HERE, "experiments", path))
    try:
        experiment.known(x, ["triad2"])
    except experiment.Mistake as e:
        expect("a workload", "no such workload 'triad'; did you mean 'triad2'?", str(e))


def contents():
    """What changes a result, and what does not."""
    files = content.policy_files()
    expect("a policy of its own", "uvm/policy/hpe/eviction_hpe.c", files.get(("eviction", "hpe")))
    expect("one that others call", None, files.get(("residency", "first_touch")))
    expect("the default of each kind", True,
           {("eviction", "lru"), ("prefetch", "tree")} <= content.chosen(()))
    bundle = content.chosen((("policy", "adaptive"), ("eviction_policy", "hpe")))
    expect("a bundle, and one behind it", True,
           {("bundle", "adaptive"), ("residency", "adaptive"), ("eviction", "hpe")} <= bundle)
    expect("not what that replaced", False, ("eviction", "adaptive") in bundle)
    expect("what knows the future has had another run before", True, ("eviction", "lru_walk") in
           content.chosen((("eviction_policy", "min"),)))
    expect("what a bundle sets", "1", content.values((("policy", "etc"),))["capacity_compression"])
    before = {name: content.digest("triad", ((("eviction_policy", name),)))
              for name in ("lru", "hpe")}
    expect("two policies", False, before["lru"] == before["hpe"])
    changes = {
        "uvm/policy/hpe/eviction_hpe.c": ("hpe",), "uvm/policy/hpe/hpe_page_set.c": ("lru", "hpe"),
        "tools/workloads/bfs.c": (), "tools/kernels/triad.c": ("lru", "hpe"),
        "uvm/policy/nvidia/eviction_lru.c": ("lru",), "softgpu/sm/lsu.c": ("lru", "hpe"),
        "tools/workloads/graph_common.c": ("lru", "hpe"), "tools/workloads/nw.c": (),
    }
    for path, told in changes.items():
        expect(f"there is {path}", True, path in content.sources())
        kept = content.sources()[path]
        content.sources()[path] = "changed"
        content.digest.cache_clear()
        now = {name: content.digest("triad", ((("eviction_policy", name),))) for name in before}
        expect(f"{path} changes", told, tuple(n for n in before if before[n] != now[n]))
        content.sources()[path] = kept
    content.digest.cache_clear()


RESULT = {"workload": "triad", "gpu_time_ns": 7, "footprint_bytes": 8, "vram_bytes": 9,
          "verified": True, "execution": {
              "faults": {"fetched": 1}, "batches": {"count": 2},
              "migrated_bytes": {"htod": 3, "dtoh": 4},
              "evictions": {"pages": 5, "premature": 6, "returned": 7},
              "link": {"reads": 2, "writes": 1, "read_bytes": 96, "write_bytes": 128}}}


def stores(folder):
    """Rows of runs, of those that failed, too."""
    x = experiment.Experiment(**SMALL)
    good, bad = experiment.cells(x)
    kept = store.Store(os.path.join(folder, "results.db"))
    good.run.result, bad.run.error = RESULT, "it says why\n"
    kept.put("good", x, good)
    kept.put("bad", x, bad)
    expect("a result", (True, False), (kept.has("good"), kept.has("bad")))
    again = store.Store(os.path.join(folder, "results.db"))
    rows = again.rows()
    expect("numbers", (7, 1, 2, 3, 4, 5, 6, 7, 224, 1), tuple(rows["good"][n] for n in (
        "gpu_time_ns", "faults", "batches", "bytes_in", "bytes_out", "evicted_pages",
        "premature_pages", "returned_pages", "remote_bytes", "verified")))
    expect("why it failed", "it says why", rows["bad"]["error"])
    wrong = experiment.cells(x)[0]
    wrong.run.result = {**RESULT, "verified": False}
    again.put("wrong", x, wrong)
    expect("a wrong result", "the result is wrong", again.rows()["wrong"]["error"])
    more = store.Store(os.path.join(folder, "more.db"))
    more.put("bad", x, good)
    more.put("good", x, bad)
    more.take(os.path.join(folder, "results.db"))
    expect("a result stays, an error does not", ("", ""),
           tuple(more.rows()[key]["error"] for key in ("good", "bad")))
    old = os.path.join(folder, "old.db")
    with sqlite3.connect(old) as db:
        db.execute("CREATE TABLE runs (key TEXT PRIMARY KEY, error TEXT)")
    db.close()
    store.Store(old).take(os.path.join(folder, "results.db"))
    expect("a file that lacks columns", 224, store.Store(old).rows()["good"]["remote_bytes"])
    text = io.StringIO()
    store.write_csv(rows.values(), text)
    lines = text.getvalue().splitlines()
    expect("CSV", 3, len(lines))
    expect("without the JSON", False, "execution" in text.getvalue())


def bound_parts(x):
    """Three runs, as they are for a size of memory, and their rows."""
    wanted = bounds.rows(x)
    for i, cell in enumerate(cell for bound in wanted for cell in bound.cells()):
        cell.key = str(i)
    at = [{"oversubscription": percent, "memory_bytes": 9, "min_loads": 4, "min_bytes": 30,
           "any_bytes": 20, "remote_bytes": 1, "link_ns": 5, "service_ns": 2}
          for percent in x.oversubscription]
    results = {"recorded": {"gpu_time_ns": 99, "bounds": {"at": at}}, "fnu": {"gpu_time_ns": 8},
               "unlimited": {"gpu_time_ns": 10, "copy_time_ns": 4}}
    parts = {cell.key: {"error": "", "command": cell.policy, "result": json.dumps(results[cell.policy])}
             for bound in wanted for cell in bound.cells()}
    return wanted, parts


def bounds_rows(folder):
    """What three runs make."""
    x = experiment.Experiment(**SMALL, oversubscription=[133.3, 200], seeds=[3],
                              settings={"root_chunk_granularity": "64k"})
    wanted, parts = bound_parts(x)
    expect("what is recorded serves all sizes", 1, len({id(b.recorded) for b in wanted}))
    expect("words", "run triad --size 6M --seed 3 --json --quiet --bounds 133.3,200 --set "
           "root_chunk_granularity=64k --set eviction_policy=lru_walk",
           " ".join(map(str, wanted[0].recorded.words)))
    expect("no faults", "run triad --size 6M --seed 3 --json --quiet --explicit",
           " ".join(map(str, wanted[0].unlimited.words)))
    expect("what knows", "run triad --size 6M --seed 3 --json --quiet --oversubscription 200 --set "
           "root_chunk_granularity=64k --set eviction_policy=fnu",
           " ".join(map(str, wanted[1].fnu.words)))
    expect("in units as most rows have, unless somebody says",
           [[("a", "1"), ("root_chunk_granularity", "64k"), ("eviction_policy", "fnu")],
            [("root_chunk_granularity", "2m"), ("eviction_policy", "fnu")]],
           [bounds.knowing([("a", "1")]), bounds.knowing([("root_chunk_granularity", "2m")])])
    row = bounds.row(x, wanted[1], parts)
    expect("a row", (200, 9, 20, 1, 30, 4, 6, 6, 8, ""), tuple(row[n] for n in (
        "oversubscription", "memory_bytes", "b1_bytes", "b1r_bytes", "min_bytes", "min_loads",
        "unlimited_ns", "b2_ns", "fnu_ns", "error")))
    expect("keys", 2, len({b.key() for b in wanted}))
    parts[wanted[1].fnu.key]["error"] = "no"
    expect("bounds need no reference", ("fnu: no", 20, None), tuple(
        bounds.row(x, wanted[1], parts).get(n) for n in ("error", "b1_bytes", "fnu_ns")))
    parts[wanted[1].unlimited.key]["error"] = "killed"
    expect("a part that failed", ("unlimited: killed; fnu: no", None), tuple(
        bounds.row(x, wanted[1], parts).get(n) for n in ("error", "b1_bytes")))
    del parts[wanted[0].recorded.key]
    expect("a part that has not been made", None, bounds.row(x, wanted[0], parts))
    kept = store.Store(os.path.join(folder, "bounds.db"))
    kept.put_bounds([row])
    kept.put_bounds([row])
    more = store.Store(os.path.join(folder, "collected.db"))
    more.take(os.path.join(folder, "bounds.db"))
    expect("a table of their own", [row], list(more.rows("bounds").values()))
    text = io.StringIO()
    store.write_csv([row], text, "bounds")
    expect("CSV", "gtx1080ti,,triad,200,3,9,20,1,30,4,6,5,2,6,8,,recorded; unlimited; fnu",
           text.getvalue().splitlines()[1])


def judged(settings, **changes):
    """What is said of a run with bounds of 20 bytes, 6, 5 and 2 ns."""
    run = {"error": "", "memory_bytes": 9, "bytes_in": 20, "gpu_time_ns": 6,
           "remote_bytes": 0, **changes}
    bound = {"workload": "triad", "oversubscription": 200, "seed": 1, "error": "",
             "result": "{}", "memory_bytes": 9, "b1_bytes": 20, "min_bytes": 30, "unlimited_ns": 6, "link_ns": 5,
             "service_ns": 2}
    x = experiment.Experiment(**{**SMALL, "policies": {"p": settings}}, oversubscription=[200])
    cells = experiment.cells(x)
    cells[0].key = "k"
    return bounds.judge(cells, {"k": run}, [bound]), \
        bounds.other_order(cells, {"k": run}, [bound])


def judging():
    """Below a bound is a mistake of one of the two, where the bound holds."""
    expect("at the bound", [], judged({})[0])
    expect("in another order than MIN's", ["triad p 200 % seed 1: 0.667"], judged({})[1])
    expect("an order that is too long is not known", None, bounds.numbers(
        bounds.rows(experiment.Experiment(**SMALL))[0],
        {"bounds": {"at": [{"oversubscription": 100.0, "memory_bytes": 1, "any_bytes": 2, "link_ns": 3,
                            "remote_bytes": 4, "service_ns": 5}]}},
        {"gpu_time_ns": 6, "copy_time_ns": 0}, {"gpu_time_ns": 7})["min_bytes"])
    expect("as MIN", [], judged({}, bytes_in=30)[1])
    expect("bytes", ["triad p 200 % seed 1: bytes_in 19 < b1_bytes 20"],
           judged({}, bytes_in=19)[0])
    expect("time", ["triad p 200 % seed 1: gpu_time_ns 4 < unlimited_ns 6, "
                    "gpu_time_ns 4 < link_ns 5"], judged({}, gpu_time_ns=4)[0])
    for why, settings, changes in (
            ("remote accesses", {}, {"remote_bytes": 32}),
            ("compressed", {"capacity_compression": True}, {}),
            ("by a bundle", {"policy": "etc"}, {}),
            ("more memory", {}, {"memory_bytes": 10}),
            ("failed", {}, {"error": "it has"})):
        expect(why, ([], []), judged(settings, bytes_in=1, **changes))
    expect("but it takes its time", 1, len(judged({}, remote_bytes=32, gpu_time_ns=5)[0]))
    more = {"concurrency_policy": "oversubscribe"}
    expect("more threads", [], judged(more, gpu_time_ns=5)[0])
    expect("the link is as it was", 1, len(judged(more, gpu_time_ns=4)[0]))


def comparisons(folder):
    """What differs."""
    compare = program("compare")
    other = json.loads(json.dumps(RESULT))
    other["execution"]["evictions"]["pages"] = 10
    other["more"] = [1]
    rows = compare.compare(["a", "b"], [RESULT, other], ())
    expect("lines", [["", "a", "b"], ["execution.evictions.pages", "5", "10 (2.000)"],
                     ["more.0", "-", "1"]], rows)
    expect("nothing", 1, len(compare.compare(["a", "b"], [RESULT, RESULT], ())))
    path = os.path.join(folder, "results.db")
    expect("a row", 7, compare.load(f"{path}:policy=lru,error=")["gpu_time_ns"])
    for name, why in ((f"{path}:polices=lru", "rows have no 'polices'"),
                      (f"{path}:workload=triad", "3 runs have workload=triad"),
                      (f"{path}:policy=none", "that run failed: it says why"),
                      ("/nosuch", "No such file")):
        try:
            compare.load(name)
            WRONG.append(f"{name} is not refused")
        except compare.Mistake as e:
            expect(name, True, why in str(e))


def main():
    """All of it; the exit status."""
    experiments()
    contents()
    with tempfile.TemporaryDirectory() as folder:
        stores(folder)
        bounds_rows(folder)
        comparisons(folder)
    judging()
    for line in WRONG:
        print(line)
    return bool(WRONG)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-2.0
"""The reference string of each workload against its type in Table II."""

from framework.paper import OURS, Expectation, Figure
from framework.parts import Table
from framework.reference import PIECES
from framework.results import result

from ..numbers import names_of, whole_types
from ..published import TYPES, WORKLOADS
from ..setup import OTHER, plan_other, plan_unlimited

# The rule's constants are the paper's words: "once" and "all" are so within a tenth, "most" is more
# than half, and a region lasts a quarter of the time at most.
ONCE = 1.1
ALL = 0.9
MOST = 0.5
REGION = 0.25

# The option of a workload that decides of what type its string is, and by what.
KNOBS = {
    "HOT": "--steps: one sweep each",
    "LEU": "none: the second launch reads all scores again, a quarter of the pages",
    "CUT": "none: layers come one by one",
    "2DC": "none: one sweep",
    "GEM": "--inner: B has so many rows, few pages that each block of rows reads",
    "SRD": "--iterations: two sweeps each",
    "HSD": "--steps: one sweep each",
    "MRQ": "--launches: one sweep each",
    "STN": "--sweeps: one sweep each",
    "PAT": "--columns: two rows of results come again, 48 of 3888 pages",
    "DWT": "--levels: each reads a quarter of the level before",
    "BKP": "--epochs: two sweeps each, of the weights and of weights and changes",
    "KMN": "--iterations: the columns are swept after they are written, and in each",
    "SAD": "none: each of three launches reads what the one before wrote, in part",
    "NW": "--columns: tiles of a page, which are touched launch after launch",
    "BFS": "--graph: in each level with many nodes all edges and nodes come again",
    "MVT": "--repeat: a second pass touches each page hundreds of times",
    "HWL": "--frames: one pass each",
    "SGM": "--m, --n, --k: rows of tiles read all of B again, a third of the pages",
    "HIS": "--iterations: one pass each",
    "SPV": "--iterations: one pass each",
    "B+T": "--finds, --ranges: of random keys: leaves come again from anywhere",
    "HYB": "--buckets: the scatter writes anywhere in all of them, then the merge goes one by one",
}


def of(data, name, use="unlimited"):
    """What is measured of a workload's string, or None."""
    row = result(data, use, name)
    return row.get("string") if row else None


def mean_touches(string):
    """Of a page."""
    return string["touches"] / string["pages"]


def passes(string):
    """How often a page comes from far on average, its first touch among them."""
    return 1 + (mean_touches(string) - 1) * string["reuse"][2]


def fits_repeated(touches):
    """
    The types of a sequence that repeats, by touches of a page in a pass: (I)^N is II, and (IV)^N is
    V.  What lies between is (III)^N, for which the paper has no type.
    """
    if touches <= ONCE:
        return ("II",)
    return ("V",) if touches > 1 + MOST else ("II", "V")


def fits(string):
    """The types that a string is of, by what the paper says of each (III-A)."""
    touches, again, times = mean_touches(string), 1 - string["times"][0], passes(string)
    if touches <= ONCE:
        return ("I",)
    if times >= 1 + ALL:
        return fits_repeated(touches / times)
    found = (("III", again <= ALL), ("IV", again > MOST),
             ("VI", again > MOST and string["life"] <= REGION))
    return tuple(kind for kind, holds in found if holds)


def is_typical(name, string):
    """Is it of its type?"""
    return WORKLOADS[name].type in fits(string)


def percent(shares):
    """Several of them."""
    return " / ".join(f"{100 * share:.0f}" for share in shares)


def told(string):
    """The types that it is of."""
    return " or ".join(fits(string))


def otherwise(data, name):
    """What another value makes of it."""
    string = of(data, name, "unlimited, other")
    words = " ".join(map(str, OTHER.get(name, ())))
    return f"{words}: {told(string)}, {mean_touches(string):.2f} touches" if string else ""


def line(data, name):
    """Of the table."""
    string = of(data, name)
    return [name, WORKLOADS[name].type, string["pages"], f"{mean_touches(string):.2f}",
            percent(string["times"]), percent(string["reuse"]), f"{passes(string):.2f}",
            f"{string['pieces']:.1f}", f"{100 * string['life']:.0f}",
            told(string), "yes" if is_typical(name, string) else "no", KNOBS[name],
            otherwise(data, name)]


def plan(x):
    """As they are, and some with another value."""
    plan_unlimited(x)
    plan_other(x)


def draw(data):
    """The rule, and a line for each."""
    yield ("<p>The reference string of a workload is its page-walk hits and faults with all memory "
           "there is, as in Fig. 2; touches of one page in a row are one. The distance of a "
           "repeated touch is how many other pages there were since the last one: <i>near</i> is "
           "less than a sixteenth of all pages, <i>far</i> three quarters or more, which LRU loses "
           "at 75 %. <i>Passes</i> are far touches of a page, and its first. <i>Pieces</i> says in "
           f"how many of {PIECES} equal pieces of time a page is touched; so each piece touches "
           "that many sixteenths of all pages. <i>Life</i> is the time from a page's first touch "
           "to its last.</p>")
    yield (f"<p>The rule is the paper's definitions (III-A). I: at most {ONCE} touches for each "
           f"page. II and V repeat: at least {1 + ALL} passes. In a pass of II a page is touched at "
           f"most {ONCE} times, in one of V more than {1 + MOST} times. Between these it is II or V: "
           "the paper has no type for passes that touch a part of pages again. III and IV do not "
           f"repeat. III: not all pages are touched again, at most {ALL:.0%}. IV: most are, more than "
           f"{MOST:.0%}; between these it is both. VI: as IV, and a page lives at most {REGION:.0%} "
           "of the time, since regions end.</p>")
    names = [n for n in data["scale"]["workloads"] if of(data, n)]
    yield Table(["", "type", "pages", "touches of a page", "once / 2-3 / 4+, % of pages",
                 "near / between / far, % of repeated", "passes", "pieces", "life, %",
                 "the rule says", "of its type", "what decides", "another value"],
                [line(data, n) for n in names], "Reference strings")


def expect(data):
    """Those of each type are of this type."""
    for kind in TYPES:
        names = whole_types((kind,))
        strings = {n: of(data, n) for n in names}
        whole = None not in strings.values()
        wrong = [n for n in names if whole and not is_typical(n, strings[n])]
        yield Expectation(
            f"strings of type {kind} are of type {kind}", f"{OURS}each of them, by one rule for all",
            not wrong if whole else None,
            ", ".join(f"{n}: {told(strings[n])}" for n in names)
            if whole else "", group=kind)


def why(data, row):
    """What the rule goes by, of each that is not."""
    for name in names_of(data, row.group):
        string = of(data, name)
        if string and not is_typical(name, string):
            yield (f"{name}: {mean_touches(string):.2f} touches of a page in {passes(string):.2f} "
                   f"passes, {percent(string['times'])} % of pages once, 2 or 3 times, more often; "
                   f"a page lives {string['life']:.0%} of the time. What decides is "
                   f"{KNOBS[name]}")


FIGURE = Figure(
    "strings", "Reference strings", 2.7,
    ("Table II has the type of each workload. All pages are referenced the same number of times, 1 "
     "(I) or N (II); parts of them (III) or most (IV) are referenced multiple times; a sequence "
     "repeats, and in each iteration most are referenced multiple times (V); pages are referenced "
     "multiple times for a certain duration, then those of the next region (VI) (III-A).",),
    plan=plan, draw=draw, expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""Fig. 11: performance."""

from framework.compare import Comparison, Published
from framework.paper import OURS, Expectation
from framework.results import result, speedup, whole_speedup
from framework.verdict import by_workload, order, text, value

from .. import published, reasons
from ..published import LINK_BYTES_PER_NS, SPEEDUP
from ..setup import BENCH, COMPRESSION

# And 4.2 for ideal eviction: what is published, least first.
ORDER = (("link", "etc"), ("link", "to"), ("etc", "to"), ("ideal", "to"),
         ("link", "to+ue"), ("etc", "to+ue"), ("to", "to+ue"), ("ideal", "to+ue"))
COMPARED = Comparison(
    ("link", "etc", "to", "ue", "to+ue"), BENCH, title="Speedup by workload", summed=True,
    published={c: Published(v, f"speedup over the baseline, {c}") for c, v in SPEEDUP.items()})


def expect(data):
    """Averages, and which is more than which."""
    mean = {c: whole_speedup(data, c) for c in (*COMPARED.configs, "ideal")}
    known = {**SPEEDUP, "ideal": published.IDEAL}
    gain = mean["to+ue"]
    yield Expectation("TO+UE: 1.8x or more over the baseline",
                      OURS + "1.8x or more, where 2.00x is published",
                      None if gain is None else gain >= 1.8, text(gain), config="to+ue")
    yield from COMPARED.expect(data)
    yield value("UE on top of TO", whole_speedup(data, "to+ue", "to"), published.UE_ON_TO,
                config="to+ue")
    for one, other in ORDER:
        yield order(f"{one} gains less than {other}",
                    f"less: {known[one]:.2f}x, {known[other]:.2f}x",
                    mean[one], mean[other], (one, other), config=one)
    for config in ("to", "ue", "link", "etc"):
        wanted = SPEEDUP.get(config)
        yield Expectation(f"{config} gains on average",
                          f"more than 1: {wanted:.2f}x" if wanted else OURS + "more than 1",
                          None if mean[config] is None else mean[config] > 1,
                          text(mean[config]) + ": " + by_workload(speedup(data, config)),
                          config=config)
    yield value("UE alone, bfs-dwc", speedup(data, "ue").get("bfs-dwc"), published.UE_DWC,
                workload="bfs-dwc", config="ue")


def of_one(data, workload):
    """What one workload's time is made of, and how far overlapping copies can get."""
    base, ue = (result(data, c, workload) for c in ("baseline", "ue"))
    if not base or not ue or not base["htod"]:
        return
    shares = [base["htod"] / LINK_BYTES_PER_NS, base["dtoh"] / LINK_BYTES_PER_NS,
              base["batches"] * base["handling_ns"]]
    told = [f"{100 * s / base['time_ns']:.0f} %" for s in shares]
    yield (f"of the baseline's time in {workload} copies in take {told[0]}, copies out "
           f"{told[1]}, what comes before the first copies of batches {told[2]}")
    yield (f"UE moves {ue['htod'] / base['htod']:.2f} times the baseline's data to the GPU, so "
           "that without moving less nothing could be more than "
           f"{base['time_ns'] / shares[0]:.2f}x")


def of_link(data):
    """The compressed link."""
    yield reasons.link(data)


def of_etc(data):
    """Which of ETC's parts it is."""
    found, both = (whole_speedup(data, f"~{c}", "~baseline") for c in ("throttling", "etc"))
    if found is not None and both is not None:
        yield (f"{reasons.where_compared(data)}throttling without compression is {found:.2f}x "
               f"and ETC {both:.2f}x{reasons.some_of(data, 'apart')}; what lies between them is "
               f"a compression of {COMPRESSION / 100:.2g}, which is assumed; ETC's authors have "
               f"{published.ETC_OWN:.1f}x for irregular applications")


def of_ideal(data):
    """The reference."""
    yield reasons.link(data)
    yield reasons.graph(data)
    yield ("it is the baseline in which copies out take no time; it is not pipelined, and keeps "
           "unmapping and TLB invalidation")


def why(data, row):
    """By workload, or by what is compared: TO and UE have the same reasons."""
    if row.workload:
        return of_one(data, row.workload)
    rivals = {"link": of_link, "etc": of_etc, "ideal": of_ideal}
    return rivals.get(row.config, reasons.of_gains)(data)


FIGURE = COMPARED.figure(
    "fig11", "Fig. 11: performance", 5,
    ("TO+UE is 2x as fast as the baseline on average, 1.81x as fast as the baseline with PCIe "
     "compression, 1.79x as fast as ETC.  TO gains 22 %, UE another 61 %; UE makes BFS-DWC 4.13x "
     "as fast (5.2).",),
    expect=expect, why=why)

# SPDX-License-Identifier: GPL-2.0
"""Why an expectation does not hold: sentences with the measurement that shows it."""

from .measure import average, ratio, speedup


def gains(data, *configs):
    """References over the baseline."""
    titles = {"unlimited": "with unlimited memory", "ideal": "with ideal eviction",
              "no handling": "with handling in no time", "to+ideal": "with TO and ideal eviction",
              "ideal switch": "as TO+UE with ideal context switches"}
    found = [(titles[c], average(speedup(data, f"~{c}", "~baseline")))
             for c in configs]
    return ", ".join(f"{value:.2f}x {title}" for title, value in found if value)


def moved(data, config):
    """What more or less comes."""
    found = average(ratio(data, config, "baseline", "htod"))
    return "" if found is None else f"{config} moves {found:.2f} times the baseline's data to the GPU"


def limits(data):
    """What there is to gain at all."""
    found = gains(data, "ideal", "no handling", "to+ideal", "ideal switch", "unlimited")
    return f"on small graphs the baseline would be {found}" if found else ""


def alone(data):
    """What TO can add to: how much of the work is one thread's."""
    found = {n: v for n, v in ratio(data, "unlimited", "baseline").items() if v > 0.4}
    if not found:
        return ""
    listed = ", ".join(f"{n} {100 * v:.0f} %" for n, v in found.items())
    return (f"of the baseline's time unlimited memory takes {listed}: the threads of the "
            "vertices with most neighbours are the critical path, and a block that has given "
            "way to another waits for its turn")


def sentences(data, name):
    """By the beginning of the expectation's name."""
    if "TO+UE" in name or "speedup" in name or "UE" in name:
        return [limits(data), moved(data, "ue"), moved(data, "to"), alone(data)]
    if "batch" in name or "premature" in name:
        return [moved(data, "to"), alone(data)]
    return [limits(data)]


def why(data, name):
    """For the page; empty without data."""
    found = [s for s in sentences(data, name) if s]
    return ". ".join(s[0].upper() + s[1:] for s in found) + ("." if found else "")

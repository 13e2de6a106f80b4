# SPDX-License-Identifier: GPL-2.0
"""Verdicts on what is expected to hold."""

PASS, DEVIATION, UNKNOWN = "pass", "deviation", "not measured"


def verdict(holds):
    """True, False or None."""
    return UNKNOWN if holds is None else PASS if holds else DEVIATION


def judge(data, expectations):
    """[name, expected, measured, verdict], deviations first."""
    order = {DEVIATION: 0, UNKNOWN: 1, PASS: 2}
    rows = [[name, expected, measured, verdict(holds)] for check in expectations
            for name, expected, holds, measured in check(data)]
    return sorted(rows, key=lambda row: order[row[3]])

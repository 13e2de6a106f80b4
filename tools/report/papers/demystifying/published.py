# SPDX-License-Identifier: GPL-2.0
"""
What the paper says: "Demystifying GPU UVM Cost with Deep Runtime and Workload
Analysis" (T. Allen, R. Ge).  Numbers are from its text and tables only; what its
figures show is told in words, in the files of the figures.
"""

TITLE = "Demystifying GPU UVM Cost with Deep Runtime and Workload Analysis"

# Section III-B: Titan V, 12 GB, driver 450.51.05.
MEMORY = 12 << 30

# Table I: faults without prefetching, with, reduction in percent.  Its stream is
# our triad.
TABLE1 = {
    "regular": (2493569, 442011, 82.27),
    "random": (2522931, 51558, 97.95),
    "sgemm": (6522314, 223998, 96.56),
    "triad": (3721584, 578884, 84.44),
    "cufft": (101494, 10074, 90.07),
    "tealeaf": (1193619, 394148, 66.97),
    "hpgmg": (139785, 50231, 64.06),
    "cusparse": (2342572, 611719, 73.88),
}

# Table II: size n, faults, pages evicted, evictions per fault.  The first two words
# are hard to read in the copy at hand: 29228 and 590719.
TABLE2 = (
    (29228, 590719, 0, 0.0),
    (30764, 653504, 0, 0.0),
    (32300, 756502, 79360, 0.104),
    (33836, 1139293, 2611200, 2.291),
    (35372, 566018, 3234748, 5.714),
    (36908, 757216, 6454152, 8.523),
    (38444, 1827628, 25170708, 13.772),
    (47660, 2697727, 38092576, 14.120),
)

# Section V-A-3: problem of 32 GB, data moved in GB.
OVERSUBSCRIBED = {"problem_gb": 32, "regular_gb": 32, "random_gb": 504}

# Section III-C: microseconds below 100 KB.
FLOOR_US = (400, 600)

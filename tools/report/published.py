# SPDX-License-Identifier: GPL-2.0
"""
What the paper says: "Demystifying GPU UVM Cost with Deep Runtime and Workload
Analysis" (T. Allen, R. Ge).  Numbers are from its text and tables only; what its
figures show is told in words.
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

TEXT = {
    "fig1": ["Four observations with page-touch kernels (section I): UVM without prefetching "
             "is one or more orders of magnitude slower than explicit transfer; when all data "
             "fits, prefetching reduces the cost significantly, but the total can still be "
             "several times the baseline; once memory is oversubscribed, latency rises by "
             "another order of magnitude depending on the pattern; prefetching can make it "
             "worse after that."],
    "fig3": ["Prefetching is disabled.  Below 100 KB the total is nearly constant, 400-600 us; "
             "above, cost is roughly linear in size (section III-C).",
             "Pre- and post-processing is negligible.  Random tends to be slower, and there "
             "the replay policy takes a significant proportion."],
    "fig4": ["Physical allocation is a call into the resource manager whose cost is large, "
             "variable, and nearly constant: it dominates at small sizes and is negligible at "
             "large ones (section III-D)."],
    "fig5": ["With the batch policy the replay cost is severely diminished, while the "
             "preprocessing cost is greatly increased: the buffer is not flushed, so "
             "duplicates are fetched (section III-E)."],
    "fig7": ["Faults in the order in which the driver processes them against the page, "
             "prefetching off; lines separate allocations.  Regular prefers lower blocks "
             "without a fixed order; stream is ordered more strictly by the dependency of its "
             "three vectors; hpgmg and cusparse have parts that look random (section IV-B)."],
    "table1": ["At least 64 % of faults are eliminated in all; random loses more of its "
               "faults than regular (section IV-C)."],
    "fig8": ["sgemm at about 120 % of memory.  Data of the second allocation is evicted just "
             "before it is paged in again (section V-A-2)."],
    "fig9": ["Prefetching is on.  Patterns differ by an order of magnitude.  For a problem of "
             "32 GB on 12 GB regular moves 32 GB, random 504 GB.  Without prefetching "
             "performance improves, and the replay policy costs more as the backlog of faults "
             "grows (section V-A)."],
    "fig10": ["The compute rate falls as more is evicted; performance degrades significantly "
              "after 120 %, where data is evicted before it is used (section V-A-3)."],
    "suggestions": ["A 1 % threshold rivals explicit transfer of the whole data set when "
                    "memory suffices (section IV-C).  Proposed for the rest: adaptive "
                    "prefetching, flexible allocation granularity, access-aware eviction, "
                    "fault origin (section VI-B)."],
    "suggested": ["Prefetching and eviction have related costs.  The more of what leaves is "
                  "wanted again, the less should be fetched ahead; lru does not know what is "
                  "used and resident; 2 MB may be too coarse; the driver does not know who "
                  "faults (sections V-A and VI)."],
    "real": ["(Not in the paper: the true cost of this driver's code.)"],
}

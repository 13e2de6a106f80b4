# SPDX-License-Identifier: GPL-2.0
"""
What the paper says (H. Kim et al., ASPLOS 2020).  Numbers are from its text; what its figures
show beyond that is told in words.
"""

TITLE = "Batch-Aware Unified Memory Management in GPUs for Irregular Workloads"

# 5.1: average of the footprints, which are from 26 to 349 MB.
FOOTPRINT = 74 << 20

# Table 1.
SMS = 16
LINK_BYTES_PER_NS = 15.75

# What ETC's own authors have for irregular applications (Li et al., ASPLOS 2019, abstract).
ETC_OWN = 3.7

# 5.2, relative to the baseline: TO+UE gains 2x over it, 1.81x over it with a compressed link,
# 79 % over ETC; TO gains 22 %, UE 61 % on top of that; UE alone 4.13x for BFS-DWC.
SPEEDUP = {"to": 1.22, "to+ue": 2.0, "link": 2.0 / 1.81, "etc": 2.0 / 1.79}
UE_ON_TO = 1.61
UE_DWC = 4.13
# 5.2: batches -51 %, 2.27 times as many faults in each; their time -60 % with UE on TO,
# -27 % against the baseline.
BATCHES = 0.49
BATCH_SIZE = 2.27
BATCH_TIME_ON_TO = 0.40
BATCH_TIME = 0.73
# 6.5: with close-to-ideal context switches TO+UE is no faster.
SWITCH_GAIN = 1.0
# 3, Fig. 3: handling's share of a batch, on a Titan Xp.
HANDLED = 0.4669
# 4.2: performance that is left at 50 % capacity, and what ideal eviction gains.
LEFT = 0.54
IDEAL = 1.16
# 4.1: an additional block per SM with nothing to wait for but memory.
SWITCHING = 1 - 0.49
# 6.3: at a tenth of the footprint, and with all of it.
UE_AT_TENTH = 1.63
UE_AT_ALL = 1.0
# 6.1: the only one with more premature evictions.
MORE_PREMATURE = "bfs-twc"
# 6.4, microseconds.
HANDLING = (20, 30, 40, 50)

TEXT = {
    "fig1": ["Throttling half of the cores helps if it halves the working set.  So it does for "
             "most regular workloads; in irregular ones most pages are shared by all cores "
             "(section 1)."],
    "fig3": ["BFS on a Titan Xp: the more is handled in a batch, the less time a page takes.  "
             "Batches take 223 to 553 us, median 313, of which handling before the first "
             "migration is 46.69 % on average (section 3)."],
    "fig5": ["Without page migration an additional block per SM, which requires context "
             "switching, costs 49 % on average (4.1)."],
    "fig8": ["At 50 % capacity the average loss is 46 % against unlimited memory; eviction in "
             "no time gains 16 % (4.2)."],
    "fig11": ["TO+UE is 2x as fast as the baseline on average, 1.81x as fast as the baseline "
              "with PCIe compression, 1.79x as fast as ETC.  TO gains 22 %, UE another 61 %; "
              "UE makes BFS-DWC 4.13x as fast (5.2)."],
    "fig12": ["The number of batches falls by 51 % with TO (5.2)."],
    "fig13": ["A batch has 2.27x as many faults (5.2)."],
    "fig14": ["UE on top of TO takes 60 % off the average time of a batch; TO+UE 27 % against "
              "the baseline (5.2)."],
    "fig15": ["Premature evictions fall with TO in all workloads but BFS-TWC (6.1)."],
    "fig16": ["Larger batches appear with TO; the larger, the more pages per time (6.2)."],
    "fig17": ["The less memory, the more oversubscription costs and the more UE gains: 1.63x at "
              "a tenth of the footprint, nothing at all of it (6.3)."],
    "fig18": ["The longer the handling takes, the more TO and UE gain, each against a baseline "
              "with the same handling (6.4)."],
}

# SPDX-License-Identifier: GPL-2.0
"""
What the paper says (H. Kim et al., ASPLOS 2020).  Numbers are from its text; what its figures
show beyond that is told in words, in the files of the figures.
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

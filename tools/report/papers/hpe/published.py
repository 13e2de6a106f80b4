# SPDX-License-Identifier: GPL-2.0
"""
What the paper says (Q. Yu et al., TCAD 2020).  Numbers are from its text: its bars are not in it.
"""

from dataclasses import dataclass

TITLE = "HPE: Hierarchical Page Eviction Policy for Unified Memory in GPUs"

# How much memory there is, in percent of the footprint.
RATES = (75, 50)

# Table III, and what each begins with.
REGULAR, IRREGULAR1, IRREGULAR2 = "regular", "irregular#1", "irregular#2"
CATEGORIES = ("none", REGULAR, IRREGULAR1, IRREGULAR2)
# V-C and Fig. 13: one strategy throughout, MRU-C that begins elsewhere, or both in turn.
LRU, MRU_C, JUMPS, SWITCHES = "LRU", "MRU-C", "MRU-C, moved", "LRU and MRU-C"

TYPES = ("I", "II", "III", "IV", "V", "VI")
# III-A.
TYPE_TITLES = {"I": "streaming", "II": "thrashing", "III": "part repetitive",
               "IV": "most repetitive", "V": "repetitive and thrashing", "VI": "region moving"}


@dataclass(frozen=True)
class Workload:
    """
    A line of Table II, and what becomes of it: Fig. 9 (V-A) and Fig. 13 (V-C).  BFS is
    irregular#1 in IV-E and irregular#2 in V-C; as irregular#1 it could not switch, which it does.
    HWL is in none of V-C's lists: it is of type V and loses with the order of references.
    """

    title: str
    suite: str
    type: str
    categories: tuple
    strategies: tuple       # by rate


def one(title, suite, kind, category, *strategies):
    """Of one category."""
    return Workload(title, suite, kind, (category,), (*strategies, *strategies)[:2])


def large(title, suite, kind, *strategies):
    """Irregular by one of the ratios; which, the text does not say.  It begins with LRU."""
    return Workload(title, suite, kind, (IRREGULAR1, IRREGULAR2), (*strategies, *strategies)[:2])


WORKLOADS = {
    "HOT": one("hotspot", "Rodinia", "I", REGULAR, MRU_C),
    "LEU": one("leukocyte", "Rodinia", "I", REGULAR, MRU_C),
    "CUT": one("cutcp", "Parboil", "I", REGULAR, MRU_C),
    "2DC": one("2DCONV", "Polybench", "I", REGULAR, MRU_C),
    "GEM": one("GEMM", "Polybench", "I", REGULAR, MRU_C),
    "SRD": one("srad_v2", "Rodinia", "II", REGULAR, JUMPS),
    "HSD": one("hotspot3D", "Rodinia", "II", REGULAR, MRU_C, JUMPS),
    "MRQ": one("mri-q", "Parboil", "II", REGULAR, MRU_C),
    "STN": one("stencil", "Parboil", "II", REGULAR, MRU_C),
    "PAT": one("pathfinder", "Rodinia", "III", REGULAR, MRU_C),
    "DWT": one("dwt2d", "Rodinia", "III", REGULAR, MRU_C, JUMPS),
    "BKP": one("backprop", "Rodinia", "III", REGULAR, MRU_C),
    "KMN": one("kmeans", "Rodinia", "III", IRREGULAR2, LRU),
    "SAD": one("sad", "Parboil", "III", IRREGULAR2, SWITCHES),
    "NW": large("nw", "Rodinia", "IV", LRU),
    "BFS": one("bfs", "Rodinia", "IV", IRREGULAR2, SWITCHES),
    "MVT": large("MVT", "Polybench", "IV", LRU),
    "HWL": large("heartwall", "Rodinia", "V", LRU),
    "SGM": one("sgemm", "Parboil", "V", REGULAR, MRU_C, JUMPS),
    "HIS": one("histo", "Parboil", "V", IRREGULAR2, SWITCHES),
    "SPV": large("spmv", "Parboil", "V", LRU),
    "B+T": large("b+tree", "Rodinia", "VI", LRU),
    "HYB": large("hybridsort", "Rodinia", "VI", LRU),
}

# III: MB.
FOOTPRINTS = (3, 37, 130)

# V-B, by rate: HPE over LRU; the best of it; evictions of HPE, LRU's are 1.
SPEEDUP = {75: 1.34, 50: 1.16}
BEST = ("HSD", 2.81)
EVICTIONS = {75: 0.82, 50: 0.88}
# HPE over the others.
OVER = {"random": {75: 1.16, 50: 1.21}, "rrip+": {75: 1.27, 50: 1.16},
        "clock-pro": {75: 1.20, 50: 1.15}}
# Within 11 % of Ideal, and evictions, Ideal's are 1.
IDEAL_TIME = {75: 0.89, 50: 0.89}
IDEAL_EVICTIONS = {75: 1.18, 50: 1.16}
# V-B: slightly below LRU.
BELOW_LRU = ("NW", "SAD", "MVT", "HWL")
# III-B, evictions of RRIP in these, Ideal's are 1: at least.
RRIP_TYPE2 = {"MRQ": 1.5, "STN": 1.5}
# V-A.
SET_PAGES_WITHIN = 0.10
INTERVALS_WITHIN = 0.12
RATIO1 = 0.3
RATIO2 = 2
# V-C.
FEW_COMPARISONS = 50
MANY_COMPARISONS = ("BFS", "HIS")
FEW_RECORDS = 10
MANY_RECORDS = ("MVT", 139)
DIVIDED = ("NW", "MVT")
# IV-B, by rate: storage that the recorder saves against a list of addresses.
HIR_SAVES = {75: 0.63, 50: 0.53}
ENTRY_BYTES, ADDRESS_BYTES = 10, 8
# V-C, by rate: core load in percent, with 16.1 us for each update by HPE.
LOAD = {"lru": {75: 29.9, 50: 39.3}, "rrip+": {75: 30.3, 50: 39.5},
        "clock-pro": {75: 29.5, 50: 39.2}, "hpe": {75: 34.0, 50: 47.2}}
UPDATE_NS = 16100
FAULT_NS = 20000

# Table I, by key of the profile: what is printed, and its value.
TABLE1 = (
    ("cores", "15", "sm_count", 15), ("clock", "1.4 GHz", "sm_clock_khz", 1400000),
    ("L1 TLB", "128 entries per SM", "utlb_entries", 128),
    ("L1 TLB per SM", "one each", "sms_per_utlb", 1),
    ("L1 TLB port", "single, 1 cycle", "utlb_port_cycles", 1),
    ("L2 TLB", "512 entries", "l2tlb_entries", 512), ("L2 TLB", "16 ways", "l2tlb_ways", 16),
    ("L2 TLB", "10 cycles", "l2tlb_cycles", 10), ("L2 TLB", "2 ports", "l2tlb_ports", 2),
    ("page walk (III)", "8 cycles", "walk_cycles", 8),
    ("page (III)", "4 KB", "uvm_root_chunk_bytes", 4096),
    ("page (III), PTE", "4 KB", "uvm_pte_max_bytes", 4096),
    ("link, in", "16 GB/s", "copy_htod_mbps", 16000),
    ("link, out", "16 GB/s", "copy_dtoh_mbps", 16000),
    ("service of a fault", "20 us", "cost_map_page", 20000),
    ("HIR (V-A)", "1024 entries", "recorder_entries", 1024),
    ("HIR (V-A)", "8 ways", "recorder_ways", 8),
    ("HIR (V-C)", "16 counters", "recorder_pages", 16),
    ("HIR (V-C)", "2 bits each", "recorder_counter_bits", 2),
)

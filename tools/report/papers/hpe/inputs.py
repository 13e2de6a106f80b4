# SPDX-License-Identifier: GPL-2.0
"""
The suites' own inputs: what ``--full`` runs.  Those of Rodinia and Parboil are of their run scripts, those
of PolyBench/GPU of its sources.  The paper names none.  It says that footprints are 3 to 130 MB, 37 MB on
average (III); these are 3 to 130 MB, 35 MB on average.
"""

# Options of each workload, and what they stand for.  Where the size is a workload's own it says so.
INPUTS = {
    "HOT": (("--size", "3M"), "512 x 512, one step (Rodinia: hotspot 512 2 2)"),
    "LEU": ((), "ours; what the suite's video has was not looked up"),
    "CUT": (("--size", "36M"), "ours; what the suite's lattices have was not looked up"),
    "2DC": (("--size", "128M"), "4096 x 4096 (PolyBench/GPU)"),
    "GEM": (("--size", "3M", "--inner", 512, "--width", 512), "512 x 512 x 512 (PolyBench/GPU)"),
    "SRD": (("--size", "96M"), "2048 x 2048, 2 iterations (Rodinia: srad 2048 2048 0 127 0 127 0.5 2)"),
    "HSD": (("--size", "24M", "--steps", 100), "512 x 512 x 8, 100 steps (Rodinia: 3D 512 8 100)"),
    "MRQ": (("--size", "5M", "--launches", 2, "--samples", 64),
            "64 x 64 x 64 voxels, 2048 samples in launches of 1024 (Parboil, large); ours have 64 samples"),
    "STN": (("--size", "4M", "--sweeps", 100), "128 x 128 x 32, 100 sweeps (Parboil, small)"),
    "PAT": (("--columns", 100000, "--height", 20, "--size", 40800000),
            "100000 x 100, 20 rows a launch (Rodinia: pathfinder 100000 100 20)"),
    "DWT": (("--size", "27M"), "1024 x 1024 pixels, 3 levels (Rodinia: dwt2d rgb.bmp -5 -l 3)"),
    "BKP": ((), "65536 inputs (Rodinia: backprop 65536)"),
    "KMN": (("--points", 494020, "--iterations", 2), "kdd_cup: 494,020 points of 34; ours end after 2 rounds"),
    "SAD": ((), "352 x 288 pixels (Parboil, default)"),
    "NW": (("--size", 33603584), "2048 x 2048 (Rodinia: needle 2048 10)"),
    "BFS": (("--size", "39M", "--start", 0), "1 M nodes, 6 M edges (Rodinia: graph1MW_6)"),
    "MVT": (("--size", "64M"), "4096 x 4096 (PolyBench/GPU)"),
    "HWL": (("--size", "26M", "--frames", 20), "51 points, 20 frames (Rodinia: heartwall test.avi 20)"),
    "SGM": ((), "1024 x 1024 x 1024 (Parboil, medium, nearly)"),
    "HIS": (("--iterations", 20), "996 x 1040 pixels, 1 M bins, 20 iterations (Parboil, default)"),
    "SPV": (("--size", "29M", "--nonzeros", 24, "--iterations", 50),
            "146,689 rows, 3.6 M elements, 50 iterations (Parboil, large)"),
    "B+T": (("--size", "22M", "--finds", 10000, "--ranges", 6000),
            "1 M records, 10,000 keys, 6,000 ranges (Rodinia: mil.txt, command.txt)"),
    "HYB": (("--size", "48M"), "4 M floats (Rodinia: hybridsort r)"),
}

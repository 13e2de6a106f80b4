# SPDX-License-Identifier: GPL-2.0
"""The report on "Batch-Aware Unified Memory Management in GPUs for Irregular Workloads"."""

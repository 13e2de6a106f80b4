# SPDX-License-Identifier: GPL-2.0
"""The papers, one folder each: what it says, how large the runs are, and its figures."""

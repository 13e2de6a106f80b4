# SPDX-License-Identifier: GPL-2.0
"""Each file is a figure, or a table, of "Demystifying GPU UVM Cost"."""

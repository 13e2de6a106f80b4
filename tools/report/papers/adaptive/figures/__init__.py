# SPDX-License-Identifier: GPL-2.0
"""Each file is a figure, or a table, of the report on the adaptive framework."""

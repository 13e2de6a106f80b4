# SPDX-License-Identifier: GPL-2.0
"""What all reports on published evaluations are made of (Documentation/reports.rst)."""

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# uvm report batch-aware at its smallest: every generator runs, every figure of the page is
# drawn, a second report runs nothing, and the judge of what is expected to hold can say no.
# host: timeout=1800 when=soak
. ./lib.sh
. "$QEMU_TESTS/tests/lib/report.bash"

report_made batch-aware
report_drawn "<svg" fig1 fig3 fig5 fig8 fig11 fig12 fig13 fig14 fig15 fig16 fig17 \
	fig18 apart shaped fewer ours
report_drawn "<td>" runs left grown ordered
report_ends

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# uvm report hpe at its smallest: every generator runs, every figure of the page is
# drawn, a second report runs nothing, and the judge of what is expected to hold can say no.
# host: timeout=1800 when=soak
. ./lib.sh
. "$QEMU_TESTS/tests/lib/report.bash"

report_made hpe
report_drawn "<svg" fig2 fig7 fig8 fig9 fig10 fig11 fig12 fig14 fig15 transfer walk storage load \
	fixed fewer driver migrated
report_drawn "<td>" fig13 table1 table2 table3 longer readings traps
report_ends

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# uvm report adaptive at its smallest: every generator runs, every figure of the page is
# drawn, a second report runs nothing, and the judge of what is expected to hold can say no.
# host: timeout=1200 when=soak
. ./lib.sh
. "$QEMU_TESTS/tests/lib/report.bash"

report_made adaptive
report_drawn "<svg" fig1 fig2 fig5a fig5b timing remote memory footprint
report_drawn "<td>" detection waits
report_ends

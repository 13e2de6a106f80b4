#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Data that goes back and forth, fatal faults and whom they hit, and every
# migration of the prefetcher against an independent model.
# vm: kernel=stock,uml timeout=600
# vm: kernel=stock timeout=600 args=0x4000200000 name=256G
# vm: kernel=debug cpus=2 timeout=600 args=0x2003ffe00000 name=high
# vm: kernel=uml softgpu="set=far_faults:wait" timeout=600 name=wait
#
# An argument is where managed memory begins, for what only large addresses have: other
# entries of the upper page tables, and a block before the end of one of them.
[ $# = 0 ] || export TEST_ADDRESSES="$1"
exec ./faults

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A unit that is evicted while its pages are still being copied home keeps its bytes, whenever
# evictions run.  The link back is slow, or the copies would be in step.
# vm: kernel=uml softgpu="profile=asplos20 vram_mb=8 set=copy_dtoh_mbps:1000" args="reactive serial unobtrusive proactive eager ideal"
# vm: kernel=debug softgpu="profile=asplos20 clock=real vram_mb=8" args="unobtrusive" name=real
. ./lib.sh

# The same on the real clock.
echo 200 > /sys/kernel/debug/softgpu/gpu0/slow_dtoh_us

for timing; do
	check "$timing: every byte is right" ./migrate-evict $timing
done
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Four processes at once, with munmap, fork, close and SIGKILL in the middle:
# data right, no splat, no leak.
# vm: kernel=debug cpus=2 timeout=300 softgpu="clock=real vram_mb=12" args="60 1" name=real when=soak
# vm: kernel=stock cpus=4 timeout=200 softgpu="clock=virtual vram_mb=12" args="10 2" name=virtual
# vm: kernel=debug cpus=2 timeout=200 softgpu="clock=virtual vram_mb=12" args="10 3" name=virtual
# vm: kernel=debug cpus=2 timeout=300 softgpu="clock=real vram_mb=12" uvm="perf_thrashing_threshold=1 perf_thrashing_pin_threshold=2 perf_thrashing_lapse_usec=3000 perf_thrashing_pin=5" args="15 6" name=thrashing
# vm: kernel=debug cpus=4 timeout=1200 softgpu="clock=real vram_mb=12" args="600 4" name=soak when=soak
# vm: kernel=debug cpus=2 timeout=1200 softgpu="clock=virtual vram_mb=12" args="300 5" name=soak-virtual when=soak
# vm: kernel=debug cpus=2 timeout=300 softgpu="clock=real vram_mb=12 set=far_faults:wait" args="15 7" name=wait-real
. ./lib.sh

out=$(timeout -s KILL $(($1 + 100)) ./stress "$1" "$2" 2>&1)
status=$?
note "$out"
case $status in
0) ok "data is right, all processes end" ;;
137) not_ok "data is right, all processes end" "hung" ;;
*) not_ok "data is right, all processes end" "exited $status" ;;
esac

# The last reference of a dying process may go a little after its parent woke.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	left=$(objects_left)
	[ -n "$left" ] || break
	sleep 0.5
done
expect "no object is left" "" "$left"
finish

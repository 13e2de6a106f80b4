#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# On a Titan V page touch of less than 100 KB takes 400-600 us whatever its size
# (demystifying, III-C), most of it in the first call of the physical allocator,
# which is for many frames (III-D); a call that finds nothing costs little.
# vm: kernel=uml softgpu="profile=titanv" timeout=300
. ./lib.sh

# number KEY FILE: the first of that name.
number() {
	grep -o "\"$1\":[0-9]*" "$2" | head -n 1 | cut -d : -f 2
}

# between NAME LEAST MOST GOT
between() {
	if [ "$4" -ge "$2" ] && [ "$4" -le "$3" ]; then
		ok "$1: $4"
	else
		not_ok "$1: $4" "not in $2 ... $3"
	fi
}

for name in regular random; do
	for size in 4K 16K 64K 96K; do
		uvm run $name --size $size --set perf_prefetch_enable=0 --json --quiet > report
		between "$name, $size: GPU time, ns" 400000 600000 "$(number gpu_time_ns report)"
	done
done

uvm run regular --size 16M --json --quiet > report
between "16 MB: one call" 475000 480000 "$(number pma_alloc report)"

# Three times the memory: each eviction asks the allocator first.
uvm run regular --size 12M --vram 4M --json --quiet > report
evictions=$(number chunks report)
between "12 MB in 4 MB: evictions" 4 1000 "$evictions"
between "and no grant for them" 475000 $((475000 + 1500 * (3 * evictions + 10))) \
	"$(number pma_alloc report)"
finish

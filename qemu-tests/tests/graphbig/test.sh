#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The graph workloads of the batch-aware paper verify with less memory than they need
# and, with --explicit, without a fault.
# vm: kernel=uml timeout=900 softgpu="profile=asplos20"
. ./lib.sh

# number FILE KEY: the first value of that key.
number() {
	sed -n "s/.*\"$2\": *\([0-9]*\).*/\1/p" "$1" | head -n 1
}

# All of them have 3 MB in "small", and not all rounds of hundreds.
workloads graphbig > list
check "there are workloads" test -s list
while IFS='|' read -r w options _; do
	check "$w is verified with 2 MB of 3" sh -c \
		"uvm run $w $options --vram 2M --quiet --json > $w.json"
	invariants "$w" $w.json
	# The size is what was asked for, within a tenth.
	footprint=$(number $w.json footprint_bytes)
	if [ "${footprint:-0}" -gt 2800000 ] && [ "$footprint" -lt 3500000 ]; then
		ok "$w: $footprint bytes"
	else
		not_ok "$w: the footprint is that of --size" "$footprint"
	fi
	check "explicit $w is verified" sh -c \
		"uvm run $w $(echo "$options" | sed 's/3M/512K/') --explicit --quiet --json > $w.json"
	expect "explicit $w: no fault" 0 "$(number $w.json fetched)"
	invariants "explicit $w" $w.json
done < list
# The CPU puts worklists in order, so it takes them from the GPU and back in each round.
for words in "--vram 2M" "--vram 2M --sort" "--explicit --sort"; do
	check "gc-dtc $words is verified" sh -c \
		"uvm run gc-dtc --size 3M $words --rounds 20 --quiet --json \
		--events events --event-types $event_types > 'gc $words.json'"
	invariants "gc-dtc $words" "gc $words.json" events
done
check "worklists are put in order by the CPU" test \
	"$(number "gc --vram 2M --sort.json" cpu)" -ge $(($(number "gc --vram 2M.json" cpu) + 20))
expect "no object is left" "" "$(objects_left)"
finish

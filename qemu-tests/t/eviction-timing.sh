#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bytes are right while units are evicted beside the copies into others: passes over more
# memory than there is, until so many units have been evicted (issue 4, E.1).
# vm: kernel=stock cpus=2 timeout=600 softgpu="profile=asplos20 clock=real vram_mb=8" args="10000 64k unobtrusive" name=real
# vm: kernel=debug cpus=2 timeout=600 softgpu="profile=asplos20 clock=real vram_mb=8" args="100 64k unobtrusive" name=real
# vm: kernel=stock cpus=2 timeout=600 softgpu="profile=asplos20 vram_mb=8" args="1000 64k unobtrusive proactive serial ideal" name=virtual
# vm: kernel=debug cpus=2 timeout=14000 softgpu="profile=asplos20 clock=real vram_mb=8" args="100000 4k unobtrusive" name=soak when=soak
# vm: kernel=debug cpus=2 timeout=14000 softgpu="profile=asplos20 clock=real vram_mb=8" args="5000 64k unobtrusive proactive serial ideal" name=timings when=soak
. ./lib.sh

wanted=$1
granularity=$2
shift 2

# evicted FILE: units that the runs in it have lost.
evicted() {
	sed -n 's/.*"evictions":{"chunks":\([0-9]*\).*/\1/p' "$1" 2>/dev/null |
		awk '{ n += $1 } END { print n + 0 }'
}

# run TIMING WORDS...: what fails goes to "failed".
run() {
	timing=$1
	shift
	uvm run "$@" --json --quiet --set "eviction_timing=$timing" \
		--set "root_chunk_granularity=$granularity" \
		--set concurrency_policy=oversubscribe >> runs 2> errors || cat errors >> failed
}

for timing; do
	rm -f runs failed
	while [ "$(evicted runs)" -lt "$wanted" ] && [ ! -e failed ]; do
		run "$timing" regular --size 12M --access both --passes 7
		run "$timing" random --size 9M --access both --passes 7
	done
	note "$timing: $(evicted runs) units evicted in $(grep -c verified runs) runs"
	expect "$timing: nothing fails" "" "$(cat failed 2>/dev/null)"
	expect "$timing: every byte is right" "" "$(grep -v '"verified":true' runs)"
done
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bytes are right while units are evicted beside the copies into others: two processes
# share a GPU and less memory than either needs, until so many units have been evicted.
# vm: kernel=stock timeout=600 softgpu="profile=asplos20 clock=real vram_mb=8" args="4000 64k 7 unobtrusive" name=real
# vm: kernel=stock timeout=1200 softgpu="profile=asplos20 clock=real vram_mb=8" args="10000 64k 7 unobtrusive" name=soak when=soak
# vm: kernel=debug timeout=600 softgpu="profile=asplos20 clock=real vram_mb=8" args="500 4k 1 unobtrusive" name=real when=soak
# vm: kernel=uml timeout=600 softgpu="profile=asplos20 vram_mb=8" args="5000 64k 7 unobtrusive proactive serial ideal" name=virtual
# vm: kernel=debug timeout=14000 softgpu="profile=asplos20 clock=real vram_mb=8" args="100000 4k 7 unobtrusive" name=soak when=soak
# vm: kernel=debug timeout=14000 softgpu="profile=asplos20 clock=real vram_mb=8" args="5000 64k 7 unobtrusive proactive serial ideal" name=timings when=soak
. ./lib.sh

# On the real clock a copy home would be over before anybody could overwrite it.
echo 200 > /sys/kernel/debug/softgpu/gpu0/slow_dtoh_us

wanted=$1
granularity=$2
passes=$3
shift 3

# evicted FILE: units that the runs in it have lost.
evicted() {
	sed -n 's/.*"evictions":{"chunks":\([0-9]*\).*/\1/p' "$1" 2>/dev/null |
		awk '{ n += $1 } END { print n + 0 }'
}

# runs NAME TIMING WORDS...: one run after the other until NAME.stop is there; what
# fails goes to NAME.failed.
runs() {
	name=$1
	timing=$2
	shift 2
	while [ ! -e "$name.stop" ]; do
		uvm run "$@" --json --quiet --set "eviction_timing=$timing" \
			--set "root_chunk_granularity=$granularity" \
			--set concurrency_policy=oversubscribe >> "$name.json" 2> "$name.err" ||
			cat "$name.err" >> "$name.failed"
	done
}

for timing; do
	rm -f a.* b.*
	runs a "$timing" regular --size 12M --access both --passes "$passes" &
	runs b "$timing" random --size 9M --access both --passes "$passes" &
	while [ $(($(evicted a.json) + $(evicted b.json))) -lt "$wanted" ] &&
	      [ ! -e a.failed ] && [ ! -e b.failed ]; do
		sleep 0.5
	done
	touch a.stop b.stop
	wait
	note "$timing: $(evicted a.json) and $(evicted b.json) units evicted," \
		"$(grep -c verified a.json) and $(grep -c verified b.json) runs"
	expect "$timing: nothing fails" "" "$(cat a.failed b.failed 2>/dev/null)"
	expect "$timing: every byte is right" "" "$(cat a.json b.json | grep -v '"verified":true')"
done
expect "no object is left" "" "$(objects_left)"
finish

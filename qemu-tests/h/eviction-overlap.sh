#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# With unobtrusive timing copies out run beside copies in, and the first copy of a batch
# waits for no eviction; in the baseline nothing overlaps (issue 4, E.2 and E.3).
# host: timeout=900
. ./lib.sh

cat > guest.sh <<'EOF'
for timing in serial reactive unobtrusive; do
	uvm run bfs-twc --size 8100K --vram 4M --json --quiet --set eviction_timing=$timing \
		--events all > $timing.json || exit 1
	grep -E '"event":"(migration|eviction|batch)"' all > $timing
done
uvm run bfs-twc --size 4100K --vram 2M --json --quiet --set eviction_timing=eager \
	--set root_chunk_granularity=64k --events all > eager.json || exit 1
grep -E '"event":"(migration|eviction|batch)"' all > eager
EOF
"$VM" --kernel stock --memory 2048 --timeout 800 --softgpu "profile=asplos20 vram_mb=16" \
	--put guest.sh --get serial --get reactive --get unobtrusive --get eager \
	-- sh ./guest.sh > out 2>&1
expect "all runs end" 0 $?

# share FILE KEY: what overlap.py says, in whole per cent, rounded down.
share() {
	python3 -B "$QEMU_TESTS/../tools/report/overlap.py" "$1" |
		python3 -c "import json, sys; print(int(100 * json.load(sys.stdin)['$2']['share']))"
}

# ahead FILE: the most evictions before a batch.
ahead() {
	python3 -B "$QEMU_TESTS/../tools/report/overlap.py" "$1" | sed 's/.*"ahead": \([0-9]*\).*/\1/'
}

# at_least NAME LEAST VALUE
at_least() {
	if [ "$3" -ge "$2" ]; then
		ok "$1: $3 %"
	else
		not_ok "$1" "$3 %, at least $2 wanted"
	fi
}

expect "serial: copies in and out overlap for 0 % of the time" 0 "$(share serial overlap)"
note "reactive: $(share reactive overlap) %"
at_least "unobtrusive: copies overlap" 80 "$(share unobtrusive overlap)"
at_least "unobtrusive: first copies that wait for no eviction" 95 "$(share unobtrusive first)"
expect "unobtrusive: one eviction before a batch" 1 "$(ahead unobtrusive)"
if [ "$(ahead eager)" -ge 4 ]; then
	ok "eager: several: $(ahead eager)"
else
	not_ok "eager: several" "$(ahead eager)"
fi
finish

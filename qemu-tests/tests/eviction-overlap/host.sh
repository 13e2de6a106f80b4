#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# With unobtrusive timing copies out run beside copies in, the first copy of a batch waits
# for no eviction, and what is evicted for it begins at the interrupt; in the baseline none
# of it is so.  Proactive timing evicts when a batch is done.
# host: timeout=1200
. ./lib.sh

check "events whose answer is known" python3 -B "$QEMU_TESTS/../tools/report/overlap_test.py"

cat > guest.sh <<'EOF'
for timing in serial reactive unobtrusive; do
	uvm run bfs-twc --size 8100K --vram 4M --json --quiet --set eviction_timing=$timing \
		--events all > $timing.json || exit 1
	grep -E '"event":"(migration|eviction|batch)"' all > $timing
done
for timing in eager proactive serial; do
	uvm run bfs-twc --size 4100K --vram 2M --json --quiet --set eviction_timing=$timing \
		--set root_chunk_granularity=64k --events all > $timing.json || exit 1
	grep -E '"event":"(migration|eviction|batch)"' all > small-$timing
done
EOF
"$VM" --kernel uml --memory 2048 --timeout 800 --softgpu "profile=asplos20 vram_mb=16" \
	--put guest.sh --get serial --get reactive --get unobtrusive \
	--get small-eager --get small-proactive --get small-serial \
	-- sh ./guest.sh > out 2>&1
expect "all runs end" 0 $?

# The profile has no time between the interrupt and its service: here is some.
cat > wake.sh <<'EOF'
for timing in serial unobtrusive; do
	uvm run bfs-twc --size 4100K --vram 2M --json --quiet --set eviction_timing=$timing \
		--set root_chunk_granularity=64k --events all > wake-$timing.json || exit 1
	grep -E '"event":"(gpu_fault|eviction|batch)"' all > wake-$timing
done
EOF
"$VM" --kernel uml --memory 2048 --timeout 800 \
	--softgpu "profile=asplos20 vram_mb=16 set=cost_bh_wake:5000" \
	--put wake.sh --get wake-serial --get wake-unobtrusive -- sh ./wake.sh > wake.out 2>&1
expect "all runs end with a slow wake-up" 0 $?

# share FILE KEY: what overlap.py says, in whole per cent, rounded down.
share() {
	python3 -B "$QEMU_TESTS/../tools/report/overlap.py" "$1" |
		python3 -c "import json, sys; print(int(100 * json.load(sys.stdin)['$2']['share']))"
}

# value FILE KEY...: what overlap.py says there.
value() {
	python3 -B "$QEMU_TESTS/../tools/report/overlap.py" "$1" | python3 -c "import json, sys
found = json.load(sys.stdin)
for key in sys.argv[1:]:
    found = found[key]
print(found)" "${@:2}"
}

# interrupt FILE: batches that an interrupt began and that evicted; of these, how many did
# before the bottom half was awake, and between that and the first need.
interrupt() {
	python3 -B "$QEMU_TESTS/../tools/report/overlap.py" --wake 5000 "$1" |
		python3 -c "import json, sys
print(*json.load(sys.stdin)['interrupt'].values())"
}

# at_least NAME LEAST VALUE
at_least() {
	if [ "$3" -ge "$2" ]; then
		ok "$1: $3"
	else
		not_ok "$1" "$3, at least $2 wanted"
	fi
}

expect "serial: copies in and out overlap for 0 % of the time" 0 "$(share serial overlap)"
expect "serial: not for a nanosecond" 0 "$(value serial overlap both_ns)"
for timing in serial unobtrusive small-serial; do
	# shares of nothing are nothing too
	at_least "$timing: ns of copies in" 1000000 "$(value $timing overlap htod_ns)"
	at_least "$timing: ns of copies out" 1000000 "$(value $timing overlap dtoh_ns)"
	at_least "$timing: batches that evict" 20 "$(value $timing first batches)"
done
note "reactive: $(share reactive overlap) %"
at_least "unobtrusive: per cent of the time in which copies overlap" 80 "$(share unobtrusive overlap)"
at_least "unobtrusive: per cent of first copies that wait for no eviction" 95 "$(share unobtrusive first)"
late=$(share serial first)
if [ "$late" -le 25 ]; then
	ok "serial: hardly a first copy waits for no eviction: $late %"
else
	not_ok "serial: hardly a first copy waits for no eviction" "$late %"
fi
note "reactive: $(share reactive first) %"
expect "unobtrusive: one eviction before a batch" 1 "$(value unobtrusive ahead)"
at_least "eager: several" 4 "$(value small-eager ahead)"
at_least "proactive: several after a batch" 4 "$(value small-proactive after)"
expect "serial: none before a batch, none after it" "0 0" \
	"$(value small-serial ahead) $(value small-serial after)"

# Where a unit is free already nothing is evicted before it is needed.
read -r batches before between <<< "$(interrupt wake-unobtrusive)"
note "unobtrusive: of $batches batches after an interrupt $before evict before the wake-up"
at_least "unobtrusive: per cent of batches with an eviction that begins at the interrupt" 60 \
	$((100 * before / (batches ? batches : 1)))
expect "unobtrusive: none of the others begins before it is needed" 0 "$between"
read -r batches before between <<< "$(interrupt wake-serial)"
at_least "serial: batches after an interrupt, in number" 5 "$batches"
expect "serial: no eviction begins before it is needed" "0 0" "$before $between"
finish

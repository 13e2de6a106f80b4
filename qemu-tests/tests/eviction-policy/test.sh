#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Eviction policies: what they take along, what they are told, and what becomes of one that
# answers nonsense.
# vm: kernel=uml softgpu="vram_mb=8" timeout=300
# vm: kernel=uml-debug softgpu="vram_mb=8" timeout=300
. ./lib.sh

# less NAME A B: A is less than B.
less() {
	awk -v a="$2" -v b="$3" 'BEGIN { exit !(a < b) }'
	expect "$1 ($2 < $3)" 0 $?
}

# What goes with a victim goes at once: fewer evictions, and no fewer pages.
for policy in lru lru_block; do
	uvm run regular --size 12M --oversubscription 150 --set root_chunk_granularity=64k \
		--set prefetch_policy=none --set eviction_policy=$policy --json --quiet \
		--events events --event-types eviction > report
	expect "$policy: runs" 0 $?
	check "$policy: verified" grep -q '"verified":true' report
	grep -c '"event":"eviction"' events > $policy.count
	sed -n 's/.*"bytes":\([0-9]*\).*/\1/p' events | sort -n | tail -n 1 > $policy.most
done
less "lru_block: fewer evictions" "$(cat lru_block.count)" "$(cat lru.count)"
expect "lru: 64 KB at most" 65536 "$(cat lru.most)"
less "lru_block: most of a block at once" 1048576 "$(cat lru_block.most)"

# A policy that answers nonsense loses its place, and that is said.
debug=/sys/kernel/debug/uvm/gpu0
knob=$debug/wrong_victims
# in_force WORD: of the policy of the last run.
in_force() {
	sed -n "s/^$1 //p" $debug/eviction_policy
}
run="uvm run regular --size 12M --oversubscription 200 --set root_chunk_granularity=64k --json
	--quiet --events events --event-types policy_ejected,eviction"
$run --set eviction_policy=mru > report
expect "a good policy stays" 0 "$(grep -c policy_ejected events)"
expect "it is in force" mru "$(in_force policy)"
check "it was told of pages" [ "$(in_force pages)" -gt 3000 ]
check "and of faults" [ "$(in_force faults)" -gt 100 ]
expect "and of the end of each launch" \
	"$(sed 's/.*"launches":\([0-9]*\).*/\1/' report)" "$(in_force launches)"
echo 63 > $knob
$run --set eviction_policy=mru > report
expect "63 wrong answers are forgiven" 0 "$(grep -c policy_ejected events)"
expect "all were used" 0 "$(cat $knob)"
echo 64 > $knob
$run --set eviction_policy=mru > report
expect "the 64th is one too many" 0 $?
check "and the data is right" grep -q '"verified":true' report
expect "which is told once" 1 "$(grep -c policy_ejected events)"
check "with how many" grep -q '"wrong":64' events
check "which policy, by its number" grep -q "\"choice\":$(uvm list |
	sed -n 's/^  eviction_policy=\([a-z_]*\) .*/\1/p' | grep -nx mru | cut -d: -f1 |
	awk '{ print $1 - 1 }')," events
expect "the default is in force" lru "$(in_force policy)"

# Who sets another parameter of eviction does not bring it back; who chooses it does.
after() {
	echo 64 > $knob
	printf '%s\n' "set root_chunk_granularity 64k" "set eviction_policy mru" "alloc a 24M" \
		"gpu write a $(seq -s ' ' 0 65536 15728640)" "$@" > script
	uvm probe --json script > out || echo failed
	in_force policy
}
expect "ejected" lru "$(after "gpu read a 0")"
expect "another parameter" lru "$(after "set eviction_timing serial")"
expect "chosen again" mru "$(after "set eviction_policy mru")"
echo 1000 > $knob
$run --set eviction_policy=lru > report
expect "nobody takes the default's place" 0 "$(grep -c policy_ejected events)"
echo 0 > $knob

# Access counters feed who wants to know, again and again, and count for nobody else.
# counted NAME LINES...: the probe, with the lines first, notes how often a counter told.
counted() {
	name=$1
	shift
	printf '%s\n' "set perf_access_counter_threshold 1" "set residency_policy remote" "$@" \
		"alloc a 2M" "cpu write a 0 2M" "warp read a 0" "warp read a 64K" \
		"warp read a 0" > script
	uvm probe --json script > out
	expect "$name: runs" 0 $?
	told=$(grep -c '"event":"access_counter"' out)
}
counted "without the feed"
expect "without the feed: nothing is counted" 0 "$told"
counted "linked" "set eviction_policy linked"
expect "linked: told of each use over the link" 3 "$told"
expect "linked: all of them" 3 "$(in_force touches)"
expect "linked: nothing has moved" 0 "$(grep -c '"cause":"access_counter"' out)"
$run --set eviction_policy=linked > report
check "linked: a tick for each millisecond" [ "$(in_force ticks)" -ge \
	$(($(sed 's/.*"gpu_time_ns":\([0-9]*\).*/\1/' report) / 1000000 - 1)) ]
check "linked: which there were" [ "$(in_force ticks)" -ge 1 ]
counted "linked has gone" "set eviction_policy linked" "set eviction_policy lru"
expect "linked has gone: nothing is counted" 0 "$told"
echo 64 > $knob
counted "ejected" "set root_chunk_granularity 64k" "set eviction_policy linked" "alloc b 24M" \
	"gpu write b $(seq -s ' ' 0 65536 15728640)"
expect "ejected: somebody else is in force" lru "$(in_force policy)"
expect "ejected: they count until one tells, and are off then" 1 "$told"

# Told page by page costs time, by the profile, and nothing else changes.
of() {
	uvm run regular --size 8M --json --quiet --set eviction_policy="$1" |
		sed 's/.*"gpu_time_ns":\([0-9]*\).*/\1/'
}
less "mru, which is told of each page, is charged for it" "$(of lru)" "$(of mru)"
expect "fifo is not" "$(of lru)" "$(of fifo)"
finish

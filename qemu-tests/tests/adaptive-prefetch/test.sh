#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Prefetching that follows the eviction load: aggressive while memory suffices, as
# the tree while what is evicted is not wanted again, nothing while memory thrashes
# ("adaptive prefetching", demystifying IV-C, V-A, VI-B).
# vm: kernel=uml timeout=600 args=32
# vm: kernel=uml-debug timeout=1800 args=32 name=debug when=soak
. ./lib.sh

memory=$1	# MB

# run NAME ARGUMENTS...: report in NAME.
run() {
	_report=$1
	shift
	check "$_report: verified" uvm run "$@" --quiet --json
	printf '%s\n' "$_out" > "$_report"
}

# of REPORT FIELD: the first number of that name.
of() {
	grep -o "\"$2\":[0-9]*" "$1" | head -n 1 | cut -d : -f 2
}

# less NAME A B: A < B.
less() {
	awk -v a="$2" -v b="$3" 'BEGIN { exit !(a < b) }'
	expect "$1 ($2 < $3)" 0 $?
}

adaptive="--set prefetch_policy=adaptive"
small=$((memory * 3 / 4))M
large=$((memory * 3 / 2))M
usable="--vram ${memory}M"

# Memory suffices: the same as a threshold of 1 %, to the nanosecond.
# shellcheck disable=SC2086
for name in regular random; do
	run $name-tree $name --size $small $usable
	run $name-one $name --size $small $usable --set perf_prefetch_threshold=1
	run $name-adaptive $name --size $small $usable $adaptive
	for field in gpu_time_ns fetched htod; do
		expect "$name, memory suffices: $field as with 1 %" "$(of $name-one $field)" \
			"$(of $name-adaptive $field)"
	done
	expect "$name, memory suffices: nothing is evicted" 0 "$(of $name-adaptive premature)"
done
less "regular, memory suffices: fewer faults than the tree" "$(of regular-adaptive fetched)" \
	"$(of regular-tree fetched)"
# shellcheck disable=SC2086
run regular-51 regular --size $small $usable $adaptive --set perf_prefetch_threshold_min=51
expect "perf_prefetch_threshold_min=51: the tree" "$(of regular-tree gpu_time_ns)" \
	"$(of regular-51 gpu_time_ns)"

# Too little, each page is touched once: regular leaves nothing to regret.
# shellcheck disable=SC2086
{
	run regular-over-tree regular --size $large $usable
	run regular-over-adaptive regular --size $large $usable $adaptive
}
less "regular, oversubscribed: it goes on prefetching" \
	"$(of regular-over-adaptive gpu_time_ns)" \
	$(($(of regular-over-tree gpu_time_ns) * 110 / 100))

# Random thrashes: prefetching stops, and that pays in bytes and in time.
# shellcheck disable=SC2086
{
	run random-over-tree random --size $large $usable
	run random-over-none random --size $large $usable --set perf_prefetch_enable=0
	run random-over-adaptive random --size $large $usable $adaptive
}
less "random, oversubscribed: faster than the tree" "$(of random-over-adaptive gpu_time_ns)" \
	"$(of random-over-tree gpu_time_ns)"
less "random, oversubscribed: less than half of the tree's data moves" \
	$((2 * $(of random-over-adaptive htod))) "$(of random-over-tree htod)"
less "random, oversubscribed: it did prefetch before it stopped" \
	"$(of random-over-adaptive fetched)" "$(of random-over-none fetched)"

# The next one starts afresh, and repeats.
# shellcheck disable=SC2086
for run in 1 2; do
	run again-$run regular --size $small $usable $adaptive
	expect "after a run that thrashed: as before" "$(of regular-adaptive fetched)" \
		"$(of again-$run fetched)"
done
expect "the same twice" "$(of again-1 gpu_time_ns)" "$(of again-2 gpu_time_ns)"
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Two processors that fight for a page are found out, throttled, and get the
# page pinned where both reach it (nvidia-uvm 5.2 to 5.4).
# vm: kernel=uml softgpu="gpus=2" timeout=600
# vm: kernel=debug cpus=2 softgpu="gpus=2" timeout=600
# vm: kernel=uml softgpu="gpus=2 set=far_faults:wait" timeout=600 name=wait
. ./lib.sh

# fight N: the GPU and the CPU write the same page in turn, N times each.
fight() {
	for _ in $(seq "$1"); do
		echo "gpu write a 0"
		echo "cpu write a 0"
	done
}

# probe [PARAM VALUE]...: run stdin as a script, with one page at the CPU.
# Events go to "out".
probe() {
	{
		echo "set perf_prefetch_enable 0"
		while [ $# -gt 0 ]; do
			echo "set $1 $2"
			shift 2
		done
		echo "alloc a 2M"
		echo "cpu write a 0"
		cat
	} > script
	uvm probe --json script > out 2> errors || cp errors out
}

# count EVENT [PATTERN]: events of this kind whose line matches, too
count() {
	grep "\"event\":\"$1\"" out | grep -c -- "${2:-}"
}

# before EVENT OTHER: how many OTHER come before the first EVENT
before() {
	awk -v e="\"event\":\"$1\"" -v o="\"event\":\"$2\"" \
		'index($0, e) { exit } index($0, o) { n++ } END { print n + 0 }' out
}

# last_command: the events of the last command of the script
last_command() {
	awk '/"cmd"/ { text = ""; next } { text = text $0 "\n" } END { printf "%s", text }' out
}

# ---- detection -------------------------------------------------------------
#
# The first move begins the history of the block, the second, by another
# processor, that of the page; then as many as the threshold says must follow.
# Detection is part of the last of these: it is told before the copy is done.

for threshold in 1 3 5; do
	fight 5 | probe perf_thrashing_threshold $threshold
	expect "threshold $threshold: one page thrashes" 1 "$(count thrashing_detected)"
	expect "threshold $threshold: found at move number $((threshold + 2))" \
		$((threshold + 1)) "$(before thrashing_detected migration)"
	expect "threshold $threshold: nobody is held back before" 0 \
		"$(before thrashing_detected throttling_start)"
done

# ---- throttling, pinning ------------------------------------------------------
#
# Moves 1 to 5 as above; at the 6th who asks has the free pass.  From then on each
# waits for the end of the other's nap, which counts once, though the GPU's fault comes
# back at each replay meanwhile.  After ten naps, five of each, the page is pinned, in
# the end where both reach it, and the GPU maps it.  16 moves in all.

fight 12 | probe
cp out defaults
expect "the page is found once" 1 "$(count thrashing_detected)"
expect "the GPU is throttled in its turn" "5 5" \
	"$(count throttling_start '"src":"gpu0"') $(count throttling_end '"src":"gpu0"')"
expect "so is the CPU" "5 5" \
	"$(count throttling_start '"src":"cpu"') $(count throttling_end '"src":"cpu"')"
check "faults of the GPU are skipped meanwhile" test "$(count throttle)" -ge 10
expect "the page moves until it is pinned for both" 16 "$(count migration)"
expect "the GPU maps it where it is" 1 "$(count map_remote '"cause":"thrashing"')"
expect "from then on nobody faults" "" "$(last_command)"

# Who joins them gets it there, too.
{ fight 12; echo "gpu1 write a 0"; } | probe
expect "a third processor maps it as well" 1 \
	"$(last_command | grep '"event":"map_remote"' | grep -c '"src":"gpu1".*"cause":"thrashing"')"
expect "and moves nothing" 0 "$(last_command | grep -c '"event":"migration"')"

# Without pins the CPU is throttled in its turn, by sleeping, for no longer than
# a nap, and both go on to get the page in turn.
fight 6 | probe perf_thrashing_pin_threshold 255
slept=$(awk '/"event":"throttling_start"/ && /"src":"cpu"/ {
		sub(/.*"time_ns":/, ""); began = $0 + 0 }
	/"event":"throttling_end"/ && /"src":"cpu"/ && began {
		sub(/.*"time_ns":/, ""); print ($0 - began > 100000 && $0 - began <= 501000); exit
	}' out)
expect "the CPU is throttled, for no longer than a nap" 1 "$slept"
expect "whoever is throttled is let go" "$(count throttling_start)" "$(count throttling_end)"
expect "not pinned, every access moves the page" 12 "$(count migration)"

# ---- the end of a pin -------------------------------------------------------------
#
# 4 lapses are 2 ms; moving 32 MB takes longer, and nothing else here lets so
# much time pass.

outlast() {
	fight 6
	echo "set perf_prefetch_enable 1"
	echo "alloc b 32M"
	echo "cpu write b 0 32M"
	echo "prefetch b 0 32M gpu0"
	echo "gpu write a 0"
}

outlast | probe perf_thrashing_pin_threshold 1 perf_thrashing_pin 4
expect "when the pin has ended the GPU faults again" 1 \
	"$(last_command | grep -c '"event":"gpu_fault"')"
expect "and gets the page" 1 \
	"$(last_command | grep '"event":"migration"' | grep -c '"dst":"gpu0"')"
outlast | probe perf_thrashing_pin_threshold 1 perf_thrashing_pin 0
expect "a pin for ever does not end" "" "$(last_command)"

# ---- resets -------------------------------------------------------------------------

{ fight 3; echo "prefetch a 0 2M gpu0"; fight 1; } | probe
expect "explicit migration makes the driver forget" 0 "$(count throttling_start)"
{ fight 3; fight 1; } | probe
expect "which would have throttled otherwise" 2 "$(count throttling_start)"
{ fight 5; echo "free a"; echo "alloc a 2M"; echo "cpu write a 0"; fight 2; } | probe
expect "so does free" 1 "$(count thrashing_detected)"

# ---- not at all ----------------------------------------------------------------------

for off in "perf_thrashing_enable 0" "thrashing_policy none"; do
	# shellcheck disable=SC2086	# a name and a value
	fight 10 | probe $off
	expect "$off: every access moves the page" 20 "$(count migration)"
	expect "$off: nobody looks" 0 \
		"$(grep -c 'thrashing_detected\|throttling_\|"event":"throttle"\|map_remote' out)"
done

# ---- counters, repeatability ------------------------------------------------------------

cp defaults before
fight 12 | probe
strip() {
	sed 's/,"time_ns":[0-9]*//; s/,"batch":[0-9]*//' "$1"
}
strip before > want
strip out > got
check "the same fight takes the same course" cmp want got
stats=/sys/kernel/debug/uvm/thrashing_stats
expect "counters by processor" "cpu gpu0 gpu1" "$(cut -d' ' -f1 $stats | tr '\n' ' ' | sed 's/ $//')"
check "the CPU was throttled" grep -q "^cpu .* throttle [1-9]" $stats
check "and a page kept in its memory" grep -q "^cpu .* pin_local [1-9]" $stats
check "and one out of a GPU's" grep -q "^gpu1 .* pin_remote [1-9]" $stats
uvm stat --json > stat
check "uvm stat has the GPU's" grep -q '"pins_remote": *[1-9]' stat
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What concurrency policies decide, window by window, as the trace event tells it: the limit
# moves by one block at a time, SMs go off when memory is first short and come back for each
# detection epoch (batch-aware, 4.1 and footnote 8), and nothing of it outlives the run.
# vm: kernel=uml timeout=300 softgpu="profile=asplos20 set=virtual_thread:0,sm_count:4"
. ./lib.sh

tracing=/sys/kernel/tracing
[ -e $tracing/trace ] || mount -t tracefs tracefs $tracing

# decisions POLICY PERCENT: "WINDOW EXTRA SMS EVICTED LIFETIME BEFORE ARRIVED RETURNED TIME" for
# each, in "told".
decisions() {
	echo > $tracing/trace
	echo 1 > $tracing/events/uvm/uvm_concurrency/enable
	uvm run bfs-ttc --quiet --json --size 4M --degree 6 --initiator 45,15,15,25 --shuffle \
		--oversubscription "$2" --set root_chunk_granularity=64k \
		--set eviction_timing=serial --set concurrency_policy="$1" > report
	_status=$?
	echo 0 > $tracing/events/uvm/uvm_concurrency/enable
	sed -n 's/.* uvm_concurrency: time=\([0-9]*\) gpu=0 \(window=.*\)/\2 \1/p' $tracing/trace |
		sed 's/[a-z_]*=//g' > told
	return $_status
}

# told NAME POLICY PERCENT
told() {
	check "$1" decisions "$2" "$3"
	note "$(cut -d ' ' -f -3 told | tr '\n' ';')"
}

# limits: what SMs may run, in each line of "told".
limits() {
	cut -d ' ' -f -3 told
}

# breaks RULE: the first lines of "told" that break it.  An awk expression over the line, and of
# the line before window, extra, sms, time; @before: units evicted in windows before this one's.
breaks() {
	awk "NR > 1 && !($1) { print \"after \" window, extra, sms \": \" \$0 }
		{ before += evicted; evicted = \$4 }
		{ window = \$1; extra = \$2; sms = \$3; time = \$9 }" told | head -n 3
}

# falls COLUMN: how often there is less in it than in the line before.
falls() {
	awk -v c="$1" 'NR > 1 && $c < last { n++ } { last = $c } END { print n + 0 }' told
}

# While the policy is in force; what lies before and after is that of nobody and of none.
within() {
	awk '$1 == 1 { print last } $1 { print } { last = $0 }' told > part
	mv part told
}

# Windows of 100,000 cycles at 1 GHz, one by one.
in_turn='$1 == window + 1 && $9 - time >= 100000'

told "none" none 300
expect "none: all SMs run what they hold" "0 0 4" "$(limits | sort -u)"

told "oversubscribe" oversubscribe 300
expect "oversubscribe: nothing is left of it" "0 0 4" "$(limits | tail -n 1)"
within
cp told first
expect "oversubscribe: windows" "" "$(breaks "$in_turn")"
expect "oversubscribe: one less where pages live shorter by 20 %, else one more, 4 at most" "" \
	"$(breaks '$3 == sms && $2 == ($4 && $5 * 5 < $6 * 4 ? (extra ? extra - 1 : 0) :
		(extra < 4 ? extra + 1 : 4))')"
expect "oversubscribe: compared with the last window that had evictions" "" \
	"$(awk '$6 != last { print last ": " $0 } $4 { last = $5 }' told)"
expect "oversubscribe: one to begin with" "0 1 4" "$(limits | head -n 1)"
check "oversubscribe: and falls" test "$(falls 2)" -ge 1
told "oversubscribe again" oversubscribe 300
within
cut -d ' ' -f -8 first > part
check "oversubscribe: the same" test "$(cut -d ' ' -f -8 told)" = "$(cat part)"

told "throttle" throttle 300
expect "throttle: nothing is left of it" "0 0 4" "$(limits | tail -n 1)"
within
expect "throttle: all SMs to begin with" "0 0 4" "$(limits | head -n 1)"
expect "throttle: windows" "" "$(breaks "$in_turn")"
expect "throttle: half when first short, all to detect, half if one page in four comes back" "" \
	"$(breaks '$2 == 0 && $3 == (!$4 && !before ? sms : !before ? 2 : $1 % 5 == 0 ? 4 :
		$1 % 5 == 1 ? ($8 * 4 > $7 ? 2 : 4) : sms)')"
check "throttle: pages come back" test "$(awk '$8 { n++ } END { print n + 0 }' told)" -ge 2
check "throttle: half of the SMs more than once" test "$(falls 3)" -ge 2

told "throttle with memory enough" throttle 100
expect "throttle: with memory enough no SM is off" "0 4" \
	"$(limits | cut -d ' ' -f 2- | sort -u)"
finish

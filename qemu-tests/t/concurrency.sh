#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What concurrency policies decide, window by window, as the trace event tells it: the limit
# moves by one block at a time, SMs go off when memory is first short and come back for each
# detection epoch (batch-aware, 4.1 and footnote 8), and nothing of it outlives the run.
# vm: kernel=stock timeout=300 softgpu="profile=asplos20 set=virtual_thread:0,sm_count:4"
. ./lib.sh

tracing=/sys/kernel/tracing
[ -e $tracing/trace ] || mount -t tracefs tracefs $tracing

# decisions POLICY PERCENT: "WINDOW EXTRA SMS" for each, in "told".
decisions() {
	echo > $tracing/trace
	echo 1 > $tracing/events/uvm/uvm_concurrency/enable
	uvm run kcore --quiet --json --size 6M --degree 6 --initiator 45,15,15,25 --shuffle \
		--oversubscription "$2" --set root_chunk_granularity=64k \
		--set eviction_timing=serial --set concurrency_policy="$1" > report
	_status=$?
	echo 0 > $tracing/events/uvm/uvm_concurrency/enable
	sed -n 's/.* uvm_concurrency: .* window=\([0-9]*\) extra=\([0-9]*\) sms=\([0-9]*\)$/\1 \2 \3/p' \
		$tracing/trace > told
	return $_status
}

# told NAME POLICY PERCENT
told() {
	check "$1" decisions "$2" "$3"
	note "$(tr '\n' ';' < told)"
}

# breaks RULE: the first lines of "told" that break it, an awk pattern which sees the line
# before as window, extra, sms.
breaks() {
	awk "NR > 1 && !($1) { print \"after \" window, extra, sms \": \" \$0 }
		{ window = \$1; extra = \$2; sms = \$3 }" told | head -n 3
}

# While one policy is in force; what lies before and after is that of nobody and of none.
within() {
	sed -n "/^0 $1\$/,\$p" told | sed '1!{/^0 /,$d}' > part
	mv part told
}

told "none" none 200
expect "none: all SMs run what they hold" "0 0 4" "$(sort -u told)"

told "oversubscribe" oversubscribe 200
expect "oversubscribe: nothing is left of it" "0 0 4" "$(tail -n 1 told)"
within "1 4"
cp told first
check "oversubscribe: the limit rises" grep -q "^[1-9][0-9]* 2 4" told
expect "oversubscribe: by one at a time" "" \
	"$(breaks '$1 > window && $3 == sms && ($2 == extra + 1 || $2 == extra - 1)')"
told "oversubscribe again" oversubscribe 200
within "1 4"
check "oversubscribe: the same" cmp first told

told "throttle" throttle 200
expect "throttle: nothing is left of it" "0 0 4" "$(tail -n 1 told)"
grep -v "^0 " told > part
mv part told
expect "throttle: first to half of the SMs" "0 2" "$(head -n 1 told | cut -d ' ' -f 2-)"
expect "throttle: all of them to detect, half of them to execute" "" \
	"$(breaks '$2 == 0 && (sms == 2 ? $3 == 4 && $1 % 5 == 0 : $3 == 2 && $1 % 5 == 1)')"
check "throttle: they come back" grep -q "^[1-9][0-9]* 0 4" told

told "throttle with memory enough" throttle 100
expect "throttle: with memory enough no SM is off" "0 0 4" "$(sort -u told)"
finish

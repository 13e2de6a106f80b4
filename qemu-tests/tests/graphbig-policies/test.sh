#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The graph workloads of the batch-aware paper verify under the policies that it compares,
# and each policy does what it is for.  ETC turns SMs off that have work, which
# no other run does.  A tenth of a small graph would be less memory than there can be, and
# memory comes in 2 MB: sizes are such that there is a step for each per cent (7900K: 4 MB is
# half of it, 6 MB three quarters; 3M are 3 MB and a little).  With 4 SMs such graphs have more
# blocks than places.
# vm: kernel=uml timeout=900 softgpu="profile=asplos20 set=virtual_thread:0,sm_count:4" args="3M 151 bc bfs-dwc gc-ttc" name=some
# vm: kernel=stock timeout=600 softgpu="profile=asplos20 set=virtual_thread:0,sm_count:4 clock=real" args="3M 151 bc" name=real
# vm: kernel=uml timeout=10000 softgpu="profile=asplos20 set=virtual_thread:0,sm_count:4" args="7900K 200,133,100" name=grid when=soak
# vm: kernel=uml timeout=14000 memory=1024 softgpu="profile=asplos20 set=virtual_thread:0" args="19900K 1000" name=tenth when=soak
. ./lib.sh

size=$1
percents=$(echo "$2" | tr ',' ' ')
shift 2
# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $(workloads graphbig | cut -d '|' -f 1)

# words POLICY: what stands for it.
words() {
	case $1 in
	baseline) echo "eviction_timing=serial" ;;
	TO) echo "eviction_timing=serial concurrency_policy=oversubscribe" ;;
	UE) echo "eviction_timing=unobtrusive" ;;
	TO+UE) echo "eviction_timing=unobtrusive concurrency_policy=oversubscribe" ;;
	ETC) echo "eviction_timing=serial concurrency_policy=throttle capacity_compression=1" ;;
	compressed) echo "eviction_timing=serial capacity_compression=1" ;;
	eager) echo "eviction_timing=eager prefetch_policy=fitting" ;;
	ours) echo "$(words TO+UE) prefetch_policy=fitting eviction_policy=accessed \
replay_policy=block_flush" ;;
	esac
}

# sets POLICY: the same as words of the command.
sets() {
	for word in root_chunk_granularity=64k $(words "$1"); do
		printf -- '--set %s ' "$word"
	done
}

# number KEY: the first value of that key in "report", 0 if there is none.
number() {
	_number=$(sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" report | head -n 1)
	echo "${_number:-0}"
}

# more NAME LEAST VALUE: greater than that.
more() {
	if [ "$3" -gt "$2" ]; then
		ok "$1: $3"
	else
		not_ok "$1" "$3, more than $2 wanted"
	fi
}

# near NAME WANTED VALUE: the one is the other within 6 %.
near() {
	_off=$(($3 > $2 ? $3 - $2 : $2 - $3))
	if [ $((100 * _off)) -le $((6 * $2)) ]; then
		ok "$1: $3"
	else
		not_ok "$1" "$3, about $2 wanted"
	fi
}

# run WORKLOAD POLICY PERCENT: its report is in "report".
run() {
	rounds=
	case $1 in
	gc-*) rounds="--rounds 8" ;;
	esac
	# shellcheck disable=SC2046,SC2086
	uvm run "$1" --quiet --json --size "$size" --degree 6 --initiator 45,15,15,25 \
		--shuffle $rounds --oversubscription "$3" $(sets "$2") > report
}

# judge WORKLOAD POLICY PERCENT: of what is in "report".  Switches and times are certain on
# the virtual clock alone.
judge() {
	near "$1, $2, $3 %: oversubscription as asked for" "$3" "$(number oversubscription_percent)"
	if [ "$3" -gt 100 ]; then
		more "$1, $2, $3 %: chunks evicted" 0 "$(number chunks)"
	fi
	switched=$(number switched_in)
	case $2 in
	TO | TO+UE | ours)
		if [ "$1" = "$first" ] && grep -q '"clock":"virtual"' report; then
			more "$1, $2, $3 %: blocks that got a place" 0 "$switched"
		fi ;;
	*)
		expect "$1, $2, $3 %: no block changes places" 0 "$switched" ;;
	esac
}

# compare WORKLOAD PERCENT: what else no statistic tells.  SMs that are off make a kernel
# slower; memory that is freed in time makes it faster, all of them where half is missing.
compare() {
	if [ "$1" = "$first" ] || { [ "$2" -gt 150 ] && [ "$2" -le 200 ]; }; then
		more "$1, UE, $2 %: takes less time than the baseline" "$ue" "$baseline"
	fi
	if [ "$1" = "$first" ]; then
		check "$1, compressed, $2 %: is verified" run "$1" compressed "$2"
		more "$1, ETC, $2 %: half of the SMs take longer" "$(number gpu_time_ns)" "$etc"
	fi
}

first=$1
for w; do
	for percent in $percents; do
		for policy in baseline TO UE TO+UE ETC eager ours; do
			check "$w, $policy, $percent %: is verified" run "$w" "$policy" "$percent"
			invariants "$w, $policy, $percent %" report
			judge "$w" "$policy" "$percent"
			case $policy in
			baseline) baseline=$(number gpu_time_ns) ;;
			UE) ue=$(number gpu_time_ns) ;;
			ETC) etc=$(number gpu_time_ns) ;;
			esac
		done
		if [ "$percent" -gt 100 ] && grep -q '"clock":"virtual"' report; then
			compare "$w" "$percent"
		fi
	done
done
expect "no object is left" "" "$(objects_left)"
finish

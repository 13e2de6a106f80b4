#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Far faults that wait (profile key far_faults:wait): what a probe shows is exact, and workloads come
# out right whatever the driver's replays are.  Of no run a record is dropped, not with a small ring
# either.  Where no page is prefetched and nothing is flushed, no fault is of a page that has come.
# vm: kernel=uml timeout=600 softgpu="set=far_faults:wait" uvm="perf_fault_batch_count=1" args=golden name=golden
# vm: kernel=uml timeout=600 softgpu="set=far_faults:wait" args=twice name=virtual
# vm: kernel=uml-debug timeout=900 softgpu="gpus=2 set=far_faults:wait,fault_ring_entries:8" args=few name=ring
# vm: kernel=stock cpus=2 timeout=600 softgpu="clock=real set=far_faults:wait" name=real
. ./lib.sh

if [ "$1" = golden ]; then
	golden cases/*.probe
	# The value has a name, for people and for programs.
	uvm info > info
	expect "uvm info names the value" "* far_faults wait" \
		"$(sed -n 's/^ *\(\* far_faults\) *\(wait\) .*/\1 \2/p' info)"
	expect "and that of a key that nobody has changed" "l2tlb_index modulo" \
		"$(sed -n 's/^ *\(l2tlb_index\) *\(modulo\) .*/\1 \2/p' info)"
	uvm info --json > info
	check "in JSON" grep -q '"name":"far_faults","value":1,"value_name":"wait"' info
	expect "numbers have no name" 0 "$(grep -c '"name":"sm_count","value":[0-9]*,"value_name"' info)"
	finish
	exit
fi

number() {
	sed -n "s/.*\"$1\":\\([0-9]*\\).*/\\1/p" "$2"
}

# run WORKLOAD REPLAY ARGUMENTS...: leaves "report"
run() {
	_workload=$1
	_replay=$2
	_what="$1, $2"
	shift 2
	timeout -s KILL 120 uvm run "$_workload" --oversubscription 150 --set replay_policy="$_replay" "$@" \
		--json --quiet > out 2> errors
	_status=$?
	sed 's/"wall_time_s":[0-9.]*//' out > report
	if [ $_status != 0 ]; then
		not_ok "$_what" "status $_status: $(cut -c 1-300 out errors)"
		return 1
	fi
	invariants "$_what" out
	expect "$_what: records dropped" 0 "$(number dropped report)"
}

workloads="stencil random"
[ "$1" != few ] || workloads="vecadd triad"
for workload in $workloads; do
	for replay in batch_flush batch block once; do
		# Nothing is prefetched: a page whose record is in the ring does not come before its turn.
		run $workload $replay --set prefetch_policy=none || continue
		# All batches are served as this VA space wants, with that which comes while there is none, too.
		[ $replay = batch_flush ] || expect "$_what: records flushed" 0 "$(number flushed report)"
		if [ $replay = batch ] || [ $replay = once ]; then
			expect "$_what: faults of a page that was there" 0 "$(number duplicate report)"
		fi
		[ "$1" = twice ] && [ $workload = stencil ] || continue
		cp report first
		run $workload $replay --set prefetch_policy=none
		check "$_what: twice the same" cmp first report
	done
done
expect "no object is left" "" "$(objects_left)"
finish

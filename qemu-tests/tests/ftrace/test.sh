#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Profiling with ftrace as Documentation/profiling.rst says: every
# event is decoded, and the events agree with the driver's own counters.
# vm: own=tracing kernel=stock memory=3072 bin=trace-cmd,bpftrace timeout=400
. ./lib.sh

# Small enough for a few seconds, large enough for evictions.
workload="uvm run triad --size 6M --oversubscription 200 --quiet --json"

# json KEY FILE: the first number of that name.
json() {
	grep -o "\"$1\":[0-9]*" "$2" | head -n 1 | cut -d: -f2
}

# reload: each run begins with the same state of the driver.
reload() {
	rmmod uvm softgpu && insmod /lib/softuvm/softgpu.ko && insmod /lib/softuvm/uvm.ko
}

# total EVENT FIELD FILE: the sum of a field over all events of a report.
total() {
	awk -v event=" $1: " -v field="$2=" '
		index($0, event) && match($0, " " field "[0-9]+") {
			sum += substr($0, RSTART + length(field) + 1, RLENGTH - length(field) - 1)
		}
		END { print sum + 0 }' "$3"
}

count() {
	grep -c " $1: " "$2"
}

# ---- the run as it is without a tracer
$workload > plain.json
reload

# ---- trace-cmd record and report
# shellcheck disable=SC2086
check "trace-cmd records" trace-cmd record -q -b 20000 -e uvm -e softgpu -o trace.dat \
	sh -c "$workload > traced.json"
trace-cmd report -i trace.dat > report 2> report.err
expect "nothing was lost" "" "$(grep -i -m 1 -e lost -e dropped report report.err)"
expect "report understands the format of every event" "" "$(cat report.err)"
expect "no event is left undecoded" "" \
	"$(grep -v '^cpus=' report | grep -m 3 -v -E ': (uvm|softgpu)_[a-z_]+: +[a-z_]+=')"
expect "no value is without its name" "" \
	"$(grep -m 3 -E '(type|access|src|dst|cause|op|prot)=(0x)?[0-9a-f]+( |$)' report)"

for event in uvm_batch_begin uvm_batch_end uvm_fault uvm_block_service uvm_migration \
	uvm_eviction uvm_replay uvm_copy uvm_cpu_fault uvm_map uvm_unmap uvm_chunk uvm_pma \
	uvm_prefetch uvm_va_range uvm_concurrency softgpu_launch softgpu_launch_done softgpu_block_dispatch \
	softgpu_fault softgpu_replay softgpu_tlb_invalidate softgpu_copy; do
	check "$event is there" grep -q " $event: " report
done

expect "a batch is an event" "$(json count traced.json)" "$(count uvm_batch_end report)"
expect "as many begin as end" "$(count uvm_batch_begin report)" "$(count uvm_batch_end report)"
expect "faults of batches" "$(json fetched traced.json)" "$(total uvm_batch_end faults report)"
expect "a fault is an event" "$(json fetched traced.json)" "$(count uvm_fault report)"
expect "bytes of batches" "$(json htod traced.json)" "$(total uvm_batch_end bytes report)"
expect "an eviction is an event" "$(json chunks traced.json)" "$(count uvm_eviction report)"
expect "pages evicted" "$(json pages traced.json)" "$(total uvm_eviction pages report)"
expect "a launch is an event" "$(json launches traced.json)" "$(count softgpu_launch report)"

# ---- watching must not change what is watched
expect "a traced run gives the same results" \
	"$(sed 's/"wall_time_s":[^,]*,//' plain.json)" \
	"$(sed 's/"wall_time_s":[^,]*,//' traced.json)"

# ---- function graph of the bottom half
check "trace-cmd records a function graph" trace-cmd record -q -b 20000 -p function_graph \
	-g uvm_fault_service_run --max-graph-depth 3 -o graph.dat sh -c "$workload > /dev/null"
trace-cmd report -i graph.dat > graph 2> graph.err
check "the bottom half is its root" grep -q -E '\| +uvm_fault_service_run\(\) +\{' graph
check "with the functions that it calls" grep -q -E '\|   +(uvm|sim)_[a-z_]+\(\)' graph
check "and their times" grep -q -E '[0-9]+\.[0-9]+ us +\|' graph

# ---- histogram of batch sizes
reload
bpftrace -e 'tracepoint:uvm:uvm_batch_end { @faults = hist(args->faults); }' -f json \
	-c "/usr/bin/$workload" > histogram 2> histogram.err
# {"type": "hist", "data": {"@faults": [{"min": 32, "max": 63, "count": 1}, ...
grep '"type": "hist"' histogram | tr '{' '\n' |
	sed -n 's/.*"min": \([0-9]*\), "max": \([0-9]*\), "count": \([1-9][0-9]*\)}.*/\1 \2 \3/p' > b
uvm stat --json | tr '{' '\n' |
	sed -n 's/.*"from":\([0-9]*\),"to":\([0-9]*\),"batches":\([1-9][0-9]*\)}.*/\1 \2 \3/p' > s
note "from, to, batches: $(tr '\n' ';' < s)"
check "uvm stat has a histogram" test -s s
expect "bpftrace and uvm stat agree" "$(cat s)" "$(cat b)"
note "$(head -n 3 histogram.err)"

# ---- the same without any tool
check "uvm trace" uvm trace -o all.trace uvm run vecadd --elements 4096 --quiet
check "uvm trace has events of both modules" \
	sh -c "grep -q uvm_batch_end: all.trace && grep -q softgpu_launch: all.trace"

# Who ends it ends what it runs, and tracing; what was traced is kept.
tracing=/sys/kernel/tracing
for signal in HUP:129 TERM:143; do
	rm -f begun
	uvm trace -o "$signal.trace" sh -c \
		'uvm run vecadd --elements 4096 --quiet; echo > begun; exec sleep 100' &
	trace=$!
	until [ -s begun ]; do sleep 0.1; done
	kill -s "${signal%:*}" $trace
	wait $trace
	expect "uvm trace at SIG${signal%:*}" "${signal#*:}" $?
	expect "no event is on" "0 0" "$(cat $tracing/events/uvm/enable $tracing/events/softgpu/enable | xargs)"
	check "the trace is written" grep -q uvm_batch_end: "$signal.trace"
done
finish

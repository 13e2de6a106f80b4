#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# replay_policy=block_flush: blocks that brought nothing are not replayed, and a ring that
# gets full is flushed, which keeps a search whose threads all wait for memory from serving
# the same records again and again (Documentation/batch-aware.rst, "Improvements of ours").
# vm: kernel=uml timeout=300 softgpu="profile=asplos20 set=virtual_thread:0,fault_ring_entries:256"
. ./lib.sh

tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs none $tracing
echo 'flushed > 0' > $tracing/events/uvm/uvm_replay/filter
echo 1 > $tracing/events/uvm/uvm_replay/enable

# run POLICY MEMORY: the report is in POLICY.json, the number of flushes in $flushes.
run() {
	echo > $tracing/trace
	uvm run bfs-dwc --size 3M --vram "$2" --degree 6 --shuffle \
		--set root_chunk_granularity=64k --set perf_fault_batch_count=1024 \
		--set eviction_timing=unobtrusive --set prefetch_policy=fitting \
		--set eviction_policy=accessed --set replay_policy="$1" --json --quiet > "$1.json"
	check "$1, $2: verified" grep -q '"verified":true' "$1.json"
	flushes=$(grep -c uvm_replay: $tracing/trace)
}

# number POLICY KEY: the first of that name.
number() {
	grep -o "\"$2\":[0-9]*" "$1.json" | head -n 1 | cut -d : -f 2
}

# less POLICY OTHER KEY PERCENT: it is at most that of the other's.
less() {
	is=$(number "$1" "$3")
	of=$(number "$2" "$3")
	note "$3: $1 $is, $2 $of"
	check "$3 with $1: at most $4 % of $2" [ $((is * 100)) -le $((of * $4)) ]
}

run block 2M
expect "block: flushes" 0 "$flushes"
run block_flush 2M
note "block_flush: $flushes flushes"
check "block_flush: a full ring is flushed" [ "$flushes" -gt 0 ]
less block_flush block fetched 67
less block_flush block replays 67
less block_flush block gpu_time_ns 95

run block 64M
run block_flush 64M
expect "block_flush: flushes where memory is no matter" 0 "$flushes"
less block_flush block fetched 80
finish

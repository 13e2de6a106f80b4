#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# MIN in a driver that makes no mistakes: one SM, faults one by one, nothing prefetched, nobody
# spared.  Then the order of touches is that of the run with all memory, and so are the loads.
# vm: kernel=uml timeout=200 softgpu="profile=gtx1080ti set=sm_count:1"
# vm: kernel=debug timeout=600 softgpu="profile=gtx1080ti set=sm_count:1"
. ./lib.sh

# value KEY: the last one of "report", which is of the time of kernels.
value() {
	sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" report
}

# exact NAME RUN...: at three sizes of memory.
exact() {
	name=$1
	shift
	for percent in 133.3 200 150; do
		uvm run "$@" --oversubscription $percent --json --quiet \
			--set root_chunk_granularity=4k --set eviction_policy=min \
			--set min_delay=0 --set prefetch_policy=none --set thrashing_policy=none \
			--set perf_fault_batch_count=1 > report
		expect "$name at $percent %: verified" 0 $?
		check "$name at $percent %: it is not LRU" [ "$(value min_faults)" -lt "$(value lru_faults)" ]
		expect "$name at $percent %: the plan is MIN's" "$(value min_faults)" "$(value plan_faults)"
		expect "$name at $percent %: loads are MIN's" "$(value min_faults)" "$(value serviced)"
	done
}

exact chase chase --size 8M
exact regular regular --size 8M --passes 3
exact triad triad --size 8M --repeat 3
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# MIN in a driver that makes no mistakes: one SM, faults one by one, nothing prefetched, nobody
# spared.  Then the order of touches is that of the run with all memory, and so are the loads.  And
# what bounds say before any such run: as many loads, as many bytes, and no policy has fewer.  FNU, which
# counts requests instead of arrivals, has as many loads as MIN in the order of these.
# vm: kernel=uml timeout=300 softgpu="profile=gtx1080ti set=sm_count:1"
# vm: kernel=uml timeout=100 args=requests softgpu="profile=gtx1080ti set=sm_count:4" name=requests
. ./lib.sh

one_by_one="--set prefetch_policy=none --set thrashing_policy=none --set perf_fault_batch_count=1"

# value KEY: the last one of "report", which is of the time of kernels.
value() {
	sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" report
}

# bound PERCENT KEY: of "bounds".
bound() {
	sed -n "s/.*\"oversubscription\":$1,[^}]*\"$2\":\([0-9]*\).*/\1/p" bounds
}

# exact NAME RUN...: at three sizes of memory.
exact() {
	name=$1
	shift
	# shellcheck disable=SC2086
	uvm run "$@" --bounds 133.3,200.0,150 --json --quiet --set root_chunk_granularity=4k \
		$one_by_one > bounds
	expect "$name: with all memory it is verified" 0 $?
	for percent in 133.3 200.0 150.0; do
		# shellcheck disable=SC2086
		uvm run "$@" --oversubscription $percent --json --quiet $one_by_one \
			--set root_chunk_granularity=4k --set eviction_policy=min \
			--set min_delay=0 > report
		expect "$name at $percent %: verified" 0 $?
		check "$name at $percent %: it is not LRU" [ "$(value min_faults)" -lt "$(value lru_faults)" ]
		expect "$name at $percent %: the plan is MIN's" "$(value min_faults)" "$(value plan_faults)"
		expect "$name at $percent %: loads are MIN's" "$(value min_faults)" "$(value serviced)"
		expect "$name at $percent %: the bound's memory" "$(value vram_bytes)" \
			"$(bound $percent memory_bytes)"
		expect "$name at $percent %: the bound's loads" "$(value min_faults)" \
			"$(bound $percent min_loads)"
		expect "$name at $percent %: and its bytes" "$(value htod)" "$(bound $percent min_bytes)"
		check "$name at $percent %: of any order no more" \
			[ "$(bound $percent any_bytes)" -le "$(bound $percent min_bytes)" ]
		known "$name" $percent "$@"
	done
}

# known NAME PERCENT RUN...: FNU; what bounds say is in "bounds", in an order that costs $late loads
# more.
known() {
	label="$1 at $2 %, fnu"
	percent=$2
	shift 2
	# shellcheck disable=SC2086
	uvm run "$@" --oversubscription $percent --json --quiet $one_by_one \
		--set root_chunk_granularity=4k --set eviction_policy=fnu > report
	expect "$label: verified" 0 $?
	expect "$label: loads are MIN's in the order of requests" "$(value min_faults)" \
		"$(value serviced)"
	expect "$label: but for $late, those in the order of faults and walks" \
		"$(($(bound $percent min_loads) - late))" "$(value serviced)"
	same_requests "$label"
}

# same_requests NAME: of "report".  No 64 KB had more than were recorded, in any launch, and all of them
# had as many: so each had.  Only of what comes after the last fault the driver is not told.
same_requests() {
	expect "$1: as many requests as were recorded" "$(value requests)" "$(value recorder_hits)"
	expect "$1: in each launch" 0 "$(value requests_missing)"
	expect "$1: and no other ones" 0 "$(value requests_excess)"
}

# none_below NAME RUN...: policies of units of 64 KB, with prefetches and batches.
none_below() {
	name=$1
	shift
	uvm run "$@" --bounds 133.3,200 --json --quiet --set root_chunk_granularity=64k > bounds
	expect "$name: with all memory it is verified" 0 $?
	for percent in 133.3 200.0; do
		for policy in lru random hpe; do
			uvm run "$@" --oversubscription $percent --json --quiet \
				--set root_chunk_granularity=64k --set eviction_policy=$policy > report
			expect "$name at $percent %, $policy: verified" 0 $?
			expect "$name at $percent %, $policy: the bound's memory" \
				"$(value vram_bytes)" "$(bound $percent memory_bytes)"
			check "$name at $percent %, $policy: $(value htod) >= $(bound $percent any_bytes)" \
				[ "$(value htod)" -ge "$(bound $percent any_bytes)" ]
		done
	done
}

if [ "$1" = requests ]; then
	for run in "triad --size 4M --repeat 3" "srad_v2 --size 6M" "pagerank --size 1M"; do
		# shellcheck disable=SC2086
		uvm run $run --oversubscription 200 --set policy=fnu --json --quiet \
			--set root_chunk_granularity=64k > report
		expect "$run, four SMs, prefetches and batches: verified" 0 $?
		same_requests "$run"
	done
	finish
	exit
fi

# The last store, of the result, faults.  That fault is told before the walks of the second round,
# which the recorder still holds: so there the page comes in before it.
late=1
exact chase chase --size 8M
late=0
exact regular regular --size 8M --passes 3
exact triad triad --size 8M --repeat 3
check "launches are told apart: one order of them is as good as any" \
	[ "$(bound 200.0 any_loads)" = "$(bound 200.0 min_loads)" ]
none_below triad triad --size 8M --repeat 3
none_below srad_v2 srad_v2 --size 6M
finish

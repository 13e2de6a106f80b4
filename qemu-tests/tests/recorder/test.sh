#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The recorder: what kernels touch is what the driver is told, to the hit.  TLBs of one entry, so
# that every page that is not the last one is walked.  And what is done with it: a run that knows
# its future evicts less.
# vm: kernel=uml timeout=120 softgpu="profile=tcad20 set=sm_count:1,utlb_entries:1,utlb_ways:1,l2tlb_entries:1,l2tlb_ways:1"
# vm: kernel=uml-debug timeout=300 args=stays
# vm: kernel=uml timeout=200 args="stays min" softgpu="profile=tcad20" name=min
# vm: kernel=stock timeout=300 args=stays softgpu="profile=tcad20 clock=real" name=real
. ./lib.sh

case $1 in
stays)
	./recorder > out 2>&1
	status=$?
	grep -v '^ok' out | sed 's/^/# /'
	expect "stays end well" 0 $status
	;;
*)
	golden cases/*.probe
	;;
esac

# evicted POLICY: pages, of a program that sweeps three arrays again and again.
evicted() {
	uvm run srad_v2 --size 3M --oversubscription 133.3 --set eviction_policy="$1" \
		--set prefetch_policy=none --set thrashing_policy=none --json --quiet > report ||
		echo "not verified" >> failed
	sed 's/.*"evictions":{"chunks":\([0-9]*\).*/\1/' report
}

if [ "$2" = min ]; then
	walks=$(evicted lru_walk)
	least=$(evicted min)
	note "pages evicted: lru_walk $walks, min $least"
	check "who knows the future evicts less than half" [ $((2 * least)) -lt "$walks" ]
	expect "both are verified" "" "$(cat failed 2> /dev/null)"
fi
finish

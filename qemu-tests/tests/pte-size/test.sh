#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# GPU pages are mapped with PTEs no larger than pte_max_bytes: what a TLB entry reaches shows in
# the number of page walks.  A page of 2 MB that is swept again hits in the TLBs; with PTEs of
# 4 KB every page is walked in each sweep, for 1536 pages are more than the TLBs hold.
# vm: kernel=uml timeout=120 softgpu="profile=tcad20 set=uvm_pte_max_bytes:0"
. ./lib.sh

walks() {
	uvm info --json | sed -n 's/.*"walks": *\([0-9]*\).*/\1/p'
}

# sweep PTE GRANULARITY: walks of the last five of six sweeps over 6 MB; its report is in "report".
sweep() {
	run "$1" "$2" 1
	_one=$walked
	run "$1" "$2" 6
	echo $((walked - _one))
}

# run PTE GRANULARITY SWEEPS: how many walks.
run() {
	_before=$(walks)
	uvm run stencil --size 6M --sweeps "$3" --set pte_max_bytes="$1" \
		--set root_chunk_granularity="$2" --quiet --json > report || echo "not verified" > failed
	walked=$(($(walks) - _before))
}

rm -f failed
whole=$(sweep 2m 2m)
big=$(sweep 64k 2m)
small=$(sweep 4k 2m)
units=$(sweep 2m 4k)
note "walks of five sweeps: 2 MB $whole, 64 KB $big, 4 KB $small; 2 MB in units of 4 KB: $units"
check "4 KB: each page is walked in each sweep" [ "$small" -ge $((5 * 1536)) ]
check "64 KB: a walk serves sixteen pages" [ $((4 * big)) -le "$small" ]
check "2 MB: the TLBs hold all" [ "$whole" -le $((5 * 3 * 15)) ]
check "the memory decides, too: units of 4 KB have PTEs of 4 KB" [ "$units" -ge $((5 * 1536)) ]
expect "all runs are verified" "" "$(cat failed 2> /dev/null)"

# The profile's value is what holds if nobody says otherwise.
rmmod uvm
rmmod softgpu
insmod /lib/softuvm/softgpu.ko profile=tcad20
insmod /lib/softuvm/uvm.ko
for parameter in pte_max_bytes=4k root_chunk_granularity=4k perf_fault_batch_count=1; do
	expect "tcad20: $parameter" "${parameter#*=}" \
		"$(cat "/sys/module/uvm/parameters/${parameter%=*}")"
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What a run does does not depend on what ran before it, nor on when it begins: with each
# choice of each policy the same to the nanosecond after others, in one load of the modules.
# vm: kernel=uml timeout=1800 when=full softgpu="profile=asplos20 vram_mb=64 set=virtual_thread:0"
. ./lib.sh

# report NAME=VALUE: all but the host's time.
report() {
	uvm run kcore --size 4M --degree 6 --initiator 45,15,15,25 --shuffle --json --quiet \
		--oversubscription 200 --set root_chunk_granularity=64k --set "$1" > out || return
	sed 's/"wall_time_s":[0-9.]*//' out
}

# others SIZE: they end anywhere.
others() {
	uvm run random --size 3M --oversubscription 150 --quiet > /dev/null
	uvm run stencil --size "$1" --quiet > /dev/null
}

# Each once more, in the other order: each after another policy than before, and others between.
uvm list | sed -n 's/^  \([a-z_]*=[a-z0-9_]*\)  .*/\1/p' > policies
expect "kinds of policies" 8 "$(cut -d= -f1 policies | sort -u | grep -c .)"
while read -r choice; do
	report "$choice" > "first-$choice"
	check "$choice: verified" grep -q '"verified":true' "first-$choice"
done < policies
size=3M
sed -n '1!G; h; $p' policies > backwards
while read -r choice; do
	others $size
	case $size in
	3M) size=5M ;;
	*) size=3M ;;
	esac
	report "$choice" > second
	check "$choice: the same after others" cmp "first-$choice" second
done < backwards

# enough NAME=VALUE: nanoseconds, with all the memory there is.
enough() {
	uvm run kcore --size 4M --degree 6 --initiator 45,15,15,25 --shuffle --json --quiet \
		--set root_chunk_granularity=64k --set "$1" |
		sed -n 's/.*"gpu_time_ns":\([0-9]*\).*/\1/p'
}

# Where nothing is evicted it makes no difference how it would be, but for policies that are told
# of pages, which takes time.
told=/sys/kernel/debug/uvm/gpu0/eviction_policy
wanted=$(enough eviction_timing=serial)
check "serial, with all memory: $wanted ns" test "$wanted" -gt 0
grep '^eviction_' policies > evictions
check "all of them" test "$(grep -c . evictions)" -ge 12
while read -r choice; do
	took=$(enough "$choice")
	if grep -q '^pages 0$' $told; then
		expect "$choice, with all memory" "$wanted" "$took"
	else
		check "$choice is told of pages: $took ns" test "$took" -gt "$wanted"
	fi
done < evictions
finish

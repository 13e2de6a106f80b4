#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Access counters: what is read over the link moves when a counter says that it is
# worth it, and not before (nvidia-uvm 2.12; the static threshold of
# the adaptive paper).
# vm: kernel=uml,uml-debug timeout=600
# vm: kernel=stock softgpu="clock=real gpus=2" name=real timeout=900
# vm: kernel=debug softgpu="clock=real gpus=2" name=real timeout=900 when=soak
# vm: kernel=uml softgpu="set=access_ring_entries:2" name=tiny timeout=300
# vm: kernel=uml softgpu="set=far_faults:wait" timeout=600 name=wait
# vm: kernel=uml,uml-debug softgpu="set=access_counter_stall:1" timeout=600 name=stall
# vm: kernel=stock softgpu="clock=real gpus=2 set=access_counter_stall:1" timeout=900 name=stall-real
. ./lib.sh

# counter NAME: one of the device's, of GPU 0.
counter() {
	cat "/sys/kernel/debug/softgpu/gpu0/$1"
}

# moved: pages that counters moved, of "out".
moved() {
	grep -c '"event":"migration".*"cause":"access_counter"' out
}

# A ring with room for one record, 32 granules that want to tell at once: each
# tells in the end, once, and nothing but time is lost.
if grep -q access_ring_entries:2 /sys/module/softgpu/parameters/set; then
	offsets=$(seq -s ' ' 0 2097152 65011712)
	{
		printf '%s\n' "set residency_policy delayed" "set perf_access_counter_threshold 1" \
			"set perf_prefetch_enable 0" "alloc a 64M" "cpu write a 0 64M 2M"
		for _ in $(seq 34); do
			echo "warp read a $offsets"
		done
	} > script
	uvm probe --json script > out
	expect "overflow: the probe runs" 0 $?
	expect "overflow: 32 pages are mapped remotely" 32 "$(grep -c '"event":"map_remote"' out)"
	expect "overflow: each of them moves" 32 "$(moved)"
	expect "overflow: each granule told once" 32 "$(grep -c '"event":"access_counter"' out)"
	expect "overflow: in the end there is nothing to tell" 1 \
		"$(tail -1 out | grep -c '"cmd":"warp read')"
	dropped=$(counter access_records_dropped)
	awk -v n="$dropped" 'BEGIN { exit n < 400 }'
	expect "overflow: most had to try again ($dropped times)" 0 $?
	finish
fi

# Nothing moves, and an eviction policy wants to know of each access over the link.
counting="--set residency_policy=remote --set eviction_policy=linked"
scattered="vecadd histo spmv kmeans"

# What meets the threshold waits.
stalls() {
	grep -q access_counter_stall:1 /sys/module/softgpu/parameters/set
}

# On the real clock only what is true whoever is faster.
if grep -q real /sys/module/softgpu/parameters/clock; then
	uvm probe --json real.probe > out
	expect "real: the probe runs" 0 $?
	expect "real: each GPU's page moves" 2 "$(moved)"
	for workload in vecadd stencil; do
		check "real: $workload reads over the link, and is right" \
			uvm run $workload --size 2M --gpu 1 \
			--set residency_policy=delayed --set perf_access_counter_threshold=16
	done
	before=$(counter accesses_held)
	for workload in $scattered; do
		check "real: $workload is right where nothing moves, and all is counted" \
			uvm run $workload --size 256K $counting --set perf_access_counter_threshold=4
	done
	held=$(($(counter accesses_held) - before))
	if stalls; then
		awk -v n="$held" 'BEGIN { exit n < 100 }'
		expect "real: accesses wait for their counters ($held)" 0 $?
		# a program may end while its accesses wait
		for seconds in 0.02 0.05 0.1 0.2 0.3; do
			timeout -s KILL $seconds uvm run histo --size 512K $counting \
				--set perf_access_counter_threshold=1 > ended 2>&1
		done
		check "real: the next one is right" uvm run histo --size 512K $counting
	else
		expect "real: no access waits for its counter" 0 "$held"
	fi
	finish
fi

# reload [PARAM...]: each run begins with the same state of driver and device.
reload() {
	rmmod uvm softgpu && insmod /lib/softuvm/softgpu.ko "$@" && insmod /lib/softuvm/uvm.ko
}

# counted STALL WORKLOAD: accesses that are counted of it, all of them over the link; how often one waited.
counted() {
	reload "set=access_counter_stall:$1"
	uvm run "$2" --size 512K $counting --set perf_access_counter_threshold=3 > out || echo failed
	counter accesses_counted
	[ "$1" = 0 ] || counter accesses_uncounted
	counter accesses_held > held
}

# remote WORKLOAD THRESHOLD: lines of it that are read over the link.
remote() {
	uvm run "$1" --size 2M --json --quiet --set residency_policy=delayed \
		--set perf_access_counter_threshold="$2" --set perf_access_counter_granularity=64k |
		tr -d ' \n' | sed 's/.*"link":{"reads":\([0-9]*\).*/\1/'
}

if stalls; then
	golden stall/*.probe
	# reads, writes, atomics; several pages at once; several accesses of a warp to one page
	for workload in $scattered; do
		expect "stall: each access of $workload is counted once" \
			"$(counted 0 $workload; echo 0)" "$(counted 1 $workload)"
		awk -v n="$(cat held)" 'BEGIN { exit n < 20 }'
		expect "stall: some of them wait ($(cat held) times)" 0 $?
	done
	reload set=access_counter_stall:1
	# the first access waits for its 64 KB, so nothing is read over the link
	expect "stall: with a threshold of 1 vecadd reads nothing remotely" 0 "$(remote vecadd 1)"
	expect "stall: nor does stencil" 0 "$(remote stencil 1)"
	for workload in vecadd stencil; do
		for run in 1 2; do
			reload set=access_counter_stall:1
			check "stall: $workload is right" uvm run $workload --size 2M \
				--set residency_policy=delayed --set perf_access_counter_threshold=16 \
				--events events.$run
		done
		check "stall: $workload: the same twice" cmp events.1 events.2
	done
	finish
fi

golden cases/*.probe

# Off unless somebody asks: the device counts nothing.
counted=$(counter accesses_counted)
golden off-by-default.probe
expect "off by default: nothing was counted" "$counted" "$(counter accesses_counted)"

# faulted SET: when the last fault of clears.probe was, with these values of the profile, ns.
faulted() {
	reload "set=$1"
	uvm probe --json clears.probe |
		sed -n 's/.*"event":"gpu_fault".*"time_ns":\([0-9]*\).*/\1/p' | tail -1
}

# What clears take.  The driver makes a push when what the notification is about has moved (1.8
# us are enough for that), and one for the ioctl.  The probe waits for both.
base=$(faulted cost_counter_clear:7000,access_clear_ns:0)
expect "clears: a push costs the driver time" $((base + 2 * 3000)) \
	"$(faulted cost_counter_clear:10000,access_clear_ns:0)"
expect "clears: they take the device time" $((base + 2 * 5000)) \
	"$(faulted cost_counter_clear:7000,access_clear_ns:5000)"
expect "clears: the profile has a cost of them" $((base - 2 * (7000 - 1800))) \
	"$(faulted access_clear_ns:0)"

# Workloads: right results, and the same nanoseconds twice.
for workload in vecadd stencil; do
	for run in 1 2; do
		reload
		check "$workload reads over the link, and is right" uvm run $workload --size 2M \
			--set residency_policy=delayed --set perf_access_counter_threshold=16 \
			--events events.$run
	done
	check "$workload: the same twice" cmp events.1 events.2
	awk -v n="$(grep -c '"cause":"access_counter"' events.1)" 'BEGIN { exit n < 1 }'
	expect "$workload: counters move pages" 0 $?
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Inside the VM: run workloads and print all that must not depend on anything but
# them, one line each.  usage: guest.sh NOISE SCALE [ROUNDS [RUNS]]
#   NOISE  none, or a list of: khugepaged mmap
#   SCALE  1: seconds; more: footprints as many times as large
#   RUNS   of each round, the first so many
noise=$1
scale=$2
rounds=${3:-1}
runs=${4:-100}

# One process whose only work is to change its address space.
mmap_noise() {
	while :; do
		cat /proc/self/maps
	done > /dev/null
}

pids=
case $noise in
*khugepaged*)
	thp=/sys/kernel/mm/transparent_hugepage
	echo always > $thp/enabled
	echo 0 > $thp/khugepaged/scan_sleep_millisecs
	echo 0 > $thp/khugepaged/alloc_sleep_millisecs
	echo 65536 > $thp/khugepaged/pages_to_scan
	;;
esac
case $noise in
*mmap*)
	mmap_noise &
	pids=$!
	;;
esac

# run NAME ARGUMENTS...
run() {
	left=$((left - 1))
	[ $left -ge 0 ] || return
	name=$1
	shift
	uvm run "$@" --json --quiet --events events > report || echo "$name FAILED"
	sed "s/^/$name /; s/\"wall_time_s\":[0-9.]*,//" report
	echo "$name $(wc -l < events) events $(sha256sum < events)"
}

# ordinary: the default device, as the modules were loaded.
ordinary() {
	run vecadd vecadd --size $((3 * scale))M --oversubscription 150
	run bfs bfs --kronecker $((10 + scale)) --degree 8 --vram 2M
	run peer random --size $((4 * scale))M --access both --peer 1
	run page-per-lane vecadd --elements 32 --stride 4K --block 32
	run random random --size $((12 * scale))M --access both --oversubscription 150
	run lru random --size $((8 * scale))M --oversubscription 200 --seed 7
	run victims random --size $((8 * scale))M --oversubscription 200 --set eviction_policy=random
	run once regular --size $((8 * scale))M --vram 4M --set replay_policy=once
	run block regular --size $((4 * scale))M --set replay_policy=block
	run sgemm sgemm --m 128 --n $((128 * scale)) --k 32 --oversubscription 200
	run chase chase --size $((8 * scale))M --oversubscription 200
	if [ "$scale" -gt 1 ]; then
		run stencil stencil --size $((4 * scale))M --oversubscription 200
		run triad triad --size $((4 * scale))M --oversubscription 125
		run tensor sgemm --tensor --m 128 --n 256 --k 256 --vram 2M
	fi
}

# policies: of the batch-aware paper, where blocks wait for a place on an SM.
policies() {
	graph="--size $((3 * scale))M --vram $((2 * scale))M --degree 6 --shuffle"
	graph="$graph --set root_chunk_granularity=64k"
	run to+ue bfs-ttc $graph --set eviction_timing=unobtrusive \
		--set concurrency_policy=oversubscribe
	for policy in $(uvm list | sed -n 's/^  eviction_policy=\([a-z_]*\) .*/\1/p'); do
		run $policy random --size $((4 * scale))M --vram $((2 * scale))M \
			--set root_chunk_granularity=64k --set eviction_policy=$policy
	done
	for policy in policy=returning policy=adaptive policy=adaptive_global policy=pilot \
		residency_policy=delayed_dynamic prefetch_policy=random4k \
		eviction_timing=free_buffer; do
		run $policy random --size $((4 * scale))M --vram $((2 * scale))M \
			--set root_chunk_granularity=64k --set $policy
	done
	run flush bfs-ttc $graph --set eviction_timing=unobtrusive --set replay_policy=block_flush
	run etc bfs-ttc $graph --set eviction_timing=serial \
		--set concurrency_policy=throttle --set capacity_compression=1
}

# reload PARAMETERS...: another device.
reload() {
	rmmod uvm && rmmod softgpu && insmod /lib/softuvm/softgpu.ko gpus=2 "$@" &&
		insmod /lib/softuvm/uvm.ko || echo "reload FAILED"
}

# A round's output is in one piece, though its policies come when all rounds are done.
for round in $(seq "$rounds"); do
	left=$runs
	ordinary > out.$round
done
rest=$left
if [ $rest -gt 0 ]; then
	reload profile=asplos20 set=virtual_thread:0,sm_count:4
	for round in $(seq "$rounds"); do
		left=$rest
		policies >> out.$round
	done
fi
for round in $(seq "$rounds"); do
	cat out.$round
done
[ -z "$pids" ] || kill $pids

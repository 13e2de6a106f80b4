#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Eviction that knows accesses keeps what is used, lru gives it up
# ("access-aware eviction", demystifying VI-A).
# vm: kernel=uml softgpu="vram_mb=8" timeout=600
# vm: kernel=uml-debug softgpu="vram_mb=8" timeout=600 args=few when=soak
# vm: kernel=stock softgpu="vram_mb=8 clock=real" timeout=600 args=real name=real
. ./lib.sh

# counter NAME: one of the device's, of GPU 0.
counter() {
	cat "/sys/kernel/debug/softgpu/gpu0/$1"
}

# touch_around POLICY GRANULARITY HOT OFFSETS...: one GPU thread writes each of OFFSETS once,
# and byte HOT of the same allocation before each of them; events in "out".
touch_around() {
	{
		printf '%s\n' "set eviction_policy $1" "set root_chunk_granularity $2" \
			"set perf_prefetch_enable 0" "alloc a 64M"
		hot=$3
		shift 3
		printf 'gpu write a'
		for offset in "$@"; do
			printf ' %s %s' "$hot" "$offset"
		done
		echo
	} > script
	uvm probe --json script > out
}

# of EVENT [OFFSET]: how many of them, or at that offset.
of() {
	grep "\"event\":\"$1\"" out | grep -c "\"offset\":${2-}"
}

# Four chunks of 2 MB, one of them hot: 20 others pass.
others=$(seq -s ' ' 2097152 2097152 41943040)
before=$(counter accessed_reads)
# shellcheck disable=SC2086
touch_around lru 2m 0 $others
expect "lru: the probe runs" 0 $?
hot=$(of eviction 0,)
awk -v n="$hot" 'BEGIN { exit n < 4 }'
expect "lru: the hot chunk is evicted again and again ($hot times)" 0 $?
expect "lru: nothing is asked of the hardware" "$before" "$(counter accessed_reads)"
lru=$(of eviction)

# shellcheck disable=SC2086
touch_around accessed 2m 0 $others
expect "accessed: the probe runs" 0 $?
expect "accessed: the hot chunk stays" 0 "$(of eviction 0,)"
expect "accessed: it faulted once" 1 "$(of gpu_fault 0,)"
expect "accessed: 21 blocks, 4 chunks" 17 "$(of eviction)"
awk -v a="$(of eviction)" -v l="$lru" 'BEGIN { exit a >= l }'
expect "accessed: fewer evictions than lru's $lru" 0 $?
reads=$(($(counter accessed_reads) - before))
awk -v n=$reads 'BEGIN { exit n < 17 || n > 4 * 17 }'
expect "accessed: a few readings for each eviction ($reads)" 0 $?

# 128 pieces of 64 KB, each in a block of its own: so are the hot one's neighbours.
others=$(seq -s ' ' 65536 65536 13107200)
# shellcheck disable=SC2086
touch_around lru 64k 0 $others
hot=$(of eviction 0,)
awk -v n="$hot" 'BEGIN { exit n < 1 }'
expect "64k, lru: the hot piece is evicted ($hot times)" 0 $?
# shellcheck disable=SC2086
touch_around accessed 64k 0 $others
expect "64k, accessed: the hot piece stays" 0 "$(of eviction 0,)"
expect "64k, accessed: others do not" 1 $(($(of eviction) >= 201 - 128))

# Off again: the device does not stamp, the driver does not ask.
before=$(counter accessed_reads)
touch_around lru 2m 0 2097152
expect "off again" "$before" "$(counter accessed_reads)"

# Workloads: right results, whatever the unit.
units="2m 64k 4k"
[ "${1-}" != few ] || units=64k
for unit in $units; do
	for workload in "stencil --size 6M --sweeps 2" "random --size 6M" \
		"sgemm --tensor --m 64 --n 6400 --k 64"; do
		# shellcheck disable=SC2086
		check "$workload, $unit" uvm run $workload --oversubscription 150 --quiet --json \
			--set eviction_policy=accessed --set root_chunk_granularity=$unit
	done
done
expect "no object is left" "" "$(objects_left)"
[ "${1-}" != real ] || finish

# The same nanoseconds twice.
for run in 1 2; do
	rmmod uvm softgpu && insmod /lib/softuvm/softgpu.ko vram_mb=8 && insmod /lib/softuvm/uvm.ko
	check "run $run" uvm run stencil --size 6M --sweeps 2 --oversubscription 150 --quiet \
		--json --set eviction_policy=accessed --events events.$run
done
check "the same twice" cmp events.1 events.2

# And with others before, which end anywhere in a tick of the hardware's stamps.
for size in 6M 5M 7M; do
	check "stencil" uvm run stencil --size $size --oversubscription 150 --quiet --json \
		--set eviction_policy=accessed
	uvm run random --size 6M --oversubscription 150 --quiet --json \
		--set root_chunk_granularity=64k --set eviction_policy=accessed |
		sed 's/"wall_time_s":[0-9.]*//' > after.$size
done
check "the same after others" cmp after.6M after.5M
check "the same after still others" cmp after.6M after.7M
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Access counters: what is read over the link moves when a counter says that it is
# worth it, and not before (nvidia-uvm 2.12; the static threshold of
# the adaptive paper).
# vm: kernel=uml,debug timeout=600
# vm: kernel=stock softgpu="clock=real gpus=2" name=real timeout=900
# vm: kernel=debug softgpu="clock=real gpus=2" name=real timeout=900 when=soak
# vm: kernel=uml softgpu="set=access_ring_entries:2" name=tiny timeout=300
. ./lib.sh

# counter NAME: one of the device's, of GPU 0.
counter() {
	cat "/sys/kernel/debug/softgpu/gpu0/$1"
}

# golden NAME: stdin has probe commands and, indented, the events of each.
golden() {
	grep -v '^#' > want
	grep -v '^ ' want > script
	uvm probe --json script > out 2> errors
	status=$?
	awk -f events.awk out > got
	if cmp -s want got; then
		ok "$1"
	else
		not_ok "$1" "wanted:"
		sed 's/^/#   /' want
		note "got:"
		sed 's/^/#   /' got errors
	fi
	expect "$1: status" 0 $status
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

# On the real clock only what is true whoever is faster.
if grep -q real /sys/module/softgpu/parameters/clock; then
	cat > script <<-END
		set residency_policy delayed
		set perf_access_counter_threshold 4
		set perf_prefetch_enable 0
		alloc a 4M
		cpu write a 0 4M
		gpu read a 0 0 0
		gpu read a 0
		gpu read a 0
		gpu1 read a 2M 2M 2M 2M 2M 2M
	END
	uvm probe --json script > out
	expect "real: the probe runs" 0 $?
	expect "real: each GPU's page moves" 2 "$(moved)"
	for workload in vecadd stencil; do
		check "real: $workload reads over the link, and is right" \
			uvm run $workload --size 2M --gpu 1 \
			--set residency_policy=delayed --set perf_access_counter_threshold=16
	done
	finish
fi

# The fourth access of the granule brings the pages of it that are mapped: there
# is one.  From then on it is the GPU's own.  The CPU takes it back: all begins
# anew, with what 128K has counted meanwhile.
golden "delayed: reads wait for the threshold" <<-END
	set residency_policy delayed
	set perf_access_counter_threshold 4
	set perf_prefetch_enable 0
	alloc a 4M
	cpu write a 0 4M
	  cpu_fault a 0+4096K write
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu read a 64
	gpu read a 128
	gpu read a 4095
	  access_counter a 0 of 2048K: 4 accesses, regions 1
	  migration a 0+4K cpu>gpu0 access_counter
	gpu read a 0 64 128 192 256 320
	gpu write a 0
	gpu read a 128K
	  gpu_fault a 128K+4K read invalid_pte
	  map_remote a 128K+4K gpu0>cpu policy
	  replay
	  batch of 1
	cpu read a 0
	  cpu_fault a 0+4K read
	  migration a 0+4K gpu0>cpu cpu_fault
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pte
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu read a 0
	gpu read a 0
	  access_counter a 0 of 2048K: 4 accesses, regions 5
	  migration a 0+4K cpu>gpu0 access_counter
	  migration a 128K+4K cpu>gpu0 access_counter
END

# One instruction, four lines, four accesses.  A store does not wait: what is read
# over the link is read only, so that it asks for the page.
golden "delayed: lines of a warp, and writes" <<-END
	set residency_policy delayed
	set perf_access_counter_threshold 4
	set perf_prefetch_enable 0
	alloc a 2M
	cpu write a 0 2M
	  cpu_fault a 0+2048K write
	warp read a 0 32 128 160 256 384
	  gpu_fault a 0+4K read invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	  access_counter a 0 of 2048K: 4 accesses, regions 1
	  migration a 0+4K cpu>gpu0 access_counter
	gpu write a 64K
	  gpu_fault a 64K+4K write invalid_pte
	  migration a 64K+4K cpu>gpu0 fault
	  replay
	  batch of 1
	gpu read a 128K
	  gpu_fault a 128K+4K read invalid_pte
	  map_remote a 128K+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu write a 128K
	  gpu_fault a 128K+4K write ro_violation
	  migration a 128K+4K cpu>gpu0 fault
	  replay
	  batch of 1
END

# The prefetcher works for counters as for faults: the rest of the 64K comes.
golden "delayed: the prefetcher applies" <<-END
	set residency_policy delayed
	set perf_access_counter_threshold 2
	alloc a 2M
	prefetch a 0 2M gpu0
	prefetch a 0 2M cpu
	  migration a 0+2048K gpu0>cpu user
	gpu read a 64K
	  gpu_fault a 64K+4K read invalid_pde
	  map_remote a 64K+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu read a 64K
	  access_counter a 64K of 2048K: 2 accesses, regions 2
	  migration a 64K+4K cpu>gpu0 access_counter
	  migration a 68K+60K cpu>gpu0 prefetch
END

# Each 64K by itself, whatever its neighbours do.
golden "granularity: 64K" <<-END
	set residency_policy delayed
	set perf_prefetch_enable 0
	counters gpu0 on 64K 3
	alloc a 2M
	cpu write a 0 128K
	  cpu_fault a 0+128K write
	gpu read a 0 64K 0 64K
	  gpu_fault a 0+4K read invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	  gpu_fault a 64K+4K read invalid_pte
	  map_remote a 64K+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu read a 64K
	  access_counter a 64K of 64K: 3 accesses, regions 1
	  migration a 64K+4K cpu>gpu0 access_counter
	gpu read a 0
	  access_counter a 0 of 64K: 3 accesses, regions 1
	  migration a 0+4K cpu>gpu0 access_counter
END

# Sub-regions of 512K, in whichever of the eight blocks they are.
golden "granularity: 16M" <<-END
	set residency_policy delayed
	set perf_prefetch_enable 0
	counters gpu0 on 16M 2
	alloc a 16M
	cpu write a 0 4K
	  cpu_fault a 0+4K write
	cpu write a 14M 4K
	  cpu_fault a 14336K+4K write
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu read a 14M
	  gpu_fault a 14336K+4K read invalid_pde
	  map_remote a 14336K+4K gpu0>cpu policy
	  replay
	  batch of 1
	  access_counter a 14336K of 16384K: 2 accesses, regions 268435457
	  migration a 0+4K cpu>gpu0 access_counter
	  migration a 14336K+4K cpu>gpu0 access_counter
END

# Counted, not migrated: a granule tells once, until somebody clears it.
golden "without migration" <<-END
	set residency_policy remote
	set perf_prefetch_enable 0
	set perf_access_counter_migration_enable 0
	counters gpu0 on 2M 2
	alloc a 2M
	cpu write a 0
	  cpu_fault a 0+4K write
	gpu read a 0 64
	  gpu_fault a 0+4K read invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	  access_counter a 0 of 2048K: 2 accesses, regions 1
	gpu read a 0 0 0 0
	counters gpu0 clear
	gpu read a 0 64
	  access_counter a 0 of 2048K: 2 accesses, regions 1
	counters gpu0 off
	gpu read a 0 0 0 0
END

# Whatever the policy, by parameter.  Writes over the link count as well.
golden "migration by parameter" <<-END
	set residency_policy remote
	set perf_prefetch_enable 0
	set perf_access_counter_migration_enable 1
	set perf_access_counter_threshold 2
	alloc a 2M
	cpu write a 0
	  cpu_fault a 0+4K write
	gpu write a 0
	  gpu_fault a 0+4K write invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu write a 0
	  access_counter a 0 of 2048K: 2 accesses, regions 1
	  migration a 0+4K cpu>gpu0 access_counter
END

# nvidia-uvm's decision keeps what prefers the CPU there (3.1, step 9), and the
# counter begins anew; "delayed" takes the advice as one to wait.
golden "preferred location" <<-END
	set perf_access_counter_migration_enable 1
	set perf_access_counter_threshold 2
	set perf_prefetch_enable 0
	alloc a 2M
	cpu write a 0
	  cpu_fault a 0+4K write
	advise a 0 2M preferred=cpu
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu read a 0
	  access_counter a 0 of 2048K: 2 accesses, regions 1
	gpu read a 0 0
	  access_counter a 0 of 2048K: 2 accesses, regions 1
	set residency_policy delayed
	gpu read a 0 0
	  access_counter a 0 of 2048K: 2 accesses, regions 1
	  migration a 0+4K cpu>gpu0 access_counter
END

# Off unless somebody asks: the device counts nothing.
counted=$(counter accesses_counted)
golden "off by default" <<-END
	set residency_policy remote
	set perf_access_counter_threshold 1
	set perf_prefetch_enable 0
	alloc a 2M
	cpu write a 0
	  cpu_fault a 0+4K write
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu read a 0 0 0 0
END
expect "off by default: nothing was counted" "$counted" "$(counter accesses_counted)"

# reload: each run begins with the same state of driver and device.
reload() {
	rmmod uvm softgpu && insmod /lib/softuvm/softgpu.ko && insmod /lib/softuvm/uvm.ko
}

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

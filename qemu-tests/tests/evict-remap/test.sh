#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# After an eviction who the pages are accessed by reaches them at their new place, and with
# access counters the GPU that lost them does, without a fault (nvidia-uvm 3.9).
# vm: kernel=uml softgpu="vram_mb=8" timeout=300
# vm: kernel=uml softgpu="vram_mb=8 gpus=2" timeout=300 args=2 name=2gpus
# vm: kernel=stock,debug softgpu="vram_mb=8 clock=real" timeout=900 args=real name=real when=soak
. ./lib.sh
. ./golden.sh

# Evictions and their mappings while others run, and VA spaces that come and go.
if [ "${1-}" = real ]; then
	for _ in 1 2 3; do
		for enable in 0 1; do
			uvm run random --size 12M --access both --passes 3 --quiet --json \
				--set perf_access_counter_migration_enable=$enable > run.$enable &
		done
		wait
		expect "real: both are right" 2 "$(cat run.* | grep -c '"verified":true')"
	done
	expect "no object is left" "" "$(objects_left)"
	finish
fi

# Memory of four frames is full, and a page of the first is evicted.
evict="gpu write a 0 2M 4M 6M
  gpu_fault a 0+4K write invalid_pde
  replay
  batch of 1
  gpu_fault a 2048K+4K write invalid_pde
  replay
  batch of 1
  gpu_fault a 4096K+4K write invalid_pde
  replay
  batch of 1
  gpu_fault a 6144K+4K write invalid_pde
  replay
  batch of 1
gpu write a 8M
  gpu_fault a 8192K+4K write invalid_pde
  eviction a 0+4K gpu0>cpu eviction
  migration a 0+4K gpu0>cpu eviction"
done="  replay
  batch of 1"

if [ "${1-}" = 2 ]; then
	golden "another GPU reaches the page, the one that lost it does not" <<-END
	set perf_prefetch_enable 0
	alloc a 64M
	advise a 0 64M accessed-by=gpu1
	$evict
	  map_remote a 0+4K gpu1>cpu policy
	$done
	gpu1 write a 0
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pte
	  eviction a 2048K+4K gpu0>cpu eviction
	  migration a 2048K+4K gpu0>cpu eviction
	  map_remote a 2048K+4K gpu1>cpu policy
	  migration a 0+4K cpu>gpu0 fault
	$done
	END
	finish
fi

golden "accessed by the GPU itself" <<END
set perf_prefetch_enable 0
alloc a 64M
advise a 0 64M accessed-by=gpu0
$evict
  map_remote a 0+4K gpu0>cpu policy
$done
gpu write a 0
END

# The counter brings it back, and what goes for it is mapped in turn.
golden "with access counters" <<END
set perf_prefetch_enable 0
set perf_access_counter_migration_enable 1
set perf_access_counter_threshold 2
alloc a 64M
$evict
  map_remote a 0+4K gpu0>cpu eviction
$done
gpu write a 0
gpu read a 0
  access_counter a 0 of 2048K: 2 accesses, regions 1
  eviction a 2048K+4K gpu0>cpu eviction
  migration a 2048K+4K gpu0>cpu eviction
  map_remote a 2048K+4K gpu0>cpu eviction
  migration a 0+4K cpu>gpu0 access_counter
END

# Who leaves pages to counters wants to hear of writes.
golden "to be read only, where the policy is so" <<END
set perf_prefetch_enable 0
set residency_policy delayed
alloc a 64M
$evict
  map_remote a 0+4K gpu0>cpu eviction
$done
gpu read a 0
gpu write a 0
  gpu_fault a 0+4K write ro_violation
  eviction a 2048K+4K gpu0>cpu eviction
  migration a 2048K+4K gpu0>cpu eviction
  map_remote a 2048K+4K gpu0>cpu eviction
  migration a 0+4K cpu>gpu0 fault
$done
END

golden "not where it is turned off" <<END
set perf_prefetch_enable 0
set perf_access_counter_migration_enable 1
set perf_map_remote_on_eviction 0
alloc a 64M
$evict
$done
END

golden "nor without a reason" <<END
set perf_prefetch_enable 0
alloc b 2M
advise b 0 2M accessed-by=gpu0
alloc a 64M
advise a 0 64M accessed-by=gpu0
advise a 0 64M accessed-by=none
$evict
$done
END

golden "nor where readers have copies" <<END
set perf_prefetch_enable 0
alloc a 64M
advise a 0 64M accessed-by=gpu0
advise a 0 64M read-duplicate=on
$evict
$done
END

for workload in random bfs; do
	check "$workload: right with mappings after evictions" uvm run $workload --quiet \
		--oversubscription 150 --set perf_access_counter_migration_enable=1
done
expect "no object is left" "" "$(objects_left)"
finish

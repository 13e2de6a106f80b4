#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# fault_force_sysmem: what faults is served from system memory, whatever is advised
# (nvidia-uvm 3.1, step 1).
# vm: kernel=uml softgpu="vram_mb=8" timeout=300
. ./lib.sh
. ./golden.sh

golden "it goes where nobody asked for it, and stays there" <<-END
	set perf_prefetch_enable 0
	set fault_force_sysmem 1
	alloc a 2M
	gpu write a 0
	  gpu_fault a 0+4K write invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	cpu write a 0
	  cpu_fault a 0+4K write
	gpu read a 0
	advise a 0 2M preferred=gpu0
	gpu write a 0
	  gpu_fault a 0+4K write invalid_pte
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	advise a 0 2M preferred=none
	advise a 0 2M read-duplicate=on
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pte
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	advise a 0 2M read-duplicate=off
	set fault_force_sysmem 0
	gpu read a 4K
	  gpu_fault a 4K+4K read invalid_pte
	  replay
	  batch of 1
END

golden "what is elsewhere comes home with its next fault; a prefetch is no fault" <<-END
	set perf_prefetch_enable 0
	alloc a 2M
	gpu write a 0
	  gpu_fault a 0+4K write invalid_pde
	  replay
	  batch of 1
	set fault_force_sysmem 1
	gpu read a 0
	cpu read a 0
	  cpu_fault a 0+4K read
	  migration a 0+4K gpu0>cpu cpu_fault
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pte
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	prefetch a 0 4K gpu0
	  migration a 0+4K cpu>gpu0 user
	gpu write a 0
END

for workload in triad kcore stencil bfs; do
	uvm run $workload --quiet --json --set fault_force_sysmem=1 > run.json
	expect "$workload: it is right" 0 $?
	expect "$workload: nothing goes to the GPU" 0 \
		"$(sed -n 's/.*"migrated_bytes":{"htod":\([0-9]*\).*/\1/p' run.json)"
done
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# fault_force_sysmem: what faults is served from system memory, whatever is advised
# (nvidia-uvm 3.1, step 1).
# vm: kernel=uml softgpu="vram_mb=8" timeout=300
. ./lib.sh

golden cases/*.probe

for workload in triad kcore stencil bfs; do
	uvm run $workload --quiet --json --set fault_force_sysmem=1 > run.json
	expect "$workload: it is right" 0 $?
	expect "$workload: nothing goes to the GPU" 0 \
		"$(sed -n 's/.*"migrated_bytes":{"htod":\([0-9]*\).*/\1/p' run.json)"
done
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# After an eviction who the pages are accessed by reaches them at their new place, and with
# access counters the GPU that lost them does, without a fault (nvidia-uvm 3.9).
# vm: kernel=uml softgpu="vram_mb=8" timeout=300
# vm: kernel=uml softgpu="vram_mb=8 gpus=2" timeout=300 args=2 name=2gpus
# vm: kernel=stock,debug softgpu="vram_mb=8 clock=real" timeout=900 args=real name=real when=soak
. ./lib.sh

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

# In each case memory of four frames is full, and a page of the first is evicted.
if [ "${1-}" = 2 ]; then
	golden cases-2gpus/*.probe
	finish
fi

golden cases/*.probe

for workload in random bfs; do
	check "$workload: right with mappings after evictions" uvm run $workload --quiet \
		--oversubscription 150 --set perf_access_counter_migration_enable=1
done
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Four processes on two GPUs that are too small for them do everything that the ABI
# has, and die of it now and then: data right, no splat, no leak.
# vm: kernel=debug cpus=2 timeout=500 softgpu="clock=real gpus=2 vram_mb=16" args="15 1" name=real
# vm: kernel=stock cpus=4 timeout=300 softgpu="clock=real gpus=2 vram_mb=16" uvm="root_chunk_granularity=64k" args="10 2" name=real-64k
# vm: kernel=debug cpus=2 timeout=400 softgpu="clock=real gpus=2 vram_mb=16" uvm="root_chunk_granularity=4k" args="30 3" name=real-4k when=soak
# vm: kernel=stock cpus=2 timeout=300 softgpu="clock=real gpus=2 vram_mb=16" args=broken name=broken
# vm: kernel=stock cpus=2 timeout=300 softgpu="gpus=2 vram_mb=16" args="10 4" name=virtual
# vm: kernel=debug cpus=2 timeout=400 softgpu="gpus=2 vram_mb=16" uvm="root_chunk_granularity=64k" args="20 5" name=virtual-64k when=soak
# vm: kernel=debug cpus=2 timeout=2400 softgpu="clock=real gpus=2 vram_mb=16" args="1800 11" name=soak when=soak
# vm: kernel=debug cpus=2 timeout=1000 softgpu="clock=real gpus=2 vram_mb=16" uvm="root_chunk_granularity=4k" args="600 12" name=soak-4k when=soak
# vm: kernel=debug cpus=2 timeout=1000 softgpu="gpus=2 vram_mb=16" uvm="root_chunk_granularity=64k" args="600 13" name=soak-virtual when=soak
if [ "$1" != broken ]; then
	exec ./stress-gpus "$@"
fi
. ./lib.sh

# It can fail: GPUs that keep what they have forgotten are found out.
for g in 0 1; do
	echo Y > /sys/kernel/debug/softgpu/gpu$g/ignore_tlb_invalidate
done
refuse "ignored TLB invalidates: wrong data" 1 ./stress-gpus 60 7
found=$(echo "$_out" | grep 'process [0-9]*, seed.*\(page\|counter\|launch\)')
note "$found"
check "ignored TLB invalidates: it says where and what" [ -n "$found" ]
finish

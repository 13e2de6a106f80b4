#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A channel of the driver dies: launches, copies and migrations end with an error,
# nothing hangs, and when the VA space has left the next one finds everything working;
# the modules can be unloaded, too.
# vm: kernel=uml,uml-debug prog=copy-faults timeout=900 args=clock=virtual
# vm: kernel=stock prog=copy-faults softgpu="clock=real" timeout=900 name=real args=clock=real
# Accesses wait for a counter, which nobody clears when the channel is dead:
# vm: kernel=uml,uml-debug prog=copy-faults softgpu="set=access_counter_stall:1" uvm="residency_policy=delayed perf_access_counter_threshold=1" timeout=900 name=stall args="clock=virtual,set=access_counter_stall:1 residency_policy=delayed,perf_access_counter_threshold=1"
# vm: kernel=stock prog=copy-faults softgpu="clock=real set=access_counter_stall:1" uvm="residency_policy=delayed perf_access_counter_threshold=1" timeout=900 name=stall-real args="clock=real,set=access_counter_stall:1 residency_policy=delayed,perf_access_counter_threshold=1"
# Nobody waits for the replay:
# vm: kernel=stock prog=copy-faults softgpu="clock=real" uvm="replay_policy=batch" timeout=900 name=batch-real args="clock=real replay_policy=batch"
. ./lib.sh

softgpu=$(echo "$1" | tr , ' ')
uvm=$(echo "${2-}" | tr , ' ')

# Which of the driver's channels it is depends on how many methods there were; on the real
# clock a launch that is served in few large batches makes less than 700.
for methods in 1 40 200 400; do
	out=$(timeout -s KILL 200 ./copy-faults dead-channel $methods 2>&1)
	status=$?
	expect "dead channel after $methods methods: all as it should be" 0 $status
	[ $status = 0 ] || note "$out"
	check "after $methods methods: unload" rmmod uvm softgpu
	check "after $methods methods: load" insmod /lib/softuvm/softgpu.ko $softgpu
	check "after $methods methods: load uvm" insmod /lib/softuvm/uvm.ko $uvm
	check "after $methods methods: everything works again" \
		timeout -s KILL 200 uvm run vecadd --elements 10000 --quiet
done
for what in frames counter copy; do
	out=$(timeout -s KILL 200 ./copy-faults dead-$what 2>&1)
	status=$?
	expect "dead $what: all as it should be" 0 $status
	[ $status = 0 ] || note "$out"
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A channel of the driver dies: launches, copies and migrations end with an error,
# nothing hangs, and when the VA space has left the next one finds everything working;
# the modules can be unloaded, too.
# vm: kernel=uml,uml-debug prog=copy-faults timeout=900 args=virtual
# vm: kernel=stock prog=copy-faults softgpu="clock=real" timeout=900 name=real args=real
. ./lib.sh

# Which of the driver's channels it is depends on how many methods there were; on the real
# clock a launch that is served in few large batches makes less than 700.
for methods in 1 40 200 400; do
	out=$(timeout -s KILL 200 ./copy-faults dead-channel $methods 2>&1)
	status=$?
	expect "dead channel after $methods methods: all as it should be" 0 $status
	[ $status = 0 ] || note "$out"
	check "after $methods methods: unload" rmmod uvm softgpu
	check "after $methods methods: load" insmod /lib/softuvm/softgpu.ko clock="$1"
	check "after $methods methods: load uvm" insmod /lib/softuvm/uvm.ko
	check "after $methods methods: everything works again" \
		timeout -s KILL 200 uvm run vecadd --elements 10000 --quiet
done
out=$(timeout -s KILL 200 ./copy-faults dead-frames 2>&1)
status=$?
expect "memory of a dead GPU: all as it should be" 0 $status
[ $status = 0 ] || note "$out"
finish

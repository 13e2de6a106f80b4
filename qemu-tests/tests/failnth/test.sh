#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Allocation failures injected one after the other through a whole run, in the
# calling thread and in the bottom half: an error or right data,
# never wrong data, and nothing leaked.
# vm: own=failnth kernel=uml-debug timeout=900 args="3 12" when=full
# vm: own=failnth kernel=debug timeout=900 args="97 400"
# vm: own=failnth kernel=uml-debug,debug timeout=7200 args="1 4" name=all when=soak
# vm: own=failnth kernel=debug timeout=7200 args="1 8 2400" softgpu="clock=real" name=real when=soak
#
# Arguments: steps through the allocations of a thread, through those from which on
# all fail, and the seconds that one mode may take.
. ./lib.sh

# failures SECONDS MODE STEP [NAME=VALUE...]
failures() {
	_seconds=$1
	shift
	_out=$(timeout -s KILL "$_seconds" ./failnth "$@" 2>&1)
	_status=$?
	note "$*: $_out"
	shift 2
	expect "failures in $mode${*:+, $*}: right data or an error, and there were some" 0 $_status
}

for mode in thread half slab pages; do
	step=$1
	case $mode in
	slab | pages) step=$2 ;;
	esac
	failures "${3:-600}" $mode "$step"
done
# What keeps evictions beside copies in order, and blocks in number, allocates as well.
for mode in half slab; do
	step=$1
	[ $mode = half ] || step=$((8 * $2))
	failures "${3:-600}" $mode "$((2 * step))" eviction_timing=unobtrusive \
		concurrency_policy=oversubscribe
done
# A frame that cannot be cut is not taken.
failures "${3:-600}" slab "$((8 * $2))" gpu_memory_limit_kb=3072
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What could stop the virtual clock: contended locks, mmap and munmap by others and by the
# thread itself, khugepaged, and a reader of events whose buffer is managed memory:
# each must end, with right data; and where one thread alone uses the GPU, what
# others do to mmap_lock must not be seen in the counters.
# vm: own=khugepaged kernel=stock cpus=1,2,4 timeout=400
# vm: own=khugepaged kernel=debug cpus=2 timeout=400
. ./lib.sh

thp=/sys/kernel/mm/transparent_hugepage
echo always > $thp/enabled
echo 0 > $thp/khugepaged/scan_sleep_millisecs
echo 0 > $thp/khugepaged/alloc_sleep_millisecs
echo 65536 > $thp/khugepaged/pages_to_scan

# scenario NAME [-p]: its output in $out.
scenario() {
	out=$(timeout -s KILL 100 ./hangs "$@" 2>&1)
	status=$?
	case $status in
	0) ok "$1" ;;
	137) not_ok "$1" "hung" ;;
	*) not_ok "$1" "exited $status: $out" ;;
	esac
}

scenario h1-same-thread -p
alone=$out
scenario h1-same-thread -p
expect "h1: the second run equals the first" "$alone" "$out"
scenario h1-other-thread
scenario h2-mmap-thread -p
expect "h2: a thread that maps memory is not seen" "$alone" "$out"
scenario h3-khugepaged -p
expect "h3: khugepaged is not seen" "$alone" "$out"
scenario h4-own-mmap
scenario h5-unmap-moving
scenario h5-unmap-used
scenario h6-managed-reader
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What "uvm probe" shows is exact: events worked out by hand from the rules of nvidia-uvm's
# prefetcher, of the residency decision and of the fault table.
# vm: kernel=stock,uml timeout=300
. ./lib.sh

# order FILE TO: all of SIZE-NAME.expected is on the other side; TO (gpu or cpu) touches the offsets
# in this order.  What moves stands below them.
order() {
	name=$(basename "$1" .expected)
	size=${name%%-*}
	offsets=$(sed -n 's/^touch //p' "$1")
	{
		echo "alloc a $size"
		echo "cpu write a 0 $size"
		if [ "$2" = gpu ]; then
			echo "gpu read a $offsets"
		else
			echo "prefetch a 0 $size gpu0"
			for offset in $offsets; do
				echo "cpu read a $offset"
			done
		fi
	} > script
	uvm probe --json script | sed -n "/\"cmd\":\"$2 read/,\$p" | awk -v moves=1 -f events.awk > got
	grep '^ ' "$1" > want
	same "$size to the $2, $(echo "${name#*-}" | tr - ' ')"
}

# ---- the faults of one warp -----------------------------------------------
#
# 32 lanes read a page each of a and of b, then write one each of c.  A uTLB
# holds 56 faults: all 32 of a and 24 of b.  What a and c have no page table for
# is an invalid PDE; the last 8 of b find the table that the first batch made.
# The write needs what was loaded, so it comes after both reads; c was never
# touched, so nothing moves.  (What the CPU does before and after is left out.)

# vecadd FILE OPTION...: what happens is what FILE says.
vecadd() {
	grep '^ ' "$1" > want
	shift
	uvm run vecadd --elements 32 --stride 4K --block 32 "$@" --quiet --events events > report 2>&1
	awk -f events.awk events | grep -v 'cpu_fault\|gpu0>cpu' > got
	same "vecadd, one warp, a page per lane${*:+, $*}"
}

vecadd vecadd-demand.expected --set perf_prefetch_enable=0

# Types that are asked for: the same ones, in the same order, and no others.
grep -E '"event":"(batch|replay)"' events | awk -f events.awk > want
check "events of two types" uvm run vecadd --elements 32 --stride 4K --block 32 --quiet \
	--set perf_prefetch_enable=0 --events some --event-types replay,batch
awk -f events.awk some > got
same "events of two types are those of all"
for types in batch,none ,batch batch, ''; do
	refuse "no types of events: '$types'" 2 uvm run vecadd --events some --event-types "$types"
done
refuse "types without a file for them" 2 uvm run vecadd --event-types batch

vecadd vecadd.expected

golden cases/*.probe

# ---- first touch by threshold ----------------------------------------------

grep -v '^#' first-touch.expected > rows
while read -r threshold faults; do
	printf '%s\n' "set perf_prefetch_threshold $threshold" "alloc a 2M" \
		"cpu write a 0 2M" > script
	expect "CPU faults of a first touch of 2 MB at $threshold %" "$faults" \
		"$(uvm probe --json script | grep -c '"event":"cpu_fault"')"
done < rows

# ---- which 64K blocks move, and when ----------------------------------------
#
# At 51 %: a fault takes its 64K block and then the largest aligned group of
# blocks in which more than 51 % are there or wanted: 3 of 4, 5 of 8, 9 of 16,
# 17 of 32, but never 1 of 2.  Data that is there already does not move.
for case in order/*.expected; do
	order "$case" gpu
	order "$case" cpu
done
finish

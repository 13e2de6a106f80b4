#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What "uvm probe" shows is exact: events worked
# out by hand from the rules of nvidia-uvm's prefetcher, of the residency
# decision and of the fault table.
# vm: kernel=stock,uml timeout=300
. ./lib.sh

. ./golden.sh

# order SIZE TO NAME OFFSET...: all of SIZE is on the other side; touch each
# offset in this order from TO (gpu or cpu).  stdin has what moves.
order() {
	size=$1
	to=$2
	name="$1 to the $2, $3"
	shift 3
	cat > want
	{
		echo "alloc a $size"
		echo "cpu write a 0 $size"
		if [ "$to" = gpu ]; then
			echo "gpu read a $*"
		else
			echo "prefetch a 0 $size gpu0"
			for offset in "$@"; do
				echo "cpu read a $offset"
			done
		fi
	} > script
	uvm probe --json script | sed -n "/\"cmd\":\"$to read/,\$p" | awk -v moves=1 -f events.awk > got
	same "$name"
}

# ---- the faults of one warp -----------------------------------------------
#
# 32 lanes read a page each of a and of b, then write one each of c.  A uTLB
# holds 56 faults: all 32 of a and 24 of b.  What a and c have no page table for
# is an invalid PDE; the last 8 of b find the table that the first batch made.
# The write needs what was loaded, so it comes after both reads; c was never
# touched, so nothing moves.  (What the CPU does before and after is left out.)

vecadd() {
	uvm run vecadd --elements 32 --stride 4K --block 32 "$@" --quiet --events events > report 2>&1
	awk -f events.awk events | grep -v 'cpu_fault\|gpu0>cpu' > got
	same "vecadd, one warp, a page per lane${*:+, $*}"
}

cat > want <<-END
	  gpu_fault a 0+128K read invalid_pde
	  gpu_fault b 0+96K read invalid_pde
	  migration a 0+128K cpu>gpu0 fault
	  migration b 0+96K cpu>gpu0 fault
	  replay
	  batch of 56
	  gpu_fault b 96K+32K read invalid_pte
	  migration b 96K+32K cpu>gpu0 fault
	  replay
	  batch of 8
	  gpu_fault c 0+128K write invalid_pde
	  replay
	  batch of 32
END
vecadd --set perf_prefetch_enable=0

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

# The 24 pages of b reach into its second 64K: the prefetcher takes that whole,
# and nothing is left for a second batch of reads.
cat > want <<-END
	  gpu_fault a 0+128K read invalid_pde
	  gpu_fault b 0+96K read invalid_pde
	  migration a 0+128K cpu>gpu0 fault
	  migration b 0+96K cpu>gpu0 fault
	  migration b 96K+32K cpu>gpu0 prefetch
	  replay
	  batch of 56
	  gpu_fault c 0+128K write invalid_pde
	  replay
	  batch of 32
END
vecadd

# 10 lanes, one instruction, 4 pages: misses of one page merge into one record.
golden "one warp, lanes that share pages" <<-END
	set perf_prefetch_enable 0
	alloc a 4M
	cpu write a 0 4M 1M
	  cpu_fault a 0+4K write
	  cpu_fault a 1024K+4K write
	  cpu_fault a 2048K+4K write
	  cpu_fault a 3072K+4K write
	warp read a 0 0 0 1 2 4095 1M 1M 2M 3M
	  gpu_fault a 0+4K read invalid_pde
	  gpu_fault a 1024K+4K read invalid_pde
	  gpu_fault a 2048K+4K read invalid_pde
	  gpu_fault a 3072K+4K read invalid_pde
	  migration a 0+4K cpu>gpu0 fault
	  migration a 1024K+4K cpu>gpu0 fault
	  migration a 2048K+4K cpu>gpu0 fault
	  migration a 3072K+4K cpu>gpu0 fault
	  replay
	  batch of 4
END

# ---- first touch by threshold ----------------------------------------------
#
# Each fault takes its 64K, then the largest subtree of which more than T % are
# there.  In 64K pieces, of 32, with the piece at which each fault comes:
#   0    anything is more than nothing: the first fault takes all
#   10   1 of 8 is 12.5 %, so 0 takes 8; at 8, 9 of 32 are 28 %
#   25   1 of 2, so 0 takes 2; at 2, 3 of 8, so 8; at 8, 9 of 32
#   51   1 of 1 at 0 and 1; then 3 of 4, 5 of 8, 9 of 16, 17 of 32
#   75   0 1 2 3 4 5, at 6 7 of 8; 8 9 10 11, at 12 13 of 16;
#        16 17 18 19 20 21, at 22 7 of 8 there; at 24 25 of 32
#   100  nothing is more than all: every page faults
while read -r threshold faults; do
	printf '%s\n' "set perf_prefetch_threshold $threshold" "alloc a 2M" \
		"cpu write a 0 2M" > script
	expect "CPU faults of a first touch of 2 MB at $threshold %" "$faults" \
		"$(uvm probe --json script | grep -c '"event":"cpu_fault"')"
done <<-END
	0 1
	10 2
	25 3
	51 6
	75 20
	100 512
END

# ---- which 64K blocks move, and when ----------------------------------------
#
# At 51 %: a fault takes its 64K block and then the largest aligned group of
# blocks in which more than 51 % are there or wanted: 3 of 4, 5 of 8, 9 of 16,
# 17 of 32, but never 1 of 2.  Data that is there already does not move.

for to in gpu cpu; do
	# 0; 1; at 2, 3 of 4; at 4, 5 of 8; at 8, 9 of 16; at 16, 17 of 32
	order 2M "$to" ascending 0 64K 128K 192K 256K 320K 512K 768K 1M 1088K 1984K <<-END
		  0: 0+64K
		  64K: 64K+64K
		  128K: 128K+128K
		  256K: 256K+256K
		  512K: 512K+512K
		  1024K: 1024K+1024K
	END
	# the mirror image: blocks 31, 30, 29 (3 of 4), 27 (5 of 8), 23, 15
	order 2M "$to" descending 1984K 1920K 1856K 1792K 1728K 1664K 1472K 1024K 960K 64K 0 <<-END
		  1984K: 1984K+64K
		  1920K: 1920K+64K
		  1856K: 1792K+128K
		  1728K: 1536K+256K
		  1472K: 1024K+512K
		  960K: 0+1024K
	END
	# blocks 5, 20: alone.  4: with 5 that is 2 of 2, but 2 of 4 above.  6: 3 of
	# 4.  31: alone.  0: alone of 2 and of 4, but 5 of 8: the largest that
	# passes counts.  12: 9 of 16.  21: 19 of 32, the rest in two pieces around
	# 20 and 21 ... 31
	order 2M "$to" "in random order" 320K 1280K 256K 384K 1984K 0 768K 1344K 448K 640K <<-END
		  320K: 320K+64K
		  1280K: 1280K+64K
		  256K: 256K+64K
		  384K: 384K+128K
		  1984K: 1984K+64K
		  0: 0+256K
		  768K: 512K+512K
		  1344K: 1024K+256K 1344K+640K
	END
	# The remainder is a tree of 17 pages: one whole 64K and one page.  From
	# below: 16 pages of 17 are 94 %.  It never helps the first 2M.
	order 2116K "$to" ascending 0 64K 128K 256K 512K 1M 2M 2112K <<-END
		  0: 0+64K
		  64K: 64K+64K
		  128K: 128K+128K
		  256K: 256K+256K
		  512K: 512K+512K
		  1024K: 1024K+1024K
		  2048K: 2048K+68K
	END
	# From above: the single page is no big page, and 1 of 17 is not enough.
	order 2116K "$to" descending 2112K 2108K 2M 1984K 1920K 1856K 1728K 1472K 960K <<-END
		  2112K: 2112K+4K
		  2108K: 2048K+64K
		  1984K: 1984K+64K
		  1920K: 1920K+64K
		  1856K: 1792K+128K
		  1728K: 1536K+256K
		  1472K: 1024K+512K
		  960K: 0+1024K
	END
	order 2116K "$to" "in random order" 2112K 320K 1280K 2048K 256K 384K 1984K 0 768K 1344K <<-END
		  2112K: 2112K+4K
		  320K: 320K+64K
		  1280K: 1280K+64K
		  2048K: 2048K+64K
		  256K: 256K+64K
		  384K: 384K+128K
		  1984K: 1984K+64K
		  0: 0+256K
		  768K: 512K+512K
		  1344K: 1024K+256K 1344K+640K
	END
done

# ---- commands ---------------------------------------------------------------

# An explicit migration has cause "user" and no fault; what it maps does not
# fault; what it takes away does.  Never touched pages appear where they are
# wanted: nothing moves.  A page that only the GPU has is mapped writable, so a
# read lets a write through.
golden "prefetch" <<-END
	alloc a 2M
	cpu write a 0 2M
	  cpu_fault a 0+4K write
	  cpu_fault a 64K+4K write
	  cpu_fault a 128K+4K write
	  cpu_fault a 256K+4K write
	  cpu_fault a 512K+4K write
	  cpu_fault a 1024K+4K write
	prefetch a 0 2M gpu0
	  migration a 0+2048K cpu>gpu0 user
	prefetch a 0 2M gpu0
	gpu write a 0 1M
	prefetch a 64K 64K cpu
	  migration a 64K+64K gpu0>cpu user
	cpu read a 64K
	gpu read a 0
# 32 of 32 blocks are there or wanted, one moves
	gpu read a 64K
	  gpu_fault a 64K+4K read invalid_pte
	  migration a 64K+4K cpu>gpu0 fault
	  migration a 68K+60K cpu>gpu0 prefetch
	  replay
	  batch of 1
	gpu write a 64K
	alloc b 2M
	prefetch b 0 2M gpu0
	gpu read b 0 1M
	cpu read b 0
	  cpu_fault b 0+4K read
	  migration b 0+4K gpu0>cpu cpu_fault
	  migration b 4K+60K gpu0>cpu prefetch
	alloc c 2M
	prefetch c 0 2M cpu
	gpu write c 0
	  gpu_fault c 0+4K write invalid_pde
	  migration c 0+4K cpu>gpu0 fault
	  migration c 4K+60K cpu>gpu0 prefetch
	  replay
	  batch of 1
END

# Preferred location, rules 4 and 7 of the prefetcher.  c: first touch of a
# block by the processor it prefers takes all of it; the CPU, which it does not
# prefer, gets the faulting page alone; on the way back the tree runs again and
# takes the other page along.  d: the GPU maps what prefers to stay, and pages
# that the CPU has mapped are no candidates.  e: first touch, so all of it is
# mapped.
golden "advise preferred" <<-END
	alloc c 2M
	advise c 0 2M preferred=gpu0
	gpu write c 512K
	  gpu_fault c 512K+4K write invalid_pde
	  replay
	  batch of 1
	gpu read c 0 64K 2044K
	cpu read c 64K
	  cpu_fault c 64K+4K read
	  migration c 64K+4K gpu0>cpu cpu_fault
	cpu read c 4K
	  cpu_fault c 4K+4K read
	  migration c 4K+4K gpu0>cpu cpu_fault
	gpu read c 64K
	  gpu_fault c 64K+4K read invalid_pte
	  migration c 4K+4K cpu>gpu0 prefetch
	  migration c 64K+4K cpu>gpu0 fault
	  replay
	  batch of 1
	advise c 0 2M preferred=none
	cpu read c 1M
	  cpu_fault c 1024K+4K read
	  migration c 1024K+4K gpu0>cpu cpu_fault
	  migration c 1028K+60K gpu0>cpu prefetch
	alloc d 2M
	cpu write d 0 64K
	  cpu_fault d 0+4K write
	advise d 0 2M preferred=cpu
	gpu read d 0
	  gpu_fault d 0+4K read invalid_pde
	  map_remote d 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu write d 0
	gpu write d 1M
	  gpu_fault d 1024K+4K write invalid_pte
	  map_remote d 1024K+64K gpu0>cpu policy
	  replay
	  batch of 1
	cpu read d 1M
	  cpu_fault d 1024K+4K read
	alloc e 2M
	advise e 0 2M preferred=cpu
	gpu read e 1M
	  gpu_fault e 1024K+4K read invalid_pde
	  map_remote e 0+2048K gpu0>cpu policy
	  replay
	  batch of 1
	gpu write e 0
END

# Free moves nothing back, and takes the page table along: the same address is
# an invalid PDE again, and its pages are new.
golden "free" <<-END
	alloc a 2M
	cpu write a 0
	  cpu_fault a 0+4K write
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  migration a 0+4K cpu>gpu0 fault
	  migration a 4K+60K cpu>gpu0 prefetch
	  replay
	  batch of 1
	free a
	alloc a 2M
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  replay
	  batch of 1
	free a
END
finish

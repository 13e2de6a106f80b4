#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Where pages are, whose memory is set aside for them and who has them mapped how, as the
# driver says (UVM_IOC_RESIDENCY); that looking changes nothing; eviction by address.  The
# right answers are worked out by hand from nvidia-uvm's rules of residency and mapping.
# vm: kernel=stock,uml softgpu="gpus=2 vram_mb=16" timeout=300
. ./lib.sh

. ./golden.sh

# A CPU write of 128 KB, for which 2 MB are set aside, then a GPU read of its first byte moves
# 64 KB; the memory that they had at home stays theirs.  The GPU may do everything with what is
# its own.
golden "first touch, migration" <<-END
	alloc a 2M
	residency a
	  at a 0+2048K: -, memory -, mapped -
	cpu write a 0 128K
	  cpu_fault a 0+4K write
	  cpu_fault a 64K+4K write
	residency a 0 256K
	  at a 0+128K: cpu, memory cpu, mapped cpu atomic 4K
	  at a 128K+128K: -, memory cpu, mapped -
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  migration a 0+4K cpu>gpu0 fault
	  migration a 4K+60K cpu>gpu0 prefetch
	  replay
	  batch of 1
	residency a 0 256K
	  at a 0+64K: gpu0, memory cpu gpu0, mapped gpu0 atomic 64K
	  at a 64K+64K: cpu, memory cpu gpu0, mapped cpu atomic 4K
	  at a 128K+128K: -, memory cpu gpu0, mapped -
	residency a 60K 8K
	  at a 60K+4K: gpu0, memory cpu gpu0, mapped gpu0 atomic 64K
	  at a 64K+4K: cpu, memory cpu gpu0, mapped cpu atomic 4K
END

# Two blocks: all of one is mapped by one PTE, of the other a page short of it.
golden "sizes of PTEs" <<-END
	alloc a 4M
	populate a 0 2M gpu0
	populate a 2M 2044K gpu0
	gpu write a 0 2M
	residency a
	  at a 0+2048K: gpu0, memory gpu0, mapped gpu0 atomic 2M
	  at a 2048K+1984K: gpu0, memory gpu0, mapped gpu0 atomic 64K
	  at a 4032K+60K: gpu0, memory gpu0, mapped gpu0 atomic 4K
	  at a 4092K+4K: -, memory gpu0, mapped -
END

# Preferred location at home, GPU 1 told that it will be used: mapped there as far as the
# link allows, which has no atomics.
golden "remote mappings" <<-END
	set perf_prefetch_enable 0
	alloc a 64K
	advise a 0 64K preferred=cpu
	advise a 0 64K accessed-by=gpu1
	cpu write a 0 8K
	  cpu_fault a 0+4K write
	  map_remote a 0+4K gpu1>cpu policy
	  cpu_fault a 4K+4K write
	  map_remote a 4K+4K gpu1>cpu policy
	residency a 0 12K
	  at a 0+8K: cpu, memory cpu, mapped cpu atomic 4K gpu1 write 4K
	  at a 8K+4K: -, memory cpu, mapped -
END

golden "copies to read, and the one that is written" <<-END
	set perf_prefetch_enable 0
	alloc a 64K
	advise a 0 64K read-duplicate=on
	cpu write a 0
	  cpu_fault a 0+4K write
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  read_duplicate a 0+4K gpu0
	  migration a 0+4K cpu>gpu0 fault
	  replay
	  batch of 1
	residency a 0 4K
	  at a 0+4K: cpu gpu0, memory cpu gpu0, mapped cpu read 4K gpu0 read 4K
	gpu write a 0
	  gpu_fault a 0+4K write ro_violation
	  read_duplicate_invalidate a 0+4K gpu0
	  replay
	  batch of 1
	residency a 0 4K
	  at a 0+4K: gpu0, memory cpu gpu0, mapped gpu0 atomic 4K
	discard a 0 4K
	residency a 0 4K
	  at a 0+4K: gpu0, memory cpu gpu0, mapped gpu0 atomic 4K, discarded
END

# ---- eviction by address -----------------------------------------------------
#
# A page of the middle block: 2 MB go, the blocks beside it stay.  What the GPU had is given
# back; what is at home is not mapped before somebody touches it.
golden "eviction of one page takes its 2 MB" <<-END
	alloc a 6M
	populate a 0 6M gpu0
	evict a 3M 4K gpu0
	  eviction a 2048K+2048K gpu0>cpu eviction
	  migration a 2048K+2048K gpu0>cpu eviction
	residency a
	  at a 0+2048K: gpu0, memory gpu0, mapped gpu0 atomic 2M
	  at a 2048K+2048K: cpu, memory cpu, mapped -
	  at a 4096K+2048K: gpu0, memory gpu0, mapped gpu0 atomic 2M
	evict a 0 6M gpu1
	evict a 2M 2M gpu0
	evict a 0 6M gpu0
	  eviction a 0+2048K gpu0>cpu eviction
	  migration a 0+2048K gpu0>cpu eviction
	  eviction a 4096K+2048K gpu0>cpu eviction
	  migration a 4096K+2048K gpu0>cpu eviction
END

# With pieces of 64 KB the others of the same frame stay, whoever has them.
golden "eviction of small pieces" <<-END
	set root_chunk_granularity 64k
	alloc a 128K
	alloc b 64K
	populate a 0 128K gpu0
	populate b 0 64K gpu0
	evict a 64K 4K gpu0
	  eviction a 64K+64K gpu0>cpu eviction
	  migration a 64K+64K gpu0>cpu eviction
	residency a
	  at a 0+64K: gpu0, memory gpu0, mapped gpu0 atomic 64K
	  at a 64K+64K: cpu, memory cpu, mapped -
	residency b
	  at b 0+64K: gpu0, memory gpu0, mapped gpu0 atomic 64K
END

# ---- looking changes nothing ---------------------------------------------------
#
# Twelve blocks in memory for at most eight.  Were looking a use, the oldest would not be the
# victim; were it charged, every later time would differ.
disturb() {
	cat <<-END
		set prefetch_policy none
		alloc a 24M
		cpu write a 0 24M 64K
		gpu read a 0 2M 4M 6M 8M 10M
		$1
		gpu write a 12M 14M 16M 18M
		$1
		advise a 4M 2M accessed-by=gpu1
		gpu read a 20M 4M
		$1
		evict a 18M 2M gpu0
		$1
		gpu read a 22M 0
		cpu read a 4M
		$1
	END
}
# The clock and the numbers of batches go on from one run to the next.
events() {
	uvm probe --json "$1" | grep '"event"' | sed 's/"batch":[0-9]*,//' |
		awk -F '"time_ns":' '{ t = $2 + 0; first = NR == 1 ? t : first
			sub(/"time_ns":[0-9]*/, "\"time_ns\":" t - first); print }'
}
disturb "" > script
events script > without
disturb "residency a" > script
events script > with
check "looking changes no event and no time" cmp without with
check "there were evictions, as memory is short" test \
	"$(grep -c '"event":"eviction"' with)" -ge 2
expect "every look was shown" 5 "$(uvm probe --json script | grep -c '"cmd":"residency')"

# ---- a whole run ------------------------------------------------------------------
#
# What the kernels have left in GPU memory is what the counters say is resident there; with
# looking and without the report is the same.
uvm run triad --size 6M --oversubscription 150 --quiet --json | sed 's/"wall_time_s":[0-9.]*//' > plain
uvm run triad --size 6M --oversubscription 150 --quiet --json --residency where |
	sed 's/"wall_time_s":[0-9.]*//' > looked
check "a run that is looked at reports the same" cmp plain looked
expect "all of its memory is told of" "$(sed 's/.*"footprint_bytes":\([0-9]*\).*/\1/' plain)" \
	"$(awk -F '"bytes":' '{ sum += $2 + 0 } END { print sum }' where)"
expect "GPU memory is full of it" "$(sed 's/.*"vram_bytes":\([0-9]*\).*/\1/' plain)" \
	"$(awk -F '"bytes":' '/"populated":\[[^]]*"gpu0"/ { sum += $2 + 0 } END { print sum }' where)"
refuse "a file that cannot be written" 3 uvm run triad --quiet --residency /nowhere/at/all
finish

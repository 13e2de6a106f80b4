#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Advice, read duplication, range groups, discard and populate
# (nvidia-uvm 1.5, 1.6, 3.1, 3.2, 6.2): events worked out by hand, and data right
# whatever is advised.
# vm: kernel=stock,uml,debug timeout=900
# vm: kernel=stock softgpu="clock=real" timeout=900 args="data more" name=real when=soak
# vm: kernel=uml softgpu="gpus=2 vram_mb=64" timeout=900 args=data name=2gpus
# vm: kernel=debug softgpu="gpus=2 vram_mb=64" timeout=900 args=data name=2gpus when=soak
# vm: kernel=stock softgpu="gpus=4 vram_mb=64 clock=real" timeout=900 args=data name=4gpus-real
# vm: kernel=stock softgpu="gpus=4 vram_mb=64 clock=real" timeout=900 args="data more" name=4gpus-more-real when=soak
. ./lib.sh
. ./golden.sh

program() {
	./policy "$@" > data
	status=$?
	grep '^not ok\|^#' data | sed 's/^not ok/# not ok/'
	expect "data is right (policy $*, $(grep -c '^ok' data) results)" 0 $status
}

if [ "${1-}" = data ]; then
	program
	[ "${2-}" != more ] || program random 6 60
	expect "no object is left" "" "$(objects_left)"
	finish
	exit
fi

# ---- accessed by -----------------------------------------------------------
#
# Set: what is resident is mapped at once.  A page that the CPU brings home later
# is mapped along; one that the GPU touches first is its own; when that comes home
# it is mapped over the link (3.2, step 5).  Unset: mappings stay.
golden "accessed-by" <<-END
	set perf_prefetch_enable 0
	alloc a 2M
	cpu write a 0 8K
	  cpu_fault a 0+8K write
	advise a 0 2M accessed-by=gpu0
	  map_remote a 0+8K gpu0>cpu policy
	residency a 0 12K
	  at a 0+8K: cpu, memory cpu, mapped cpu atomic 4K gpu0 write 4K
	  at a 8K+4K: -, memory cpu, mapped -
	gpu read a 0
	gpu write a 4K
	cpu write a 8K
	  cpu_fault a 8K+4K write
	  map_remote a 8K+4K gpu0>cpu policy
	gpu write a 8K
	gpu write a 12K
	  gpu_fault a 12K+4K write invalid_pte
	  replay
	  batch of 1
	cpu read a 12K
	  cpu_fault a 12K+4K read
	  migration a 12K+4K gpu0>cpu cpu_fault
	  map_remote a 12K+4K gpu0>cpu policy
	advise a 0 2M accessed-by=none
	residency a 0 20K
	  at a 0+16K: cpu, memory cpu gpu0, mapped cpu atomic 4K gpu0 write 4K
	  at a 16K+4K: -, memory cpu gpu0, mapped -
	gpu read a 12K
	cpu write a 16K
	  cpu_fault a 16K+4K write
	gpu read a 16K
	  gpu_fault a 16K+4K read invalid_pte
	  migration a 16K+4K cpu>gpu0 fault
	  replay
	  batch of 1
END

# A page of the CPU that the GPU is to access stays when it faults (3.1, step 7).
golden "accessed-by: a fault maps, and moves nothing" <<-END
	set perf_prefetch_enable 0
	alloc a 2M
	advise a 0 2M accessed-by=gpu0
	advise a 0 2M preferred=gpu0
	cpu write a 0
	  cpu_fault a 0+4K write
	advise a 0 2M preferred=none
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
END

# ---- preferred location ------------------------------------------------------
#
# A GPU that becomes the preferred location loses what it reaches over the link,
# so that it faults the pages in (6.2).
golden "preferred location unmaps" <<-END
	set perf_prefetch_enable 0
	alloc a 2M
	advise a 0 2M preferred=cpu
	gpu write a 0
	  gpu_fault a 0+4K write invalid_pde
	  map_remote a 0+4K gpu0>cpu policy
	  replay
	  batch of 1
	gpu read a 0
	residency a 0 4K
	  at a 0+4K: cpu, memory cpu, mapped gpu0 write 4K
	advise a 0 2M preferred=gpu0
	residency a 0 4K
	  at a 0+4K: cpu, memory cpu, mapped -
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pte
	  migration a 0+4K cpu>gpu0 fault
	  replay
	  batch of 1
END

# ---- read duplication ----------------------------------------------------------
#
# Readers get copies, a writer makes its own the only one (3.1 step 2, 3.3).  The
# GPU's copy is read only, so its write faults as such.
golden "read duplication" <<-END
	set perf_prefetch_enable 0
	alloc a 64K
	cpu write a 0
	  cpu_fault a 0+4K write
	advise a 0 64K read-duplicate=on
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  read_duplicate a 0+4K gpu0
	  migration a 0+4K cpu>gpu0 fault
	  replay
	  batch of 1
	cpu read a 0
	gpu read a 0
	cpu write a 0
	  cpu_fault a 0+4K write
	  read_duplicate_invalidate a 0+4K cpu
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pte
	  read_duplicate a 0+4K gpu0
	  migration a 0+4K cpu>gpu0 fault
	  replay
	  batch of 1
	gpu write a 0
	  gpu_fault a 0+4K write ro_violation
	  read_duplicate_invalidate a 0+4K gpu0
	  replay
	  batch of 1
	cpu read a 0
	  cpu_fault a 0+4K read
	  read_duplicate a 0+4K cpu
	  migration a 0+4K gpu0>cpu cpu_fault
	advise a 0 64K read-duplicate=off
	  read_duplicate_invalidate a 0+4K cpu
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pte
	  migration a 0+4K cpu>gpu0 fault
	  replay
	  batch of 1
END

# A page of a range that may be duplicated is mapped to be read: the write that
# follows is heard of, of prefetched pages too.  These are copied like the others.
# (What moves is told when it has moved, after what is decided.)
golden "read duplication: first touch and prefetch" <<-END
	alloc a 128K
	advise a 0 128K read-duplicate=on
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  replay
	  batch of 1
	gpu write a 0
	  gpu_fault a 0+4K write ro_violation
	  replay
	  batch of 1
	cpu write a 64K 64K
	  cpu_fault a 64K+64K write
	gpu read a 64K
	  gpu_fault a 64K+4K read invalid_pte
	  read_duplicate a 64K+64K gpu0
	  migration a 64K+4K cpu>gpu0 fault
	  migration a 68K+60K cpu>gpu0 prefetch
	  replay
	  batch of 1
	cpu read a 64K 64K
END

# ---- range groups ----------------------------------------------------------------
#
# Nothing is prefetched of a group without a fault (5.1, step 9): the 64 KB around
# the fault lose the slice of group 1.
golden "range groups and the prefetcher" <<-END
	alloc a 2M
	cpu write a 0 64K
	  cpu_fault a 0+4K write
	group a 16K 16K 1
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pde
	  migration a 0+4K cpu>gpu0 fault
	  migration a 4K+12K cpu>gpu0 prefetch
	  migration a 32K+32K cpu>gpu0 prefetch
	  replay
	  batch of 1
END

# Preventing moves it home; then explicit migration leaves it out.
golden "range groups and migration" 3 <<-END
	alloc a 2M
	gpu write a 0
	  gpu_fault a 0+4K write invalid_pde
	  replay
	  batch of 1
	group a 0 32K 1
	migration 1 prevent # prevent migration of range group 1: Invalid argument
	advise a 0 32K preferred=cpu
	migration 1 prevent
	  migration a 0+32K gpu0>cpu user
	prefetch a 0 64K gpu0
	migration 1 allow
	prefetch a 0 64K gpu0
	  migration a 0+32K cpu>gpu0 user
END

# ---- discard, populate ---------------------------------------------------------
golden "discard: nothing is copied" <<-END
	set perf_prefetch_enable 0
	alloc a 64K
	cpu write a 0 8K
	  cpu_fault a 0+8K write
	discard a 0 4K unmap
	gpu read a 0 4K
	  gpu_fault a 0+4K read invalid_pde
	  replay
	  batch of 1
	  gpu_fault a 4K+4K read invalid_pte
	  migration a 4K+4K cpu>gpu0 fault
	  replay
	  batch of 1
	gpu write a 0
	  gpu_fault a 0+4K write ro_violation
	  replay
	  batch of 1
	cpu read a 0
	  cpu_fault a 0+4K read
	  migration a 0+4K gpu0>cpu cpu_fault
END

golden "populate" <<-END
	alloc a 128K
	cpu write a 0
	  cpu_fault a 0+4K write
	populate a 0 128K gpu0
	gpu write a 64K 124K
	cpu read a 64K
	  cpu_fault a 64K+4K read
	  migration a 64K+4K gpu0>cpu cpu_fault
	  migration a 68K+60K gpu0>cpu prefetch
END

program
expect "no object is left" "" "$(objects_left)"
# A bundle is its members, in any kind; chosen alone behind it, one of them is another.
gpu_time() {
	uvm run random --size 6M --access both --oversubscription 150 --json --quiet \
		--set root_chunk_granularity=64k "$@" | sed 's/.*"gpu_time_ns":\([0-9]*\).*/\1/'
}
expect "policy=batch_aware is its members" \
	"$(gpu_time --set eviction_timing=unobtrusive --set concurrency_policy=oversubscribe)" \
	"$(gpu_time --set policy=batch_aware)"
expect "policy=nvidia takes them back" "$(gpu_time)" \
	"$(gpu_time --set policy=fitting --set policy=nvidia)"
expect "one alone, behind it" "$(gpu_time --set concurrency_policy=oversubscribe)" \
	"$(gpu_time --set policy=batch_aware --set eviction_timing=reactive)"
check "a bundle is another run" test "$(gpu_time)" != "$(gpu_time --set policy=fitting)"
finish

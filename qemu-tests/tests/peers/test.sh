#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Peer access between GPUs (nvidia-uvm 1.2, 3.1, 3.5): remote mappings
# and direct copies, over PCIe and NVLink; disabling, leaving and evicting under load.
# vm: kernel=uml,debug softgpu="gpus=2 vram_mb=64" timeout=900 args=golden
# vm: kernel=uml softgpu="gpus=4 vram_mb=64" timeout=900 name=4gpus
# vm: kernel=uml softgpu="gpus=2 vram_mb=64 set=peer_link:2" timeout=900 name=nvlink
# vm: kernel=debug softgpu="gpus=2 vram_mb=64 set=peer_link:2" timeout=900 name=nvlink when=soak
# vm: kernel=stock softgpu="gpus=2 vram_mb=64 clock=real" timeout=900 name=real
# vm: kernel=debug softgpu="gpus=4 vram_mb=64 clock=real set=peer_link:2" timeout=900 name=4gpus-nvlink-real args=few when=soak
# vm: kernel=uml softgpu="gpus=2 vram_mb=64 set=peer_link:0" timeout=300 name=none args=errnos
. ./lib.sh
. ./golden.sh

program() {
	./peers "$@" > data
	status=$?
	grep '^not ok\|^#\|^Bail' data | sed 's/^not ok/# not ok/'
	expect "peers $*: $(grep -c '^ok' data) results" 0 $status
}

case ${1-} in
golden)
	program
	;;
*)
	program "$@"
	expect "no object is left" "" "$(objects_left)"
	finish
	exit
	;;
esac

# A page whose preferred location is a peer goes and is mapped there (3.1, steps 6 and
# 9); its owner has it without a move.  When they are peers no more it comes, by way of
# the CPU.
golden "preferred location on a peer" <<-END
	set perf_prefetch_enable 0
	alloc a 2M
	advise a 0 2M preferred=gpu1
	peer gpu0 gpu1 on
	gpu write a 0
	  gpu_fault a 0+4K write invalid_pde
	  map_remote a 0+4K gpu0>gpu1 policy
	  replay
	  batch of 1
	gpu write a 0
	gpu1 read a 0
	  gpu_fault a 0+4K read invalid_pde
	  replay
	  batch of 1
	peer gpu0 gpu1 off
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pte
	  migration a 0+4K gpu1>cpu fault
	  migration a 0+4K cpu>gpu0 fault
	  replay
	  batch of 1
END

# Peers copy directly: one migration where there were two.
golden "migration between peers" <<-END
	set perf_prefetch_enable 0
	alloc a 2M
	gpu write a 0
	  gpu_fault a 0+4K write invalid_pde
	  replay
	  batch of 1
	gpu1 read a 0
	  gpu_fault a 0+4K read invalid_pde
	  migration a 0+4K gpu0>cpu fault
	  migration a 0+4K cpu>gpu1 fault
	  replay
	  batch of 1
	peer gpu1 gpu0 on
	gpu read a 0
	  gpu_fault a 0+4K read invalid_pte
	  migration a 0+4K gpu1>gpu0 fault
	  replay
	  batch of 1
END

check "a workload whose memory is on a peer" \
	uvm run vecadd --elements 100000 --peer 1 --set perf_prefetch_enable=0 --quiet
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Peer access between GPUs (nvidia-uvm 1.2, 3.1, 3.5): remote mappings
# and direct copies, over PCIe and NVLink; disabling, leaving and evicting under load.
# vm: kernel=uml,uml-debug softgpu="gpus=2 vram_mb=64" timeout=900 args=golden
# vm: kernel=uml softgpu="gpus=4 vram_mb=64" timeout=900 name=4gpus
# vm: kernel=uml softgpu="gpus=2 vram_mb=64 set=peer_link:2" timeout=900 name=nvlink
# vm: kernel=uml-debug softgpu="gpus=2 vram_mb=64 set=peer_link:2" timeout=900 name=nvlink when=soak
# vm: kernel=stock softgpu="gpus=2 vram_mb=64 clock=real" timeout=900 name=real
# vm: kernel=debug softgpu="gpus=4 vram_mb=64 clock=real set=peer_link:2" timeout=900 name=4gpus-nvlink-real args=few when=soak
# vm: kernel=uml softgpu="gpus=2 vram_mb=64 set=peer_link:0" timeout=300 name=none args=errnos
# vm: kernel=uml softgpu="gpus=2 vram_mb=64 set=far_faults:wait" timeout=900 name=wait
. ./lib.sh

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

golden cases/*.probe

check "a workload whose memory is on a peer" \
	uvm run vecadd --elements 100000 --peer 1 --set perf_prefetch_enable=0 --quiet
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Advice, read duplication, range groups, discard and populate
# (nvidia-uvm 1.5, 1.6, 3.1, 3.2, 6.2): events worked out by hand, and data right
# whatever is advised.
# vm: kernel=stock,uml,uml-debug timeout=900
# vm: kernel=stock softgpu="clock=real" timeout=900 args="data more" name=real when=soak
# vm: kernel=uml softgpu="gpus=2 vram_mb=64" timeout=900 args=data name=2gpus
# vm: kernel=uml-debug softgpu="gpus=2 vram_mb=64" timeout=900 args=data name=2gpus when=soak
# vm: kernel=stock softgpu="gpus=4 vram_mb=64 clock=real" timeout=900 args=data name=4gpus-real
# vm: kernel=stock softgpu="gpus=4 vram_mb=64 clock=real" timeout=900 args="data more" name=4gpus-more-real when=soak
. ./lib.sh

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

golden cases/*.probe
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

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What refreshes a place in the order of eviction: pages that arrive in a whole frame, not
# pages that leave it, nor, unless asked for, arrivals in a piece of one (nvidia-uvm 4.2).
# vm: kernel=uml softgpu="vram_mb=8" timeout=300
. ./lib.sh

# victim LINES...: the first eviction of a probe, as "NAME OFFSET"; four frames of memory.
victim() {
	printf '%s\n' "set perf_prefetch_enable 0" "$@" > script
	uvm probe --json script > out || echo failed
	sed -n 's/.*"event":"eviction".*"name":"\([a-z]*\)","offset":\([0-9]*\).*/\1 \2/p' out |
		head -n 1
}

full="gpu write a 0 4096 2M 4M 6M"
expect "the frame that came first goes first" "a 0" \
	"$(victim "alloc a 64M" "$full" "gpu write a 8M")"
expect "a page that the CPU takes saves no other" "a 4096" \
	"$(victim "alloc a 64M" "$full" "cpu read a 0" "gpu write a 8M")"
expect "a page that comes does" "a 2097152" \
	"$(victim "alloc a 64M" "$full" "gpu write a 8192" "gpu write a 8M")"
expect "pages that are discarded save no other" "a 0" \
	"$(victim "alloc a 64M" "$full" "discard a 4096 4096" "gpu write a 8M")"
expect "a frame that has lost all goes first: no page leaves for it" "" \
	"$(victim "alloc a 64M" "$full" "cpu read a 4M" "gpu write a 8M")"

pieces="gpu write b 0"
set -- "alloc b 64K" "alloc a 64M" "$pieces" "gpu write a 0 2M 4M" "gpu write b 4096" "gpu write a 6M"
expect "an arrival in a piece of a frame is none" "b 0" "$(victim "$@")"
for size in 64k 4k; do
	expect "$size: it is, if it is to be" "a 0" \
		"$(victim "set eviction_refresh_size $size" "$@")"
done
set -- "alloc b 8K" "alloc a 64M" "$pieces" "gpu write a 0 2M 4M" "gpu write b 4096" "gpu write a 6M"
expect "a new piece of it is" "a 0" "$(victim "$@")"
expect "no object is left" "" "$(objects_left)"
finish

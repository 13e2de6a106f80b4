#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Cost per page, launch to wait, does not grow with the size, and bookkeeping is
# under 1 % of managed memory: one thread per page, twice the GPU
# memory there is.
# vm: accel=icount memory=2560 timeout=900 softgpu="vram_mb=512" prog=bench args="256 128 1024 512" name=icount
# vm: cpus=2 memory=10240 timeout=1200 softgpu="vram_mb=2048" prog=bench args="256 128 4096 2048 3" name=4G when=soak
# vm: kernel=uml memory=10240 timeout=600 softgpu="vram_mb=2048" prog=bench args="256 128 4096 2048 3" name=4G when=soak
. ./lib.sh

# of FILE NAME
of() {
	sed -n "s/^scale\.$2 //p" "$1"
}

cost() {
	of "$1" ns_per_page
}

# Others use the machine too (under icount nobody can): small before and after
# large, and some attempts.
compare() {
	for _ in $(seq "$5"); do
		./bench scale "$1" "$2" > small && ./bench scale "$3" "$4" > large &&
			./bench scale "$1" "$2" > after || return 1
		small=$((($(cost small) + $(cost after)) / 2))
		large=$(cost large)
		note "$small ns a page at $1 MB, $large at $3 MB"
		if [ $((large * 10)) -le $((small * 13)) ]; then
			return 0
		fi
	done
	return 1
}

compare "$1" "$2" "$3" "$4" "${5:-1}"
expect "cost per page at $3 MB: at most 1.3 times that at $1 MB" 0 $?
note "$3 MB:" "$(cat large)"
check "memory was evicted" test "$(of large evicted_chunks)" -ge $((($3 - $4) / 2))
check "bookkeeping: $(of large bookkeeping_per_10000) in 10000" \
	test "$(of large bookkeeping_per_10000)" -lt 100
check "$3 MB under 2 minutes: $(of large all_ms) ms" test "$(of large all_ms)" -lt 120000
finish

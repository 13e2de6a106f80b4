#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# GPU memory in pages: what is asked for is what there is, at each granularity and on each profile.
# vm: kernel=uml timeout=300 args="133 101.5 150 200"
# vm: kernel=uml timeout=300 softgpu="profile=tcad20" args="133.3" name=tcad20
# vm: kernel=uml-debug timeout=300
# vm: kernel=stock timeout=300 softgpu="clock=real" args="133" name=real
. ./lib.sh

./memory-limit > out 2>&1
status=$?
grep -v '^ok' out | sed 's/^/# /'
expect "memory-limit ends well" 0 $status

# value KEY: of "report".
value() {
	sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" report
}

# The percentage is true, and right to a tenth as far as units go: 6 MB are 1536 of 4 KB.
for percent; do
	for unit in 4k:4096 64k:65536; do
		uvm run triad --size 6M --oversubscription "$percent" --json --quiet \
			--set root_chunk_granularity="${unit%:*}" > report
		expect "$percent %, ${unit%:*}: verified" 0 $?
		check "$percent %, ${unit%:*}: memory in whole units" \
			[ $(($(value vram_bytes) % ${unit#*:})) = 0 ]
		echo "$percent $(value oversubscription_percent) $(value vram_bytes) ${unit#*:}" > row
		check "$percent %, ${unit%:*}: $(value oversubscription_percent) %" \
			awk '{ off = $1 > $2 ? $1 - $2 : $2 - $1; exit !(off <= 0.1 + 50 * $4 / $3 * $1 / 100) }' row
		awk '{ printf "%.1f\n", 100 * 6291456 / $3 }' row > true
		expect "$percent %, ${unit%:*}: and that is true" "$(cat true)" \
			"$(value oversubscription_percent)"
	done
done

# Runs of different granularity have the same memory: 9 MB at 200 % are 4 MB.
for unit in 2m 64k 4k; do
	uvm run triad --size 9M --oversubscription 200 --whole-chunks --json --quiet \
		--residency where --set root_chunk_granularity=$unit > report
	expect "whole chunks, $unit" 4194304 "$(value vram_bytes)"
	there=$(grep '"resident":\["gpu0"' where | sed 's/.*"bytes":\([0-9]*\).*/\1/' | awk '{ n += $1 } END { print n }')
	check "whole chunks, $unit: so much is there, $there" \
		[ "$there" -le 4194304 -a "$there" -ge 3145728 ]
done
finish

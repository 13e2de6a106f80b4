#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# "uvm run --explicit": every workload gives the right result with device memory and
# explicit copies, without a fault, and twice the same; the time includes the copies
# (the paper's explicit-transfer baseline).
# vm: kernel=uml timeout=900
. ./lib.sh

# number FILE KEY: the first value of that key.
number() {
	sed -n "s/.*\"$2\": *\([0-9]*\).*/\1/p" "$1" | head -n 1
}

{ workloads all; workloads hpe; workloads adaptive; } > list
check "there are workloads" test -s list
while IFS='|' read -r w options _; do
	check "explicit $w is verified" sh -c \
		"uvm run ${w%:*} $options --explicit --quiet --json > $w.json"
	expect "explicit $w: no fault" 0 "$(number $w.json fetched)"
	copied=$(number $w.json copy_time_ns)
	all=$(number $w.json gpu_time_ns)
	if [ "${copied:-0}" -gt 0 ] && [ "${all:-0}" -gt "$copied" ]; then
		ok "explicit $w: $copied of $all ns are copies"
	else
		not_ok "explicit $w: copies are part of the time" "$copied of $all"
	fi
done < list
uvm run regular --size 10M --explicit --quiet --json > again.json
expect "explicit: the same again" "$(grep -v wall_time regular.json)" \
	"$(grep -v wall_time again.json)"
# One way only, as the paper has it.
uvm run regular --access read --explicit --quiet --json --size 8M > explicit.json
uvm run regular --access read --quiet --json --size 8M > managed.json
if [ "$(number explicit.json gpu_time_ns)" -lt "$(number managed.json gpu_time_ns)" ]; then
	ok "explicit transfer beats faults on a regular page touch"
else
	not_ok "explicit transfer beats faults on a regular page touch" \
		"$(number explicit.json gpu_time_ns) and $(number managed.json gpu_time_ns) ns"
fi
refuse "explicit: more than there is" 3 uvm run regular --explicit --quiet --size 300M
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The workloads of the adaptive framework's paper verify on its machine, where the driver's work
# takes no time, with three quarters and with half of the memory that they need, whatever the seed;
# on the virtual clock twice the same, to the nanosecond.
# vm: kernel=uml timeout=600 softgpu="profile=date21" args=virtual name=virtual
# vm: kernel=uml cpus=1 timeout=600 softgpu="profile=date21 clock=real" args=real name=real
# vm: kernel=stock timeout=600 softgpu="profile=date21 clock=real" args=real name=races
. ./lib.sh

# run WORKLOAD PERCENT ARGUMENTS...: leaves "report" without the host's time.
run() {
	_what="$1, $2 %"
	_options=$(grep "^$1|" list | cut -d '|' -f 2)
	_workload=$1
	_percent=$2
	shift 2
	# shellcheck disable=SC2086 # words
	timeout -s KILL 120 uvm run "$_workload" $_options --oversubscription "$_percent" "$@" \
		--json --quiet > out 2> errors
	_status=$?
	sed 's/"wall_time_s":[0-9.]*//' out > report
	if [ $_status != 0 ]; then
		not_ok "$_what $*" "status $_status: $(cut -c 1-300 report errors)"
		return 1
	fi
	invariants "$_what $*" out
}

names="triad 2dconv backprop pathfinder hotspot srad_v2 bfs-rodinia nw"
{
	workloads adaptive
	{ workloads all; workloads hpe; } | grep -E "^($(echo "$names" | tr ' ' '|'))\\|"
} > list
expect "the paper's workloads" 12 "$(wc -l < list)"
cut -d '|' -f 1 list > workloads
while read -r w; do
	run "$w" 133 --seed 3 --set prefetch_policy=tbn < /dev/null
	run "$w" 200 --seed 12345 < /dev/null || continue
	[ "$1" = virtual ] || continue
	mv report first
	run "$w" 200 --seed 12345 < /dev/null
	check "$w: twice the same" cmp first report
	run "$w" 200 --seed 12346 < /dev/null
	# Where pages are touched does not depend on numbers in these.
	case $w in
	ra | sssp | bfs-rodinia) check "$w: another seed, another run" sh -c "! cmp -s first report" ;;
	esac
done < workloads
expect "no object is left" "" "$(objects_left)"
finish

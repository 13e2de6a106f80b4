#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The workloads of the HPE paper verify on its machine with three quarters of the memory that they
# need, and with half of it, under every eviction policy: each with so many of them, in turn, or with
# "all" at both.  A second number: 1 of so many workloads.
# vm: kernel=uml timeout=600 softgpu="profile=tcad20" args=3 name=virtual when=full
# vm: kernel=uml cpus=1 timeout=600 softgpu="profile=tcad20 clock=real" args=2 name=real when=full
# vm: kernel=stock timeout=600 softgpu="profile=tcad20 clock=real" args="1 3" name=races
# vm: kernel=uml timeout=7200 softgpu="profile=tcad20" args=all name=all when=soak
# vm: kernel=uml cpus=1 timeout=7200 softgpu="profile=tcad20 clock=real" args=all name=all-real when=soak
# vm: kernel=stock timeout=14000 softgpu="profile=tcad20 clock=real" args=all name=all-races when=soak
# vm: kernel=uml-debug timeout=7200 softgpu="profile=tcad20" args=3 when=soak
. ./lib.sh

paper="--set prefetch_policy=none --set thrashing_policy=none --set eviction_timing=ideal"

# run WORKLOAD POLICY PERCENT
run() {
	_options=$(grep "^$1|" list | cut -d '|' -f 2)
	# shellcheck disable=SC2086 # words
	timeout -s KILL 120 uvm run "$1" $_options --oversubscription "$3" --set eviction_policy="$2" \
		$paper --json --quiet > report 2> errors
	_status=$?
	if [ $_status != 0 ]; then
		not_ok "$1, $2, $3 %" "status $_status: $(cut -c 1-300 report errors)"
		return
	fi
	invariants "$1, $2, $3 %" report
	expect "$1, $2, $3 %: the policy is never wrong" '"wrong":0' \
		"$(grep -o '"wrong":[0-9]*' report)"
}

{ workloads hpe; workloads all | grep '^sgemm|'; } > list
expect "the paper's workloads" 23 "$(wc -l < list)"
policies eviction_policy | tr ' ' '\n' | grep . > policies
n=0
while IFS='|' read -r w _; do
	if [ "$1" = all ]; then
		cp policies these
	else
		# the next ones, from the first again behind the last
		cat policies policies | tail -n +$((n * $1 % $(wc -l < policies) + 1)) |
			head -n "$1" > these
	fi
	n=$((n + 1))
	[ $((n % ${2:-1})) = 0 ] || continue
	case $1$((n % 2)) in
	all*) percents="133.3 200" ;;
	*0) percents=133.3 ;;
	*) percents=200 ;;
	esac
	while read -r policy; do
		for percent in $percents; do
			run "$w" "$policy" "$percent" < /dev/null
		done
	done < these
done < list
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What a run does does not depend on what ran before it, nor on when it begins: with each
# choice of each policy the same to the nanosecond after others, in one load of the modules.
# vm: kernel=stock timeout=600 softgpu="profile=asplos20 vram_mb=64 set=virtual_thread:0"
. ./lib.sh

# report NAME=VALUE: all but the host's time.
report() {
	uvm run kcore --size 4M --degree 6 --initiator 45,15,15,25 --shuffle --json --quiet \
		--oversubscription 200 --set root_chunk_granularity=64k --set "$1" > out || return
	sed 's/"wall_time_s":[0-9.]*//' out
}

# others: they end anywhere.
others() {
	uvm run random --size 3M --oversubscription 150 --quiet > /dev/null
	uvm run stencil --size "$1" --quiet > /dev/null
}

uvm list | sed -n 's/^  \([a-z]*_\(policy\|timing\)\) .* \([a-z_]*|[a-z_|]*\):.*/\1 \3/p' > policies
expect "policies to choose from" 7 "$(grep -c . policies)"
while read -r name choices; do
	for choice in $(echo "$choices" | tr '|' ' '); do
		report "$name=$choice" > first
		expect "$name=$choice" 0 $?
		others 3M
		report "$name=$choice" > second
		others 5M
		report "$name=$choice" > third
		check "$name=$choice: the same after others" cmp first second
		check "$name=$choice: the same after still others" cmp first third
		check "$name=$choice: verified" grep -q '"verified":true' third
	done
done < policies
finish

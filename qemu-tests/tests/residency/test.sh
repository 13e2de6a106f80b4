#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Where pages are, whose memory is set aside for them and who has them mapped how, as the
# driver says (UVM_IOC_RESIDENCY); that looking changes nothing; eviction by address.  The
# right answers are worked out by hand from nvidia-uvm's rules of residency and mapping.
# vm: kernel=stock,uml softgpu="gpus=2 vram_mb=16" timeout=300
. ./lib.sh

golden cases/*.probe

# ---- looking changes nothing ---------------------------------------------------

# The clock and the numbers of batches go on from one run to the next.
events() {
	uvm probe --json "$1" | grep '"event"' | sed 's/"batch":[0-9]*,//' |
		awk -F '"time_ns":' '{ t = $2 + 0; first = NR == 1 ? t : first
			sub(/"time_ns":[0-9]*/, "\"time_ns\":" t - first); print }'
}
sed '/^residency/d' looking.probe > blind.probe
events blind.probe > without
events looking.probe > with
check "looking changes no event and no time" cmp without with
check "there were evictions, as memory is short" test \
	"$(grep -c '"event":"eviction"' with)" -ge 2
expect "every look was shown" 5 "$(uvm probe --json looking.probe | grep -c '"cmd":"residency')"

# ---- a whole run ------------------------------------------------------------------
#
# What the kernels have left in GPU memory is what the counters say is resident there; with
# looking and without the report is the same.
uvm run triad --size 6M --oversubscription 150 --quiet --json | sed 's/"wall_time_s":[0-9.]*//' > plain
uvm run triad --size 6M --oversubscription 150 --quiet --json --residency where |
	sed 's/"wall_time_s":[0-9.]*//' > looked
check "a run that is looked at reports the same" cmp plain looked
expect "all of its memory is told of" "$(sed 's/.*"footprint_bytes":\([0-9]*\).*/\1/' plain)" \
	"$(awk -F '"bytes":' '{ sum += $2 + 0 } END { print sum }' where)"
expect "GPU memory is full of it" "$(sed 's/.*"vram_bytes":\([0-9]*\).*/\1/' plain)" \
	"$(awk -F '"bytes":' '/"populated":\[[^]]*"gpu0"/ { sum += $2 + 0 } END { print sum }' where)"
refuse "a file that cannot be written" 3 uvm run triad --quiet --residency /nowhere/at/all

# ---- what stays is counted ---------------------------------------------------------
#
# triad reads two of its three arrays, 2 MB each, a line of 128 bytes for each request; what it
# writes nobody had, so that is at the GPU.  "regular" writes 4 bytes of each page, one sector.

# requests NAME WANTED OPTIONS...: reads, writes and bytes of both, in a run and in its kernels.
requests() {
	_name=$1
	_wanted=$2
	shift 2
	uvm run "$@" --quiet --json > report
	expect "$_name" "{$_wanted} {$_wanted}" "$(grep -o '"link":{[^}]*}' report |
		sed 's/"[a-z_]*"://g' | paste -s -d ' ' -)"
	invariants "$_name" report
}
requests "what is read over the link" 32768,0,4194304,0 \
	triad --size 6M --set residency_policy=remote
requests "what is written over the link" 0,1536,0,49152 \
	regular --size 6M --set residency_policy=remote
requests "first_touch: nothing, though there are evictions" 0,0,0,0 \
	triad --size 6M --oversubscription 150
finish

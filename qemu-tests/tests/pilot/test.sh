#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# policy=pilot and pilot_recorder: what is used over and over stays or is read over the link, a
# stream comes and goes, and results are right.  On the real clock only the latter: there one and
# the same run evicts 3,744 pages at one time and 5,504 at another, so two runs tell nothing.
# vm: kernel=uml,uml-debug timeout=300
# vm: kernel=stock softgpu="clock=real" name=real timeout=600
. ./lib.sh

# run NAME WORDS...: its report is in "report".
run() {
	_what=$1
	shift
	uvm run "$@" --set root_chunk_granularity=64k --json --quiet > report 2> errors
	expect "$_what: verified" 0 $?
	invariants "$_what" report
}
# value OBJECT KEY: of the kernels' part of the report.
value() {
	sed 's/.*"execution"://' report | sed -n "s/.*\"$1\":{\([^}]*\)}.*/,\1/p" |
		sed -n "s/.*,\"$2\":\([0-9]*\).*/\1/p"
}

# fewer NAME: pages are evicted than without a pilot, where that is certain.
fewer() {
	grep -q '"clock":"virtual"' report || return 0
	check "$1, $(value evictions pages) of $before pages" \
		[ "$(value evictions pages)" -lt "$before" ]
}

cycle="stencil3d --size 4M --sweeps 6 --oversubscription 133.3"
stream="triad --size 6M --oversubscription 150"
run "a cycle, as it was" $cycle
before=$(value evictions pages)
for policy in pilot pilot_recorder; do
	run "$policy: a cycle" $cycle --set policy=$policy
	fewer "$policy: less is evicted"
	# the real clock counts none
	if grep -q '"clock":"virtual"' report; then
		check "$policy: some of it is read over the link" [ "$(value link reads)" -gt 0 ]
	fi
	run "$policy: nothing waits" $cycle --set policy=$policy --set residency_policy=first_touch
	fewer "$policy: less is evicted, too"
	run "$policy: a stream" $stream --set policy=$policy
	expect "$policy: all of it comes" "0 0" "$(value link reads) $(value link writes)"
done
expect "no object is left" "" "$(objects_left)"
finish

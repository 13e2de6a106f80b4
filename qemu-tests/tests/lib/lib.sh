# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What every test script begins with: ". ./lib.sh".  Prints TAP; a script that
# ends without "finish" has no plan and so has failed, whatever came before.

# busybox sh prefers its own insmod, which calls init twice when it fails.
if [ -x /bin/vmio ]; then
	insmod() {
		/bin/insmod "$@"
	}
fi

tests=0
failures=0

# What lives as long as the modules are loaded.
_objects=$(cat /sys/kernel/debug/uvm/objects 2>/dev/null)

# objects_left: the driver's counters of live objects that are not what they
# were at the start.
objects_left() {
	echo "$_objects" > /tmp/objects
	grep -vxFf /tmp/objects /sys/kernel/debug/uvm/objects
}

# note TEXT: a comment in the log.
note() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

# ok NAME
ok() {
	tests=$((tests + 1))
	echo "ok $tests $*"
}

# not_ok NAME [WHY]
not_ok() {
	tests=$((tests + 1))
	failures=$((failures + 1))
	echo "not ok $tests $1"
	[ $# -lt 2 ] || note "$2"
}

# skip NAME WHY: for what this machine cannot have, not for what fails.
skip() {
	tests=$((tests + 1))
	echo "ok $tests $1 # SKIP $2"
}

# check NAME COMMAND...: the command must succeed.
check() {
	_name=$1
	shift
	if _out=$("$@" 2>&1); then
		ok "$_name"
	else
		not_ok "$_name" "'$*' exited $?: $_out"
	fi
}

# refuse NAME STATUS COMMAND...: the command must exit with this status.
refuse() {
	_name=$1
	_want=$2
	shift 2
	_out=$("$@" 2>&1)
	_got=$?
	if [ $_got = "$_want" ]; then
		ok "$_name"
	else
		not_ok "$_name" "'$*' exited $_got, not $_want: $_out"
	fi
}

# expect NAME WANT GOT: two strings must be equal.
expect() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "expected '$2', got '$3'"
	fi
}

# policies PARAMETER: the names of all of them, in one line.
policies() {
	uvm list | sed -n "s/^  $1=\([a-z0-9_]*\) .*/\1/p" | tr '\n' ' '
}

# workloads GROUP: a line NAME|SMALL|TINY for each workload of it ("all": of none) and each of its
# sizes (struct wl_size), the second of which is called NAME:2.
workloads() {
	uvm list --json | sed 's/{"name":/\n/g' | awk -F '"' -v group="$1" '
		$4 == "group" && $6 == group {
			for (tiny = 10; $tiny != "tiny"; tiny += 2)
				;
			for (i = 10; i < tiny; i += 2)
				print $2 (i > 10 ? ":" (i - 8) / 2 : "") "|" $i "|" $(i + tiny - 8)
		}'
}

# same NAME: the files want and got are equal, and not empty.
same() {
	if [ -s want ] && cmp -s want got; then
		ok "$1"
	else
		not_ok "$1" "wanted:"
		sed 's/^/#   /' want
		note "got:"
		sed 's/^/#   /' got
	fi
}

# golden FILE...: each has commands of "uvm probe" and, indented below each, what happens then, as
# it was worked out by hand; at the end "exits N" if that is not 0.  What stands behind " # " is
# what the tool says of a command that fails.  Its first line is the test's name.
golden() {
	for _case; do
		grep -v '^#' "$_case" > want
		sed '/^[# ]/d; /^exits /d; s/ # .*//' "$_case" > script
		uvm probe --json script > out 2> errors
		_status=$?
		awk -f events.awk out > got
		[ $_status = 0 ] || echo "exits $_status" >> got
		same "$(sed -n '1s/^# //p' "$_case")"
		cmp -s want got || note "$(cat errors)"
	done
}

# All that invariants.awk wants to know; "phase" is none of the usual ones.
event_types=gpu_fault,cpu_fault,migration,eviction,replay,copy,throttle,batch,phase
event_types=$event_types,fault_buffer_overflow,thrashing_detected,throttling_start,access_counter

# invariants NAME REPORT [EVENTS]: what holds in any run holds in this one.
invariants() {
	expect "$1: what holds in any run" "" \
		"$(awk -f invariants.awk "${3:-/dev/null}" "$2" 2>&1 || echo "awk exits $?")"
}

# invariants_of RUNS: the same of many; each begins with a line "run NAME", then come its report and
# its events, if it has any.  Processes are dear in User Mode Linux, and this takes few.
invariants_of() {
	awk -f invariants.awk "$1" > judged
	expect "each run of $1 is judged" "$(grep -c '^run ' "$1")" "$(grep -c '^kept \|^broken ' judged)"
	while read -r _kept _name; do
		if [ "$_kept" = kept ]; then
			ok "$_name: what holds in any run"
		else
			not_ok "$_name"
		fi
	done < judged
}

# finish: the plan, and the script's exit status.
finish() {
	echo "1..$tests"
	[ $failures = 0 ]
	exit
}

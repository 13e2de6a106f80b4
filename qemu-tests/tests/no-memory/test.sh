#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A command that may have only so much memory says so and fails, or its output is right: at sizes
# up to what it needs.
# vm: kernel=uml softgpu="vram_mb=64" timeout=1200
. ./lib.sh

# The heap grows by pages, not by 132 KB: each size is another allocation that fails.  There is no
# second heap, in which User Mode Linux spends seconds.
GLIBC_TUNABLES=glibc.malloc.top_pad=0:glibc.malloc.arena_max=1
export GLIBC_TUNABLES

# limited KB ARGUMENT...: of "uvm"; threads have small stacks, which count.  Most runs fail: those
# start no other process.
limited() {
	_kb=$1
	shift
	: > file
	# shellcheck disable=SC3045 # busybox has these
	(ulimit -s 256; ulimit -d "$_kb"; exec uvm "$@" > all 2> err)
	status=$?
	# but for what counts from the load of the modules on, or for real
	[ $status != 0 ] ||
		sed 's/"\(wall_time_s\|now_ns\|time_ns\|batch\|launch\)":[0-9.]*//g' all file > out
}

# With less the C library does not begin: it dies.
least=128
while limited $least --version 2> /dev/null; [ $status != 0 ] && [ $least -lt 65536 ]; do
	least=$((least + 4))
done
note "uvm begins with $least KB"

# sizes ARGUMENT...: one check of these sizes, until three in a row are enough.
sizes() {
	limited 65536 "$@"
	cp out want
	expect "uvm $*: it works" 0 $status
	_bad=
	_failed=0
	_enough=0
	_size=$least
	while [ $_enough -lt 3 ] && [ -z "$_bad" ]; do
		[ $_size -lt 65536 ] || _bad="no size is enough"
		limited $_size "$@"
		if [ $status = 0 ]; then
			cmp -s out want || _bad="another result"
			_enough=$((_enough + 1))
		else
			_failed=$((_failed + 1))
			_enough=0
			[ $status -lt 4 ] || _bad="status $status"
			[ -s err ] || _bad="status $status and no message"
		fi
		# each page first, and then now and then
		_size=$((_size + 4 + (_size - least) / 32 * 4))
	done
	if [ -z "$_bad" ] && [ $_failed -gt 0 ]; then
		ok "uvm $*: without memory it says so ($_failed sizes)"
	else
		not_ok "uvm $*: without memory it says so" \
			"$_size KB: $_bad: $(cat err) ($_failed sizes)"
	fi
}

printf 'alloc a 64K\ncpu write a 0\ngpu read a 0 4K\nresidency a\n' > script
sizes info --json
sizes list --json
sizes probe --json script
sizes run vecadd --size 64K --quiet --json
sizes run vecadd --size 64K --quiet --json --events file
sizes run vecadd --size 64K --quiet --json --residency file
sizes run vecadd --size 64K --quiet --json --trace file
sizes run vecadd --size 64K --quiet --json --set eviction_policy=min
sizes run vecadd --size 64K --quiet --json --bounds 150
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs scripts one after the other in one VM, each as if the VM were its own: series.sh N...
# Script N has series/N/conf (shell assignments: name, softgpu, uvm, modules, timeout, get,
# command) and series/N/work, its working directory.  Each gets modules that are freshly
# loaded, and must leave nothing behind.  qemu-tests/lib/series.py reads what is told here;
# the same words on the console say whose the reports of the kernel are.
# shellcheck disable=SC1090,SC2154

mark=%%series

# What /init does once for the VM is done here for each script.
eval "$(sed -nE '/^(debug_locks|show_stacks|unload)\(\) \{$/,/^}$/p' /init)"

# Text of a script may end without a newline.
tell() {
	printf '\n%s %s\n' $mark "$*"
	echo "series: $*" > /dev/kmsg
}

# "fault N TEXT": something that its results do not say.  Nobody comes after this script:
# the VM is unloaded and searched for leaks, and the rest gets another one.
faults=
fault() {
	faults=1
	tell "fault $n $(echo "$*" | tr '\n' ' ' | head -c 800)"
}

# When this is, as kmemleak counts, which looks for leaks once at the end of the VM.
jiffies() {
	[ ! -w /sys/kernel/debug/kmemleak ] ||
		sed -n 's/^jiffies: //p' /proc/timer_list | head -n 1
}

# Processes of user space, in $processes, without making one: kernel threads run no file.
list_processes() {
	processes=
	for dir in /proc/[0-9]*; do
		[ ! -e "$dir/exe" ] || processes="$processes ${dir#/proc/}"
	done
}

# What would be another VM for who comes next.
state() {
	sort /proc/mounts
	grep -s . /sys/kernel/mm/transparent_hugepage/enabled \
		/sys/kernel/mm/transparent_hugepage/khugepaged/*_millisecs \
		/sys/kernel/mm/transparent_hugepage/khugepaged/pages_to_scan \
		/sys/kernel/debug/fail*/* /proc/sys/vm/* \
		/sys/kernel/tracing/current_tracer /sys/kernel/tracing/tracing_on
	cat /sys/kernel/tracing/set_event
}

# health: taint and debug_locks.
health() {
	echo "$(cat /proc/sys/kernel/tainted):$(debug_locks)"
}

load() {
	[ -n "$modules" ] || return 0
	# shellcheck disable=SC2086
	/bin/insmod /lib/softuvm/softgpu.ko $softgpu 2>&1 && /bin/insmod /lib/softuvm/uvm.ko $uvm 2>&1
}

# A script that hangs is the last in this VM: who waits for what, then away.  Its sleep is killed for
# good: between fork and exec the shell that it still is takes a TERM for its own, and forgets it.
watch() {
	trap 'kill -KILL $!; wait $! 2> /dev/null; exit' TERM
	sleep "$timeout" &
	wait $!
	show_stacks
	tell "timeout $n"
	kill -KILL $$
}

# All that the script has started must be gone, be it a little later.
reap() {
	for try in 1 2 3 4 5 6 7 8 9 10; do
		list_processes
		left=
		for pid in $processes; do
			case " $before " in *" $pid "*) ;; *) left="$left $pid" ;; esac
		done
		[ -n "$left" ] || return 0
		[ "$try" = 10 ] || sleep 0.2
	done
	for pid in $left; do
		fault "leaves process $pid, $(tr '\0' ' ' < "/proc/$pid/cmdline")"
		kill -KILL "$pid"
	done
}

# What modules are at is the only way to read the stacks of their leaks.
unload_all() {
	grep -E '^(uvm|softgpu)' /proc/modules > /dev/kmsg
	unload || fault "a module could not be unloaded: $(cat /tmp/rmmod)"
}

keep() {
	mkdir "$home/got/$n"
	for file in $get; do
		(cd "$home/series/$n/work" && tar -c -f - -- "$file" 2>/dev/null) |
			tar -x -f - -C "$home/got/$n" 2>/dev/null || fault "--get $file: not made"
	done
}

execute() {
	watcher=
	if [ -n "$timeout" ]; then
		watch &
		watcher=$!
	fi
	(cd "series/$n/work" && exec sh -c "$command") < /dev/null
	status=$?
	if [ -n "$watcher" ]; then
		kill "$watcher"
		wait "$watcher"
	fi
	reap
}

run() {
	list_processes
	before=$processes
	state > /run/state
	was=$(health)
	tell "begin $n $name $(jiffies)"
	if trouble=$(load); then
		execute
	else
		fault "module load failed: $trouble"
		status=1
	fi
	unload_all
	keep
	rm -rf "series/$n" /tmp/* /dev/shm/*
	[ -n "$own" ] || state | diff /run/state - > /run/news ||
		fault "leaves another VM behind: $(grep '^[-+][^-+]' /run/news)"
	tell "end $n $status $was $(health)"
}

home=$PWD
mkdir got
for n; do
	. "series/$n/conf"
	run
	[ -z "$faults" ] || break
done
exit 0

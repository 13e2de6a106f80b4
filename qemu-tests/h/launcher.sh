#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The VM launcher itself: what it passes through and what it must not miss.
# host: timeout=900
. ./lib.sh

# build KERNEL: the misbehaving module for one kernel, in ./KERNEL/.
build() {
	mkdir -p "$1"
	cp "$QEMU_TESTS"/h/launcher.d/* "$1"
	make -C "$("$QEMU_TESTS/kernel" --kdir "$1")" M="$PWD/$1" modules > "$1/log" 2>&1
}

# misbehave NAME STATUS PATTERN KERNEL HOW: the launcher must exit with STATUS
# and say something that matches PATTERN.
misbehave() {
	"$VM" --bare --kernel "$4" --put "$4/misbehave.ko" -- \
		"insmod misbehave.ko how=$5; rmmod misbehave; true" > out 2>&1
	status=$?
	if [ $status != "$2" ]; then
		not_ok "$1" "exit status $status, not $2: $(tail -n 20 out)"
	elif ! grep -q "$3" out; then
		not_ok "$1" "nothing like '$3' was shown: $(tail -n 20 out)"
	else
		ok "$1"
	fi
}

refuse "the exit status of the command comes through" 7 "$VM" --bare -- 'exit 7'
expect "stdout and stderr come through in order, alone" "$(printf 'a\nb\nc')" \
	"$("$VM" --bare -- 'echo a; echo b >&2; echo c' 2>/dev/null)"
expect "several words are one command" "a  b" "$("$VM" --bare -- printf '%s\n' 'a  b' 2>/dev/null)"
expect "megabytes come through unchanged" "$(seq 1 300000 | md5sum)" \
	"$("$VM" --bare -- 'seq 1 300000' 2>/dev/null | md5sum)"
printf '\000\r\n\377\004' > binary
expect "bytes come through unchanged" "$(md5sum < binary)" \
	"$("$VM" --bare --put binary -- 'cat binary' 2>/dev/null | md5sum)"

mkdir -p in out.d
head -c 2000000 /dev/urandom > in/random
"$VM" --bare --put in --get back --get copy/random --outdir out.d -- \
	'mkdir copy; cp in/random copy; md5sum < in/random > back' 2>/dev/null
expect "--put and --get: a file" "$(md5sum < in/random)" "$(cat out.d/back)"
check "--put and --get: a directory" cmp in/random out.d/copy/random
refuse "--get of a file that was not made" 119 "$VM" --bare --get nothing -- true
refuse "--put of a file that is not there" 119 "$VM" --bare --put nothing -- true
refuse "timeout" 121 "$VM" --bare --timeout 6 -- 'sleep 100'
"$VM" --timeout 25 -- 'sleep 100' 2> stacks
expect "timeout, with the modules loaded" 121 $?
check "timeout: shows who is where in them" grep -q 'task:uvm-gpu0-bh' stacks
check "timeout: with the stack" grep -q 'sim_kthread_main' stacks
"$VM" --kernel test --timeout 25 -- 'sleep 100' 2> stacks
expect "timeout, of a kernel without sysrq" 121 $?
check "timeout: who is where without sysrq" grep -q 'task:uvm-gpu0-bh' stacks
check "timeout: with the stack, without sysrq" grep -q 'sim_kthread_main' stacks
refuse "a kernel that does not boot" 122 "$VM" --bare --append rdinit=/nothing -- true
refuse "a daemon left behind does not keep the VM" 5 "$VM" --bare --timeout 60 -- \
	'sleep 1000 & exit 5'
refuse "icount runs one CPU only" 2 "$VM" --accel icount --cpus 2 -- true

# The same work takes the same guest time, whatever else the host does.
# shellcheck disable=SC2016
icount='f() { i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; }
	now() { awk "/^now at/ { print \$3 }" /proc/timer_list; }
	f; a=$(now); f; b=$(now); echo $((b - a))'
first=$("$VM" --bare --accel icount --kernel test -- "$icount" 2>&1)
second=$("$VM" --bare --accel icount --kernel test -- "$icount" 2>&1)
difference=$((first > second ? first - second : second - first))
if [ $((difference * 200)) -le "$first" ]; then
	ok "icount: the same work, the same time within 0.5 %"
else
	not_ok "icount: the same work, the same time within 0.5 %" "$first and $second"
fi
note "icount: $first and $second ns"

build test
build debug
misbehave "WARN is noticed" 120 'WARNING: ' test warn
misbehave "an oops is noticed" 120 'NULL pointer' test oops
misbehave "taint is noticed" 123 'tainted' test taint
misbehave "a lock order report is noticed" 120 'possible circular' debug lockdep
misbehave "a write out of bounds is noticed" 120 'KASAN: ' debug overflow
misbehave "a leak is noticed" 120 'LEAK unreferenced' debug leak
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The VM launcher itself: what it passes through and what it must not miss.
# host: timeout=1200 when=full
. ./lib.sh

# build KERNEL: the misbehaving module for one kernel, in ./KERNEL/.
build() {
	local arch=()

	[ "$1" != uml ] || arch=(ARCH=um)
	mkdir -p "$1"
	cp "$TEST"/module/* "$1"
	make -C "$("$QEMU_TESTS/kernel" --kdir "$1")" M="$PWD/$1" "${arch[@]}" modules > "$1/log" 2>&1
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

# vm ...: a kernel, by the launcher.
vm() {
	"$VM" --kernel "$kernel" "$@"
}

# comes_through KERNEL: status, output and files, in one boot; and a folder of this machine, which
# it reads and writes, or says that it sees none.
comes_through() {
	local megabytes

	kernel=$1
	megabytes=$(seq 1 300000 | wc -c)
	printf '\000\r\n\377\003\004\021\023\032' > binary
	rm -rf in out.d shared
	mkdir -p in out.d shared
	head -c 2000000 /dev/urandom > in/random
	seq 1 200000 > shared/in
	# shellcheck disable=SC2016
	vm --bare --share shared --put binary --put in --get back --get copy/random --outdir out.d \
		-- sh -c 'echo a; echo b >&2; echo c; echo "$1"; seq 1 300000; cat binary
			mkdir copy; cp in/random copy; md5sum < in/random > back
			[ ! -d /host ] || md5sum < /host/in > /host/out
			exit 7' sh 'a  b' > out 2> said
	expect "$kernel: the exit status of the command comes through" 7 $?
	expect "$kernel: stdout and stderr come through in order" "$(printf 'a\nb\nc')" \
		"$(head -n 3 out)"
	expect "$kernel: several words are one command" "a  b" "$(sed -n 4p out)"
	expect "$kernel: megabytes come through unchanged" "$(seq 1 300000 | md5sum)" \
		"$(tail -c +12 out | head -c "$megabytes" | md5sum)"
	expect "$kernel: bytes come through unchanged, and nothing else" "$(md5sum < binary)" \
		"$(tail -c +$((12 + megabytes)) out | md5sum)"
	expect "$kernel: --put and --get: a file" "$(md5sum < in/random)" "$(cat out.d/back)"
	check "$kernel: --put and --get: a directory" cmp in/random out.d/copy/random
	if [ "$kernel" = stock ]; then
		check "stock: --share: says who can" \
			grep -q 'kernel stock sees no directory of this machine' said
	else
		expect "$kernel: --share: what was written there is here" "$(md5sum < shared/in)" \
			"$(cat shared/out)"
		check "$kernel: nothing is said" test ! -s said
	fi
}

# refusals KERNEL: what the launcher says of any kernel.
refusals() {
	kernel=$1
	refuse "$kernel: --get of a file that was not made" 119 vm --bare --get nothing -- true
	refuse "$kernel: --put of a file that is not there" 119 vm --bare --put nothing -- true
	refuse "$kernel: a module that does not load" 122 vm --softgpu vram_mb=3 -- true
	refuse "$kernel: timeout" 121 vm --bare --timeout 2 -- 'sleep 100'
	# without block devices a kernel looks for another init, and finds that of busybox
	refuse "$kernel: a kernel that does not boot" 122 vm --bare --append 'rdinit=/nothing init=/nothing' -- true
	refuse "$kernel: a daemon left behind does not keep the VM" 5 vm --bare --timeout 60 -- \
		'sleep 1000 & exit 5'
	leaves_nothing
}

# waits_are_shown KERNEL: at a timeout, who waits for what in the modules.
waits_are_shown() {
	kernel=$1
	vm --timeout 10 -- 'sleep 100' 2> stacks
	expect "$kernel: timeout, with the modules loaded" 121 $?
	check "$kernel: timeout: shows who is where in them" grep -q 'task:uvm-gpu0-bh' stacks
	check "$kernel: timeout: with the stack" grep -q 'sim_kthread_main' stacks
}

# Until the command says so in the file "up", which must not be there from before: a shell
# that begins in the background empties it later than we look.
comes_up() {
	local n

	for ((n = 0; n < 600; n++)); do
		! grep -qs up up || break
		sleep 0.1
	done
}

# marked MARK: how many processes have it in their environment.
marked() {
	grep -lsa "$1" /proc/[0-9]*/environ | wc -l
}

# An interrupted launcher, and a killed one, take all processes of the kernel along.
leaves_nothing() {
	local signal mark n

	for signal in INT TERM HUP KILL; do
		rm -f up
		mark=MARK=launcher-$$-$kernel
		env --default-signal=INT "$mark" \
			"$VM" --kernel "$kernel" --bare -- 'echo up; sleep 100' > up 2>&1 &
		comes_up
		kill -$signal $!
		wait $!
		# A moment later, or a little more on a busy host.
		for ((n = 0; n < 50; n++)); do
			[ "$(marked "$mark")" != 0 ] || break
			sleep 0.1
		done
		expect "$kernel: nothing is left after SIG$signal" 0 "$(marked "$mark")"
	done
}

# QEMU's part on the kernel that boots soonest, what is the guest's on Debian's too.
comes_through stock
comes_through test
comes_through uml
refusals test
refusals uml
waits_are_shown stock
waits_are_shown test		# without sysrq
waits_are_shown uml
refuse "--share of what is not there" 2 "$VM" --share nothing -- true
refuse "icount runs one CPU only" 2 "$VM" --accel icount --cpus 2 -- true

# What only a virtual machine can have is refused in words.
refuse "memory in a unit that there is not" 2 "$VM" --kernel uml --memory 1X -- true
refuse "memory of half a megabyte" 2 "$VM" --kernel uml --memory 0.5 -- true
expect "memory in gigabytes" "true" \
	"$("$VM" --kernel uml --bare --memory 0.5G -- 'awk "/MemTotal/ { print (\$2 > 400000 && \$2 < 524289) ? \"true\" : \$2 }" /proc/meminfo' 2>/dev/null)"
refuse "uml has one CPU" 2 "$VM" --kernel uml --cpus 2 -- true
refuse "uml has no disk" 2 "$VM" --kernel uml --disk 64 -- true

# Its memory is a file of this machine.
SOFTUVM_UML_MEMORY=/dev/shm "$VM" --kernel uml --memory 9999999 -- true 2> room
expect "uml: no room for the memory" 119 $?
check "uml: one sentence with what to do" grep -q '/dev/shm has room for [0-9]* MB; ask for less' room
expect "uml: one sentence" 1 "$(wc -l < room)"
mkdir small
mount -t tmpfs -o size=300m tmpfs small
rm -f up
SOFTUVM_UML_MEMORY=$PWD/small "$VM" --kernel uml --bare --memory 256 -- \
	'echo up; sleep 3; dd if=/dev/zero of=/tmp/fill bs=1M count=200' > up 2> full &
comes_up
dd if=/dev/zero of=small/fill bs=1M 2> /dev/null
wait $!
expect "uml: somebody else fills the memory file system" 119 $?
check "uml: and it is said" grep -q 'memory file system is full' full
umount -l small
# Whether it survives is else a matter of whom it kills first.
"$VM" --kernel uml --bare --memory 256 -- \
	'echo 2 > /proc/sys/vm/panic_on_oom; mkdir /r; mount -t ramfs none /r; cat /dev/zero > /r/fill' \
	2> none > out
expect "uml: its own memory is used up" 120 $?
check "uml: how much it has is said" grep -q 'no memory left.* of 256 MB.* SOFTUVM_MEMORY' none
expect "uml: without the stacks" 1 "$(wc -l < none)"

# A tool that does not get to the kernel does not keep the launcher.
mkdir fake
printf '#!/bin/sh\nexit 1\n' | tee fake/gdb > fake/perf
chmod +x fake/*
PATH=$PWD/fake:$PATH refuse "no perf" 119 "$VM" --kernel uml --perf -- true
PATH=$PWD/fake:$PATH refuse "no gdb" 119 "$VM" --kernel uml --gdb -- true

SOFTUVM_UML_MEMORY=/nowhere "$VM" --kernel fastest --bare -- 'echo here' > fell 2> why
expect "fastest falls back" "here" "$(cat fell)"
expect "fastest says so in one sentence" 1 "$(wc -l < why)"
check "fastest says what it runs on, and why" grep -q 'KVM\|/nowhere is no directory' why

# Neither root nor what root has built: the kernel, the modules and the launcher are enough.
nobody=$(mktemp -d /tmp/softuvm-nobody-XXXXXX)
cp -r "$QEMU_TESTS"/{vm,lib,guest} "$nobody"
cp "$("$QEMU_TESTS/kernel" uml)" "$nobody/linux"
cp -r "$("$QEMU_TESTS/modules" uml)/loaded" "$nobody"
printf '#!/bin/sh\necho %s/linux\n' "$nobody" > "$nobody/kernel"
printf '#!/bin/sh\necho %s\n' "$nobody" > "$nobody/modules"
chmod +x "$nobody"/{kernel,modules}
chown -R nobody "$nobody"
expect "uml: runs for nobody" "softgpu0" "$(cd "$nobody" && HOME=$nobody SOFTUVM_BUILD=$nobody \
	setpriv --reuid=nobody --clear-groups ./vm --kernel uml -- 'cd /dev; echo softgpu*' 2>&1)"
rm -rf "$nobody"

# The same work takes the same guest time, whatever else the host does.  Debian's kernel shuffles
# its memory at each boot, which is worth 3 %; ours does not.
# shellcheck disable=SC2016
icount='f() { i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; }
	now() { awk "/^now at/ { print \$3 }" /proc/timer_list; }
	f; a=$(now); f; b=$(now); echo $((b - a))'
first=$("$VM" --bare --accel icount --kernel debug -- "$icount" 2>&1)
second=$("$VM" --bare --accel icount --kernel debug -- "$icount" 2>&1)
difference=$((first > second ? first - second : second - first))
if [ $((difference * 200)) -le "$first" ]; then
	ok "icount: the same work, the same time within 0.5 %"
else
	not_ok "icount: the same work, the same time within 0.5 %" "$first and $second"
fi
note "icount: $first and $second ns"

build stock
build debug
misbehave "WARN is noticed" 120 'WARNING: ' stock warn
misbehave "an oops is noticed" 120 'NULL pointer' stock oops
misbehave "taint is noticed" 123 'tainted' stock taint
build uml
misbehave "uml: WARN is noticed" 120 'WARNING: ' uml warn
misbehave "uml: an oops is noticed" 120 'Kernel panic' uml oops
misbehave "uml: taint is noticed" 123 'tainted' uml taint
misbehave "a lock order report is noticed" 120 'possible circular' debug lockdep
misbehave "a write out of bounds is noticed" 120 'KASAN: ' debug overflow
misbehave "a leak is noticed" 120 'LEAK unreferenced' debug leak
finish

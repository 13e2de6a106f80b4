#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The debug kernels report bugs of all kinds, planted in a module of its own, and the launcher
# says so: host.sh KERNEL.  Without this, a kernel that reports nothing would pass everything.
# host: timeout=1200 args=uml-debug
# host: timeout=1200 args=debug name=debug when=full
. ./lib.sh
kernel=$1

arch=()
[ "$kernel" != uml-debug ] || arch=(ARCH=um)
# Not here: the name of a job may have a comma, which ends a word of a compiler's -Wp.
module=$(mktemp -d /tmp/softuvm-planted-XXXXXX)
trap 'rm -rf "$module"' EXIT
cp "$TEST"/module/* "$module"
make -C "$("$QEMU_TESTS/kernel" --kdir "$kernel")" M="$module" "${arch[@]}" modules > log 2>&1 ||
	note "$(cat log)"

# plant NAME=PATTERN...: all in one boot; the launcher says that there was a report, and for each
# bug the console has a line like PATTERN between its beginning and that of the next.
plant() {
	local one name names=

	for one; do
		names=$names${names:+,}${one%%=*}
	done
	"$VM" --kernel "$kernel" --cpus 1 --bare --no-rmmod --append kasan_multi_shot --console console \
		--put "$module/planted.ko" -- "insmod planted.ko bugs=$names" > out 2>&1
	expect "the launcher notices ${names//,/, }" 120 $?
	for one; do
		name=${one%%=*}
		tr -d '\r' < console | sed -n "/planted: begin $name\$/,/planted: begin /p" > part
		if grep -qE "${one#*=}" part; then
			ok "$name is reported"
		else
			not_ok "$name is reported" "nothing like '${one#*=}' in: $(head -n 40 part)"
		fi
	done
}

plant use_after_free='KASAN: slab-use-after-free' double_free='KASAN: double-free' \
	heap='KASAN: slab-out-of-bounds' vmalloc='KASAN: vmalloc-out-of-bounds' \
	stack='KASAN: stack-out-of-bounds' static='KASAN: global-out-of-bounds' \
	sleep='BUG: sleeping function called' \
	list_add='list_add (corruption|double add)' list_del='list_del corruption' \
	bounds='UBSAN: array-index-out-of-bounds' \
	boolean='UBSAN: invalid-load' refcount='refcount_t: addition on 0' \
	rcu_sleep='RCU nest depth: 1, expected: 0' schedule='BUG: scheduling while atomic'
# Lockdep is silent after any other report, but for RCU's.
plant rcu='suspicious rcu_dereference_check' inversion='possible circular locking dependency'
[ "$kernel" = debug ] || {
	plant recursion='possible recursive locking'
	plant softirq='inconsistent lock state'
	plant unlock='bad unlock balance'
	plant held='held lock freed'
}

# kmemleak looks when the module has gone.
"$VM" --kernel "$kernel" --cpus 1 --bare --put "$module/planted.ko" -- \
	"insmod planted.ko bugs=leak; rmmod planted" > out 2>&1
expect "the launcher notices a leak" 120 $?
check "leak is reported" grep -q 'LEAK unreferenced object' out
finish

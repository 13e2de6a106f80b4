#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Thread blocks that wait on their SM and change places: right results whatever the limit
# is and when it moves, whoever holds a lock, whose access is cancelled (batch-aware, 4.1).
# vm: kernel=stock prog=oversubscribe no-modules cpus=2 timeout=500
# vm: kernel=stock prog=oversubscribe no-modules cpus=2 args=clock=real name=real timeout=500
# vm: kernel=debug prog=oversubscribe no-modules cpus=2 args="clock=virtual few" timeout=600
# vm: kernel=debug prog=oversubscribe no-modules args="clock=real few" name=real when=soak
. ./lib.sh

clock=${1:-clock=virtual}
few=$2
sm=sm_count:2,threads_per_sm:64,warps_per_sm:2,blocks_per_sm:2,switch_patience_us:100

# loaded SET COMMAND...: run it with modules loaded so.
loaded() {
	insmod /lib/softuvm/softgpu.ko "$clock" "set=$1" && insmod /lib/softuvm/uvm.ko || exit 1
	shift
	"$@"
	_status=$?
	rmmod uvm
	rmmod softgpu
	return $_status
}

# program NAME SET
program() {
	loaded "$2" ./oversubscribe $few > out 2>&1
	_status=$?
	note "$1"
	grep -v '^ok' out | sed 's/^/# /'
	expect "$1" 0 $_status
}

program "extra blocks" $sm,regs_per_sm:2048
program "extra blocks, switched on memory too" $sm,regs_per_sm:2048,switch_on_memory:1
program "virtual threads" $sm,regs_per_sm:4096,virtual_thread:1
if [ -n "$few" ]; then
	finish
fi

# switched: blocks that got a place, in "out".
switched() {
	sed -n 's/.*"switched_in":\([0-9]*\).*/\1/p' out
}

# Nothing of one launch is left for the next.
repeated() {
	for _i in 1 2 3; do
		uvm run bfs --kronecker 11 --degree 16 --oversubscription 200 --quiet --json
	done | sed 's/"wall_time_s":[0-9.]*//' | sort -u | wc -l
}

small=sm_count:4,threads_per_sm:512,warps_per_sm:16,regs_per_sm:16384,shared_bytes_per_sm:49152
limits="0 1 2 4"
if [ "$clock" = clock=real ]; then
	limits=2
fi
if [ "$clock" = clock=virtual ]; then
	expect "extra blocks: results repeat" 1 "$(loaded $small,extra_blocks:2 repeated)"
	expect "virtual threads too: results repeat" 1 \
		"$(loaded $small,extra_blocks:2,virtual_thread:1,miss_bytes:65536 repeated)"
fi
for extra in $limits; do
	for what in "bfs --kronecker 11 --degree 16" "sgemm --m 64 --n 4096 --k 16"; do
		loaded $small,extra_blocks:$extra \
			uvm run $what --oversubscription 200 --quiet --json > out 2>&1
		expect "$what with $extra extra blocks" 0 $?
		grep -q '"verified":true' out
		expect "$what with $extra extra blocks: right" 0 $?
		[ $((extra > 0)) = $(($(switched) > 0)) ]
		expect "$what with $extra extra blocks: switches" 0 $?
	done
done
finish

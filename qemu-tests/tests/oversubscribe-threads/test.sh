#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Thread blocks that wait on their SM and change places: right results whatever the limit
# is and when it moves, whoever holds a lock, whose access is cancelled (batch-aware, 4.1).
# vm: kernel=uml no-modules timeout=500
# vm: kernel=stock no-modules cpus=2 args="clock=real few" name=real timeout=500
# vm: kernel=stock no-modules cpus=2 args=clock=real name=all-real timeout=500 when=soak
# vm: kernel=uml-debug no-modules args="clock=virtual few" timeout=600
# vm: kernel=debug no-modules cpus=2 args="clock=real few" name=real when=soak
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
	loaded "$2" ./oversubscribe-threads $few > out 2>&1
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

# number KEY: in "out".
number() {
	sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" out
}

# holds NAME CONDITION...: of test(1), on numbers.
holds() {
	_name="$1: $2 $3 $4"
	shift
	check "$_name" [ "$@" ]
}

# ran WHAT SET: it is right, "in", "out" and "ns" are what its blocks' switches were.
ran() {
	# shellcheck disable=SC2086
	loaded "$2" uvm run $1 --quiet --json > out 2>&1
	expect "$1, $2: right" "0 true" "$? $(sed -n 's/.*"verified":\([a-z]*\).*/\1/p' out)"
	in=$(number switched_in)
	out=$(number switched_out)
	ns=$(number switch_ns)
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
		[ $((extra > 0)) = $(($(number switched_in) > 0)) ]
		expect "$what with $extra extra blocks: switches" 0 $?
	done
done
if [ "$clock" = clock=real ]; then
	finish
fi

# A second block fits in the registers and shared memory, and no scheduler has a place for it.
held=sm_count:4,threads_per_sm:256,warps_per_sm:8,blocks_per_sm:1,regs_per_sm:32768
held=$held,shared_bytes_per_sm:49152,extra_blocks:0
for what in "bfs --kronecker 11 --degree 16" "sgemm --m 64 --n 4096 --k 16"; do
	ran "$what" $held,virtual_thread:0
	expect "$what without virtual threads: no switches" "0 0" "$in $out"
	ran "$what" $held,virtual_thread:1
	holds "$what with virtual threads: switches" "$in" -gt 100
done

# What was saved took the latency at least, which is 270 ns; what comes in for the first time
# takes nothing.
for what in "bfs --kronecker 11 --degree 16" "sgemm --m 64 --n 4096 --k 16"; do
	ran "$what" $small,extra_blocks:2
	holds "$what: blocks that give way" "$out" -gt 10
	holds "$what: time of switches" "$ns" -ge $((270 * out))
	usual_ns=$ns
	usual_out=$out
	ran "$what" $small,extra_blocks:2,switch_latency_cycles:0,switch_line_cycles:1
	holds "$what, ideal: time of switches" $((3 * ns)) -lt "$usual_ns"
	holds "$what, ideal: still some" "$ns" -gt 0
	ran "$what" $small,extra_blocks:2,switch_on_memory:1
	holds "$what, switched on memory too: more switches" "$out" -gt $((4 * usual_out))
done
finish

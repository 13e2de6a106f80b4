#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Determinism: on the virtual clock every number but the
# wall time, and every event with its time, is the same in every boot, on any
# number of CPUs, on the stock and on the debug kernel, in User Mode Linux, with a
# busy host, with khugepaged at full speed and with others changing their address space; and a
# second run in one boot counts the same as the first.
# host: timeout=2400 when=full
# With larger workloads, on all kernels and numbers of CPUs.
# host: timeout=14400 when=soak name=soak args=3
. ./lib.sh

scale=${1:-1}

# boot NAME KERNEL CPUS NOISE [ROUNDS [RUNS]]: leaves the output in ./NAME.
boot() {
	"$VM" --kernel "$2" --cpus "$3" --timeout $((700 * scale)) --softgpu gpus=2 \
		--put "$TEST/guest.sh" -- \
		sh ./guest.sh "$4" "$scale" "${@:5}" > "$1" 2> "$1.err"
	status=$?
	if [ $status != 0 ] || grep -q FAILED "$1" || [ ! -s "$1" ]; then
		not_ok "$1: runs" "status $status: $(tail -n 20 "$1.err") $(grep FAILED "$1")"
	else
		ok "$1: runs"
	fi
}

# same NAME FILE [REFERENCE]: equal line by line.
same() {
	if cmp -s "${3-reference}" "$2"; then
		ok "$1: every number and every event is the same"
	else
		not_ok "$1: every number and every event is the same" \
			"$(diff "${3-reference}" "$2" | cut -c 1-3000)"
	fi
}

# Half of the time: what is disturbed is also left alone now and then, and other jobs of
# make test-all are not kept from their work.
burn() {
	for _ in 1 2; do
		(while sleep 0.1; do for ((i = 0; i < 50000; i++)); do :; done; done) &
		burners+=($!)
	done
}
burners=()
trap '[ ${#burners[@]} = 0 ] || kill "${burners[@]}"' EXIT

# The kernel that is fastest here is what the others are compared with.
boot twice uml 1 none 2
half=$(($(wc -l < twice) / 2))
head -n $half twice > reference
tail -n $half twice > second
# Else their rounds would show nothing that the others do not.
if grep -q '^to+ue .*"switched_in":[1-9]' reference &&
	! grep '^to+ue {\|^etc {' reference | grep -q '"evictions":{"chunks":0'; then
	ok "blocks change places, and memory is short"
else
	not_ok "blocks change places, and memory is short" \
		"$(grep '^to+ue {\|^etc {' reference | cut -c 1-2000)"
fi
note "$(grep -c . reference) lines, $(cut -d ' ' -f 2 reference | grep -c '^{') reports"
# Its events bear the times and batch numbers of a machine that has worked before.
grep ' {' reference > reference-reports
grep ' {' second > second-reports
check "the second time in one boot: every number is the same" cmp reference-reports second-reports

for kernel in stock uml; do
	"$VM" --kernel $kernel --put "$TEST/duplicates.probe" -- \
		uvm probe --json duplicates.probe > probe-$kernel 2> probe-$kernel.err
done
check "a CPU write takes the GPU's copies" grep -q '"read_duplicate_invalidate".*"dst":"cpu"' \
	probe-stock
same "User Mode Linux, single accesses" probe-uml probe-stock

boot noisy stock 4 khugepaged,mmap
same "another architecture, 4 CPUs, khugepaged and address space changes" noisy

# Two lines of output for each run; the debug kernel is slow.
runs=4
[ "$scale" = 1 ] || runs=100
head -n $((2 * runs)) reference > first-runs

burn
boot busy debug 2 none 1 $runs
check "the host was busy" kill "${burners[@]}"
burners=()
same "debug kernel, busy host" busy first-runs

if [ "$scale" -gt 1 ]; then
	for cpus in 1 2 4; do
		for kernel in stock test debug; do
			boot $kernel-$cpus $kernel $cpus khugepaged,mmap
			same "$kernel kernel, $cpus CPUs, noise in the VM" $kernel-$cpus
		done
	done
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The CUDA runtime API of libuvmcuda (Documentation/cuda-runtime.rst), a subject at a time, errors
# included; with "memory" also what it does when an allocation fails, any of them in turn.
# vm: kernel=uml args=memory
# vm: kernel=uml softgpu="gpus=2" name=two
# vm: kernel=stock softgpu="clock=real" name=real
. ./lib.sh

for subject in neighbours memory copies arrays launches variables streams events graphs \
		captures devices peers managed driver errors; do
	./cuda-runtime $subject > out 2> errors
	[ $? = 0 ] || sed 's/^/# /' out errors
	# what kernels print goes to stdout, too
	expect "$subject: none fails" "1" \
		"$(grep -v '^ok\|^n is 12$' out | grep -c '')"
	cat errors >> all-errors
	cp out $subject.out
done
expect "a kernel prints" "n is 12" "$(grep '^n is' launches.out)"
expect "a kernel has the name that people gave it" 1 \
	"$(grep -c '^softuvm: plain(int): launch of plain(int): ' all-errors)"
expect "a failure names kernel and address, once" 1 \
	"$(grep -c 'kernel touch failed: wild access (read of 0x10)' all-errors)"
expect "and which memory there was not, once" 1 \
	"$(grep -c '^softuvm: before, the GPU had no room for an allocation of 1048576.0 MB' all-errors)"
./cuda-runtime forgets > out 2>&1
expect "a program that forgets everything prints" "n is 34" "$(grep '^n is' out)"
expect "and says nothing else" "" "$(grep -v '^ok\|^1\.\.\|^n is' out)"

./cuda-runtime gives-up > out 2> errors
expect "one that gives up for want of memory keeps its status" 3 $?
expect "and the user is told what gives more" 1 \
	"$(grep -c '^softuvm: before, the GPU had no room .* SOFTUVM_MEMORY=MB gives more$' errors)"

# what was there before says ok, too
rm -f out
./cuda-runtime endless > out &
until grep -qs '^ok' out; do sleep 0.1; done
kill -9 $!
wait $!
expect "one that is killed has run" "ok 1 it runs" "$(cat out)"
check "another one works" ./cuda-runtime memory
# The environment.
number() {
	sed 's/.*"'"$1"'":\([0-9.]*\).*/\1/' report
}
SOFTUVM_VRAM=4M SOFTUVM_SET=eviction_policy=fifo,prefetch_policy=none SOFTUVM_STATS=report \
	SOFTUVM_EVENTS=events SOFTUVM_EVENT_TYPES=eviction ./cuda-runtime forgets > out
expect "SOFTUVM_VRAM" 4194304 "$(number vram_bytes)"
expect "the footprint: 6 MB and a page of __managed__ variables" 6295552 "$(number footprint_bytes)"
expect "launches" 1 "$(grep -c '"launches":2,"warp_instructions"' report)"
expect "SOFTUVM_SET" 1 \
	"$(grep -c '"set":{"eviction_policy":"fifo","prefetch_policy":"none"}' report)"
expect "nothing was prefetched" 0 "$(number htod_prefetch)"
expect "SOFTUVM_EVENTS: as many evictions as are counted" "$(number chunks)" \
	"$(grep -c '"event":"eviction"' events)"
expect "no other event" "" "$(grep -v '"event":"eviction"' events)"
SOFTUVM_VRAM=3M SOFTUVM_SET=root_chunk_granularity=64k SOFTUVM_STATS=report ./cuda-runtime forgets > out
expect "SOFTUVM_VRAM in pieces smaller than a frame" 3145728 "$(number vram_bytes)"
expect "six times as much as a granule of the GPU's leaves of them" 600.4 "$(number oversubscription_percent)"
SOFTUVM_STATS=report ./cuda-runtime one-copy > out
expect "a copy that is waited for twice is one" 1 "$(number copies)"
SOFTUVM_TRACE=prog.trace ./cuda-runtime forgets > out
check "SOFTUVM_TRACE is a trace" uvm trace --perfetto prog.trace -o prog.json
expect "with both launches" 2 "$(grep -c '"timeline":"launch"' prog.trace)"
SOFTUVM_STATS=- ./cuda-runtime forgets > out
expect "a report on stdout" 1 "$(grep -c '^{"program":"cuda-runtime",' out)"
for wrong in SOFTUVM_VRAM=x SOFTUVM_VRAM=0 SOFTUVM_SET=x SOFTUVM_SET=x=1 SOFTUVM_SET=eviction_policy=x \
		SOFTUVM_EVENTS=/no/file SOFTUVM_TRACE=/no/file SOFTUVM_STATS=/no/file \
		SOFTUVM_EVENT_TYPES=x; do
	refuse "$wrong" 2 env "$wrong" ./cuda-runtime forgets
done

# Each allocation of the program fails in turn, until there is none left to fail.
without_memory() {
	try=0
	wrong=
	while [ $try -lt 3000 ]; do
		try=$((try + 1))
		FAIL_ALLOCATION=$try timeout 60 ./cuda-runtime no-memory > out 2> errors
		status=$?
		grep -q '^# an allocation failed' out || [ $status != 0 ] || break
		[ $status -le 1 ] && ! grep '^not ok' out && continue
		# no memory for the image is a program without kernels, not a wrong result
		wrong="$wrong $try:$status"
	done
	expect "each allocation that fails is an error or does not matter" "" "$wrong"
	check "there were some: $try" test $try -gt 50
}
[ "${1-}" != memory ] || without_memory

# What repeats, with streams and events that overlap.
if grep -q virtual /sys/module/softgpu/parameters/clock; then
	for try in want got; do
		SOFTUVM_VRAM=8M SOFTUVM_STATS=report ./cuda-runtime streams events > out
		sed 's/"wall_time_s":[^,]*,//' report > $try
		grep ' ms' out >> $try
	done
	same "two runs report the same, and the same times"
fi

# uvm exec
uvm exec --oversubscription 300 --json ./cuda-runtime forgets > out
tail -n 1 out > report
expect "uvm exec: a third of 6 MB, and what is allocated on the GPU" 300.2 \
	"$(number oversubscription_percent)"
uvm exec --vram 64M ./cuda-runtime forgets > out
expect "uvm exec: usable memory" "64.0 MB" "$(sed -n 's/^  usable GPU memory *//p' out)"
expect "uvm exec: launches" 2 "$(sed -n 's/^  launches *//p' out)"
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The adaptive framework (policies): allocations that stream, that come again in order and that come
# in no order, side by side in memory that is too small.
# vm: kernel=uml,uml-debug softgpu="vram_mb=8" timeout=300
# vm: kernel=stock softgpu="vram_mb=8 clock=real" name=real timeout=600
. ./lib.sh

# 16 MB in steps of 64 KB, forwards, and with every two neighbours the wrong way round.
forward=$(seq -s ' ' 0 65536 16711680)
random=$(seq 0 131072 16646144 | awk '{ printf "%d %d ", $1 + 65536, $1 }')

# probe NAME SETTINGS COMMANDS: what happens, one event in a line, in "out".
probe() {
	{
		echo "set root_chunk_granularity 64k"
		printf 'set %s\n' $2 | sed 's/=/ /'
		printf '%s\n' "$3"
	} > script
	uvm probe --json script > out 2> errors
	expect "$1: runs" 0 $?
}
# sum EVENT NAME WHAT: KB of such events of an allocation that WHAT, a pattern, is in.
sum() {
	grep "\"event\":\"$1\"" out | grep "\"name\":\"$2\"" | grep -e "$3" |
		sed 's/.*"bytes":\([0-9]*\).*/\1/' | awk '{ n += $1 } END { print n / 1024 + 0 }'
}
# largest NAME: KB of its largest eviction.
largest() {
	grep '"event":"eviction"' out | grep "\"name\":\"$1\"" |
		sed 's/.*"bytes":\([0-9]*\).*/\1/' | awk '$1 > n { n = $1 } END { print n / 1024 + 0 }'
}

stream="alloc a 16M
cpu write a 0 16M
gpu read a $forward"
again="$stream
gpu read a $forward
gpu read a $forward"
mess="alloc a 16M
cpu write a 0 16M
gpu read a $random
gpu read a $random"

# patterns NAME: what is heard of an allocation's pattern, one after the other.
patterns() {
	grep '"event":"pattern"' out | grep "\"name\":\"$1\"" |
		sed 's/.*"pattern":"\([a-z_]*\)".*/\1/' | paste -s -d ' ' -
}

for policy in adaptive adaptive_global; do
	probe "$policy: a stream" "policy=$policy" "$stream"
	expect "$policy: it goes by 2 MB" 2048 "$(largest a)"
	expect "$policy: nothing of it is used over the link" 0 "$(sum map_remote a .)"
	expect "$policy: it is heard of" linear "$(patterns a)"

	probe "$policy: it comes again" "policy=$policy" "$again"
	check "$policy: less than 2 MB goes at a time now ($(grep '"event":"eviction"' out |
		tail -n 1))" [ "$(grep '"event":"eviction"' out | tail -n 1 |
		sed 's/.*"bytes":\([0-9]*\).*/\1/')" -lt 2097152 ]
	expect "$policy: still nothing is used over the link" 0 "$(sum map_remote a .)"
	expect "$policy: it is heard of again" "linear linear_reuse" "$(patterns a)"
done

probe "adaptive: in no order" "policy=adaptive" "$mess"
check "adaptive: no order is heard of ($(patterns a))" \
	sh -c 'case $1 in *random*) ;; *) exit 1 ;; esac' sh "$(patterns a)"
check "adaptive: what does not fit stays ($(sum map_remote a .) KB)" \
	[ "$(sum map_remote a .)" -ge 256 ]
pinned=$(grep -c '"event":"eviction"' out)
probe "adaptive: not pinned" "policy=adaptive adaptive_pin=0" "$mess"
check "adaptive: it waits, over the link ($(sum map_remote a .) KB)" \
	[ "$(sum map_remote a .)" -ge 256 ]
probe "adaptive: a write" "policy=adaptive" "$mess
gpu write a 16711680 16646144 16580608 16515072 0 65536 131072 196608"
expect "adaptive: what is written moves no more than what is read" "$pinned" \
	"$(grep -c '"event":"eviction"' out)"

# Threads of one warp read 64 lines of what waits: the dynamic threshold is 16 when it is full.
lines=$(seq -s ' ' 16711680 128 16719744)
probe "delayed_dynamic: it waits" "residency_policy=delayed_dynamic
	perf_access_counter_threshold=8 perf_map_remote_on_eviction=0
	eviction_policy=tbne prefetch_policy=tbn" "$mess
$(for _ in 1 2 3 4; do echo "gpu read a $lines"; done)"
check "delayed_dynamic: over the link ($(sum map_remote a .) KB)" \
	[ "$(sum map_remote a .)" -gt 0 ]
check "delayed_dynamic: a counter brings it at last" \
	grep -q '"event":"migration".*"cause":"access_counter"' out

# What waits is mapped by 64 KB where reads that wait are no faults with the authors (DATE 2021's
# simulator, IPDPS 2020's rule), else by fault, as nvidia-uvm does with what the CPU has mapped.
half=$(seq -s ' ' 0 65536 4128768)
waits="alloc a 4M
cpu write a 0 4M
gpu read a $half
alloc b 2M
cpu write b 0 128K
gpu read b 8192 0 4096 61440 16384"
for policy in delayed delayed_dynamic; do
	probe "$policy: one allocation waits" "residency_policy=$policy prefetch_policy=tbn
		perf_access_counter_threshold=8" "$waits"
	case $policy in delayed) wanted="5 20" ;; *) wanted="1 64" ;; esac
	expect "$policy: so many faults, and KB are mapped" "$wanted" \
		"$(grep '"event":"gpu_fault"' out | grep -c '"name":"b"') $(sum map_remote b .)"
	expect "$policy: nothing of it moves" 0 "$(sum migration b .)"
done
# a write of the 64 KB asks for itself, and what is at the GPU then is not mapped elsewhere
probe "delayed_dynamic: some of 64 KB has moved" "residency_policy=delayed_dynamic
	prefetch_policy=none perf_access_counter_threshold=8" "$(echo "$waits" | sed '$d')
gpu write b 4096
gpu read b 8192
residency b 0 64K"
expect "delayed_dynamic: the rest is mapped, each part where it is" \
	"4096 cpu 4096 gpu0 57344 cpu" "$(grep '"residency":"b"' out | grep '"by":"gpu0"' |
	sed 's/.*"bytes":\([0-9]*\),"resident":\["\([a-z0-9]*\)".*/\1 \2/' | paste -s -d ' ' -)"

# LFU counts what the recorder says.
debug=/sys/kernel/debug/uvm/gpu0/eviction_policy
uvm run regular --size 12M --oversubscription 150 --set root_chunk_granularity=64k \
	--set eviction_policy=lfu --json --quiet > report
expect "lfu: runs" 0 $?
touches=$(sed -n 's/^touches //p' $debug)
least=100
grep -q '"clock":"virtual"' report || least=0
check "lfu: it was told of accesses ($touches)" [ "$touches" -gt $least ]
check "lfu: it was verified" grep -q '"verified":true' report

# The recorder is asked only when somebody needs it.  On the real clock faults of many SMs come in
# another order each time, and at times they look as if there were none: that is not a stream.
uvm run triad --size 12M --oversubscription 150 --set root_chunk_granularity=64k \
	--set policy=adaptive_global --json --quiet > report
expect "adaptive_global: a stream runs" 0 $?
expect "adaptive_global: a pattern for each allocation" 3 "$(grep -o '"pattern":"' report | wc -l)"
if grep -q '"clock":"virtual"' report; then
	expect "adaptive_global: all stream" \
		'"pattern":"linear" "pattern":"linear" "pattern":"linear"' \
		"$(grep -o '"pattern":"[a-z_]*"' report | paste -s -d ' ' -)"
	expect "adaptive_global: nobody asks the recorder" 0 \
		"$(sed -n 's/^recorder_fetches //p' $debug)"
fi
uvm run triad --size 12M --oversubscription 150 --json --quiet > report
expect "no policy looks at patterns: none is told" 0 "$(grep -c '"patterns"' report)"

finish

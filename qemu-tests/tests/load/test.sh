#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Loading and unloading: bad parameters are refused, not corrected,
# and nothing of a refused or unloaded module stays.
# vm: kernel=stock,uml no-modules prog=lifecycle
# vm: kernel=debug cpus=2 no-modules prog=lifecycle
# shellcheck disable=SC2086
. ./lib.sh

ko=/lib/softuvm

# refused MODULE PARAM: insmod must fail and leave no module.
refused() {
	if insmod $ko/$1.ko "$2" 2>/dev/null; then
		not_ok "$1 refuses $2" "it was loaded, with $(cat /sys/module/$1/parameters/${2%%=*} 2>&1)"
		rmmod $1
	elif grep -q "^$1 " /proc/modules; then
		not_ok "$1 refuses $2" "the module is still listed"
	else
		ok "$1 refuses $2"
	fi
}

for param in profile=nosuch clock=nosuch gpus=0 gpus=9 gpus=-1 vram_mb=0 vram_mb=1 vram_mb=3 \
	vram_mb=1000000000 set=nosuch:1 set=sm_count set=sm_count:x set=sm_count:0; do
	refused softgpu $param
done

check "softgpu loads" insmod $ko/softgpu.ko
for param in replay_policy=nosuch prefetch_policy=nosuch eviction_policy=nosuch \
	residency_policy=nosuch perf_prefetch_threshold=101 perf_prefetch_threshold=-1 \
	perf_fault_batch_count=0 thrashing_policy=nosuch perf_thrashing_threshold=8 \
	perf_thrashing_nap=0 perf_thrashing_lapse_usec=4294967295 perf_thrashing_pin=4294967295 \
	perf_thrashing_epoch=4294967295 perf_reenable_prefetch_faults_lapse_msec=4294967295 \
	root_chunk_granularity=8k; do
	refused uvm $param
done

check "uvm loads" insmod $ko/uvm.ko
refuse "softgpu cannot go while uvm uses it" 1 rmmod softgpu
for node in /dev/uvm /dev/uvm-tools /dev/softgpu0; do
	expect "$node is for root alone" 600 "$(stat -c %a $node 2>&1)"
done

exec 9< /dev/uvm
refuse "uvm cannot go while it is open" 1 rmmod uvm
exec 9<&-
exec 9< /dev/softgpu0
refuse "softgpu cannot go while it is open" 1 rmmod softgpu
exec 9<&-

for round in 1 2 3; do
	check "unload uvm, round $round" rmmod uvm
	check "unload softgpu, round $round" rmmod softgpu
	expect "nothing in /dev, round $round" "" "$(ls -d /dev/uvm* /dev/softgpu* 2>/dev/null)"
	check "load softgpu, round $round" insmod $ko/softgpu.ko gpus=2
	check "load uvm, round $round" insmod $ko/uvm.ko
done
check "two GPUs" test -c /dev/softgpu1

# batch_count EXPECTED WHAT SOFTGPU_PARAM [UVM_PARAM]: a given parameter beats the
# profile, which beats the driver's default.
batch_count() {
	rmmod uvm
	rmmod softgpu
	insmod $ko/softgpu.ko $3
	insmod $ko/uvm.ko $4
	expect "faults per batch, $2" $1 \
		"$(cat /sys/module/uvm/parameters/perf_fault_batch_count)"
	uvm info | grep -q "perf_fault_batch_count  *$1  *${2##* }"
	expect "and uvm info says so" 0 $?
}
batch_count 256 "by default" profile=gtx1080ti
batch_count 1024 "by profile" profile=asplos20
batch_count 256 "by profile" profile=date21
batch_count 300 "by module" profile=asplos20 perf_fault_batch_count=300
batch_count 512 "with set=, by profile" "profile=gtx1080ti set=uvm_fault_batch_count:512"

# granularity EXPECTED SOFTGPU_PARAM [UVM_PARAM]: the same for a size.
granularity() {
	rmmod uvm
	rmmod softgpu
	insmod $ko/softgpu.ko $2
	insmod $ko/uvm.ko $3
	expect "granularity with $2 $3" $1 "$(cat /sys/module/uvm/parameters/root_chunk_granularity)"
}
granularity 2m profile=titanv
granularity 64k profile=asplos20
granularity 64k profile=date21
granularity 4k profile=asplos20 root_chunk_granularity=4k

rmmod uvm
insmod $ko/uvm.ko global_oversubscription=0
./lifecycle limit-kept > kept 2>&1
kept=$?
note "$(cat kept)"
expect "PMA may not evict with global_oversubscription=0" 0 $kept
./lifecycle limit-ahead > ahead 2>&1
ahead=$?
note "$(cat ahead)"
expect "and does not need to for what nobody uses" 0 $ahead
finish

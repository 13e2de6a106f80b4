#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Fault records that say which SM, block, warp and instruction made the access:
# an extension of the hardware, off by default.
# vm: kernel=uml,uml-debug uvm="fault_origin=1" timeout=300
# vm: kernel=stock softgpu="clock=real gpus=2" uvm="fault_origin=1" name=real timeout=300
# vm: kernel=uml name=off timeout=300
# vm: kernel=uml softgpu="set=far_faults:wait" uvm="fault_origin=1" timeout=300 name=wait
. ./lib.sh

# field NAME: its values in "faults", one per line.
field() {
	sed -n 's/.*"'"$1"'":\([0-9]*\).*/\1/p' faults
}

# events KIND: its lines in "out".
events() {
	grep "\"event\":\"$1\"" out > faults
}

# Which SM takes a block, and how often one access faults, are known on the
# virtual clock only.
few=20
if grep -q real /sys/module/softgpu/parameters/clock; then
	few=2
else
	uvm probe --json one-warp.probe > out 2> errors
	expect "the wild access is found" 1 $?
	if [ "$(cat /sys/module/uvm/parameters/fault_origin)" = 0 ]; then
		events gpu_fault
		expect "off: faults are reported" 5 "$(grep -c '"name":"a"' faults)"
		expect "off: no event says where it came from" 0 "$(grep -cE '"(sm|warp|block|pc)":' out)"
		finish
	fi

	# One warp of one block on the first SM.  The three reads are one instruction,
	# the store of the warp is another, and both of its pages name it.
	events gpu_fault
	head -5 faults > first
	mv first faults
	expect "five faults of one warp" "0 0 0 0 0" "$(field sm | xargs)"
	expect "all of block 0" "0 0 0 0 0" "$(field block | xargs)"
	expect "all of warp 0" "0 0 0 0 0" "$(field warp | xargs)"
	expect "a load and a store: two instructions" "3 2" "$(field pc | uniq -c | awk '{ print $1 }' | xargs)"
	events fatal_fault
	pc=$(sed -n 's/.*, pc \(0x[0-9a-f]*\),.*/\1/p' errors)
	expect "a fatal fault names the instruction that the launch failed at" \
		"$(printf '%d' "$pc")" "$(field pc)"
fi

# A grid: every fault's SM is the one that its GPC and client name, its block
# and warp exist, its instruction is one of few, and many have to do with it.
check "vecadd runs" uvm run vecadd --size 8M --events out
events gpu_fault
awk -v n="$(wc -l < faults)" 'BEGIN { exit n < 100 }'
expect "it faults" 0 $?
sed 's/.*"gpc":\([0-9]*\),"client":\([0-9]*\),"utlb":\([0-9]*\).*"sm":\([0-9]*\),.*/\1 \2 \3 \4/' \
	faults > places
# 28 SMs, 2 per uTLB, 6 GPCs: 3 uTLBs, 6 SMs per GPC (gtx1080ti)
expect "SMs that are not those of the fault record" 0 \
	"$(awk '$4 != 6 * $1 + $2 || $3 != int($4 / 2)' places | wc -l)"
awk '{ print $4 }' places | sort -u > sms
awk -v n="$(wc -l < sms)" 'BEGIN { exit n < '"$few"' }'
expect "most SMs fault" 0 $?
field block | sort -un > blocks
awk -v n="$(wc -l < blocks)" 'BEGIN { exit n < '"$few"' }'
expect "many blocks do" 0 $?
expect "two loads and a store" 3 "$(field pc | sort -u | wc -l)"
finish

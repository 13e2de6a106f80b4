#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Allocation failures injected one after the other while the modules are loaded: it works or there is
# no memory, nothing stays, nothing leaks, and the next time it works.
# vm: own=load-failures kernel=uml-debug no-modules timeout=900 args="1 9"
# vm: own=load-failures kernel=uml-debug no-modules timeout=7200 args="1 1" name=all when=soak
#
# Arguments: the steps through the allocations of softgpu and of uvm.
. ./lib.sh

few="profile=date21 vram_mb=4 set=sm_count:2"

# failures MODULE STEP REFUSED [PARAMETERS]
failures() {
	_out=$(timeout -s KILL 3000 ./load-failures "$@" 2>&1)
	_status=$?
	note "$*: $_out"
	expect "failures while $1 is loaded: an error and nothing left, or it works" 0 $_status
}

failures softgpu "$1" gpus=0 "$few"
# shellcheck disable=SC2086 # several parameters
check "softgpu loads" insmod /lib/softuvm/softgpu.ko $few
failures uvm "$2" replay_policy=nosuch
check "uvm loads" insmod /lib/softuvm/uvm.ko
check "and everything works" uvm run vecadd --size 1M --quiet
check "uvm unloads" rmmod uvm
check "softgpu unloads" rmmod softgpu
finish

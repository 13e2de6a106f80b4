#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What kernels can do beside arithmetic: atomics, barriers, lanes that part, recursion, printing,
# one instruction for several memories, and each way to fail with its reason, address and thread.
# vm: kernel=uml,uml-debug prog=textbook timeout=300
# vm: kernel=stock prog=textbook softgpu="clock=real" timeout=300 name=real
. ./lib.sh

for case in atomics barriers barriers-exited doubles warps reductions divergence printing printing-much recursion memories failures many-launches; do
	check "$case" ./device $case
done
for form in reduce register unrolled by_hand continue tree while scan sweep stencil mask tiles; do
	check "textbook: $form" ./textbook $form
done
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# uvm_prefetch_release() of libuvm: a word in pinned memory tells the end of a
# migration (nvidia-uvm 6.1).  tests/migrate has the rules.
# vm: kernel=uml
# vm: kernel=stock softgpu="clock=real" name=real
. ./lib.sh

for what in to-gpu to-cpu at-once foreign; do
	check "release $what" ./migrate-lib $what
done
expect "no object is left" "" "$(objects_left)"
finish

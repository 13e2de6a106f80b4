#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Atomics over a link that has none: the page stays, and whoever does them is the only one
# that may write meanwhile (nvidia-uvm 3.2, steps 2 and 3).
# vm: kernel=uml timeout=300
# vm: kernel=uml softgpu="gpus=2" timeout=300 name=2gpus
# vm: kernel=stock softgpu="gpus=2 clock=real" timeout=900 name=real
# vm: kernel=debug softgpu="gpus=2 clock=real" timeout=900 args=few name=real when=soak
# vm: kernel=uml softgpu="gpus=2 set=far_faults:wait" timeout=300 name=wait
. ./lib.sh

./atomics "$@" > data
status=$?
grep '^not ok\|^#\|^Bail' data | sed 's/^not ok/# not ok/'
expect "atomics $*: $(grep -c '^ok' data) results" 0 $status
expect "no object is left" "" "$(objects_left)"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A listener that does not read stops its own process, and nobody else: others come, work,
# are killed and go, and it can be killed itself; and no parameter moves the clock far at a
# time (design.rst, Two clocks, Watching).
# vm: kernel=uml,debug,uml-debug timeout=600
. ./lib.sh

out=$(timeout -s KILL 400 ./frozen 2>&1)
status=$?
expect "the clock is everybody's: $(echo "$out" | grep -c '^ok') results" 0 $status
[ $status = 0 ] || note "$out"
expect "no object is left" "" "$(objects_left)"
finish

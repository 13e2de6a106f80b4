#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The CUDA runtime API of libuvmcuda (Documentation/cuda-runtime.rst), a subject at a time, errors
# included.
# vm: kernel=uml
# vm: kernel=stock softgpu="clock=real" name=real
. ./lib.sh

for subject in neighbours memory copies launches variables streams events devices managed errors; do
	./cuda-runtime $subject > out 2> errors
	[ $? = 0 ] || sed 's/^/# /' out errors
	# what kernels print goes to stdout, too
	expect "$subject: none fails" "1" \
		"$(grep -v '^ok\|^n is 12$' out | grep -c '')"
	cat errors >> all-errors
	cp out $subject.out
done
expect "a kernel prints" "n is 12" "$(grep '^n is' launches.out)"
expect "a failure names kernel and address, once" 1 \
	"$(grep -c 'kernel touch failed: wild access (read of 0x10)' all-errors)"
./cuda-runtime forgets > out 2>&1
expect "a program that forgets everything prints" "n is 34" "$(grep '^n is' out)"
expect "and says nothing else" "" "$(grep -v '^ok\|^1\.\.\|^n is' out)"

./cuda-runtime endless > out &
until grep -q '^ok' out; do sleep 0.1; done
kill -9 $!
wait $!
expect "one that is killed has run" "ok 1 it runs" "$(cat out)"
check "another one works" ./cuda-runtime memory
expect "no object is left" "" "$(objects_left)"
finish

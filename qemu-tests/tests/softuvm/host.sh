#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# tools/softuvm: a program of this machine runs as if it had the GPU; its files, output, status.
# host: timeout=300
. ./lib.sh

top=$(dirname "$QEMU_TESTS")
build=${SOFTUVM_BUILD:-$top/build}
softuvm=$top/tools/softuvm
# In turn with the launchers that build them, too (lib/builddir.py).
flock "$build/.lock-tools" make -s --no-print-directory -C "$QEMU_TESTS/tests" O="$build/tests" \
	cuda-runtime > make.log 2>&1 || not_ok "the program is built" "$(tail -n 20 make.log)"
cp "$build/tests/cuda-runtime" .

# run STATUS ARGUMENT...: its output goes to out.
run() {
	local want=$1

	shift
	"$softuvm" run "$@" > out 2> err < /dev/null
	expect "softuvm run ${*//$PWD/.}: its status" "$want" $?
}

run 0 ./cuda-runtime forgets
check "what it and its kernel print" grep -qx 'n is 34' out
check "no word of the kernel's" test ! -s err

echo input > file
SOFTUVM_VRAM=4M SOFTUVM_STATS=report.json run 7 sh -c \
	'cat file; pwd; echo "$1"; ./cuda-runtime forgets > result; exit 7' sh 'two  blanks'
expect "a file, the directory, an argument" "input $PWD two  blanks" "$(tr '\n' ' ' < out |
	sed 's/ $//')"
check "a file that it wrote" grep -qx 'n is 34' result
check "the environment reaches it" grep -q '"vram_bytes":4194304,' report.json

run 0 --oversubscription 300 -- "$PWD/cuda-runtime" forgets
check "options are those of uvm exec" grep -q '^  oversubscription  *300.2 %' out
SOFTUVM_SOFTGPU=profile=titanv run 0 --json ./cuda-runtime forgets
check "another device" grep -q '"profile":"titanv"' out
run 127 ./no-such-program
run 143 sh -c 'kill $$'
"$softuvm" > out 2> err < /dev/null
expect "without a word it says how" 2 $?
finish

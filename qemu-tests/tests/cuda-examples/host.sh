#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The programs in CUDA C++ of tools/cuda/examples, as they are, with all the memory that they need and
# with half of it: each is right by its own check, faults, and then evicts.
# host: timeout=1200
. ./lib.sh

top=$(dirname "$QEMU_TESTS")
examples=$top/tools/cuda/examples
"$QEMU_TESTS/tools" all > make.log 2>&1 || not_ok "the tools are built" "$(tail -n 20 make.log)"

# number NAME PERCENT KEY: the first value of that key in the report of that run.
number() {
	sed -n "s/.*\"$3\": *\([0-9]*\).*/\1/p" "out/$1.$2.json" | head -n 1
}

"$top/tools/cuda/suite/test-suite" "$examples" --out out > said 2>&1 < /dev/null
expect "all are as they must be" 0 $?
for source in "$examples"/*.cu; do
	name=$(basename "$source" .cu)
	check "$name: listed" grep -q "^| .cuda/$name.cu. " "$top/tools/examples/README.md"
	expect "$name: compiles without a word" "" "$(cat "out/$name.cc.log")"
	for percent in 100 50; do
		check "$name, $percent %: right" grep -q "^ok .* - $name, $percent % # verified$" said
	done
	check "$name: faults" test "$(number "$name" 100 fetched)" -gt 0
	expect "$name: no eviction with all memory" 0 "$(number "$name" 100 chunks)"
	check "$name: evicts with half" test "$(number "$name" 50 chunks)" -gt 0
done
check "its last line" grep -qx '20 passed, 0 failed' said
[ "$failures" = 0 ] || note "$(cut -c1-200 said | tail -n 60)"
finish

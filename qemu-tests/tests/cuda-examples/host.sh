#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The programs in CUDA C++ of tools/examples/cuda, as they are, with two thirds of the memory that they
# need: each is right by its own check, faults, and evicts.
# host: timeout=600
. ./lib.sh

top=$(dirname "$QEMU_TESTS")
tools=${SOFTUVM_BUILD:-$top/build}/tools
flock "$(dirname "$tools")/.lock-tools" \
	make -s --no-print-directory -C "$top/tools" O="$tools" > make.log 2>&1 ||
	not_ok "the tools are built" "$(tail -n 20 make.log)"

# number PROGRAM KEY: the first value of that key in its report.
number() {
	sed -n "s/.*\"$2\": *\([0-9]*\).*/\1/p" "$1.json" | head -n 1
}

put=
names=
for source in "$top"/tools/examples/cuda/*.cu; do
	name=$(basename "$source" .cu)
	"$tools/uvm" cc "$source" -o "$name" > cc.log 2>&1
	expect "$name: compiles without a word" "0" "$?$(cat cc.log)"
	check "$name: listed" grep -q "^| .cuda/$name.cu. " "$top/tools/examples/README.md"
	put="$put --put $name"
	names="$names $name"
done
cat > all.sh <<END
for name in$names; do
	uvm exec --oversubscription 150 --json ./\$name > out
	echo "\$name: \$?"
	sed "s/^/\$name| /" out
done
END
# shellcheck disable=SC2086
"$VM" --kernel uml $put --put all.sh -- "sh all.sh" > out 2> err < /dev/null
expect "the launcher ends well" 0 $?
for name in $names; do
	sed -n "s/^$name| //p" out > "$name.json"
	expect "$name: its status is 0" "$name: 0" "$(grep "^$name: " out)"
	check "$name is right" grep -qx "$name: right" "$name.json"
	check "$name: faults" test "$(number "$name" fetched)" -gt 0
	check "$name: evicts" test "$(number "$name" chunks)" -gt 0
done
[ "$failures" = 0 ] || note "$(cut -c1-200 out err | tail -n 40)"
finish

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# GPU kernels by the newest clang that Debian 12 has: textbook forms, what kernels can do beside
# arithmetic, the kernels' library, and every workload.  tests/device has Debian's default, clang 14.
# host: timeout=1200 when=full
. ./lib.sh

tools=$("$QEMU_TESTS/tools" --clang 19 all 2> make.log) || not_ok "the tools are built" "$(tail -n 20 make.log)"
own=${SOFTUVM_BUILD:-$(dirname "$QEMU_TESTS")/build}/tools/kernel-compiler
forms="reduce register unrolled by_hand continue tree while scan sweep stencil mask tiles"
cases="atomics barriers divergence printing recursion memories failures"

# For this build only: the launcher would build the tree's own tools with what is exported.
make -s --no-print-directory -C "$QEMU_TESTS/tests" O="$PWD/programs" TOOLS="$tools" \
	KERNEL_CLANG=clang-19 KERNEL_LLD=ld.lld-19 device textbook > make.log 2>&1 ||
	not_ok "all is built" "$(tail -n 20 make.log)"
expect "every kernel by clang 19" "" "$(grep -L 'clang version 19\.' "$tools"/kernels/*.elf)"
expect "it warns of nothing" "" "$(grep warning make.log)"
check "uvm cc uses the compiler of the build" \
	sh -c "$tools/uvm cc --help | grep -q 'Uses clang-19 and ld.lld-19,'"
check "uvm cc refuses and takes the same" \
	sh "$QEMU_TESTS/../tools/tests/kernel-cc.sh" "$tools/uvm"

cat > all.sh <<END
for form in $forms; do ./textbook \$form > log 2>&1; echo "textbook \$form: \$?"; done
for case in $cases; do ./device \$case > log 2>&1; echo "device \$case: \$?"; done
./uvm list --json
./uvm run all --quiet --json
./uvm run graphbig --kronecker 8 --quiet --json
./uvm run hpe --size 3M --quiet --json
./uvm run adaptive --size 3M --quiet --json
END
"$VM" --kernel uml --put programs/device --put programs/textbook --put "$tools/uvm" --put all.sh -- "sh all.sh" \
	> out 2> err < /dev/null
expect "the launcher ends well" 0 $?
expect "the tools of the tree are those of its own compiler" \
	"${KERNEL_CLANG:-clang} ${KERNEL_LLD:-ld.lld}" "$(cat "$own")"
for form in $forms; do
	check "textbook: $form" grep -qx "textbook $form: 0" out
done
for case in $cases; do
	check "device: $case" grep -qx "device $case: 0" out
done
expect "every workload is verified" \
	"$(grep '^{"workloads"' out | grep -o '"options":' | wc -l)" \
	"$(grep -o '"verified":true' out | wc -l)"
[ "$failures" = 0 ] || note "$(cut -c1-200 out err | tail -n 30)"
finish
